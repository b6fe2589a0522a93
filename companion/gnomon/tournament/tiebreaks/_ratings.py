"""Compute tie-breaks from the ratings of those who were met at the board: averages and performances (C.07, 10)."""

from collections.abc import Iterable

from gnomon.tournament._elo import difference, least_rating, round_half_up
from gnomon.tournament.results import HALF, NOTHING, Points
from gnomon.tournament.tiebreaks.fields import Field


def average_rating(field: Field, number: int, low: int = 0, high: int = 0) -> Points:
    """The average rating of those met, to a whole number, without some of the lowest and highest: 10.1 and 14.

    Who has no rating counts what was announced for that, or is left out; nobody at all makes nothing.
    """
    rated = sorted(rating for rating, _ in _ratings_met(field, number))
    return _average(rated[low : max(low, len(rated) - high)])


def performance(field: Field, number: int) -> Points:
    """The average rating of those met, and how far above or below them the score against them is: 10.2."""
    met = _ratings_met(field, number)
    if not met:
        return NOTHING
    share = sum((share for _, share in met), NOTHING) / len(met)
    return average_rating(field, number) + difference(share)


def perfect_performance(field: Field, number: int) -> Points:
    """The lowest rating with which the score against those met, or more, was to be expected: 10.3."""
    met = _ratings_met(field, number)
    if not met:
        return NOTHING
    return Points(least_rating(sum((share for _, share in met), NOTHING), [rating for rating, _ in met]))


def own_rating(field: Field, number: int) -> Points:
    """The entrant's own rating: 10.6. Who has none counts what was announced for that, or nothing."""
    return Points(field.ratings.get(number, field.unrated or 0))


def has_rated_opponents(field: Field, number: int) -> bool:
    """Whether an entrant met anybody at the board whose rating counts."""
    return any(
        turn.played and (field.unrated is not None or turn.opponent in field.ratings) for turn in field.told[number]
    )


def _average(ratings: Iterable[int]) -> Points:
    counted = tuple(ratings)
    return round_half_up(Points(sum(counted), len(counted))) if counted else NOTHING


def _ratings_met(field: Field, number: int) -> list[tuple[int, Points]]:
    """The ratings met at the board, each with the share of the games' points made there."""
    met = []
    for turn in field.told[number]:
        rating = field.unrated if turn.opponent is None else field.ratings.get(turn.opponent, field.unrated)
        if turn.played and rating is not None:
            met.append((rating, (turn.units_won + HALF * turn.units_drawn) / field.units))
    return met
