"""Set a lesson or a puzzle out on the board: the game that is begun for it."""

from typing import TYPE_CHECKING

from gnomon.referee.exercises import EXERCISE, LESSON, PUZZLE, setting_of
from gnomon.referee.game import Exercise
from gnomon.referee.setup import GameSetup
from gnomon.refusals import statement
from gnomon.web.live.interfaces import LiveBoard, RefusedError, is_free

if TYPE_CHECKING:
    from gnomon.analysis.puzzles import Puzzle  # each is loaded by the pages that know one
    from gnomon.lessons import Lesson


def lesson_setup(lesson: "Lesson", number: int) -> GameSetup:
    """The game in which a lesson is done from one of its steps on, from 0; one in which time passes from the first."""
    exercise = setting_of(Exercise(LESSON, lesson.name, 0 if lesson.is_timed else number))
    return GameSetup(lesson.game, {**lesson.settings, EXERCISE: exercise})


def puzzle_setup(puzzle: "Puzzle") -> GameSetup:
    """The game in which a puzzle is solved."""
    exercise = setting_of(Exercise(PUZZLE, puzzle.number))
    return GameSetup(puzzle.sheet.game, {**puzzle.sheet.settings, EXERCISE: exercise})


async def set_out(board: LiveBoard, setup: GameSetup, who: str) -> None:
    """Begin an exercise on the board, for which another one makes room. Raises RefusedError while a game goes on."""
    game = board.game()
    if game is None or is_free(game):
        await board.new_game(setup)
    elif game.exercise is None:
        raise RefusedError(statement("told.exercise.busy"))
    else:
        await board.new_game(setup, who)
