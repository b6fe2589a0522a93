"""Serve the log of a tournament: every event with author, time and reason, and the forms that reverse one."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gnomon.tournament.event_log.codec import LoggedEvent
from gnomon.tournament.event_log.descriptions import reason_of
from gnomon.tournament.event_log.undo import undo_events
from gnomon.tournament.events import LotDrawn, OrderDecided, TeamPlayTold, TournamentOpened
from gnomon.web import forms
from gnomon.web.access import Role
from gnomon.web.director import _event_writer as event_writer
from gnomon.web.director._history import minute, sentence
from gnomon.web.director._office import (
    FormInput,
    FormMistake,
    OfficePage,
    TournamentApp,
    TournamentSnapshot,
    page_response,
)
from gnomon.web.language import words_for
from gnomon.words import Words

PATH: Final = "/tournaments/{name}/log"
AT_ONCE: Final = 100
_FOR_GOOD: Final = (TournamentOpened, TeamPlayTold, LotDrawn, OrderDecided)


class LogRow(NamedTuple):
    """An event of the log."""

    number: int
    at: str
    who: str
    what: str
    why: str
    may_undo: bool


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """The log for arbiters; to make good what was told is for directors."""
    page = _Log(office)
    return page.routes(PATH, Role.ARBITER, {"undo": (Role.DIRECTOR, page.undo)})


class _Log(OfficePage):
    """What is answered at each address."""

    async def page(self, request: Request, look: TournamentSnapshot, wrong: FormMistake) -> Response:
        say = words_for(request)
        to = forms.number(request.query_params.get("to", "")) or look.last
        shown_now = look.told[max(0, min(to, look.last) - AT_ONCE) : min(to, look.last)]
        rows = [_row(told, look, say) for told in reversed(shown_now)]
        older = shown_now[0].number - 1 if shown_now else 0
        chosen = forms.number(request.query_params.get("undo", "") or wrong.sent.get("number", ""))
        return page_response(
            request,
            "director_log.html",
            look,
            wrong,
            rows=rows,
            older=older,
            is_newest=to >= look.last,
            chosen=chosen,
        )

    async def undo(self, wish: FormInput) -> None:
        why = wish.reason()
        events = undo_events(wish.look.told, wish.number("number"), why)
        await self._office.tell(
            wish, list(events), event_writer.conflicts_with_anything, "" if hasattr(events[0], "reason") else why
        )


def _row(told: LoggedEvent, look: TournamentSnapshot, say: Words) -> LogRow:
    what = sentence(told.event, look.tournament, say)
    may_undo = not isinstance(told.event, _FOR_GOOD)
    why = "" if told.why == reason_of(told.event) else told.why
    return LogRow(told.number, minute(told), told.who, what, why, may_undo)
