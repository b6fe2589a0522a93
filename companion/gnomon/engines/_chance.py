"""Draw one of several things by their weights."""

from collections.abc import Sequence
from typing import TypeVar

from gnomon.engines.protocol import Chance

_T = TypeVar("_T")


def draw_weighted(things: Sequence[_T], weights: Sequence[float], chance: Chance) -> _T:
    """One of the things, each as likely as its weight has it in the sum of all."""
    left = chance.random() * sum(weights)
    for thing, weight in zip(things, weights, strict=True):
        left -= weight
        if left < 0:
            return thing
    return things[-1]
