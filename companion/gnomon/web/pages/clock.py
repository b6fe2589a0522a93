"""Serve the match clock page: times readable across a room, pressed by both players on one phone."""

from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from gnomon.referee.events import ClockPressed, Correction, Paused, Resumed
from gnomon.refusals import sentence, statement, statement_of
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.instants import Instant
from gnomon.timekeeping.notation import format_time_control
from gnomon.web import forms
from gnomon.web._templates import page
from gnomon.web.access import Role, allow, visitor_of
from gnomon.web.app_context import AppContext
from gnomon.web.games import clock_choices
from gnomon.web.language import words_for
from gnomon.web.live.interfaces import LiveBoard, RefusedError

PATH: Final = "/clock"

Made = Callable[[str, str], Correction]


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """The clock page, what players do there, and the reading of a time control."""

    async def show(request: Request) -> Response:
        return page(request, "clock.html")

    def endpoint_for(made: Made) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            say, who = words_for(request), visitor_of(request).name or Role.PLAYER.value
            player = (await forms.texts(request)).get("player", "")
            try:
                ruled = await context.board.correct(check_correction(context.board, made(player, who)))
            except (RefusedError, RulesError) as error:
                return JSONResponse({"error": sentence(statement_of(error), say)}, HTTPStatus.CONFLICT)
            return JSONResponse({"ruled": [ruling.kind for ruling in ruled]})

        return endpoint

    actions: dict[str, Made] = {
        "press": lambda player, who: ClockPressed(Instant(0), player, who),
        "pause": lambda _player, who: Paused(Instant(0), who),
        "resume": lambda _player, who: Resumed(Instant(0), who),
    }
    return (
        Route(PATH, show),
        Route(f"{PATH}/control", read),
        *(
            Route(f"{PATH}/{name}", allow(Role.PLAYER, endpoint_for(made)), methods=["POST"])
            for name, made in actions.items()
        ),
    )


async def read(request: Request) -> Response:
    """A time control as it was written or named: how it is written at its shortest, and what it means."""
    say, asked = words_for(request), request.query_params
    try:
        control = clock_choices.parse_control(asked.get("text", ""), asked.get("second", ""))
    except clock_choices.ClockWishError as error:
        # What is still being written is not a mistake of the person who writes it.
        return JSONResponse({"error": sentence(statement_of(error), say), "field": error.field})
    return JSONResponse({"written": format_time_control(control), "means": clock_choices.in_words(control, say)})


def check_correction(board: LiveBoard, wanted: Correction) -> Correction:
    """What players may do with a match clock, as with the buttons of the board. Raises RefusedError."""
    game = board.game()
    if game is None:
        raise RefusedError(statement("told.no_game"))
    if game.clock is None:
        raise RefusedError(statement("told.clock.none"))
    if game.adjourned and isinstance(wanted, Resumed):
        raise RefusedError(statement("told.clock.put_away"))
    return wanted
