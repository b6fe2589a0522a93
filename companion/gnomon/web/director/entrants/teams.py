"""Serve the page on teams: rosters, captains, line-ups, withdrawal, return, byes and prohibited matches."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gnomon.numbers import parse_whole
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import (
    Event,
    LineupTold,
    TeamReturned,
    TeamTold,
    TeamWithdrew,
)
from gnomon.tournament.formats.tables.entrants import MOST_NAME, MOST_NUMBER, is_name
from gnomon.tournament.state import Entrant, Tournament
from gnomon.tournament.state.settings import Bye, System
from gnomon.tournament.teams.matches import book_of, named_teams, team_view
from gnomon.tournament.teams.seating import EMPTY, lineup_of
from gnomon.web._http_errors import HttpError
from gnomon.web.access import Role
from gnomon.web.director import _event_writer as event_writer
from gnomon.web.director._office import (
    BYES,
    EntryPage,
    FormError,
    FormInput,
    FormMistake,
    FormProblem,
    TournamentApp,
    TournamentSnapshot,
    bye_told,
    page_response,
)

PATH: Final = "/tournaments/{name}/teams"
NOBODY: Final = "-"


class TeamRow(NamedTuple):
    """A team: its members in order, who plays in the round that is chosen, and what is to be said of it."""

    team: Entrant
    captain: str
    members: Sequence[Entrant]
    lineup: str
    byes: Sequence[tuple[int, Bye]]
    out_since: int | None


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """The page and its forms, for directors."""
    page = _Teams(office)
    actions = {
        "enter": page.enter,
        "gather": page.gather,
        "lineup": page.line_up,
        "withdraw": page.withdraw,
        "return": page.take_back,
        "bye": page.grant_bye,
        "apart": page.keep_apart,
        "allow": page.let_meet,
    }
    return page.routes(PATH, Role.DIRECTOR, {name: (Role.DIRECTOR, do) for name, do in actions.items()})


class _Teams(EntryPage):
    """What is answered at each address."""

    async def page(self, request: Request, look: TournamentSnapshot, wrong: FormMistake) -> Response:
        tournament = look.tournament
        try:
            book, teams = book_of(tournament), team_view(tournament)
        except TournamentError as error:
            raise HttpError(HTTPStatus.NOT_FOUND, error.statement) from error
        waits = bool(tournament.waiting)
        in_round = len(tournament.rounds) if waits else min(tournament.next_round, tournament.settings.rounds)
        inside = {member for roster in book.rosters.values() for member in roster.members}
        return page_response(
            request,
            "director_teams.html",
            look,
            wrong,
            play=book.play,
            rows=[_row(tournament, teams, number, in_round) for number in teams.seeds],
            loose=[one for number, one in sorted(tournament.entrants.items()) if number not in inside],
            named=len(list(named_teams(tournament))),
            in_round=in_round,
            rounds=range(max(1, len(tournament.rounds)), tournament.settings.rounds + 1),
            to_come=range(tournament.next_round, tournament.settings.rounds + 1),
            byes=BYES,
            may_bye=tournament.settings.system is System.SWISS,
            apart=[
                [teams.entrants[number] for number in sorted(pair)] for pair in sorted(map(sorted, teams.prohibited))
            ],
        )

    async def enter(self, wish: FormInput) -> None:
        """Enter a team, or put another roster in the place of its own."""
        tournament = wish.look.tournament
        rosters = book_of(tournament).rosters
        number = wish.number_or_none("number") or max(rosters, default=0) + 1
        name = wish.text("name")[:MOST_NAME]
        if not is_name(name):
            raise FormError(FormProblem.NAME)
        members = _numbers(wish.text("members"))
        since = team_view(tournament).entrants[number].since if number in rosters else tournament.next_round
        await self._tell(wish, number, TeamTold(number, name, members, wish.text("captain")[:MOST_NAME], since))

    async def gather(self, wish: FormInput) -> None:
        """Enter all teams that entrants name."""
        events = list(named_teams(wish.look.tournament))
        await self._office.tell(wish, events, event_writer.conflicts_with_anything)

    async def line_up(self, wish: FormInput) -> None:
        team = wish.number("number")
        await self._tell(wish, team, LineupTold(team, wish.number("round"), _numbers(wish.text("players"))))

    async def withdraw(self, wish: FormInput) -> None:
        team = wish.number("number")
        await self._tell(wish, team, TeamWithdrew(team, wish.look.tournament.next_round))

    async def take_back(self, wish: FormInput) -> None:
        team = wish.number("number")
        await self._tell(wish, team, TeamReturned(team))

    async def grant_bye(self, wish: FormInput) -> None:
        team = wish.number("number")
        await self._tell(wish, team, bye_told(wish, team))

    async def _tell(self, wish: FormInput, team: int, event: Event) -> None:
        await self._office.tell(wish, [event], event_writer.of_team(team))


def _row(tournament: Tournament, teams: Tournament, number: int, in_round: int) -> TeamRow:
    roster = book_of(tournament).rosters[number]
    players = lineup_of(tournament, number, in_round)
    return TeamRow(
        teams.entrants[number],
        roster.captain,
        [tournament.entrants[one] for one in roster.members],
        " ".join(str(one) if one != EMPTY else NOBODY for one in players),
        [(of, bye) for (one, of), bye in sorted(teams.byes.items()) if one == number],
        teams.withdrawn.get(number),
    )


def _numbers(text: str) -> tuple[int, ...]:
    """Numbers of entrants as they are written, with a dash for nobody. Raises FormError."""
    words = text.replace(",", " ").split()
    found = [EMPTY if word == NOBODY else parse_whole(word, MOST_NUMBER) for word in words]
    if None in found:
        raise FormError(FormProblem.NUMBER)
    return tuple(number for number in found if number is not None)
