"""A machine that falls asleep in a game: the game is stopped, and says for how long nobody looked."""

import time
from datetime import timedelta

import pytest

from gnomon.records.journal.entries import EntryKind
from gnomon.referee.events import Paused, ResultDeclared, Resumed
from gnomon.referee.rulings import GameResumed
from gnomon.referee.setup import GameSetup
from gnomon.timekeeping.instants import MILLISECOND, SECOND
from gnomon_pi.runtime.system import clock as watch
from tests.daemon.halves import begun, entries, let_pass, restarted, sand
from tests.daemon.test_recovery import EDGES, told
from tests.virtual_daemon import VirtualDaemon


def test_over_a_sleep_the_game_is_stopped_with_its_last_known_values_and_says_how_long_it_was() -> None:
    daemon = begun(2)
    daemon.play(EDGES)
    let_pass(daemon, 1)
    left, when = sand(daemon), daemon.runner.now()
    daemon.watch.suspend(timedelta(minutes=3, seconds=20))
    let_pass(daemon, 30)
    game = daemon.runner.shown
    assert game is not None
    assert game.paused_at is not None
    assert game.paused_at - when < SECOND
    assert sand(daemon) == pytest.approx(left, abs=SECOND)
    pauses = [record.entry.body for record in entries(daemon, EntryKind.EVENT)]
    assert [(body["event"], body["who"], told(body)) for body in pauses] == [
        ("paused", "gnomond", "the machine slept for 3 min 20 s")
    ]
    daemon.touch("button.arbiter", value=True)
    let_pass(daemon, 2)
    assert [ruling.kind for ruling in daemon.rulings if isinstance(ruling, GameResumed)] == ["resumed"]


def test_a_game_that_was_paused_when_the_machine_fell_asleep_stays_so() -> None:
    daemon = begun(2)
    daemon.touch("button.arbiter", value=True)
    let_pass(daemon, 1)
    daemon.watch.suspend(timedelta(hours=1))
    let_pass(daemon, 1)
    assert [record.entry.body["ruling"] for record in entries(daemon, EntryKind.RULING)] == ["paused"]


def test_a_daemon_killed_after_a_sleep_goes_on_and_one_that_slept_dead_waits_for_the_arbiter() -> None:
    daemon = begun(2)
    let_pass(daemon, 5)
    daemon.watch.suspend(timedelta(minutes=1))
    let_pass(daemon, 1)
    daemon.touch("button.arbiter", value=True)
    let_pass(daemon, 2)
    following = restarted(daemon)
    let_pass(following, 1)
    assert following.runner.shown is not None
    assert following.runner.shown.paused_at is None
    following.watch.suspend(timedelta(minutes=2))
    third = restarted(following)
    let_pass(third, 1)
    assert third.runner.shown is not None
    assert third.runner.shown.paused_at is not None
    assert "the machine slept for 2 min" in str([record.entry.body for record in entries(third, EntryKind.EVENT)][-1])


def stopped_for_sleep(daemon: VirtualDaemon) -> list[str]:
    """Why the daemon has stopped games by itself."""
    events = [record.entry.body for record in entries(daemon, EntryKind.EVENT)]
    return [told(body) for body in events if body["event"] == "paused" and body["who"] == "gnomond"]


@pytest.mark.parametrize("is_over", [False, True])
def test_a_game_that_begins_after_a_sleep_is_not_stopped_for_it(*, is_over: bool) -> None:
    daemon = VirtualDaemon.of_new_board()
    let_pass(daemon, 1)
    if is_over:
        daemon.new_game(GameSetup(settings={"level": 2}))
        daemon.runner.correct(ResultDeclared(daemon.runner.now(), "red", "resigned", "Ann"))
        let_pass(daemon, 1)
    daemon.watch.suspend(timedelta(minutes=3))
    daemon.new_game(GameSetup(settings={"level": 2}))
    let_pass(daemon, 2)
    assert stopped_for_sleep(daemon) == []
    daemon.watch.suspend(timedelta(minutes=4))
    let_pass(daemon, 2)
    assert stopped_for_sleep(daemon) == ["the machine slept for 4 min 0 s"]


def test_a_game_that_was_over_when_the_machine_fell_asleep_stays_as_it_was() -> None:
    daemon = begun(2)
    daemon.play(EDGES)
    daemon.runner.correct(ResultDeclared(daemon.runner.now(), "red", "resigned", "Ann"))
    let_pass(daemon, 1)
    rulings = entries(daemon, EntryKind.RULING)
    daemon.watch.suspend(timedelta(minutes=3))
    let_pass(daemon, 2)
    following = restarted(daemon)
    let_pass(following, 2)
    assert entries(following, EntryKind.RULING) == rulings
    assert following.runner.shown is not None
    assert following.runner.shown.outcome is not None


def test_what_is_resumed_on_a_page_after_a_sleep_in_a_pause_goes_on_with_the_sand_of_the_pause() -> None:
    daemon = begun(2)
    daemon.play(EDGES)
    daemon.runner.correct(Paused(daemon.runner.now(), "Ann", ""))
    let_pass(daemon, 1)
    left = sand(daemon)
    daemon.watch.suspend(timedelta(hours=1))
    daemon.runner.correct(Resumed(daemon.runner.now(), "Ann"))
    let_pass(daemon, 3)
    assert stopped_for_sleep(daemon) == []
    assert sand(daemon) == [max(0, each - 3 * SECOND) for each in left]


def test_a_game_that_a_page_stops_first_after_a_sleep_says_how_long_that_was() -> None:
    daemon = begun(2)
    let_pass(daemon, 1)
    daemon.watch.suspend(timedelta(minutes=3))
    daemon.runner.correct(Paused(daemon.runner.now(), "Ann", ""))
    let_pass(daemon, 1)
    assert stopped_for_sleep(daemon) == []
    assert entries(daemon, EntryKind.NOTE)[-1].entry.body["away"] == "3 min 0 s"


@pytest.mark.parametrize(("ahead", "boot"), [(0, "id"), (400, "id"), (61_000, "id+61")])
def test_the_clocks_say_how_long_the_machine_slept(monkeypatch: pytest.MonkeyPatch, ahead: int, boot: str) -> None:
    clocks = {time.CLOCK_MONOTONIC: 7_000, time.CLOCK_BOOTTIME: 7_000 + ahead}
    monkeypatch.setattr(time, "clock_gettime_ns", lambda clock: clocks[clock] * 1_000_000)
    machine = watch.MachineWatch("id")
    assert (machine.asleep(), machine.boot) == (ahead * MILLISECOND, boot)
