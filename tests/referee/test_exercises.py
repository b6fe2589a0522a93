"""Lessons and puzzles on the board, as the referee knows them: the setting, and how far one has come."""

import pytest

from gnomon.referee.events import NoteTaken, Paused, TurnEntered, TurnsVoided
from gnomon.referee.exercises import (
    EXERCISE,
    done_at,
    exercise_of,
    is_exercise,
    is_taken_back,
    note_asked,
    note_done,
    rulings_since_step,
    setting_of,
    split_exercise,
    steps_done,
)
from gnomon.referee.game import Exercise, Game
from gnomon.referee.games import begin, tell
from gnomon.referee.opponents import WHO
from gnomon.referee.rulings import GamePaused, Ruling, TurnRuled
from gnomon.rules.protocol import SettingsError
from gnomon.timekeeping.instants import SECOND, Duration, Instant


def practised() -> Game:
    return begin("tabik", {"size": 3, EXERCISE: "lesson:first:2"})


def after(game: Game, *told: TurnEntered | TurnsVoided | NoteTaken | Paused) -> Game:
    for event in told:
        game, _ = tell(game, event)
    return game


def entered(second: int, text: str) -> TurnEntered:
    return TurnEntered(Instant(second * SECOND), text, "page")


def voided(second: int, who: str = WHO) -> TurnsVoided:
    return TurnsVoided(Instant(second * SECOND), 1, give_back=True, who=who)


def noted(second: int, text: str, who: str = WHO) -> NoteTaken:
    return NoteTaken(Instant(second * SECOND), text, Duration(0), who)


@pytest.mark.parametrize(
    ("value", "exercise"),
    [
        ("lesson:first:2", Exercise("lesson", "first", 1)),
        ("puzzle:0123abcd4567", Exercise("puzzle", "0123abcd4567")),
        ("", None),
    ],
)
def test_the_setting_is_read_and_written(value: str, exercise: Exercise | None) -> None:
    rules = begin("tabik", {}).rules
    assert exercise_of(value, {}, rules) == exercise
    assert exercise is None or setting_of(exercise) == value
    assert split_exercise({EXERCISE: value, "size": 4}) == ({"size": 4}, value)


@pytest.mark.parametrize("value", ["lesson", "lesson:first", "lesson:first:0", "puzzle:../x", "other:first:1"])
def test_what_is_no_exercise_is_refused(value: str) -> None:
    with pytest.raises(SettingsError, match="lesson:NAME:STEP"):
        begin("tabik", {EXERCISE: value})


def test_an_exercise_goes_with_no_engine_and_not_with_the_clock_alone() -> None:
    with pytest.raises(SettingsError, match="cannot be combined with an engine"):
        begin("tabik", {EXERCISE: "lesson:first:1", "opponent": "3"})
    with pytest.raises(SettingsError, match="clock alone"):
        begin("clock", {EXERCISE: "lesson:first:1", "clock": "blitz"})
    assert begin("tabik", {EXERCISE: "lesson:first:1", "opponent": "none"}).exercise is not None


def test_a_game_tells_which_steps_are_done() -> None:
    game = practised()
    assert (steps_done(game), done_at(game)) == (0, None)
    game = after(game, entered(1, "a1b1"), noted(2, note_done("place")))
    assert (steps_done(game), done_at(game)) == (1, Instant(2 * SECOND))
    # Somebody's own note is no step, nor is another one of the daemon's.
    game = after(game, noted(3, note_done("place"), "page"), noted(4, "tea"))
    assert (steps_done(game), done_at(game)) == (1, None)


def test_a_game_tells_whether_the_last_turn_was_taken_back() -> None:
    game = practised()
    assert not is_taken_back(game)
    game = after(game, entered(1, "a1b1"))
    assert not is_taken_back(game)
    game = after(game, voided(2))
    assert is_taken_back(game)
    assert not is_taken_back(after(game, entered(3, "a1a2")))
    # What makes room for the next step takes nothing back that was wrong, and what a person takes back says nothing.
    assert not is_taken_back(after(game, entered(3, "a1b1"), noted(4, note_done("place")), voided(5)))
    assert not is_taken_back(after(practised(), entered(1, "a1b1"), voided(2, "page")))


def test_a_game_tells_what_was_ruled_since_the_last_step() -> None:
    game = practised()
    assert rulings_since_step(game) == ()
    stop = Paused(Instant(SECOND), "page")
    game = after(game, entered(1, "a1b1"), stop)
    assert [type(each) for each in rulings_since_step(game)][-1] is GamePaused
    assert not any(isinstance(each, TurnRuled) for each in rulings_since_step(game))
    # That a step is asked changes nothing, that one is done begins again.
    before = rulings_since_step(game)
    assert rulings_since_step(after(game, noted(3, note_asked("pie")))) == (*before, *game_rulings(game, 3))
    assert rulings_since_step(after(game, noted(3, note_done("place")))) == ()


def game_rulings(game: Game, second: int) -> tuple[Ruling, ...]:
    """What a note that a step is asked adds to the rulings."""
    return after(game, noted(second, note_asked("pie"))).rulings[len(game.rulings) :]


def test_a_game_is_an_exercise_by_its_setting() -> None:
    assert is_exercise({"size": 3, EXERCISE: "lesson:first:2"})
    assert is_exercise({EXERCISE: "puzzle:0123456789ab"})
    assert not is_exercise({"size": 3})
