"""Compute the average rating of opponents and the tournament performance rating (FIDE C.07, article 10)."""

from math import floor
from typing import Final

from gnomon.tournament.results import HALF, NOTHING, Points
from gnomon.tournament.tiebreaks.fields import Field

# FIDE Handbook B.02, 8.1.1: how many rating points a score is worth, from half of all to all, by hundredths.
# fmt: off
DIFFERENCES: Final = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65,
    72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230,
    240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677,
    800,
)
# fmt: on
HUNDRED: Final = 100


def average_rating(field: Field, number: int, low: int = 0) -> Points:
    """The average rating of those met over the board, to a whole number, without some of the lowest: C.07, 10.1.

    Who has no rating counts what was announced for that, or is left out; nobody at all makes nothing.
    """
    rated = sorted(rating for rating, _ in _ratings_met(field, number))[low:]
    return _round(Points(sum(rated), len(rated))) if rated else NOTHING


def performance(field: Field, number: int) -> Points:
    """The average rating of those met, and how far above or below them the score against them is: C.07, 10.2."""
    met = _ratings_met(field, number)
    if not met:
        return NOTHING
    hundredths = int(_round(HUNDRED * sum((share for _, share in met), NOTHING) / len(met)))
    half = HUNDRED // 2
    above = DIFFERENCES[abs(hundredths - half)]
    return average_rating(field, number) + (above if hundredths >= half else -above)


def _ratings_met(field: Field, number: int) -> list[tuple[int, Points]]:
    """The ratings met over the board, each with the share of the games' points made there."""
    met = []
    for turn in field.told[number]:
        rating = field.unrated if turn.opponent is None else field.ratings.get(turn.opponent, field.unrated)
        if turn.played and rating is not None:
            met.append((rating, (turn.units_won + HALF * turn.units_drawn) / field.units))
    return met


def _round(value: Points) -> Points:
    return Points(floor(value + HALF))  # halves go up: C.07, 10.1
