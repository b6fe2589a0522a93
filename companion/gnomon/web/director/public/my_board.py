"""Serve the pages of players on their own phones: their board, their claim of the result, and their standing.

Anyone who has an entrant's code may say how that entrant's game of the round ended, and nothing else. A wrong code
costs its address a wait, which is short, because all phones of a club may stand behind one router.
"""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from itertools import product
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.hall.hall import HallError
from gnomon.hall.rounds.player_codes import Player, plain
from gnomon.hall.rounds.results import Proposal
from gnomon.hall.rounds.table_results import TableProposal
from gnomon.refusals import sentence, statement, statement_of
from gnomon.timekeeping.instants import SECOND, Duration
from gnomon.tournament.scoring.multiplayer import Places, place_points
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import points_text
from gnomon.tournament.state.results import GameResult, Result, format_result
from gnomon.tournament.state.rounds import Table
from gnomon.web import forms
from gnomon.web._http_errors import HttpError, is_for_people
from gnomon.web._templates import page
from gnomon.web.access import Role, allow, visitor_of
from gnomon.web.access.answers import go_to
from gnomon.web.access.attempts import Attempts, network
from gnomon.web.director._office import TournamentApp, path_of
from gnomon.web.director._tables import FoundSeat, everybody
from gnomon.web.language import words_for
from gnomon.web.sheets.rounds import round_heading

PATH: Final = "/my"
_FREE: Final = 20
"""Wrong codes of an address that cost nothing."""
_LONGEST: Final = Duration(30 * SECOND)
"""After them two guesses a minute; with a thousand players one of them is right in a hundred and fifty years."""
_GAMES: Final = (GameResult.FIRST_WON, GameResult.DRAWN, GameResult.SECOND_WON)
_MOST_GAMES: Final = 2
"""Games of a round of which every outcome is a button; of more the arbiters enter the result."""
_PLACE: Final = "place-"
"""Begins the field with the place of an entrant, whose number follows."""
_NO_STORE: Final = {"Cache-Control": "no-store"}


class ResultChoice(NamedTuple):
    """A result that a player can choose: as it is sent, told as the player sees it, and how it is written."""

    value: str
    signs: tuple[str, ...]
    text: str


class TableReport(NamedTuple):
    """What is said of how a table ended: by whom, the names place by place, and the places as they are sent."""

    names: tuple[str, ...]
    places: tuple[tuple[int, tuple[str, ...]], ...]
    fields: Mapping[int, int]


class MyTable(NamedTuple):
    """How the table of a player ended: what is entered, what they and others said, and who has not said anything.

    `entered` are places, names and points.
    """

    seats: tuple[tuple[int, str], ...]
    entered: tuple[tuple[int, str, str], ...] = ()
    mine: TableReport | None = None
    others: tuple[TableReport, ...] = ()
    silent: tuple[str, ...] = ()
    is_disputed: bool = False


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """The page that asks for a code, and the page of a player who has one."""
    pages = _MyBoard(office)
    return (
        Route(PATH, pages.ask),
        Route(f"{PATH}/{{code}}", pages.show),
        Route(f"{PATH}/{{code}}/result", allow(Role.SPECTATOR, pages.claim), methods=["POST"]),
    )


