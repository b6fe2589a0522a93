"""The match clock in the whole daemon on the simulated board: pressed, shown, lit, killed, put away, written."""

from datetime import timedelta
from random import Random

import pytest

from gnomon.records.bundles import bundle, difference
from gnomon.records.formats.sheet_play import play_to_end
from gnomon.records.formats.sheets import read_sheet, sheet_text
from gnomon.records.journal.entries import EntryKind
from gnomon.records.transcripts import transcript
from gnomon.referee.events import Adjourned, ClockCorrected, Resumed, TurnEntered
from gnomon.referee.setup import GameSetup
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant, seconds
from gnomon.views.lights import DARK, PAUSED, THINKS
from gnomon_pi.runtime.live_game import Host
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from tests.daemon.halves import entries, let_pass, notebook, restarted
from tests.daemon.places import PLACES, at_a_table
from tests.virtual_daemon import Notebook, VirtualDaemon, virtual_board

LIT = "clock-lights"


def clock_of(variant: str = "clock", game: str = "clock", **settings: object) -> VirtualDaemon:
    """A daemon on the board of a match clock, with a game that begins at 0."""
    watch = VirtualWatch()
    board = virtual_board(watch, "table", variant=variant)
    daemon = VirtualDaemon(watch, Notebook(), board, with_display=True)
    daemon.new_game(GameSetup(game, {"clock": "5", **settings}))
    return daemon


def press(daemon: VirtualDaemon, at: float, button: str, noise: Random | None = None) -> None:
    """Press a button at so many seconds of board time, with bounce where there is noise."""
    live_game = daemon.runner.live_game
    assert live_game is not None
    start = live_game.origin + round(at * SECOND)
    edges = [(0, True)]
    if noise is not None:
        edges += [(noise.randrange(1, 8) * MILLISECOND + number * 9 * MILLISECOND, value) for number, value in BOUNCE]
    for later, value in [*edges, (120 * MILLISECOND, False)]:
        daemon.pass_to(Instant(start + later))
        daemon.touch(f"button.{button}", value=value)


BOUNCE = ((0, False), (1, True), (2, False), (3, True))


def left(daemon: VirtualDaemon) -> tuple[float, float]:
    """What both sides show now, in seconds."""
    game, now = at_a_table(daemon), daemon.runner.now()
    assert game.clock is not None
    first, second = (game.clock.clock.remaining(side, game.game_time(now)) for side in (0, 1))
    return seconds(first), seconds(second)


def same_again(daemon: VirtualDaemon) -> None:
    """The bundle of the game gives every ruling again."""
    store = notebook(daemon)
    assert difference(bundle(store.games[-1], store.read(len(store.games))).trace) is None


@pytest.mark.parametrize("noise", [None, Random(7)], ids=["clean", "bouncing"])
def test_two_people_play_any_game_with_two_buttons(noise: Random | None) -> None:
    daemon = clock_of(clock="5+3")
    for at, button in ((2, "right"), (12, "left"), (20.5, "right"), (31, "left")):
        press(daemon, at, button, noise)
    daemon.pass_to(Instant(41 * SECOND))
    assert left(daemon) == (303 - 10 + 3 - 10.5 + 3, 303 - 8.5 + 3 - 10)
    assert [ruling.kind for ruling in daemon.rulings] == ["clock", "turn", "turn", "turn"]
    assert [ply.at for ply in at_a_table(daemon).plies] == [12 * SECOND, 20_500_000, 31 * SECOND]
    same_again(daemon)


@pytest.mark.parametrize(("early", "kinds"), [(1, ["clock", "turn"]), (0, ["clock", "flag", "over"])])
def test_a_press_at_the_last_microsecond_counts_and_one_at_the_flag_does_not(early: int, kinds: list[str]) -> None:
    daemon = clock_of(clock="0:10")
    press(daemon, 1, "right")
    press(daemon, 11 - early / SECOND, "left")
    let_pass(daemon, 1)
    assert [ruling.kind for ruling in daemon.rulings] == kinds
    same_again(daemon)


def test_the_flag_is_ruled_heard_and_shown_though_nobody_touches_anything() -> None:
    daemon = clock_of(clock="0:10")
    press(daemon, 1, "right")
    heard = len(daemon.board.sounds())
    daemon.pass_to(Instant(11 * SECOND))
    running = daemon.board.display_image().tobytes()
    daemon.pass_to(Instant(12 * SECOND))
    assert at_a_table(daemon).outcome == ("right", "flag")
    assert len(daemon.board.sounds()) > heard
    assert daemon.board.display_image().tobytes() != running
    assert [(each.start.game, each.ended) for each in notebook(daemon).games] == [("clock", 11 * SECOND)]


