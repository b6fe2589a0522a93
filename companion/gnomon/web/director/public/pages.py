"""Serve the public tournament pages: pairings, standings, tables, players, wall and live stream."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from http import HTTPStatus
from typing import Final

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from gnomon.tournament.standings import team_standings
from gnomon.tournament.standings.crosstables import all_against_all, as_of, cross_table, has_bracket, is_table
from gnomon.tournament.standings.even_luck import even_luck_standings
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import gain_text, points_text, two_places
from gnomon.tournament.state.round_history import counts_bye_early
from gnomon.tournament.teams.matches import as_people, as_shown
from gnomon.web import forms
from gnomon.web._templates import part
from gnomon.web._tie_breaks import tie_break_text
from gnomon.web.director._luck import LuckSoFar
from gnomon.web.director._office import (
    AS_OF,
    FINE,
    TournamentApp,
    TournamentSnapshot,
    page_response,
    path_of,
    unchanged_response,
)
from gnomon.web.director._tables import (
    board_rows,
    earlier_rows,
    everybody,
    find_seats,
    standing_rows,
    starts_of_all,
    turns_of_all,
)
from gnomon.web.director.public._match_tables import match_rows, score_rows
from gnomon.web.director.public.games import games_of, luck_of
from gnomon.web.director.public.papers import BEST
from gnomon.web.director.rounds.multiplayer import TableRow, table_rows
from gnomon.web.director.setup.tournament_list import state_of
from gnomon.web.language import words_for
from gnomon.web.sheets.brackets import bracket_parts
from gnomon.words import Words

PATH: Final = "/tournaments/{name}"
TABLE: Final = 24
"""Opponents across that a table of all against all has at most on a page; of more it is told round by round."""

_Values = Callable[[Tournament, int, Words], Mapping[str, object]]


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """Pairings, standings, tables, players, the wall, and the stream that keeps them all live."""
    pages = _Public(office)
    return (
        Route(PATH, pages.pairings),
        Route(f"{PATH}/standings", pages.standings),
        Route(f"{PATH}/cross", pages.cross),
        Route(f"{PATH}/bracket", pages.bracket),
        Route(f"{PATH}/players/{{number:number}}", pages.player),
        Route(f"{PATH}/wall", pages.wall),
        Route(f"{PATH}/live", pages.live),
    )


class _Public:
    """What is answered at each address."""

    def __init__(self, office: TournamentApp) -> None:
        self._office = office

    async def pairings(self, request: Request) -> Response:
        """Who sits where in a round, and what came of it; by a name, one's own board."""
        look, say = await self._office.look(request), words_for(request)
        tournament = look.tournament
        in_round = _round_in(request, look)
        games = await games_of(self._office, look)
        halls = await self._office.ask(lambda: self._office.hall.boards_elsewhere(look.name))
        # A game may be shown later than its result, what luck gave later still, and a board may come to another hall.
        known_luck = self._office.luck.version(look.name)
        as_of = " ".join(map(str, (look.last, look.told[-1].at_wall, len(games), known_luck, *sorted(halls.items()))))
        if (known := unchanged_response(request, as_of)) is not None:
            return known
        here = frozenset(where for where in games if where.round == in_round)
        rows = await self._part(
            look,
            "pairings",
            in_round,
            say,
            lambda *given: {**_pairings(*given), "games": here, "halls": halls},
            (here, tuple(sorted(halls.items()))),
        )
        text = request.query_params.get("find", "").strip()[:80]
        hits = find_seats(tournament, in_round, text) if in_round else []
        clock = await self._office.ask(lambda: self._office.hall.clocks.of(look.name))
        response = page_response(
            request,
            "tournament_pairings.html",
            look,
            state=state_of(tournament),
            in_round=in_round,
            part=rows,
            find=text,
            hits=hits,
            halls=halls,
            clock_ms=clock.remaining(self._office.hall.now()) // 1000,
            clock_runs=clock.runs,
        )
        response.headers[AS_OF] = as_of
        return response

    async def standings(self, request: Request) -> Response:
        """Where everybody stands, now or after a round."""
        look = await self._office.look(request)
        in_round = _round_in(request, look)
        luck = await luck_of(self._office, look, in_round)
        return await self._table(
            request, "standings", lambda *given: {**_standings(*given), **_even_luck(luck, *given)}, luck
        )

    async def cross(self, request: Request) -> Response:
        """Who met whom."""
        return await self._table(request, "cross", _cross)

    async def bracket(self, request: Request) -> Response:
        """The bracket of a knockout, or the two of a double elimination."""
        look = await self._office.look(request)
        if not has_bracket(look.tournament):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return await self._table(request, "bracket", _bracket)

    async def player(self, request: Request) -> Response:
        """One player: every round so far."""
        look, number = await self._office.look(request), request.path_params["number"]
        one = look.tournament.entrants.get(number)
        if one is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        # A publication asks for every player.
        rows = await self._office.shelf.ask_once(
            (look.name, look.last, "rows"), lambda: standing_rows(as_people(look.tournament))
        )
        place = next((row for row in rows if row.standing.number == number), None)  # left before the first round
        every = await self._office.shelf.ask_once(
            (look.name, look.last, "turns"), lambda: turns_of_all(look.tournament)
        )
        starts = await self._office.shelf.ask_once(
            (look.name, look.last, "starts"), lambda: starts_of_all(look.tournament)
        )
        turns = every.get(number, ())
        games = await games_of(self._office, look, {(turn.round, turn.board) for turn in turns})
        title = look.tournament.person(number).title
        return page_response(
            request,
            "tournament_player.html",
            look,
            one=one,
            title=title,
            place=place,
            start=starts.get(number, ""),
            turns=turns,
            games=games,
        )

    async def wall(self, request: Request) -> Response:
        """A screen for the hall: the round clock large, pairings and standings by turns."""
        look, say = await self._office.look(request), words_for(request)
        rounds = len(look.tournament.rounds)
        clock = await self._office.ask(lambda: self._office.hall.clocks.of(look.name))
        halls = await self._office.ask(lambda: self._office.hall.boards_elsewhere(look.name))
        part = await self._part(
            look, "wall", rounds, say, lambda *given: {**_wall(*given), "halls": halls}, tuple(sorted(halls.items()))
        )
        return page_response(
            request,
            "tournament_wall.html",
            look,
            in_round=rounds,
            is_over=state_of(look.tournament) == "over",
            clock_ms=clock.remaining(self._office.hall.now()) // 1000,
            clock_runs=clock.runs,
            part=part,
        )

    async def live(self, request: Request) -> Response:
        """The stream that tells when something has changed."""
        look = await self._office.look(request)
        await self._office.ask(lambda: self._office.hall.clocks.of(look.name))
        return self._office.readers.answer(request, self._office.news.events(look.name))

    async def _table(self, request: Request, kind: str, values: _Values, key: Hashable = None) -> Response:
        look, say = await self._office.look(request), words_for(request)
        in_round = _round_in(request, look)
        made = await self._part(look, kind, in_round, say, values, key)
        if "part" in request.query_params:
            return HTMLResponse(made)
        return page_response(request, "tournament_table.html", look, FINE, kind=kind, in_round=in_round, part=made)

    async def _part(  # noqa: PLR0913, PLR0917 - all that tells one table from another
        self, look: TournamentSnapshot, kind: str, in_round: int, say: Words, values: _Values, key: Hashable = None
    ) -> Markup:
        """A table as it is for everybody who reads a language: made once for each state of the tournament.

        `key` is what it depends on besides the book.
        """

        def make() -> Markup:
            told = values(look.tournament, in_round, say)
            settings = look.tournament.settings
            ties = [(name, tie_break_text(name, say)) for name in settings.tie_breaks]
            base, in_teams = path_of(look.name), look.tournament.teams is not None
            name = f"tournament_{kind}_part.html"
            return part(name, say, base=base, settings=settings, ties=ties, in_teams=in_teams, **told)

        made: Markup = await self._office.shelf.ask_once(
            (look.name, look.last, kind, in_round, say.language, key), make
        )
        return made


