"""Compute the exact odds of what may be thrown or drawn, and pick one result by them."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import Any

from gnomon.refusals import statement
from gnomon.rules.protocol import NATURE, Rules, RulesError


def pick(rules: Rules[Any, Any], position: object, below: Callable[[int], int]) -> str:
    """What falls, as text; `below` gives a whole number below its argument, each as likely. Raises RulesError."""
    weighed = weights(rules, position)
    ends = list(accumulate(weight for _, weight in weighed))
    return weighed[bisect_right(ends, below(ends[-1]))][0]


def weights(rules: Rules[Any, Any], position: object) -> Sequence[tuple[str, int]]:
    """Everything that may be thrown or drawn now, each with its weight: whole numbers, in the proportion of the odds.

    Raises RulesError when nothing is due.
    """
    if rules.turn(position) != NATURE:
        raise RulesError(statement("told.nothing_due"))
    moves = rules.legal_moves(position)
    odds = [Fraction(rules.weight(position, move)) for move in moves]
    whole = lcm(*(each.denominator for each in odds))
    return sorted((rules.text(position, move), int(each * whole)) for move, each in zip(moves, odds, strict=True))
