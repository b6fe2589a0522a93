"""Serve the page on which entrants are checked in, and the till, which only directors see."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gnomon.tournament.events import CheckInWithdrawn, EntrantCheckedIn, PaymentNoted, TeamPaymentNoted
from gnomon.tournament.state import Entrant, Tournament
from gnomon.tournament.state.payments import Payment, amount_text, parse_amount, till
from gnomon.tournament.teams.matches import all_payments
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

PATH: Final = "/tournaments/{name}/door"
_LONGEST: Final = 80


class DoorRow(NamedTuple):
    """An entrant at the door: from which round on they are there, and what they owe, have paid and still owe."""

    one: Entrant
    since: int | None
    owed: str
    paid: str
    due: str
    note: str


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """The page; arbiters check people in, directors keep the till."""
    page = _Door(office)
    actions = {
        "check-in": (Role.ARBITER, page.check_in),
        "check-out": (Role.ARBITER, page.check_out),
        "payment": (Role.DIRECTOR, page.note_payment),
        "team-payment": (Role.DIRECTOR, page.note_team_payment),
    }
    return page.routes(PATH, Role.ARBITER, actions)


class _Door(OfficePage):
    """What is answered at each address."""

    async def page(self, request: Request, look: TournamentSnapshot, wrong: FormMistake) -> Response:
        tournament = look.tournament
        find = request.query_params.get("find", "")
        rows = [
            _row(tournament, one)
            for one in sorted(tournament.entrants.values(), key=lambda one: one.name.casefold())
            if all(word in f"{one.number} {one.name} {one.team}".casefold() for word in find.casefold().split())
        ]
        sums = till(all_payments(tournament))
        return page_response(
            request,
            "director_door.html",
            look,
            wrong,
            rows=rows,
            teams=_team_rows(tournament),
            find=find,
            missing=len(tournament.missing),
            sums=tuple(map(amount_text, sums)),
        )

    async def check_in(self, wish: FormInput) -> str:
        number = wish.number("number")
        since = wish.number_or_none("since") or wish.look.tournament.next_round
        await self._office.tell(wish, [EntrantCheckedIn(number, since)], event_writer.of_entrants(number))
        return _back(wish)

    async def check_out(self, wish: FormInput) -> str:
        number = wish.number("number")
        await self._office.tell(wish, [CheckInWithdrawn(number)], event_writer.of_entrants(number))
        return _back(wish)

    async def note_payment(self, wish: FormInput) -> str:
        event = PaymentNoted(wish.number("number"), _payment(wish))
        await self._office.tell(wish, [event], event_writer.of_entrants(event.number))
        return _back(wish)

    async def note_team_payment(self, wish: FormInput) -> str:
        event = TeamPaymentNoted(wish.number("number"), _payment(wish))
        await self._office.tell(wish, [event], event_writer.of_team(event.number))
        return f"{path_of(wish.look.name)}/door#t{event.number}"


def _payment(wish: FormInput) -> Payment:
    owed, paid = (parse_amount(wish.text(field) or "0") for field in ("owed", "paid"))
    return Payment(owed, paid, wish.text("note")[:_LONGEST])


def _back(wish: FormInput) -> str:
    """The list as it was searched, at the one who was just dealt with."""
    return f"{path_of(wish.look.name)}/door#n{wish.number('number')}"


def _team_rows(tournament: Tournament) -> Sequence[DoorRow]:
    """The teams by name; none where nobody plays in one."""
    if tournament.teams is None:
        return ()
    teams = tournament.teams.matches
    return [_row(teams, one) for one in sorted(teams.entrants.values(), key=lambda one: one.name.casefold())]


def _row(tournament: Tournament, one: Entrant) -> DoorRow:
    payment = tournament.payment(one.number)
    owed, paid, due = (amount_text(amount) for amount in (payment.owed, payment.paid, payment.due))
    return DoorRow(one, tournament.checked_in.get(one.number), owed, paid, due, payment.note)