def _round_in(request: Request, look: TournamentSnapshot) -> int:
    """The round that an address names, or the last; 0 before the first. Raises HTTPException for none such."""
    last = len(look.tournament.rounds)
    text = request.query_params.get("round", "")
    wished = forms.number(text)
    if text and (wished is None or wished > last):
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return last if wished is None else wished


def _pairings(tournament: Tournament, in_round: int, _say: Words) -> Mapping[str, object]:
    matches = match_rows(tournament, in_round)
    rows = board_rows(tournament, in_round) if in_round and not matches else []
    return {"rows": rows, "matches": matches, "tables": _tables(tournament, in_round), "in_round": in_round}


def _tables(tournament: Tournament, in_round: int) -> Sequence[TableRow]:
    """The tables of three and four of a round, where there are any."""
    return table_rows(tournament, tournament.round(in_round)) if in_round else []


def _standings(tournament: Tournament, in_round: int, _say: Words) -> Mapping[str, object]:
    played = as_of(tournament, in_round)
    seen = as_shown(played)
    entrants = seen.entrants.values()
    teamed = any(one.team for one in entrants)
    return {
        "rows": standing_rows(seen),
        "titled": any(seen.person(one.number).title for one in entrants),
        "rated": any(one.rating is not None for one in entrants),
        "teamed": teamed,
        "waiting": played.waiting,
        "early_bye": counts_bye_early(seen),
        "scores": score_rows(played),
        "teams": [(one, points_text(one.points)) for one in team_standings(seen, BEST)] if teamed else [],
        "best": BEST,
    }