def test_the_display_follows_the_time_and_rests_in_a_pause() -> None:
    daemon = clock_of(clock="0:30")
    press(daemon, 1, "right")
    pictures = set()
    for _ in range(30):
        let_pass(daemon, 1)
        pictures.add(daemon.board.display_image().tobytes())
    assert len(pictures) == 30
    press(daemon, 32, "arbiter")
    let_pass(daemon, 1)
    stopped = daemon.board.display_image().tobytes()
    let_pass(daemon, 5)
    assert daemon.board.display_image().tobytes() == stopped


def test_the_half_of_who_thinks_is_lit() -> None:
    daemon = clock_of(LIT)
    press(daemon, 1, "right")
    let_pass(daemon, 0.5)
    bright, dark = daemon.board.lights()[:4], daemon.board.lights()[4:]
    assert (len({*bright}), {*dark}) == (1, {DARK})
    press(daemon, 5, "left")
    let_pass(daemon, 0.5)
    assert daemon.board.lights() == dark + bright
    press(daemon, 9, "arbiter")
    let_pass(daemon, 0.5)
    assert len({*daemon.board.lights()}) == 1
    assert max(THINKS) > max(daemon.board.lights()[0]) == max(PAUSED)


def test_without_a_game_and_in_one_without_a_clock_the_strip_is_dark() -> None:
    watch = VirtualWatch()
    daemon = VirtualDaemon(watch, Notebook(), virtual_board(watch, "table", variant=LIT))
    let_pass(daemon, 1)
    assert daemon.board.lights() == (DARK,) * 8
    daemon.new_game(GameSetup("tabik"))
    let_pass(daemon, 1)
    assert daemon.board.lights() == (DARK,) * 8


def test_a_wrong_button_is_heard_and_nothing_happens() -> None:
    daemon = clock_of()
    press(daemon, 1, "right")
    heard = len(daemon.board.sounds())
    press(daemon, 5, "right")
    let_pass(daemon, 1)
    assert len(daemon.board.sounds()) > heard
    assert at_a_table(daemon).plies == ()


def test_beside_the_tamsk_board_a_clocked_game_lights_the_half_of_who_thinks() -> None:
    daemon = VirtualDaemon.of_new_board("tamsk")
    daemon.new_game(GameSetup("tabik", {"clock": "5"}))
    daemon.runner.correct(TurnEntered(daemon.runner.now(), "a1b1", "page"))
    let_pass(daemon, 0.5)
    assert [light != DARK for light in daemon.board.lights()].count(True) == 15


# Killed, cut off, put away


def test_killed_and_started_again_the_clock_has_gone_on() -> None:
    daemon = clock_of()
    press(daemon, 1, "right")
    press(daemon, 11, "left")
    daemon.pass_to(Instant(20 * SECOND))
    daemon.watch.go_to(Instant(50 * SECOND))
    following = restarted(daemon)
    following.pass_to(Instant(60 * SECOND))
    assert left(following) == (290, 251)
    press(following, 61, "right")
    let_pass(following, 1)
    assert [ply.player for ply in at_a_table(following).plies] == ["left", "right"]
    same_again(following)


def test_a_flag_that_fell_while_the_daemon_was_dead_is_ruled_with_its_instant() -> None:
    daemon = clock_of(clock="0:10")
    press(daemon, 1, "right")
    let_pass(daemon, 1)
    daemon.watch.go_to(Instant(100 * SECOND))
    following = restarted(daemon)
    let_pass(following, 1)
    assert [(ruling.kind, ruling.at) for ruling in following.rulings] == [("flag", 11 * SECOND), ("over", 11 * SECOND)]


def test_after_a_power_cut_the_clock_stands_with_what_was_known_until_the_arbiter_lets_it_go_on() -> None:
    daemon = clock_of()
    press(daemon, 1, "right")
    press(daemon, 11, "left")
    daemon.pass_to(Instant(20 * SECOND))
    daemon.watch.reboot(timedelta(minutes=3))
    following = restarted(daemon)
    let_pass(following, 30)
    known = left(following)
    assert at_a_table(following).paused_at is not None
    assert known[0] == 290
    assert 299 < known[1] <= 300  # as of the last entry of the journal, the release of the button
    now = following.runner.now()
    following.runner.correct(ClockCorrected(now, "right", "Ann", "nine seconds", time=Duration(291 * SECOND)))
    following.runner.correct(Resumed(following.runner.now(), "Ann"))
    let_pass(following, 10)
    assert left(following) == (290, 281)
    same_again(following)


