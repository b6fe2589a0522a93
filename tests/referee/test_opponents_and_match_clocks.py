"""A match clock beside an engine: it stands while hands make the engine's turn, unless somebody wants it to run."""

from typing import Any, Final

import pytest

from gnomon.referee.events import OpponentLeft, Paused, Resumed, TurnsVoided
from gnomon.timekeeping.instants import SECOND
from gnomon.views import clock_faces
from tests.referee.scripted_board import instant
from tests.referee.test_opponents import ANN, ENGINE, Evening

CLOCK: Final = "5+3"


def announced(name: str = "tabik", first: str = "a1b1", second: str = "b2b3", **settings: object) -> Evening:
    """A person has made a turn after ten seconds, and an engine has announced its own after twelve."""
    evening = Evening(name, **{"clock": CLOCK, **settings})
    evening.enter(10, first)
    evening.announce(12, second)
    return evening


def left(evening: Evening, at: float) -> tuple[float, ...]:
    """What both sides have left at board time `at`, in seconds."""
    game, when = evening.game, evening.game.game_time(instant(at))
    assert game.clock is not None
    return tuple((game.clock.clock.available(side, when) or 0) / SECOND for side in (0, 1))


def test_slow_hands_cost_the_engine_nothing() -> None:
    evening = announced(size=3)
    assert left(evening, 12) == left(evening, 399) == (306, 301)
    evening.until(400)
    assert evening.game.outcome is None
    evening.enter(400, "b2b3")
    assert [ply.when for ply in evening.game.plies] == [10 * SECOND, 12 * SECOND]
    assert left(evening, 400) == (306, 304)
    assert left(evening, 410) == (296, 304)


def test_a_clock_that_is_to_run_on_runs_out_on_the_engine() -> None:
    evening = announced(size=3, opponent_clock="runs")
    assert left(evening, 22) == (306, 291)
    evening.until(400)
    assert evening.game.outcome is not None
    assert (evening.game.outcome.winner, evening.game.outcome.reason) == ("black", "flag")


def test_while_the_clock_stands_neither_side_is_shown_as_running() -> None:
    evening = announced(size=3)
    now = instant(20)
    told: Any = clock_faces.summary(evening.game, now)
    assert (told["running"], told["deadline"]) == (None, None)
    assert [side["running"] for side in told["sides"]] == [False, False]
    assert clock_faces.changes_at(evening.game, now) is None
    evening.enter(30, "b2b3")
    told = clock_faces.summary(evening.game, instant(31))
    assert told["running"] == "black"


def test_it_stands_for_a_turn_that_sensors_see() -> None:
    evening = Evening("tamsk", level=1, clock=CLOCK)
    evening.move(5, "D1", "D2")
    evening.until(12)
    evening.announce(12, "A1-A2x")
    evening.until(350)
    evening.move(350, "A1", "A2")
    evening.until(360)
    assert evening.texts == ["D1-D2", "A1-A2x"]
    assert evening.game.outcome is None
    assert evening.game.game_time(instant(360)) < 25 * SECOND


def test_where_sand_runs_the_clock_runs_too() -> None:
    evening = announced("tamsk", "D1-D2", "A1-A2", level=2)
    assert evening.game.game_time(instant(14)) == 14 * SECOND


def test_without_a_clock_time_goes_on() -> None:
    evening = Evening("tabik", size=3)
    evening.enter(10, "a1b1")
    evening.announce(12, "b2b3")
    assert evening.game.game_time(instant(30)) == 30 * SECOND


@pytest.mark.parametrize("give_back", [True, False])
def test_taking_back_counts_the_time_of_the_hands_once(*, give_back: bool) -> None:
    evening = announced(size=3)
    evening.tell(TurnsVoided(instant(30), 1, give_back=give_back, who=ANN))
    began = 10 if give_back else 12
    assert evening.game.game_time(instant(30)) == began * SECOND
    assert evening.game.game_time(instant(35)) == (began + 5) * SECOND


@pytest.mark.parametrize("give_back", [True, False])
def test_taking_back_in_a_pause_counts_neither_hands_nor_pause(*, give_back: bool) -> None:
    evening = announced(size=3)
    evening.tell(Paused(instant(20), ANN))
    evening.tell(TurnsVoided(instant(30), 1, give_back=give_back, who=ANN))
    evening.tell(Resumed(instant(40), ANN))
    began = 10 if give_back else 12
    assert evening.game.game_time(instant(45)) == (began + 5) * SECOND


def test_after_a_pause_the_clock_still_stands() -> None:
    evening = announced(size=3)
    evening.tell(Paused(instant(20), ANN))
    evening.tell(Resumed(instant(40), ANN))
    assert evening.game.game_time(instant(50)) == 12 * SECOND
    evening.enter(60, "b2b3")
    assert evening.game.game_time(instant(61)) == 13 * SECOND


def test_time_goes_on_when_the_engine_no_longer_plays() -> None:
    evening = announced(size=3)
    evening.tell(OpponentLeft(instant(30), ENGINE, "it does not answer"))
    assert evening.game.game_time(instant(35)) == 17 * SECOND
