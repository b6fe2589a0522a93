"""Open, fill and play tournaments of teams for the tests."""

from collections.abc import Callable
from typing import Any

from gnomon.tournament.event_log.reducer import fold, step
from gnomon.tournament.events import (
    EntrantRegistered,
    Event,
    ResultEntered,
    RoundPublished,
    TeamPlayTold,
    TeamTold,
    TournamentOpened,
)
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import parse_result
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.settings import System
from gnomon.tournament.state.team_play import TeamPlay
from tests.tournament._evening import settings

TEAMS = ("North", "South", "East", "West", "Centre", "Coast")
SUBSTITUTES = 1

Matches = list[tuple[int, int | None, str]]
"""What happened in a round: two teams, and the points of each board for the first of them: `1`, `=`, `0`, `+`, `-`."""


def opening(teams: int, boards: int = 2, system: System = System.SWISS, rounds: int = 3, **play: Any) -> list[Event]:
    """So many teams, the first the strongest; each has one player more than boards, numbered 11, 12 … for team 1."""
    of_all = {name: play.pop(name) for name in ("rule_set", "games") if name in play}
    like = settings(system, rounds, tie_breaks=play.pop("tie_breaks", ()), **of_all)
    told: list[Event] = [TournamentOpened(like), TeamPlayTold(TeamPlay(boards, **play))]
    for team in range(1, teams + 1):
        members = tuple(10 * team + place for place in range(1, boards + SUBSTITUTES + 1))
        told += [EntrantRegistered(one, f"{name_of(team)} {one % 10}", 2000 - one) for one in members]
        told.append(TeamTold(team, name_of(team), members))
    return told


def name_of(team: int) -> str:
    return TEAMS[team - 1] if team <= len(TEAMS) else f"Team {team}"


def gathered(teams: int, boards: int = 2, system: System = System.SWISS, rounds: int = 3, **play: object) -> Tournament:
    return fold(opening(teams, boards, system, rounds, **play))


def published(tournament: Tournament) -> Tournament:
    return step(tournament, RoundPublished(tournament.next_round, pair(tournament)))


def matches(tournament: Tournament) -> list[tuple[int, int | None]]:
    """Who meets whom in the round being played."""
    assert tournament.teams is not None
    return [(match.first, match.second) for match in tournament.teams.matches.rounds[-1].pairings]


def told(tournament: Tournament, teller: Callable[[Pairing], str]) -> Tournament:
    round_ = tournament.rounds[-1]
    for board in round_.waiting:
        tournament = step(tournament, ResultEntered(round_.number, board, parse_result(teller(round_.at(board)))))
    return tournament


def played(tournament: Tournament, *rounds: Matches) -> Tournament:
    """Rounds as they were played, match by match; where a board has two games, the second ends as the first."""
    letters = {"1": ("1-0", "0-1"), "0": ("0-1", "1-0"), "=": ("=", "="), "+": ("+/-", "-/+"), "-": ("-/+", "+/-")}
    for games in rounds:
        number = tournament.next_round
        seats = tuple(Pairing(match, first, second) for match, (first, second, _) in enumerate(games, start=1))
        tournament = step(tournament, RoundPublished(number, seats))
        assert tournament.teams is not None
        for match, (first, _, points) in enumerate(games, start=1):
            for board, letter in zip(tournament.teams.play.boards_of(match), points, strict=False):
                pairing = tournament.rounds[-1].at(board)
                mine = pairing.first in tournament.teams.rosters[first].members
                result = parse_result(letters[letter][0 if mine else 1]) * tournament.settings.games
                tournament = step(tournament, ResultEntered(number, board, result))
    return tournament
