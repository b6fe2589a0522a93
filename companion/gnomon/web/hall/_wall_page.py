"""Serve the wall: every board of a hall on one screen, for everybody, without any input."""

from collections.abc import Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.hall.hub.board_registry import SHORT
from gnomon.timekeeping.instants import MILLISECOND
from gnomon.web import forms
from gnomon.web._templates import page
from gnomon.web.hall._app_context import HallHouse
from gnomon.web.hall._stream import HallNews

PATH: Final = "/wall"
TURN: Final = 8
"""Seconds that a page of boards is shown, unless the address says otherwise: `/wall?seconds=20`."""
_LONGEST: Final = 600


def routes(house: HallHouse, news: HallNews) -> Sequence[BaseRoute]:
    """The wall, its stream, and what a reader of it asks for who has missed something."""

    async def show(request: Request) -> Response:
        asked = forms.number(request.query_params.get("seconds", ""))
        seconds = TURN if asked is None else max(3, min(asked, _LONGEST))
        return page(request, "wall.html", name=house.name, seconds=seconds, short=SHORT // MILLISECOND)

    async def stream(request: Request) -> Response:
        return house.readers.answer(request, news.events())

    async def catch_up(request: Request) -> Response:
        return news.changes_since(request)

    return (Route(PATH, show), Route(f"{PATH}/events", stream), Route(f"{PATH}/boards.json", catch_up))
