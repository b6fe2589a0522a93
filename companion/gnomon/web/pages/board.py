"""The only place of the players' page: the board as it stands, live."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.web.house import House
from gnomon.web.rendering import page, words_for


def routes(house: House) -> Sequence[BaseRoute]:
    """The board page and its stream."""

    async def show(request: Request) -> Response:
        return page(request, "board.html")

    async def stream(request: Request) -> Response:
        return house.readers.answer(request, house.readers.feed(house.board, words_for(request)).events())

    return (Route("/board", show), Route("/board/events", stream))