def test_a_game_is_put_away_with_its_clock_and_taken_up_after_another() -> None:
    daemon = clock_of(clock="25+10")
    press(daemon, 1, "right")
    press(daemon, 61, "left")
    let_pass(daemon, 1)
    daemon.runner.correct(Adjourned(daemon.runner.now(), "Ann"))
    before = left(daemon)
    daemon.new_game(GameSetup("clock", {"clock": "3+2"}))
    let_pass(daemon, 60)
    daemon.runner.correct(Adjourned(daemon.runner.now(), "Ann"))
    store = notebook(daemon)
    daemon.runner.resume(daemon.runner.bring_back(store.games[0], store.read(1)))
    let_pass(daemon, 60)
    assert left(daemon) == before
    daemon.runner.correct(Resumed(daemon.runner.now(), "Ann"))
    let_pass(daemon, 10)
    assert left(daemon) == (before[0], before[1] - 10)


# Records and hosts


def test_the_sheet_of_a_clocked_game_has_its_terms_and_its_times_and_can_be_played() -> None:
    daemon = clock_of(clock="0:30+2 then 0:10", flag="shown", warning=5)
    for at, button in ((1, "right"), (5, "left"), (9, "right")):
        press(daemon, at, button)
    let_pass(daemon, 1)
    sheet = transcript(bundle(notebook(daemon).games[0], notebook(daemon).read(1)).trace)
    assert (sheet.game, dict(sheet.settings)) == ("clock", {})
    assert [sheet.headers[name] for name in ("Clock", "Flag", "Warning")] == ["0:30+2 then 0:10", "shown", "5"]
    assert [(line.player, line.text, line.at) for line in sheet.lines] == [
        ("left", "press", 5 * SECOND),
        ("right", "press", 9 * SECOND),
    ]
    assert read_sheet(sheet_text(sheet).encode()) == sheet
    assert play_to_end(sheet).result is None


def test_a_game_lost_on_time_is_written_down_as_such() -> None:
    daemon = clock_of(game="tabik", clock="0:10", size=4)
    daemon.runner.correct(TurnEntered(daemon.runner.now(), "a1b1", "page"))
    let_pass(daemon, 12)
    sheet = transcript(bundle(notebook(daemon).games[0], notebook(daemon).read(1)).trace)
    assert sheet.result == Outcome("black", "flag")
    assert dict(sheet.settings) == {"size": "4"}
    assert not play_to_end(sheet).by_the_rules
    over = [record.entry.body for record in entries(daemon, EntryKind.RULING)][-1]
    assert (over["ruling"], over["winner"], over["reason"]) == ("over", "black", "flag")


@pytest.mark.parametrize("place", ["tabik", "tayu, sensed", "tau with bidding", "twenty squares"])
def test_hands_play_a_whole_game_against_the_clock_and_a_replay_gives_it_again(place: str) -> None:
    chosen = PLACES[place]._replace(settings={**PLACES[place].settings, "clock": "2+1", "flag": "shown"})
    played = chosen.played(5)
    game = at_a_table(played.daemon)
    assert game.clock is not None
    assert game.clock.has_started
    same_again(played.daemon)


def test_a_clock_can_be_had_on_every_board_whatever_its_buttons() -> None:
    for board in ("table", "tayu", "tamsk"):
        host: Host = VirtualDaemon.of_new_board(board).host
        assert host.begin(GameSetup("clock", {"clock": "5"})).board.name == "table"


def test_a_warning_is_heard_once_and_not_again_after_a_kill() -> None:
    daemon = clock_of(clock="0:20", warning=10)
    press(daemon, 1, "right")
    daemon.pass_to(Instant(11 * SECOND))
    heard = len(daemon.board.sounds())
    daemon.pass_to(Instant(12 * SECOND))
    assert len(daemon.board.sounds()) > heard
    following = restarted(daemon)
    heard = len(daemon.board.sounds())
    following.pass_to(Instant(20 * SECOND))
    assert len(daemon.board.sounds()) == heard
    same_again(following)
