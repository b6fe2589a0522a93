"""Serve all boards of a hall: the wall without any input, and the list with the arbiters' alarms."""

from collections.abc import Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.hall.board_alarms import Trouble
from gnomon.hall.board_registry import PHASES, SHORT, Presence
from gnomon.timekeeping.instants import MILLISECOND
from gnomon.web import forms
from gnomon.web._templates import page
from gnomon.web.access import Role, allow, visitor_of
from gnomon.web.hall._app_context import HallContext
from gnomon.web.hall._stream import HallNews, alarms_payload
from gnomon.web.hall._tiles import tile

STATES: Final = (*PHASES, Presence.LOST.value, Presence.GONE.value, Presence.UNHEARD.value)
"""What a board can be filtered by, as `Hall.counts` counts it."""

TURN: Final = 8
"""Seconds that a page of boards is shown, unless the address says otherwise: `/wall?seconds=20`."""
_LONGEST: Final = 600
_SHORT: Final = SHORT // MILLISECOND


def routes(context: HallContext, news: HallNews, desk_news: HallNews) -> Sequence[BaseRoute]:
    """The wall and the list, which everybody may see, each with its stream and what a reader asks who missed something.

    The stream of the list has the boards as they are, with the alarms: it is for arbiters.
    """

    async def wall(request: Request) -> Response:
        asked = forms.number(request.query_params.get("seconds", ""))
        seconds = TURN if asked is None else max(3, min(asked, _LONGEST))
        return page(
            request,
            "wall.html",
            name=context.name,
            seconds=seconds,
            short=_SHORT,
            miniatures=_has_pictures(request),
            same_pace="" if asked is None else f"seconds={seconds}",
        )

    async def boards(request: Request) -> Response:
        hall, is_desk = context.hall, visitor_of(request).may(Role.ARBITER)
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
            short=_SHORT,
            miniatures=_has_pictures(request),
        )

    async def stream(request: Request) -> Response:
        return context.readers.answer(request, news.events())

    async def desk_stream(request: Request) -> Response:
        return context.readers.answer(request, desk_news.events(desk=True))

    async def catch_up(request: Request) -> Response:
        return news.changes_since(request)

    async def now(request: Request) -> Response:
        return await news.whole(request)

    async def desk_catch_up(request: Request) -> Response:
        return desk_news.changes_since(request)

    return (
        Route("/wall", wall),
        Route("/wall/events", stream),
        Route("/wall/boards.json", catch_up),
        Route("/boards/now.json", now),
        Route("/boards", boards),
        Route("/boards/events", allow(Role.ARBITER, desk_stream)),
        Route("/boards/boards.json", allow(Role.ARBITER, desk_catch_up)),
    )


def _has_pictures(request: Request) -> bool:
    """Whether the position of each board is wished besides: `?pictures=yes`."""
    return request.query_params.get("pictures") == "yes"