def _even_luck(luck: LuckSoFar, tournament: Tournament, in_round: int, _say: Words) -> Mapping[str, object]:
    """The standings with even luck, where it was told from play in any game."""
    if not luck.games and not luck.missing:
        return {"even_luck": [], "luck": None}
    played = as_of(tournament, in_round)
    rows = [
        (
            row,
            tournament.entrants[row.number].name,
            points_text(row.points),
            gain_text(row.luck),
            two_places(row.even),
        )
        for row in even_luck_standings(played, luck.games)
    ]
    return {"even_luck": rows if luck.games else [], "luck": luck}


def _wall(tournament: Tournament, in_round: int, say: Words) -> Mapping[str, object]:
    state = state_of(tournament)
    drawn = bracket_parts(tournament, say) if in_round and has_bracket(tournament) else []
    return {
        "names": everybody(tournament, in_round) if state == "playing" else [],
        "rows": board_rows(tournament, in_round) if in_round else [],
        "earlier": earlier_rows(tournament),
        "matches": match_rows(tournament, in_round),
        "tables": _tables(tournament, in_round),
        "parts": [part for part in drawn if part.has_people and part.until >= in_round],
        "standings": standing_rows(as_shown(tournament)),
        "early_bye": counts_bye_early(as_shown(tournament)),
        "in_round": in_round,
        "is_over": state == "over",
    }


def _cross(tournament: Tournament, in_round: int, _say: Words) -> Mapping[str, object]:
    seen = as_shown(as_of(tournament, in_round))
    against = is_table(seen) and len(seen.entrants) <= TABLE
    rows = all_against_all(seen) if against else cross_table(seen)
    return {
        "rows": [(row, seen.entrants[row.standing.number].name, points_text(row.standing.points)) for row in rows],
        "against": against,
        "across": range(1, (len(rows) if against else in_round) + 1),
    }


def _bracket(tournament: Tournament, _in_round: int, say: Words) -> Mapping[str, object]:
    return {"parts": bracket_parts(tournament, say)}
