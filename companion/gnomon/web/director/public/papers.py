"""Serve the printable sheets and the export files of a tournament (CSV, TRF, JSON)."""

import json
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from gnomon.hall.rounds.player_codes import readable
from gnomon.rules.registry import find_game
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.codec import SCHEMA, told_value
from gnomon.tournament.formats.go.reports import write_aga, write_h9
from gnomon.tournament.formats.tables.entrants import write_entrants
from gnomon.tournament.formats.tables.results import write_pairings, write_results, write_standings
from gnomon.tournament.formats.trf import TrfEdition, write_trf
from gnomon.tournament.state import Tournament
from gnomon.web import forms
from gnomon.web._http_errors import HttpError
from gnomon.web.access import Role, allow, visitor_of
from gnomon.web.access.answers import go_to
from gnomon.web.access.gate import Endpoint
from gnomon.web.director._history import minute
from gnomon.web.director._office import TournamentApp, TournamentSnapshot, path_of
from gnomon.web.director.setup.tournament_list import slug
from gnomon.web.language import words_for
from gnomon.web.server.listener import is_own
from gnomon.web.sheets.brackets import bracket_sheet
from gnomon.web.sheets.codes import CardPlace, codes_sheet
from gnomon.web.sheets.halls import Halls
from gnomon.web.sheets.lists import (
    cross_sheet,
    entrants_sheet,
    pairings_by_board,
    pairings_by_name,
    standings_sheet,
    teams_sheet,
)
from gnomon.web.sheets.paper import Paper, PrintedSheet, render
from gnomon.web.sheets.slips import ANY_GAME, score_sheets, slips_sheet
from gnomon.web.sheets.teams import boards_sheet, lineup_sheet
from gnomon.words import Words

