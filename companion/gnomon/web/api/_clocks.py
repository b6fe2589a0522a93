"""Define the API operations on match clocks: parse time controls, and press the clock by hand."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from gnomon.referee.events import ClockPressed, Correction, Paused, Resumed
from gnomon.refusals import sentence, statement_of
from gnomon.timekeeping.instants import Instant
from gnomon.timekeeping.notation import format_time_control
from gnomon.web.access import Role
from gnomon.web.api.board import rulings_payload
from gnomon.web.api.operation import Call, Operation, Parameter, language
from gnomon.web.api.schemas import MAYBE, TEXT, component
from gnomon.web.api.shapes import Fields, ListOf, TextShape, answer
from gnomon.web.games import clock_choices
from gnomon.web.pages.clock import check_correction
from gnomon.words import LANGUAGES

LANGUAGE: Final = {"language": language(LANGUAGES)}
PRESS: Final = Fields({"player": TextShape(20, 1, example="left"), "why": TextShape()}, frozenset({"why"}))
WHY: Final = Fields({"why": TextShape()}, frozenset({"why"}))
_READING: Final = {
    "text": Parameter(
        TextShape(clock_choices.LONGEST, example="40/90+30 then 30+30"), "A time control, or its name.", ""
    ),
    "second": Parameter(TextShape(clock_choices.LONGEST), "What the second player has instead, for a handicap.", ""),
}


async def _presets(call: Call) -> Mapping[str, Any]:
    return {"controls": [each._asdict() for each in clock_choices.offers(call.words)]}


async def _read(call: Call) -> Mapping[str, Any]:
    try:
        control = clock_choices.parse_control(call.query["text"], call.query["second"])
    except clock_choices.ClockWishError as error:
        return {"text": None, "means": None, "wrong": sentence(statement_of(error), call.words)}
    return {"text": format_time_control(control), "means": clock_choices.in_words(control, call.words), "wrong": None}


async def _press(call: Call) -> Mapping[str, Any]:
    return await _answer(call, ClockPressed(Instant(0), call.body["player"], call.who, call.body.get("why", "")))


async def _pause(call: Call) -> Mapping[str, Any]:
    return await _answer(call, Paused(Instant(0), call.who, call.body.get("why", "")))


async def _resume(call: Call) -> Mapping[str, Any]:
    return await _answer(call, Resumed(Instant(0), call.who, call.body.get("why", "")))


async def _answer(call: Call, wanted: Correction) -> Mapping[str, Any]:
    board = call.context.board
    return rulings_payload(call, await board.correct(check_correction(board, wanted)))


OPERATIONS: Final[Sequence[Operation]] = (
    Operation(
        "listTimeControls", "GET", "time-controls", Role.SPECTATOR, "The time controls that have a name.",
        _presets, answer(controls=ListOf(answer(name=TEXT, text=TEXT, purpose=TEXT))), query=LANGUAGE,
    ),
    Operation(
        "readTimeControl", "GET", "time-controls/reading", Role.SPECTATOR,
        "What a time control means, and its shortest notation; or, in `wrong`, why the text is not a time control.",
        _read, answer(text=MAYBE, means=MAYBE, wrong=MAYBE), query=_READING | LANGUAGE,
        more="It is the setting `clock` of startGame; `flag`, `press` and `warning` are settings beside it.",
    ),
    Operation(
        "pressClock", "POST", "board/clock/presses", Role.PLAYER,
        "Press the match clock for a player; the first press starts it.",
        _press, component("Rulings"), PRESS, query=LANGUAGE, may_refuse=(HTTPStatus.CONFLICT,),
        more="The press is stamped when it reaches the board, not when somebody touched something elsewhere.",
    ),
    Operation(
        "pauseClock", "POST", "board/clock/pauses", Role.PLAYER, "Pause a game that has a match clock.",
        _pause, component("Rulings"), WHY, query=LANGUAGE, may_refuse=(HTTPStatus.CONFLICT,),
    ),
    Operation(
        "resumeClock", "POST", "board/clock/resumptions", Role.PLAYER, "Resume a game that has a match clock.",
        _resume, component("Rulings"), WHY, query=LANGUAGE, may_refuse=(HTTPStatus.CONFLICT,),
        more="An adjourned game is taken up again by an arbiter.",
    ),
)  # fmt: skip
"""What can be asked of match clocks."""
