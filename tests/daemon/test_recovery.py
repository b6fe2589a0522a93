"""A daemon that is killed goes on; a board that lost its power waits for the arbiter."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.records.formats.traces import ruling_record
from gnomon.records.journal.entries import Entry, EntryKind, GameStart, Record, StoredGame
from gnomon.referee.rulings import FaultRuled, GameOver, GamePaused, GameResumed, GlassStopped, Ruling, TurnRuled
from gnomon.refusals import Statement
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Instant
from gnomon_pi.runtime.recovery import RecoveryError, fold, outage, recover
from tests.conftest import examples
from tests.daemon.halves import (
    UNHURRIED,
    begun,
    edges_of_a_game,
    entries,
    let_pass,
    live_game,
    notebook,
    restarted,
    sand,
)
from tests.virtual_daemon import VirtualDaemon, play_virtual

TURNS = 10
CALM = 100 * MILLISECOND
EDGES = edges_of_a_game(2, 5, TURNS)
END = Instant(EDGES[-1].at + 2 * SECOND)


def told(paused: Mapping[str, object]) -> str:
    """Why a game was paused, in English."""
    return str(Statement.load(paused["why"]))


def played_through() -> VirtualDaemon:
    daemon = begun(2)
    daemon.play(EDGES)
    daemon.pass_to(END)
    return daemon


WHOLE = played_through()


# In the same boot


def is_calm(number: int) -> bool:
    """Whether no input moves around the edge of this number."""
    return EDGES[number].at - EDGES[number - 1].at > CALM if number else True


def is_about_sand_unseen(ruling: Ruling) -> bool:
    """Whether it is said of a glass that it was set down while the daemon was away."""
    return isinstance(ruling, FaultRuled) and ruling.fault == "unseen"


def killed_at(kills: list[int]) -> tuple[VirtualDaemon, list[Ruling]]:
    """A daemon that was killed and started again just before the edges of these numbers, and all that was shown."""
    daemon, shown = begun(2), []
    for number, edge in enumerate(EDGES):
        if number in kills:
            daemon.pass_to(Instant(edge.at))
            shown += daemon.rulings
            daemon = restarted(daemon)
        daemon.play([edge])
    daemon.pass_to(END)
    return daemon, [*shown, *daemon.rulings]


@settings(max_examples=examples(15))
@given(st.lists(st.sampled_from([number for number in range(len(EDGES)) if is_calm(number)]), min_size=1, max_size=3))
def test_a_daemon_killed_in_a_calm_moment_goes_on_as_if_nothing_had_happened(kills: list[int]) -> None:
    daemon, shown = killed_at(kills)
    # Of a glass that came to stand while nobody looked it is said that nobody knows its sand, and it may run longer.
    game = live_game(daemon.runner).game
    assert isinstance(game, TamskGame)
    vague = game.vague
    ruled = [ruling for ruling in shown if not is_about_sand_unseen(ruling)]
    assert [each for each in ruled if not isinstance(each, GlassStopped)] == [
        each for each in WHOLE.rulings if not isinstance(each, GlassStopped)
    ]
    stops = [each for each in WHOLE.rulings if isinstance(each, GlassStopped)]
    for ours, theirs in zip((each for each in ruled if isinstance(each, GlassStopped)), stops, strict=True):
        assert replace(ours, at=theirs.at) == theirs
        assert theirs.at <= ours.at <= theirs.at + max(vague)
    # A first scan has a longer gap before it, which is granted: the position may say that it became so earlier.
    position, whole = game.position, live_game(WHOLE.runner).game.position
    assert position._replace(now=whole.now, sands=()) == whole._replace(sands=())
    for sand_now, sand_whole, more in zip(position.sands, whole.sands, vague, strict=True):
        assert 0 <= sand_now.remaining(whole.now) - sand_whole.remaining(whole.now) <= more


@pytest.mark.untraced
@settings(max_examples=examples(25))
@given(st.lists(st.integers(0, len(EDGES) - 1), min_size=1, max_size=3))
def test_a_daemon_killed_while_a_contact_bounces_rules_the_same_turns(kills: list[int]) -> None:
    _, shown = killed_at(kills)
    turns = [(each.player, each.text) for each in shown if isinstance(each, TurnRuled)]
    assert turns == [(each.player, each.text) for each in WHOLE.rulings if isinstance(each, TurnRuled)]


@pytest.mark.untraced
@settings(max_examples=examples(40))
@given(st.integers(1, len(notebook(WHOLE).records)))
def test_wherever_the_journal_was_cut_every_ruling_stands_in_it_exactly_once(durable: int) -> None:
    daemon = played_through()
    notebook(daemon).lose(durable)
    kept = len(entries(daemon, EntryKind.RULING))
    following = restarted(daemon)
    following.pass_to(Instant(END + SECOND))
    game = following.runner.shown
    assert game is not None
    written = [record.entry.body for record in entries(following, EntryKind.RULING)]
    assert written == [ruling_record(ruling) for ruling in game.rulings]
    assert list(game.rulings[:kept]) == WHOLE.rulings[:kept]


def test_the_sand_runs_on_while_the_daemon_is_dead() -> None:
    daemon = begun(2)
    daemon.play(EDGES[: len(EDGES) // 2])
    let_pass(daemon, 1)
    before = sand(daemon)
    daemon.watch.go_to(Instant(daemon.watch.now() + 7 * SECOND))
    following = restarted(daemon)
    following.pass_to(Instant(following.watch.now() + 1))
    assert max(before) > 7 * SECOND
    assert sand(following) == [max(0, left - 7 * SECOND - 1) for left in before]


def test_a_glass_that_ran_out_while_the_daemon_was_dead_is_ruled_with_its_own_stamp() -> None:
    daemon = begun(2)
    daemon.play(EDGES)
    let_pass(daemon, 1)
    runs_out = min(left for left in sand(daemon) if left > 0) + daemon.watch.now()
    daemon.watch.go_to(Instant(runs_out + 5 * SECOND))
    following = restarted(daemon)
    let_pass(following, 1)
    stopped = [ruling for ruling in following.rulings if ruling.kind == "stopped"]
    assert [ruling.at for ruling in stopped] == [runs_out]


def test_a_glass_that_was_moved_while_the_daemon_was_dead_is_noticed() -> None:
    daemon = begun(1)
    let_pass(daemon, 1)
    for name, value in (("D1.north", False), ("D2.north", True), ("D2.ring1", True)):
        daemon.board.set_input(name, value)
    daemon.watch.go_to(Instant(daemon.watch.now() + 3 * SECOND))
    following = restarted(daemon)
    let_pass(following, 2)
    found = entries(following, EntryKind.RAW)[0].entry
    assert found.at == 4 * SECOND
    assert found.body["uncertainty_us"] == 4 * SECOND  # nothing was written down since the game began
    assert [(each.player, each.text) for each in following.rulings if isinstance(each, TurnRuled)] == [("red", "D1-D2")]


def test_a_turn_that_was_made_while_the_daemon_was_dead_is_not_lost_before_the_board_was_looked_at() -> None:
    daemon = begun(3)
    for name, value in (("D1.north", False), ("D2.south", True), ("D2.ring1", True)):
        daemon.touch(name, value=value)
        let_pass(daemon, 1)
    daemon.touch("timer15.north", value=False)
    let_pass(daemon, 1)
    daemon.touch("timer15.south", value=True)
    let_pass(daemon, 2)
    for name, value in (("A1.north", False), ("B2.south", True), ("B2.ring1", True)):
        daemon.board.set_input(name, value)
    daemon.watch.go_to(Instant(daemon.watch.now() + 20 * SECOND))
    following = restarted(daemon)
    let_pass(following, 2)
    assert [ruling.kind for ruling in following.rulings if not is_about_sand_unseen(ruling)] == ["turn"]
    stamps = [record.entry.at for record in entries(following, EntryKind.RAW)]
    assert stamps == sorted(stamps)


def test_a_turn_is_lost_while_the_daemon_is_dead_if_the_board_has_not_changed() -> None:
    daemon = begun(3)
    for name, value in (("D1.north", False), ("D2.south", True), ("D2.ring1", True), ("timer15.north", False)):
        daemon.touch(name, value=value)
        let_pass(daemon, 1)
    daemon.touch("timer15.south", value=True)
    let_pass(daemon, 2)
    daemon.watch.go_to(Instant(daemon.watch.now() + 20 * SECOND))
    following = restarted(daemon)
    let_pass(following, 2)
    assert [ruling.kind for ruling in following.rulings] == ["lost"]


def test_a_finger_that_was_on_a_button_is_not_there_any_more() -> None:
    daemon = begun(1)
    daemon.touch("button.arbiter", value=True)
    let_pass(daemon, 1)
    assert "button.arbiter" in live_game(daemon.runner).on
    daemon.board.set_input("button.arbiter", value=False)
    following = restarted(daemon)
    let_pass(following, 1)
    assert "button.arbiter" not in live_game(following.runner).on
    following.touch("button.arbiter", value=True)
    let_pass(following, 1)
    assert [ruling.kind for ruling in following.rulings] == ["resumed"]


def test_the_same_game_is_not_started_anew() -> None:
    daemon = restarted(restarted(played_through()))
    let_pass(daemon, 1)
    assert len(notebook(daemon).games) == 1
    assert daemon.runner.is_unfinished


@pytest.mark.untraced
def test_a_finished_game_is_shown_and_not_gone_on_with() -> None:
    daemon = play_virtual({"level": 2}, 1, habits=UNHURRIED).daemon
    following = restarted(daemon)
    let_pass(following, 1)
    assert following.runner.shown is not None
    assert following.runner.shown.outcome is not None
    assert not following.runner.is_unfinished
    assert following.rulings == []


def test_a_game_whose_end_was_cut_off_ends_in_the_journal_after_all() -> None:
    daemon = play_virtual({"level": 2}, 1, habits=UNHURRIED).daemon
    store = notebook(daemon)
    assert store.records[-1].entry.kind is EntryKind.RULING
    store.lose(len(store.records) - 1)
    store.games[0] = StoredGame(1, store.games[0].start, None)
    following = restarted(daemon)
    let_pass(following, 1)
    assert isinstance(following.rulings[-1], GameOver)
    assert notebook(following).games[0].ended is not None


# After a part of the journal was lost


def test_a_game_that_may_have_lost_its_end_is_stopped_for_the_arbiter() -> None:
    daemon = begun(2)
    daemon.play(EDGES)
    let_pass(daemon, 1)
    store = notebook(daemon)
    store.lose(len(store.records) // 2)
    following = VirtualDaemon(daemon.watch, store, daemon.board)
    recovered = recover(
        store.games[0], store.records, following.journal_writer, daemon.watch, following.host, is_cut=True
    )
    assert recovered.live_game.game.paused_at is not None
    assert "the journal lost what came after this" in str(store.records[-3:])


def test_nobody_says_how_long_the_power_was_away_when_the_last_entries_are_lost() -> None:
    daemon = begun(2)
    daemon.play(EDGES)
    let_pass(daemon, 1)
    store = notebook(daemon)
    store.lose(len(store.records) // 2)
    daemon.watch.reboot(timedelta(minutes=3))
    following = VirtualDaemon(daemon.watch, store, daemon.board)
    recover(store.games[0], store.records, following.journal_writer, daemon.watch, following.host, is_cut=True)
    [paused] = [record.entry.body for record in store.records if record.entry.body.get("event") == "paused"]
    assert told(paused) == "the journal lost what came after this"


@pytest.mark.parametrize(
    "body", [{"input": ["D1"], "value": {}}, {"event": {}}, {"event": "turn_entered"}, {"origin_us": "noon"}, {}]
)
@pytest.mark.parametrize("kind", list(EntryKind))
def test_whatever_stands_in_a_journal_a_game_is_brought_back_or_refused_in_one_sentence(
    kind: EntryKind, body: dict[str, object]
) -> None:
    stored, records = StoredGame(1, STARTED, None), [Record(1, Entry(1, kind, Instant(5), body, "boot", "no date"))]
    with suppress(RecoveryError):  # and nothing else
        fold(stored, records)


# After a reboot


def rebooted(daemon: VirtualDaemon, away: timedelta) -> VirtualDaemon:
    daemon.watch.reboot(away)
    following = restarted(daemon)
    let_pass(following, 1)
    return following


def test_after_a_power_cut_the_game_is_paused_and_says_for_how_long_the_power_was_away() -> None:
    daemon = begun(2)
    let_pass(daemon, 20)
    last = live_game(daemon.runner).last
    following = rebooted(daemon, timedelta(minutes=3))
    game = following.runner.shown
    assert game is not None
    assert game.paused_at == last
    assert [ruling for ruling in following.rulings if isinstance(ruling, GamePaused)] == [GamePaused(last)]
    pauses = [record.entry.body for record in entries(following, EntryKind.EVENT)]
    assert [(body["event"], body["who"], told(body)) for body in pauses] == [
        ("paused", "gnomond", "power was away for 3 min 20 s")
    ]


def test_after_a_power_cut_the_sand_stands_where_it_was_last_known_until_the_arbiter_resumes() -> None:
    daemon = begun(2)
    daemon.play(EDGES)
    let_pass(daemon, 1)
    known = live_game(daemon.runner)
    when = known.game.game_time(notebook(daemon).records[-1].entry.at)
    left = [glass.remaining(when) for glass in known.game.position.sands]
    following = rebooted(daemon, timedelta(hours=1))
    assert sand(following) == left
    let_pass(following, 60)
    assert sand(following) == left
    following.touch("button.arbiter", value=True)
    pressed = following.watch.now()
    let_pass(following, 5)
    assert [ruling.kind for ruling in following.rulings if isinstance(ruling, GameResumed)] == ["resumed"]
    assert sand(following) == [max(0, each - (following.watch.now() - pressed)) for each in left]


def test_a_game_that_was_paused_already_stays_paused_once() -> None:
    daemon = begun(2)
    daemon.touch("button.arbiter", value=True)
    let_pass(daemon, 1)
    following = rebooted(daemon, timedelta(minutes=1))
    assert following.runner.shown is not None
    assert following.runner.shown.paused_at is not None
    assert [record.entry.body["ruling"] for record in entries(following, EntryKind.RULING)] == ["paused"]


def test_a_daemon_killed_in_the_new_boot_goes_on_by_that_boots_clock() -> None:
    daemon = begun(2)
    daemon.play(EDGES)
    let_pass(daemon, 1)
    following = rebooted(daemon, timedelta(minutes=1))
    following.touch("button.arbiter", value=True)
    let_pass(following, 1)
    before, now = sand(following), following.watch.now()
    third = restarted(following)
    let_pass(third, 2)
    assert sand(third) == [max(0, left - (third.watch.now() - now)) for left in before]
    assert third.runner.shown is not None
    assert third.runner.shown.paused_at is None


@pytest.mark.untraced
@pytest.mark.parametrize("durable", range(4))
def test_killed_while_it_takes_up_a_game_after_a_power_cut_it_takes_it_up_again(durable: int) -> None:
    daemon = begun(2)
    daemon.play(EDGES)
    let_pass(daemon, 1)
    known = len(notebook(daemon).records)
    following = rebooted(daemon, timedelta(minutes=1))
    notebook(following).lose(known + durable)
    third = restarted(following)
    let_pass(third, 1)
    assert third.runner.shown is not None
    assert third.runner.shown.paused_at == notebook(daemon).records[known - 1].entry.at
    assert [record.entry.body["ruling"] for record in entries(third, EntryKind.RULING)].count("paused") == 1


# What cannot be


STARTED = GameStart("tamsk", {"level": 1}, "assistant", Instant(0), "boot", "2026-01-01T00:00:00.000+00:00", "0")


def stored(**body: object) -> tuple[StoredGame, list[Record]]:
    entry = Entry(1, EntryKind.EVENT, Instant(1), body, "boot", STARTED.wall)
    return StoredGame(1, STARTED, None), [Record(1, entry)]


def test_a_game_with_an_entry_that_nobody_knows_cannot_be_brought_back() -> None:
    with pytest.raises(RecoveryError, match="Game 1 of the journal cannot be restored"):
        fold(*stored(at_us=1, event="danced", who="somebody"))


def test_a_game_with_settings_that_nobody_knows_cannot_be_brought_back() -> None:
    game, records = stored()
    with pytest.raises(RecoveryError, match="speed"):
        fold(replace(game, start=replace(STARTED, settings={"speed": 9})), records)


def test_a_journal_that_was_judged_by_other_rules_is_remarked_on() -> None:
    daemon = played_through()
    store = notebook(daemon)
    number = next(n for n, record in enumerate(store.records) if record.entry.kind is EntryKind.RULING)
    entry = store.records[number].entry
    store.records[number] = Record(number + 1, replace(entry, body={**entry.body, "text": "A1-A2"}))
    steps = fold(store.games[0], store.records).steps
    assert [step.cause for step in steps if not step.agrees] == [entry.cause]


@pytest.mark.parametrize(
    ("away", "words"),
    [
        (timedelta(0), "0 s"),
        (timedelta(seconds=59.4), "59 s"),
        (timedelta(minutes=3, seconds=20), "3 min 20 s"),
        (timedelta(minutes=5), "5 min 0 s"),
        (timedelta(hours=2, minutes=3, seconds=4), "2 h 3 min"),
        (timedelta(seconds=-1), "an unknown time"),
        (timedelta(days=20_000), "an unknown time"),
    ],
)
def test_an_outage_is_said_in_words(away: timedelta, words: str) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC) + away
    assert outage("2026-01-01T00:00:00.000+00:00", now) == words