PATH: Final = "/tournaments/{name}/print/{sheet}"
FILES: Final = "/tournaments/{name}/files/{file}"
BEST: Final = 4  # members who count for a team
POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""A sheet is one file that brings its style along; names in it are escaped as everywhere."""

_Make = Callable[[Tournament, int, Words, Halls], PrintedSheet]
PUBLIC: Final[Mapping[str, _Make]] = {
    "entrants": lambda of, _, say, _halls: entrants_sheet(of, say),
    "pairings": pairings_by_board,
    "names": pairings_by_name,
    "standings": lambda of, in_round, say, _halls: standings_sheet(of, say, in_round),
    "cross": lambda of, in_round, say, _halls: cross_sheet(of, say, in_round),
    "teams": lambda of, in_round, say, _halls: teams_sheet(of, BEST, say, in_round),
    "boards": lambda of, in_round, say, _halls: boards_sheet(of, say, in_round),
    "bracket": lambda of, _, say, _halls: bracket_sheet(of, say),
}
STAFF: Final[Mapping[str, _Make]] = {
    "slips": slips_sheet,
    "lineups": lambda of, _, say, _halls: lineup_sheet(of, min(of.next_round, of.settings.rounds), say),
}
_FILES: Final[Mapping[str, tuple[str, Callable[[Tournament], str]]]] = {
    "entrants.csv": ("text/csv", write_entrants),
    "pairings.csv": ("text/csv", lambda of: write_pairings(of, len(of.rounds))),
    "results.csv": ("text/csv", write_results),
    "standings.csv": ("text/csv", write_standings),
    "trf16.trf": ("text/plain", lambda of: write_trf(of, TrfEdition.TRF16).text),
    "trf26.trf": ("text/plain", lambda of: write_trf(of, TrfEdition.TRF26).text),
    "egf.h9": ("text/plain", write_h9),
    "aga.txt": ("text/plain", lambda of: write_aga(of)[0]),
}
EVENTS: Final = "events.json"


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """Sheets and files; slips, score sheets and the whole book are for arbiters."""
    desk = _Papers(office)
    return (
        Route("/tournaments/{name}/print/score", allow(Role.ARBITER, desk.score)),
        Route("/tournaments/{name}/print/codes", allow(Role.ARBITER, desk.codes)),
        Route("/tournaments/{name}/codes/again", allow(Role.DIRECTOR, desk.new_codes), methods=["POST"]),
        *(Route(PATH.replace("{sheet}", name), allow(Role.ARBITER, desk.sheet(STAFF[name]))) for name in STAFF),
        *(Route(PATH.replace("{sheet}", name), desk.sheet(PUBLIC[name])) for name in PUBLIC),
        Route(FILES.replace("{file}", EVENTS), allow(Role.ARBITER, desk.events)),
        Route(FILES, desk.file),
    )


class _Papers:
    """What is answered at each address."""

    def __init__(self, office: TournamentApp) -> None:
        self._office = office

    def sheet(self, make: _Make) -> Endpoint:
        """An endpoint that sets a sheet out."""

        async def endpoint(request: Request) -> Response:
            look, say = await self._office.look(request), words_for(request)
            in_round = forms.number(request.query_params.get("round", ""))
            chosen = len(look.tournament.rounds) if in_round is None else in_round
            halls = await self._office.ask(lambda: self._office.hall.halls_of_boards(look.name))
            return await self._print(request, look, lambda: make(look.tournament, chosen, say, halls))

        return endpoint

    async def score(self, request: Request) -> Response:
        """Score sheets of the game that is played, one for each board of the round."""
        look, say = await self._office.look(request), words_for(request)
        plan = await self._office.ask(lambda: self._office.hall.plan(look.name))
        rounds = len(look.tournament.rounds)
        played = look.tournament.settings.game_in(rounds)
        form = (find_game(played) if played else plan.game) or ANY_GAME
        halls = await self._office.ask(lambda: self._office.hall.halls_of_boards(look.name))
        return await self._print(request, look, lambda: score_sheets(look.tournament, form, say, rounds or None, halls))

    async def codes(self, request: Request) -> Response:
        """A card with a code for each entrant."""
        look, say, hall = await self._office.look(request), words_for(request), self._office.hall
        codes = await self._office.ask(lambda: hall.player_codes(look.name))
        last = await self._office.ask(lambda: hall.codes_last_day(look.name))
        until = "" if last is None else last.isoformat()
        address = self._office.address().rstrip("/")
        if not address and not self._office.is_alone:
            address = _asked_at(request)
        place = CardPlace(address, until, self._office.is_alone)
        return await self._print(request, look, lambda: codes_sheet(look.tournament, codes, place, readable, say))

    async def new_codes(self, request: Request) -> Response:
        """Make all codes again: the old ones are worth nothing."""
        look = await self._office.look(request)
        await self._office.ask(lambda: self._office.hall.player_codes(look.name, again=True))
        return go_to(f"{path_of(look.name)}/desk")

    async def file(self, request: Request) -> Response:
        """A table or a report file, which tells sex and birth of people to arbiters only."""
        look, name = await self._office.look(request), str(request.path_params["file"])
        if name not in _FILES:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        kind, write = _FILES[name]
        tournament = look.tournament if visitor_of(request).may(Role.ARBITER) else look.tournament.in_public()
        try:
            text = await self._office.ask(lambda: write(tournament))
        except TournamentError as error:
            raise HttpError(HTTPStatus.NOT_FOUND, error.statement) from error
        return _attachment(text, f"{slug(look.name)}-{name}", f"{kind}; charset=utf-8")

    async def events(self, request: Request) -> Response:
        """Every event, with who told it and why."""
        look = await self._office.look(request)
        value = {"schema": SCHEMA, "events": [told_value(told) for told in look.told]}
        text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
        return _attachment(text, f"{slug(look.name)}-{EVENTS}", "application/json")

    async def _print(self, request: Request, look: TournamentSnapshot, make: Callable[[], PrintedSheet]) -> Response:
        say = words_for(request)
        paper = Paper.LETTER if request.query_params.get("paper") == "letter" else Paper.A4
        label = f"{minute(look.told[-1])} · {look.last}"
        try:
            text = await self._office.ask(lambda: render(make(), say, paper, label))
        except TournamentError as error:
            raise HttpError(HTTPStatus.NOT_FOUND, error.statement) from error
        return HTMLResponse(text, headers={"Content-Security-Policy": POLICY})


def _asked_at(request: Request) -> str:
    """The address at which the pages were asked, where other machines come by it, too; empty otherwise.

    Behind a proxy nothing else tells the hall its address. That the name is one of ours was checked before.
    """
    return "" if is_own(request.url.hostname or "localhost") else str(request.base_url).rstrip("/")


def _attachment(text: str, name: str, kind: str) -> Response:
    return Response(text, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
