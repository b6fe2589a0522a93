"""Compute McMahon starting points and the virtual points of Baku acceleration (FIDE C.04.5.1)."""

from collections.abc import Mapping

from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import NOTHING, Points
from gnomon.tournament.state.settings import System
from gnomon.tournament.strength.grades import grade_of

QUARTER: int = 4


def starting_points(tournament: Tournament, number: int) -> Points:
    """What an entrant begins with: what they bring from a stage before, and in McMahon their bars or grades.

    A McMahon gives a point for each bar of rating that is reached, or for each grade above the floor.
    """
    carried = tournament.stage_seeds[number].carried if number in tournament.stage_seeds else NOTHING
    return carried + strength_points(tournament, number)


def strength_points(tournament: Tournament, number: int) -> Points:
    """What an entrant begins with by their strength, in a McMahon."""
    settings = tournament.settings
    if settings.system is not System.MCMAHON:
        return NOTHING
    if settings.grades is not None:
        grade = grade_of(tournament, number)
        floor, bar = settings.grades.floor, settings.grades.bar
        return Points(0 if grade is None else min(max(grade, floor), bar) - floor)
    rating = tournament.entrants[number].rating
    return Points(sum(rating is not None and rating >= bar for bar in settings.bars))


def lent_points(tournament: Tournament, in_round: int) -> Mapping[int, Points]:
    """The virtual points of those who have any in a round: C.04.5.1 of the FIDE Handbook, the Baku acceleration.

    In the first half of the accelerated rounds the stronger half of the field is paired as though it had won a game
    more, in the second half as though it had drawn one more; the accelerated rounds are the first half of all.
    """
    settings = tournament.settings
    accelerated = _half(settings.rounds)
    if not settings.accelerated or not 1 <= in_round <= accelerated:
        return {}
    points = settings.scoring.win if in_round <= _half(accelerated) else settings.scoring.draw
    return dict.fromkeys(_stronger_half(tournament), points * settings.units)


def _half(number: int) -> int:
    return (number + 1) // 2


def _stronger_half(tournament: Tournament) -> tuple[int, ...]:
    """Those down to the last of the first half, rounded up to an even number; latecomers do not move that one."""
    seeds = tournament.seeds
    first = [number for number in seeds if tournament.entrants[number].since == 1]
    if not first:
        return ()
    last = first[min(2 * -(-len(first) // QUARTER), len(first)) - 1]
    return seeds[: seeds.index(last) + 1]
