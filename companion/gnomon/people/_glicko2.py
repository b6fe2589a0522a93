"""Compute Glicko-2 ratings: a strength, its deviation, and how much the strength varies over time.

Mark Glickman, "Example of the Glicko-2 system" (2022), step by step; that example is a test. Every result of a rating
period counts at once, with the ratings that everybody had when the period began.

A result may count for less than a game: its terms in the sums of steps 3 and 4 are multiplied by its weight.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, fsum, log, pi, sqrt
from typing import Final, NamedTuple

START: Final = 1500.0
LARGEST_DEVIATION: Final = 350.0  # of somebody of whom nothing is known; no idle time makes it larger
VOLATILITY: Final = 0.06
TAU: Final = 0.5  # how fast a volatility may change; Glickman recommends 0.3 to 1.2
_SCALE: Final = 173.7178
_TOLERANCE: Final = 1e-6
_CONFIDENCE: Final = 1.96  # deviations to either side within which a strength lies in 95 of 100 cases


@dataclass(frozen=True, slots=True)
class Rating:
    """A strength as it is estimated; the true one is a normal distribution with this mean and deviation."""

    value: float = START
    deviation: float = LARGEST_DEVIATION
    volatility: float = VOLATILITY

    @property
    def margin(self) -> float:
        """By how much the strength may be higher or lower, in 95 of 100 cases."""
        return _CONFIDENCE * self.deviation


class RatedResult(NamedTuple):
    """A game against somebody who had this rating: 1 for a win, 0.5 for a draw, 0 for a loss.

    `weight` is how much of a game it was, more than nothing.
    """

    opponent: Rating
    score: float
    weight: float = 1.0


UNRATED: Final = Rating()


def expectation(rating: Rating, opponent: Rating) -> float:
    """The score that is expected of a game, between 0 and 1."""
    ahead = (rating.value - opponent.value) / _SCALE
    return 1 / (1 + exp(-_certainty(opponent.deviation / _SCALE) * ahead))


def idle(rating: Rating) -> Rating:
    """The rating after a period without a game: the strength may have changed meanwhile."""
    return Rating(rating.value, _grow(rating.deviation / _SCALE, rating.volatility), rating.volatility)


def rate(rating: Rating, results: Iterable[RatedResult]) -> Rating:
    """The rating after a period with some results, whose order does not matter; without any it has only aged."""
    played = tuple(results)
    if not played:
        return idle(rating)
    mu, phi = (rating.value - START) / _SCALE, rating.deviation / _SCALE
    certainties = [_certainty(one.opponent.deviation / _SCALE) for one in played]
    chances = [expectation(rating, one.opponent) for one in played]
    terms = tuple(zip(played, certainties, chances, strict=True))
    # `fsum` rounds once, so that the order of games cannot change the last digit.
    precision = fsum(one.weight * certainty**2 * chance * (1 - chance) for one, certainty, chance in terms)
    surprise = fsum(one.weight * certainty * (one.score - chance) for one, certainty, chance in terms)
    variance = 1 / precision
    volatility = _volatility(phi, rating.volatility, variance, variance * surprise)
    after = 1 / sqrt(1 / (phi**2 + volatility**2) + precision)
    value = START + _SCALE * (mu + after**2 * surprise)
    return Rating(value, min(_SCALE * after, LARGEST_DEVIATION), volatility)


def _grow(phi: float, volatility: float) -> float:
    return min(_SCALE * sqrt(phi**2 + volatility**2), LARGEST_DEVIATION)


def _certainty(phi: float) -> float:
    """g: how much a game against somebody of this deviation says."""
    return 1 / sqrt(1 + 3 * phi**2 / pi**2)


def _volatility(phi: float, before: float, variance: float, improvement: float) -> float:
    """The new volatility: step 5, by the Illinois variant of regula falsi."""
    start = log(before**2)

    def f(x: float) -> float:
        grown = exp(x)
        spread = phi**2 + variance + grown
        return grown * (improvement**2 - spread) / (2 * spread**2) - (x - start) / TAU**2

    unexpected = improvement**2 - phi**2 - variance
    # Down to start - TAU, one step is always enough: there f is at least 1/TAU - 1/2.
    low, high = start, log(unexpected) if unexpected > 0 else start - TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _TOLERANCE:
        new = low + (low - high) * f_low / (f_high - f_low)
        f_new = f(new)
        if f_new * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = new, f_new
    return exp(low / 2)
