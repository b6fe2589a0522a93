"""The loop: what is handed over in which order, what may be shown when, and what a failing journal does."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.records.journal.entries import EntryKind
from gnomon.referee.debounce import CALM
from gnomon.referee.events import InputTrusted, Paused, Resumed, TurnEntered, TurnsVoided
from gnomon.referee.rulings import Corrected, FaultRuled, GamePaused, TurnRuled
from gnomon.referee.setup import GameSetup
from gnomon.refusals import Statement
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon_pi.runtime.runner import QUIET, SLACK, RunnerError
from gnomon_pi.runtime.scanner import InputEdge
from tests.daemon.halves import begun, entries, let_pass, live_game, notebook, summarized
from tests.virtual_daemon import VirtualDaemon

A_TURN = (("D1.north", False), ("D2.north", True), ("D2.ring1", True))


def take_a_turn(daemon: VirtualDaemon) -> None:
    """Red moves from D1 to D2 and drops a ring, a second for each touch."""
    for name, value in A_TURN:
        let_pass(daemon, 1)
        daemon.touch(name, value=value)


def heard(daemon: VirtualDaemon) -> list[tuple[int, str]]:
    """Stamp and name of every raw edge in the journal."""
    return [(record.entry.at, str(record.entry.body["input"])) for record in entries(daemon, EntryKind.RAW)]


# Events in


@given(st.permutations(range(4)))
def test_edges_are_handed_over_by_their_stamps_in_whatever_order_they_come(order: list[int]) -> None:
    daemon = begun(1)
    let_pass(daemon, 1)
    now = daemon.watch.now()
    stamps = [Instant(now - 3_000 + 1_000 * place) for place in range(4)]
    names = ["A2.ring1", "A3.ring1", "B1.ring1", "C1.ring1"]
    for place in order:
        daemon.runner.post((InputEdge(stamps[place], names[place], True),))
    let_pass(daemon, 0.01)
    assert heard(daemon) == list(zip(stamps, names, strict=True))


def test_edges_with_one_stamp_stay_in_the_order_in_which_they_came() -> None:
    daemon = begun(1)
    let_pass(daemon, 1)
    now = daemon.watch.now()
    daemon.runner.post(tuple(InputEdge(now, name, True) for name in ("C1.ring1", "A2.ring1", "B1.ring1")))
    let_pass(daemon, 0.01)
    assert [name for _, name in heard(daemon)] == ["C1.ring1", "A2.ring1", "B1.ring1"]


def test_an_edge_waits_for_those_before_it_and_no_longer() -> None:
    daemon = begun(1)
    let_pass(daemon, 1)
    now = daemon.watch.now()
    daemon.runner.post((InputEdge(now, "A2.ring1", True),))
    daemon.pass_to(Instant(now + SLACK))
    assert heard(daemon) == []
    daemon.pass_to(Instant(now + SLACK + 1))
    assert heard(daemon) == [(now, "A2.ring1")]


def test_an_edge_that_comes_too_late_counts_as_late_and_is_granted_the_difference() -> None:
    daemon = begun(1)
    let_pass(daemon, 1)
    now = daemon.watch.now()
    daemon.runner.post((InputEdge(now, "A2.ring1", True),))
    let_pass(daemon, 0.1)
    daemon.runner.post((InputEdge(Instant(now - 20_000), "A3.ring1", True, Duration(1_000)),))
    let_pass(daemon, 0.1)
    late = entries(daemon, EntryKind.RAW)[-1].entry
    uncertainty = late.body["uncertainty_us"]
    assert isinstance(uncertainty, int)
    assert late.at > now
    assert late.at - uncertainty == now - 20_000 - 1_000


def test_what_the_game_knows_is_not_told_again() -> None:
    daemon = begun(1)
    let_pass(daemon, 1)
    assert daemon.scanner is not None
    daemon.scanner.report_all()
    daemon.look()
    let_pass(daemon, 1)
    assert heard(daemon) == []


def test_a_board_that_is_not_set_out_is_noticed_by_the_first_scan() -> None:
    daemon = VirtualDaemon.of_new_board()
    daemon.new_game(GameSetup(settings={"level": 1}))
    daemon.touch("D1.north", value=False)
    let_pass(daemon, 1)
    assert heard(daemon) == [(0, "D1.north")]
    assert daemon.runner.shown is not None
    assert daemon.runner.shown.judgement.lifted == ("D1",)


def test_edges_without_a_game_are_forgotten() -> None:
    daemon = VirtualDaemon.of_new_board()
    daemon.touch("D1.north", value=True)
    let_pass(daemon, 1)
    assert notebook(daemon).records == []
    assert summarized(daemon.runner)["game"] is None


@pytest.mark.untraced
def test_a_chattering_input_does_not_fill_the_journal() -> None:
    daemon = begun(1)
    for _ in range(1_000):
        let_pass(daemon, 0.01)
        daemon.touch("A2.ring1", value=not daemon.board.inputs()["A2.ring1"])
    let_pass(daemon, 3)
    assert [ruling.input for ruling in daemon.rulings if isinstance(ruling, FaultRuled)] == ["A2.ring1"]
    stamps = [at for at, name in heard(daemon) if name == "A2.ring1"]
    fault = next(ruling for ruling in daemon.rulings if isinstance(ruling, FaultRuled))
    quarantined_at = fault.at + SECOND // 2
    later = [at for at in stamps if at > quarantined_at]
    assert len(later) <= 11
    assert all(after - before >= QUIET for before, after in pairwise(later))


def test_a_mended_input_is_believed_with_the_level_it_came_to_in_its_quiet_time() -> None:
    daemon = begun(1)
    for _ in range(101):
        let_pass(daemon, 0.01)
        daemon.touch("A2.ring1", value=not daemon.board.inputs()["A2.ring1"])
    let_pass(daemon, 0.05)
    assert live_game(daemon.runner).game.quarantined == ("A2.ring1",)
    daemon.runner.correct(InputTrusted(daemon.runner.now(), "A2.ring1", "arbiter"))
    assert ("A2.ring1" in live_game(daemon.runner).on) is daemon.board.inputs()["A2.ring1"] is True


# Effects out


def test_nothing_is_shown_before_it_is_durable() -> None:
    daemon = begun(1)
    let_pass(daemon, 1)
    dark, shown = daemon.board.lights(), daemon.runner.shown
    notebook(daemon).is_slow = True
    take_a_turn(daemon)
    let_pass(daemon, 5)
    assert len(live_game(daemon.runner).game.plies) == 1
    assert daemon.rulings == []
    assert daemon.runner.shown is shown
    assert daemon.board.lights() == dark
    assert daemon.board.sounds() == ()
    notebook(daemon).settle()
    daemon.stir()
    let_pass(daemon, 1)
    assert daemon.runner.shown is not None
    assert [ply.text for ply in daemon.runner.shown.plies] == ["D1-D2"]
    assert [ruling.kind for ruling in daemon.rulings] == ["turn"]
    assert daemon.board.lights() != dark
    assert len(daemon.board.sounds()) > 0


def test_lights_come_first_then_sound_then_those_who_listen() -> None:
    daemon = begun(1, with_display=True)
    let_pass(daemon, 1)
    order: list[str] = []
    dark, still = daemon.board.lights(), len(daemon.board.sounds())

    def listen(_: object) -> None:
        order.append("lit" if daemon.board.lights() != dark else "dark")
        order.append("heard" if len(daemon.board.sounds()) > still else "silent")

    daemon.runner.on_ruling(listen)
    take_a_turn(daemon)
    let_pass(daemon, 1)
    assert order == ["lit", "heard"]


def test_a_failing_journal_is_said_loudly_and_nothing_is_accepted() -> None:
    daemon = begun(1)
    let_pass(daemon, 1)
    notebook(daemon).failed = Statement.plain("the journal /somewhere cannot be used: the disk is full")
    take_a_turn(daemon)
    let_pass(daemon, 1)
    assert daemon.rulings == []
    assert daemon.health.sentences() == (
        "Nothing can be accepted: the journal /somewhere cannot be used: the disk is full.",
    )
    assert daemon.runner.shown is not None
    assert daemon.runner.shown.plies == ()
    assert len(daemon.board.sounds()) > 0  # the alarm
    assert len(live_game(daemon.runner).game.plies) == 1  # refereed all the same


def test_what_was_refereed_while_the_journal_failed_is_accepted_when_it_works_again() -> None:
    daemon = begun(1)
    let_pass(daemon, 1)
    notebook(daemon).failed = Statement.plain("no")
    take_a_turn(daemon)
    let_pass(daemon, 1)
    notebook(daemon).failed = None
    notebook(daemon).settle()
    daemon.stir()
    let_pass(daemon, 1)
    assert [ruling.kind for ruling in daemon.rulings] == ["turn"]
    assert daemon.health.sentences() == ()


# By hand


def test_an_event_by_hand_comes_after_everything_that_was_stamped_before_it() -> None:
    daemon = begun(1)
    let_pass(daemon, 1)
    now = daemon.watch.now()
    daemon.runner.post((InputEdge(Instant(now - 1_000), "A2.ring1", True),))
    daemon.runner.correct(Paused(now, "arbiter"))
    assert [record.entry.kind for record in notebook(daemon).records[1:3]] == [EntryKind.RAW, EntryKind.EVENT]


def test_a_pause_by_hand_is_ruled_and_written_with_who_and_why() -> None:
    daemon = begun(2)
    let_pass(daemon, 1)
    receipt = daemon.runner.correct(Paused(daemon.runner.now(), "arbiter", "fire alarm"))
    assert [ruling for ruling in receipt.rulings if isinstance(ruling, GamePaused)] == [GamePaused(Instant(SECOND))]
    body = entries(daemon, EntryKind.EVENT)[-1].entry.body
    assert (body["who"], body["why"]) == ("arbiter", "fire alarm")


def test_a_turn_can_be_entered_and_taken_back_by_hand() -> None:
    daemon = begun(1)
    let_pass(daemon, 1)
    entered = daemon.runner.correct(TurnEntered(daemon.runner.now(), "D1-D2", "arbiter"))
    assert [ruling.text for ruling in entered.rulings if isinstance(ruling, TurnRuled)] == ["D1-D2"]
    voided = daemon.runner.correct(TurnsVoided(daemon.runner.now(), 1, False, "arbiter"))
    assert [ruling for ruling in voided.rulings if isinstance(ruling, Corrected)]
    assert live_game(daemon.runner).game.plies == ()


def test_an_event_by_hand_that_the_referee_refuses_changes_nothing() -> None:
    daemon = begun(1)
    let_pass(daemon, 1)
    before = list(notebook(daemon).records)
    with pytest.raises(RunnerError):
        daemon.runner.correct(TurnEntered(daemon.runner.now(), "D1-D4", "arbiter"))
    with pytest.raises(RunnerError):
        daemon.runner.correct(Resumed(daemon.runner.now(), "arbiter"))
    assert notebook(daemon).records == before


def test_an_event_by_hand_needs_a_game() -> None:
    with pytest.raises(RunnerError, match="There is no game yet"):
        VirtualDaemon.of_new_board().runner.correct(Paused(Instant(0), "arbiter"))


def test_a_game_is_not_started_over_an_unfinished_one() -> None:
    daemon = begun(1)
    with pytest.raises(RunnerError, match="not finished"):
        daemon.runner.new_game(GameSetup(settings={"level": 1}))
    assert len(notebook(daemon).games) == 1


def test_a_game_with_settings_that_nobody_knows_is_not_started() -> None:
    daemon = VirtualDaemon.of_new_board()
    with pytest.raises(RunnerError, match="speed"):
        daemon.runner.new_game(GameSetup(settings={"speed": 9}))
    assert notebook(daemon).games == []


def test_who_waits_is_told_when_his_entry_is_durable() -> None:
    daemon = begun(1)
    notebook(daemon).is_slow = True
    told: list[bool] = []
    daemon.runner.when_durable(daemon.runner.correct(Paused(daemon.runner.now(), "arbiter")), told.append)
    let_pass(daemon, 1)
    assert told == []
    notebook(daemon).settle()
    daemon.stir()
    let_pass(daemon, 1)
    assert told == [True]


def test_who_waits_is_told_when_the_journal_fails() -> None:
    daemon = begun(1)
    notebook(daemon).failed = Statement.plain("no")
    told: list[bool] = []
    daemon.runner.when_durable(daemon.runner.correct(Paused(daemon.runner.now(), "arbiter")), told.append)
    let_pass(daemon, 1)
    assert told == [False]


def test_what_looks_the_same_stirs_nobody() -> None:
    daemon = begun(1)
    let_pass(daemon, 1)
    changes: list[None] = []
    daemon.runner.on_change(lambda: changes.append(None))
    daemon.touch("A2.ring1", value=True)  # a glitch of 10 ms
    let_pass(daemon, 0.01)
    daemon.touch("A2.ring1", value=False)
    let_pass(daemon, 0.015)
    assert len(heard(daemon)) == 2
    assert changes == []


def test_the_loop_asks_for_a_next_time_even_when_nothing_happens() -> None:
    daemon = VirtualDaemon.of_new_board()
    wake = daemon.runner.run(Instant(0))
    assert wake is not None
    assert 0 < wake <= 30 * SECOND + MILLISECOND


# What is shown before it is evidence


def test_a_touch_that_has_come_to_rest_is_shown_without_waiting_for_edges_in_transit() -> None:
    daemon = begun(1)
    let_pass(daemon, 1)
    runner, now = daemon.runner, daemon.watch.now()

    def lifted() -> tuple[str, ...]:
        assert runner.shown is not None
        return runner.shown.judgement.lifted

    runner.post((InputEdge(now, "D1.north", False),))
    daemon.pass_to(Instant(now + CALM))
    assert lifted() == ()
    daemon.pass_to(Instant(now + CALM + 1))
    assert lifted() == ("D1",)
    # The game itself waits: an edge that was in transit takes back what was shown.
    assert live_game(runner).game.debouncer.bursts
    runner.post((InputEdge(Instant(now + CALM - 1_000), "D1.north", True),))
    daemon.pass_to(Instant(now + CALM + SLACK))
    assert lifted() == ()
    let_pass(daemon, 1)
    assert lifted() == ()
    assert [each for each in daemon.rulings if not isinstance(each, TurnRuled)] == []
