"""Serve the spectators' page: the live board without any input.

Where spectators see the game with a delay, this page is delayed for everybody: it is what hangs in the hall.
"""

from collections.abc import Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.web._pictures import answer_picture
from gnomon.web._templates import page
from gnomon.web.app_context import AppContext
from gnomon.web.language import words_for
from gnomon.web.live.interfaces import is_free
from gnomon.web.live.streams import board_payload
from gnomon.web.pages._demonstration import shown_of
from gnomon.web.pages.new_game import AT, BENCH
from gnomon.web.pages.new_game import PATH as NEW_GAME

PATH: Final = "/watch"


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """The page, its stream and its pictures."""

    async def show(request: Request) -> Response:
        now = board_payload(context.public_board, words_for(request))
        return page(
            request,
            "watch.html",
            told=now,
            delay=0 if context.past is None else round(context.past.delay),
            is_free=is_free(context.public_board.game()),
            new_game=NEW_GAME if context.simulated is None else f"{NEW_GAME}?{AT}={BENCH}",
            demo=shown_of(context, request, context.public_board),
        )

    async def stream(request: Request) -> Response:
        return context.readers.answer(request, context.readers.feed(context.public_board, words_for(request)).events())

    async def picture(request: Request) -> Response:
        return answer_picture(request, board_payload(context.public_board, words_for(request)))

    return (
        Route(PATH, show),
        Route(f"{PATH}/events", stream),
        Route(f"{PATH}/pictures/{{picture}}.svg", picture),
    )
