"""Serve the public state of a hall as one cacheable JSON file for other sites.

A thousand spectators of a club's own site ask that site, which asks here now and then; a program needs no more than
this one address. The file holds what every visitor of the wall sees, and nothing else.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.hall.hall import Hall
from gnomon.hall.rounds.event_log import BookError
from gnomon.hall.store.database import StoreError
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.standings import standings
from gnomon.tournament.teams.matches import as_shown
from gnomon.web._compression import text_response
from gnomon.web.hall._app_context import HallContext
from gnomon.web.hall._rounds import told_rounds
from gnomon.web.hall._tiles import tile

PATH: Final = "/hall.json"
SCHEMA: Final = 1
FRESH: Final = Duration(5 * SECOND)
"""So long one file is given to everybody."""

Json = Mapping[str, object]


def routes(context: HallContext) -> Sequence[BaseRoute]:
    """The file."""
    kept: list[tuple[Instant, str]] = []
    making = asyncio.Lock()

    async def show(request: Request) -> Response:
        async with making:
            now = context.hall.now()
            if not kept or now - kept[0][0] >= FRESH:
                kept[:] = [(now, await asyncio.to_thread(_text, context))]
        text = kept[0][1]
        mark = f'W/"{blake2b(text.encode(), digest_size=9).hexdigest()}"'
        headers = {
            "ETag": mark,
            "Cache-Control": f"public, max-age={FRESH // SECOND}",
            "Access-Control-Allow-Origin": "*",
            "Cross-Origin-Resource-Policy": "cross-origin",
        }
        if request.headers.get("if-none-match") == mark:
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        return text_response(request, text, "application/json", headers)

    return (Route(PATH, show),)


def _text(context: HallContext) -> str:
    hall = context.hall
    now = hall.now()
    body = {
        "schema": SCHEMA,
        "name": context.name,
        "counts": hall.public.counts(),
        "boards": [tile(place, now).payload() for place in hall.public.wall()],
        "tournaments": [{**told, "standings": list(_standings(hall, str(told["name"])))} for told in told_rounds(hall)],
    }
    return json.dumps(body, separators=(",", ":"))


def _standings(hall: Hall, name: str) -> Iterator[Json]:
    try:
        tournament = as_shown(hall.book(name).tournament())
        table = standings(tournament)
    except (StoreError, BookError, TournamentError):
        return
    for one in table:
        yield {
            "place": one.place,
            "number": one.number,
            "name": tournament.entrants[one.number].name,
            "points": str(one.points),
        }
