"""Define the API operations on exercises: lessons and puzzles that are done on the board."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from gnomon.referee.setup import GameSetup
from gnomon.refusals import statement
from gnomon.rules.protocol import RulesError
from gnomon.web.access import Role
from gnomon.web.api.operation import ApiError, Call, Operation, language
from gnomon.web.api.schemas import GAME, component
from gnomon.web.api.shapes import Fields, TextShape, Whole
from gnomon.web.live.streams import board_payload
from gnomon.words import LANGUAGES

_NONE: Final = statement("api.no_exercise")
_NAME: Final = TextShape(60, 1, example="first")
_LESSON: Final = Fields({"game": GAME, "lesson": _NAME, "step": Whole(1, 999)}, frozenset({"step"}))
_PUZZLE: Final = Fields({"puzzle": TextShape(64, 1)})


async def _lesson(call: Call) -> Mapping[str, Any]:
    from gnomon.lessons import LessonError, find_lesson  # noqa: PLC0415 - most daemons never need it
    from gnomon.web.games.exercises import lesson_setup  # noqa: PLC0415 - as above

    number = call.body.get("step", 1)
    try:
        lesson = find_lesson(call.body["game"], call.body["lesson"])
    except (LessonError, RulesError) as error:
        raise ApiError(HTTPStatus.NOT_FOUND, _NONE, "body/lesson") from error
    if number > len(lesson.steps):
        raise ApiError(HTTPStatus.NOT_FOUND, _NONE, "body/step")
    return await _begin(call, lesson_setup(lesson, number - 1))


async def _puzzle(call: Call) -> Mapping[str, Any]:
    from gnomon.analysis.puzzle_folder import read_puzzles  # noqa: PLC0415 - as above
    from gnomon.web.games.exercises import puzzle_setup  # noqa: PLC0415 - as above

    folder = call.context.puzzles
    found = {} if folder is None else await call.context.shelf.ask(lambda: read_puzzles(folder))
    kept = found.get(call.body["puzzle"])
    if kept is None:
        raise ApiError(HTTPStatus.NOT_FOUND, _NONE, "body/puzzle")
    return await _begin(call, puzzle_setup(kept.puzzle))


async def _begin(call: Call, setup: GameSetup) -> Mapping[str, Any]:
    from gnomon.web.games.exercises import set_out  # noqa: PLC0415 - as above

    await set_out(call.context.board, setup, call.who)
    return board_payload(call.context.board, call.words, call.visitor.role)


OPERATIONS: Final[Sequence[Operation]] = (
    Operation(
        "startLesson", "POST", "board/lessons", Role.PLAYER, "Do a lesson on the board, from one of its steps on.",
        _lesson, component("Summary"), _LESSON, query={"language": language(LANGUAGES)},
        may_refuse=(HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT), status=HTTPStatus.CREATED,
        more="A game that goes on at the board is not replaced. The board is guided to each position, and a turn for "
        "which the step does not ask is taken back. In the summary `exercise` says how it stands.",
    ),
    Operation(
        "startPuzzle", "POST", "board/puzzles", Role.PLAYER, "Set a puzzle out on the board.",
        _puzzle, component("Summary"), _PUZZLE, query={"language": language(LANGUAGES)},
        may_refuse=(HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT), status=HTTPStatus.CREATED,
        more="As `startLesson`, with one step.",
    ),
)  # fmt: skip
"""What can be asked of exercises."""
