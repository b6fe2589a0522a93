"""Compute Pentamind points from the places in an event and the number of entrants."""

from collections import Counter
from typing import Final

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.standings._ranking import Standing
from gnomon.tournament.state.results import ONE, Points

BEST: Final = 100  # points, for winning an event without end
# The formula of 2021 (mindsportsolympiad.com): the first ten of an event of more than this many get what they would
# get in one of just as many, and the rest share evenly what is left down to the last.
LARGE: Final = 100
FIRST_TEN: Final = 10
FEWEST: Final = 2


def pentamind(entrants: int, place: Points | int, factor: Points = ONE) -> Points:
    """What a place among so many is worth; the factor is what the event announced for the part that luck has in it.

    Raises TournamentError for an event of fewer than two, and for a place that it does not have.
    """
    if entrants < FEWEST or not 1 <= place <= entrants:
        raise TournamentError(statement("tournament.pentamind", place=place, entrants=entrants))
    counted = min(entrants, LARGE)
    full = BEST * factor * Points(counted + 5, counted + 6) / (counted - 1)
    if entrants <= LARGE or place <= FIRST_TEN:
        return full * (counted - place)
    return full * (LARGE - FIRST_TEN) * (entrants - place) / (entrants - FIRST_TEN)


def pentamind_points(ranked: tuple[Standing, ...], factor: Points = ONE) -> dict[int, Points]:
    """What everybody's place is worth, before tie-breaks: those with as many points share the average of their places.

    Raises TournamentError for an event of fewer than two.
    """
    level = Counter(one.points for one in ranked)
    ahead = {points: sum(count for other, count in level.items() if other > points) for points in level}
    return {
        one.number: pentamind(len(ranked), ahead[one.points] + Points(level[one.points] + 1, 2), factor)
        for one in ranked
    }
