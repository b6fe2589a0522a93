"""Serve the tables of three and four of a round: for everybody to read, for arbiters to enter how they ended."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.hall.rounds.table_results import TableProposal
from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import Event, PlacesEntered, RoundRevoked, TablesChanged, TablesSeated
from gnomon.tournament.pairing.multiplayer import seat_tables
from gnomon.tournament.scoring.multiplayer import order_text, place_points, places_of
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import change_tables, parse_tables, points_text, swap_at_tables
from gnomon.tournament.state.rounds import Round
from gnomon.web import forms
from gnomon.web.access import Role, visitor_of
from gnomon.web.director import _event_writer as event_writer
from gnomon.web.director._office import (
    FormError,
    FormInput,
    FormMistake,
    FormProblem,
    OfficePage,
    TournamentApp,
    TournamentSnapshot,
    page_response,
    path_of,
)

PATH: Final = "/tournaments/{name}/tables"


class TablePlace(NamedTuple):
    """Who came in which place of a table, and the points that it is worth."""

    place: int
    number: int
    name: str
    points: str


class TableRow(NamedTuple):
    """A table: who sits at it, in order; once it has ended, the order as it is entered, and the places by rank."""

    board: int
    seats: Sequence[tuple[int, str]]
    order: str = ""
    places: Sequence[TablePlace] = ()


class ReportRow(NamedTuple):
    """An order of a table as it is entered, and who tells it: a device, or the names of players."""

    order: str
    device: str
    names: str


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """The page for everybody; arbiters enter places, directors seat rounds."""
    page = _Tables(office)
    actions = {
        "places": (Role.ARBITER, page.enter),
        "settle": (Role.DIRECTOR, page.settle),
        "seat": (Role.DIRECTOR, page.seat),
        "change": (Role.DIRECTOR, page.change),
        "revoke": (Role.DIRECTOR, page.revoke),
    }
    return Route(PATH, page.show), *page.forms(PATH, page.page, actions)


class _Tables(OfficePage):
    """What is answered at each address."""

    async def page(self, request: Request, look: TournamentSnapshot, wrong: FormMistake) -> Response:
        tournament = look.tournament
        rounds = len(tournament.rounds)
        wished = forms.number(wrong.sent.get("round", "") or request.query_params.get("round", ""))
        in_round = wished if wished is not None and 1 <= wished <= rounds else rounds
        hall, is_staff = self._office.hall, in_round > 0 and visitor_of(request).may(Role.ARBITER)
        told = await self._office.ask(lambda: hall.table_proposals(look.name, in_round)) if is_staff else []
        halls = await self._office.ask(lambda: hall.boards_elsewhere(look.name))
        return page_response(
            request,
            "tournament_tables.html",
            look,
            wrong,
            in_round=in_round,
            halls=halls,
            rows=table_rows(tournament, tournament.rounds[in_round - 1]) if in_round else [],
            told={one.board: one for one in told if one.reports},
            reports={one.board: _report_rows(tournament, one) for one in told},
            is_last=in_round == rounds,
            may_seat=tournament.has_room,
            players=len(tournament.players(tournament.next_round)),
            wrong_board=forms.number(wrong.sent.get("board", "")),
        )

    async def enter(self, wish: FormInput) -> str:
        """Enter how a table ended, or nothing to take it back; directors change it later, with a reason."""
        in_round, board = wish.number("round"), wish.number("board")
        tournament = wish.look.tournament
        round_ = tournament.round(in_round)
        table = round_.table(board)
        is_changed_late = board in round_.places and in_round != len(tournament.rounds)
        if is_changed_late and not visitor_of(wish.request).may(Role.DIRECTOR):
            raise FormError(FormProblem.CORRECT)
        order = wish.text("order")
        event = PlacesEntered(in_round, board, places_of(table, order) if order else (), wish.text("why"))
        await self._office.tell(wish, [event], _of_table(in_round, board))
        return _address(wish, in_round)

    async def settle(self, wish: FormInput) -> str:
        """Let the places stand where the board tells others."""
        in_round, board = wish.number("round"), wish.number("board")
        hall, name, why = self._office.hall, wish.look.name, wish.reason()

        def settle() -> None:
            hall.settle_table(name, in_round, board, wish.who, why)
            event_writer.announce(hall, name)

        await self._office.ask(settle)
        return _address(wish, in_round)

    async def seat(self, wish: FormInput) -> None:
        """Seat the next round, by the rules or by hand, and publish it."""
        tournament, by_hand = wish.look.tournament, wish.text("tables").split()
        tables = parse_tables(by_hand) or await self._office.ask(lambda: seat_tables(tournament))
        event = TablesSeated(tournament.next_round, tables)
        await self._office.tell(wish, [event], event_writer.conflicts_with_anything)

    async def change(self, wish: FormInput) -> None:
        """Swap two who sit at tables of the round, or seat tables as they are written."""
        number = len(wish.look.tournament.rounds)
        now, written = wish.look.tournament.round(number).tables, wish.text("tables").split()
        one, other = wish.number_or_none("one"), wish.number_or_none("other")
        if written:
            changed = change_tables(now, parse_tables(written))
        elif one is None or other is None:
            raise TournamentError(statement("director.refused.no_change"))
        else:
            changed = swap_at_tables(now, one, other)
        event = TablesChanged(number, changed, wish.reason())
        await self._office.tell(wish, [event], event_writer.of_round(number))

    async def revoke(self, wish: FormInput) -> None:
        event = RoundRevoked(len(wish.look.tournament.rounds), wish.reason())
        await self._office.tell(wish, [event], event_writer.conflicts_with_anything)


def table_rows(tournament: Tournament, round_: Round) -> list[TableRow]:
    """The tables of a round."""
    rows = []
    for table in round_.tables:
        seats = tuple((number, tournament.entrants[number].name) for number in table.seats)
        row = TableRow(table.board, seats)
        if table.board in round_.places:
            places = round_.places[table.board]
            points = map(points_text, place_points(tournament.settings, places))
            ended = [
                TablePlace(*one) for one in zip(places, table.seats, (name for _, name in seats), points, strict=True)
            ]
            row = row._replace(order=order_text(table, places), places=tuple(sorted(ended, key=lambda one: one.place)))
        rows.append(row)
    return rows


def _report_rows(tournament: Tournament, told: TableProposal) -> list[ReportRow]:
    names = tournament.entrants
    return [
        ReportRow(one.order, one.device, ", ".join(names[number].name for number in one.entrants))
        for one in told.reports
    ]


def _address(wish: FormInput, in_round: int) -> str:
    last = in_round == len(wish.look.tournament.rounds)
    return f"{path_of(wish.look.name)}/tables{'' if last else f'?round={in_round}'}"


def _of_table(in_round: int, board: int) -> event_writer.Concerns:
    """What is about how a table ended, or seats others there."""

    def concerns(event: Event) -> bool:
        if isinstance(event, PlacesEntered):
            return (event.round, event.board) == (in_round, board)
        return isinstance(event, RoundRevoked | TablesChanged)

    return concerns
