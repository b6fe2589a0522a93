"""Convert between rating differences and scores by the tables of FIDE's rating rules (Handbook B.02, 8.1).

Scores are whole hundredths of a game, so that nothing depends on how a machine rounds.
"""

from bisect import bisect_right
from collections.abc import Iterable
from math import floor
from typing import Final

from gnomon.tournament.state.results import HALF, Points

HUNDRED: Final = 100
_EVEN: Final = HUNDRED // 2

# 8.1.1: how many rating points a score is worth, from half of all to all, by hundredths.
# fmt: off
DIFFERENCES: Final = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65,
    72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230,
    240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677,
    800,
)
# 8.1.2: from which difference on the stronger of two is expected to score a hundredth more, from 51 of them to all.
STEPS: Final = (
    4, 11, 18, 26, 33, 40, 47, 54, 62, 69,
    77, 84, 92, 99, 107, 114, 122, 130, 138, 146,
    154, 163, 171, 180, 189, 198, 207, 216, 226, 236,
    246, 257, 268, 279, 291, 303, 316, 329, 345, 358,
    375, 392, 412, 433, 457, 485, 518, 560, 620, 736,
)
# fmt: on
WIDEST: Final = DIFFERENCES[-1]


def difference(share: Points) -> int:
    """How many rating points a share of all points is worth, above or below the average of the opponents."""
    hundredths = int(round_half_up(HUNDRED * share))
    above = DIFFERENCES[abs(hundredths - _EVEN)]
    return above if hundredths >= _EVEN else -above


def expected_score(own: int, other: int, cap: int | None = None) -> int:
    """The score to be expected in one game, in hundredths; a difference counts as no more than the cap."""
    apart = abs(own - other) if cap is None else min(abs(own - other), cap)
    better = _EVEN + bisect_right(STEPS, apart)
    return better if own >= other else HUNDRED - better


def least_rating(score: Points, ratings: Iterable[int]) -> int:
    """The lowest whole rating from which a score against opponents is to be expected or more, without a cap.

    A score of nothing is worth the widest difference below the weakest. There must be an opponent.
    """
    met = sorted(ratings)
    if not score:
        return met[0] - WIDEST
    wanted = HUNDRED * score
    # With the lower of the two nothing is expected, with the higher everything.
    low, high = met[0] - WIDEST, met[-1] + WIDEST
    while high - low > 1:
        middle = (low + high) // 2
        if sum(expected_score(middle, one) for one in met) >= wanted:
            high = middle
        else:
            low = middle
    return high


def round_half_up(value: Points) -> Points:
    """A whole number; halves go up (C.07, 10.1)."""
    return Points(floor(value + HALF))
