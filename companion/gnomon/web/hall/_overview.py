"""Serve the list of all hall boards, those that need attention first, with the arbiters' alarm stream."""

from collections.abc import Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.hall.hub.board_alarms import Trouble
from gnomon.hall.hub.board_registry import PHASES, SHORT, Presence
from gnomon.timekeeping.instants import MILLISECOND
from gnomon.web._templates import page
from gnomon.web.access import Role, allow, visitor_of
from gnomon.web.hall._app_context import HallHouse
from gnomon.web.hall._stream import HallNews, alarms_payload
from gnomon.web.hall._tiles import tile

PATH: Final = "/boards"
STATES: Final = (*PHASES, Presence.LOST.value, Presence.GONE.value, Presence.UNHEARD.value)
"""What a board can be filtered by, as `Hall.counts` counts it."""


def routes(house: HallHouse, news: HallNews) -> Sequence[BaseRoute]:
    """The list, which everybody may see, and for arbiters the stream of the boards as they are, with the alarms."""

    async def show(request: Request) -> Response:
        hall, is_desk = house.hall, visitor_of(request).may(Role.ARBITER)
        now = hall.now()
        return page(
            request,
            "boards.html",
            boards=[tile(place, now).payload() for place in (hall if is_desk else hall.public).wall()],
            alarms=list(alarms_payload(hall.alarms(), now)) if is_desk else [],
            health=hall.health() if is_desk else (),
            is_desk=is_desk,
            states=STATES,
            troubles=list(Trouble),
            short=SHORT // MILLISECOND,
        )

    async def stream(request: Request) -> Response:
        return house.readers.answer(request, news.events(desk=True))

    async def catch_up(request: Request) -> Response:
        return news.changes_since(request)

    return (
        Route(PATH, show),
        Route(f"{PATH}/events", allow(Role.ARBITER, stream)),
        Route(f"{PATH}/boards.json", allow(Role.ARBITER, catch_up)),
    )
