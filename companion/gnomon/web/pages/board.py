"""The only place of the players' page: the board as it stands, live."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from gnomon.views.catalogue import LANGUAGES, words
from gnomon.web.house import House
from gnomon.web.rendering import page, words_for
from gnomon.web.streams import Feed


def routes(house: House) -> Sequence[BaseRoute]:
    """The board page and its stream."""
    feeds = {language: Feed(house.board, words(language)) for language in LANGUAGES}

    async def show(request: Request) -> Response:
        return page(request, "board.html")

    async def stream(request: Request) -> Response:
        feed = feeds[words_for(request).language]
        return StreamingResponse(feed.events(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})

    return (Route("/board", show), Route("/board/events", stream))
