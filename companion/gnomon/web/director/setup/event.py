"""Serve the page on which a director enters the place, the dates and the officials of the event."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gnomon.tournament.events import HeadingTold
from gnomon.tournament.state.particulars import (
    HEADING_READERS,
    Heading,
    check_heading,
    line_of,
    round_day_of,
    shown_day,
)
from gnomon.web.access import Role
from gnomon.web.director import _event_writer as event_writer
from gnomon.web.director._office import (
    FormInput,
    FormMistake,
    OfficePage,
    TournamentApp,
    TournamentSnapshot,
    page_response,
    path_of,
)

PATH: Final = "/tournaments/{name}/event"
_DAYS: Final = frozenset(("starts", "ends"))


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """The page and its form, for directors."""
    desk = _Event(office)
    return desk.routes(PATH, Role.DIRECTOR, {"tell": (Role.DIRECTOR, desk.tell)})


class _Event(OfficePage):
    """What is answered at each address."""

    async def page(self, request: Request, look: TournamentSnapshot, wrong: FormMistake) -> Response:
        values = wrong.sent or _values(look.tournament.heading)
        return page_response(request, "director_event.html", look, wrong, values=values, things=list(_VALUES))

    async def tell(self, wish: FormInput) -> str:
        told: dict[str, Any] = {thing: read(wish.text(thing)) for thing, read in HEADING_READERS.items()}
        tournament = wish.look.tournament
        heading = replace(
            tournament.heading,
            **told,
            deputies=tuple(filter(None, map(line_of, wish.text("deputies").split(";")))),
            dates=tuple(map(round_day_of, re.findall(r"[^\s,;]+", wish.text("dates")))),
        )
        event = HeadingTold(check_heading(heading, tournament.settings))
        await self._office.tell(wish, [event], event_writer.of_heading)
        return f"{path_of(wish.look.name)}/event"


_VALUES: Final = (
    *("city", "federation", "starts", "ends", "dates", "arbiter", "deputies"),
    *("time", "encoded_time", "kind"),
)


def _values(heading: Heading) -> Mapping[str, str]:
    """What the fields of the form hold."""
    told = {thing: getattr(heading, thing) for thing in HEADING_READERS}
    days = {thing: shown_day(told[thing]) for thing in _DAYS}
    return {**told, **days, "deputies": "; ".join(heading.deputies), "dates": ", ".join(map(shown_day, heading.dates))}
