"""Draw from a seeded generator: one of several things, or heads or tails."""

from collections.abc import Sequence
from random import Random
from typing import Final, TypeVar

_T = TypeVar("_T")

_EVEN: Final = 0.5


def pick(random: Random, things: Sequence[_T]) -> _T:
    """One of the things."""
    return things[int(random.random() * len(things))]


def toss(random: Random) -> bool:
    """Whether a coin shows heads."""
    return random.random() < _EVEN