class _MyBoard:
    """What is answered at each address."""

    def __init__(self, office: TournamentApp) -> None:
        self._office = office
        door = office.door
        self._attempts = Attempts(_LONGEST, _FREE) if door is None else door.attempts("player", _LONGEST, _FREE)
        self._now = office.hall.now if door is None else door.now

    async def ask(self, request: Request) -> Response:
        """The page that asks for a code, or leads to the page of one."""
        code = plain(request.query_params.get("code", ""))
        return go_to(f"{PATH}/{code}") if code else page(request, "my_code.html", wrong="", typed="")

    async def show(self, request: Request) -> Response:
        """The page of a player; for a code that does not open it, the page that asks for one, with the reason."""
        try:
            player = await self._player(request)
        except HttpError as error:
            return _ask_again(request, error)
        return await self._page(request, player)

    async def claim(self, request: Request) -> Response:
        """Take a player's word."""
        sent = await forms.read(request)
        try:
            player = await self._player(request)
        except HttpError as error:
            return _ask_again(request, error)
        hall = self._office.hall
        tournament = await self._office.ask(lambda: hall.book(player.tournament).tournament())
        in_round = forms.number(sent.get("round", "")) or 0
        table = _table(tournament, player.entrant, in_round)
        ranks = {} if table is None else _ranks(table, sent)
        chosen = {each.value: each for each in choices(tournament.settings.games)}.get(sent.get("result", ""))
        if ranks is None or (table is None and chosen is None):
            wrong = words_for(request)("my.wrong" if table is None else "my.table.wrong")
            return await self._page(request, player, wrong, HTTPStatus.UNPROCESSABLE_ENTITY)

        def claim() -> None:
            if chosen is not None and table is None:
                hall.claim(player, in_round, _result(chosen.value))
            else:
                hall.claim_places(player, in_round, ranks)

        try:
            await self._office.ask(claim)
        except HallError as error:
            why = sentence(statement_of(error), words_for(request))
            return await self._page(request, player, why, HTTPStatus.CONFLICT)
        still = open_rounds(tournament, player.entrant)
        return go_to(f"{PATH}/{plain(request.path_params['code'])}{f'?round={in_round}' if len(still) > 1 else ''}")

    async def _player(self, request: Request) -> Player:
        """Whose code an address has. Raises HttpError for nobody's, for too many of those, and for one of the past."""
        who, hall = network(visitor_of(request).address), self._office.hall
        if wait := await self._office.ask(lambda: self._attempts.wait(who, self._now())):
            seconds = -(-wait // SECOND)
            later = {"Retry-After": str(seconds), **_NO_STORE}
            raise HttpError(HTTPStatus.TOO_MANY_REQUESTS, statement("my.refused.wait", seconds=seconds), later)
        player = await self._office.ask(lambda: hall.find_player(request.path_params["code"][:40]))
        if player is None:
            await self._office.ask(lambda: self._attempts.attempt(who, self._now()))
            raise HttpError(HTTPStatus.NOT_FOUND, statement("my.refused.code"), _NO_STORE)
        last = await self._office.ask(lambda: hall.expired_on(player.tournament))
        if last is not None:
            raise HttpError(HTTPStatus.GONE, statement("my.refused.expired", day=last.isoformat()), _NO_STORE)
        return player

    async def _page(self, request: Request, player: Player, wrong: str = "", status: int = HTTPStatus.OK) -> Response:
        hall, name = self._office.hall, player.tournament
        tournament = await self._office.ask(lambda: hall.book(name).tournament())
        still = open_rounds(tournament, player.entrant)
        wished = forms.number(request.query_params.get("round", ""))
        in_round = wished if wished is not None and wished in still else next(iter(still), len(tournament.rounds))
        told = await self._office.ask(lambda: hall.proposals(name, in_round)) if in_round else []
        seat = _seat(tournament, player.entrant, in_round)
        halls = await self._office.ask(lambda: hall.boards_elsewhere(name))
        tables = await self._office.ask(lambda: hall.table_proposals(name, in_round)) if in_round else []
        proposal = None if seat is None else next((one for one in told if one.board == seat.board), None)
        said = {} if proposal is None else _claims_as_seen(proposal, player.entrant)
        games = tournament.settings.games
        response = page(
            request,
            "my_board.html",
            status,
            code=plain(request.path_params["code"]),
            base=path_of(name),
            tournament=tournament,
            settings=tournament.settings,
            round_heading=round_heading,
            one=tournament.entrants[player.entrant],
            in_round=in_round,
            open_rounds=still,
            seat=seat,
            halls=halls,
            table=my_table(tournament, player.entrant, in_round, tables),
            proposal=proposal,
            mine=said.get("mine", ""),
            theirs=said.get("theirs", ""),
            choices=choices(games) if games <= _MOST_GAMES else (),
            wrong=wrong,
        )
        for header, value in _NO_STORE.items():
            response.headers[header] = value
        return response


def _ask_again(request: Request, error: HttpError) -> Response:
    """The page that asks for a code, with what was wrong with this one; programs get the error itself. Raises it."""
    if not is_for_people(request):
        raise error
    wrong, typed = sentence(error.why, words_for(request)), plain(request.path_params["code"])
    answer = page(request, "my_code.html", error.status_code, wrong=wrong, typed=typed)
    answer.headers.update(error.headers or {})
    return answer


def open_rounds(tournament: Tournament, entrant: int) -> Sequence[int]:
    """The rounds in which the board or the table of an entrant has no result yet, the earliest first."""
    return [
        round_.number
        for round_ in tournament.open_rounds
        if any(entrant in pairing.entrants and pairing.board in round_.waiting for pairing in round_.pairings)
        or ((table := round_.table_of(entrant)) is not None and table.board in round_.waiting)
    ]


def choices(games: int) -> tuple[ResultChoice, ...]:
    """Every result of so many games, told as one of the two sees it."""
    signs = {GameResult.FIRST_WON: "won", GameResult.DRAWN: "drawn", GameResult.SECOND_WON: "lost"}
    return tuple(
        ResultChoice(format_result(result), tuple(signs[game] for game in result), format_result(result))
        for result in product(_GAMES, repeat=games)
    )


def my_table(tournament: Tournament, entrant: int, in_round: int, told: Sequence[TableProposal]) -> MyTable | None:
    """The table of an entrant in a round, with what is told of it; None where they sit at none."""
    table = _table(tournament, entrant, in_round)
    if table is None:
        return None
    names = {number: tournament.entrants[number].name for number in table.seats}
    seats = tuple(names.items())
    places = tournament.round(in_round).places.get(table.board)
    if places is not None:
        points = map(points_text, place_points(tournament.settings, places))
        return MyTable(seats, tuple(sorted(zip(places, names.values(), points, strict=True))))
    proposal = next((one for one in told if one.board == table.board), TableProposal(in_round, table))
    said = dict(proposal.said)
    reports = {
        told_by.entrants: _report(names, table, said[told_by.entrants[0]], told_by.entrants)
        for told_by in proposal.reports
        if told_by.entrants
    }
    return MyTable(
        seats,
        mine=next((report for tellers, report in reports.items() if entrant in tellers), None),
        others=tuple(report for tellers, report in reports.items() if entrant not in tellers),
        silent=tuple(names[number] for number in table.seats if number not in said.keys() | proposal.confirmed),
        is_disputed=proposal.is_disputed,
    )


def _report(names: Mapping[int, str], table: Table, places: Places, tellers: Sequence[int]) -> TableReport:
    by_seat = dict(zip(table.seats, places, strict=True))
    by_place = {
        place: tuple(names[number] for number, one in by_seat.items() if one == place) for place in sorted({*places})
    }
    return TableReport(tuple(names[number] for number in tellers), tuple(by_place.items()), by_seat)


def _table(tournament: Tournament, entrant: int, in_round: int) -> Table | None:
    """The table of three or four at which an entrant sits in a round; None where they do not."""
    return tournament.round(in_round).table_of(entrant) if 0 < in_round <= len(tournament.rounds) else None


def _ranks(table: Table, sent: Mapping[str, str]) -> Mapping[int, int] | None:
    """The rank of everybody at a table, as somebody chose them; None unless everybody there has one."""
    ranks = {number: forms.number(sent.get(f"{_PLACE}{number}", "")) for number in table.seats}
    chosen = {number: rank for number, rank in ranks.items() if rank and rank <= len(table.seats)}
    return chosen if len(chosen) == len(table.seats) else None


def _result(value: str) -> Result:
    games = {game.value: game for game in _GAMES}
    return tuple(games[each] for each in value.split())


def _seat(tournament: Tournament, entrant: int, in_round: int) -> FoundSeat | None:
    """Where an entrant sits in the round; None where they do not, or nobody does yet."""
    seats = everybody(tournament, in_round) if in_round else []
    return next((seat for seat in seats if seat.number == entrant), None)


def _claims_as_seen(proposal: Proposal, entrant: int) -> Mapping[str, str]:
    """What an entrant and the other one said, told as the entrant sees it."""
    first = proposal.pairing.first == entrant
    return {
        "mine" if who == entrant else "theirs": format_result(
            result if first else tuple(game.from_other_side for game in result)
        )
        for who, result in proposal.said
    }
