"""Compute the points of a tournament under even luck, beside its standings and never in their place.

What luck gave of the result of each game is taken off the points that it brought. This is done where points add up game
by game; not for teams, nor where a round of several games counts as one.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from gnomon.tournament.standings._ranking import standings
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import Points
from gnomon.tournament.state.round_history import histories
from gnomon.tournament.state.settings import System

_ADDED_UP: Final = frozenset({System.ROUND_ROBIN, System.SWISS, System.MCMAHON, System.KNOCKOUT})


class LuckOfGame(NamedTuple):
    """What luck gave `first` of a game of a round, in games won, and took from `second`."""

    round: int
    first: int
    second: int
    gained: float


class EvenLuckStanding(NamedTuple):
    """An entrant with their place and points, and of these what luck gave in so many games, and what is left."""

    place: int
    number: int
    points: Points
    games: int
    luck: float
    even: float


def has_even_luck(tournament: Tournament) -> bool:
    """Whether luck can be taken off the points of a tournament."""
    settings = tournament.settings
    return tournament.teams is None and settings.system in _ADDED_UP and settings.units == settings.games


def even_luck_standings(tournament: Tournament, games: Iterable[LuckOfGame]) -> tuple[EvenLuckStanding, ...]:
    """Everybody who took part, by what is left of their points; games that brought nothing to them do not count.

    Raises TournamentError for an unknown tie-break.
    """
    scoring, told = tournament.settings.scoring, histories(tournament)
    luck = dict.fromkeys(told, 0.0)
    counted = dict.fromkeys(told, 0)
    for game in games:
        turn = told[game.first][game.round - 1] if game.round <= len(tournament.rounds) else None
        if turn is None or not turn.played or turn.opponent != game.second:
            continue
        worth = game.gained * float(scoring.win - scoring.loss)
        for number, gain in ((game.first, worth), (game.second, -worth)):
            luck[number] += gain
            counted[number] += 1
    rows = [
        EvenLuckStanding(
            one.place,
            one.number,
            one.points,
            counted[one.number],
            luck[one.number],
            float(one.points) - luck[one.number],
        )
        for one in standings(tournament)
    ]
    return tuple(sorted(rows, key=lambda row: -row.even))
