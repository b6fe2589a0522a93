"""Compute the product of the groups left on a TAU grid, and decide the winner (rules 5 and 6)."""

from math import prod
from typing import Final

from gnomon.games.tau.rules.position import HIGH, LOW, PLAYERS
from gnomon.rules.protocol import Outcome

_ABOVE: Final = Outcome(PLAYERS[HIGH], "above_limit")
_WITHIN: Final = Outcome(PLAYERS[LOW], "within_limit")


def runs(lines: int) -> tuple[int, ...]:
    """The lengths of the runs of neighbouring rows, or columns, that are left, in order."""
    return tuple(map(len, f"{lines:b}".replace("0", " ").split()))


def product(row_runs: tuple[int, ...], column_runs: tuple[int, ...]) -> int:
    """The product of the sizes of all groups: each run of rows meets each run of columns in a rectangle (rule 5)."""
    of_rows, of_columns = prod(row_runs), prod(column_runs)
    return int(of_rows ** len(column_runs) * of_columns ** len(row_runs))


def outcome_of(score: int, limit: int) -> Outcome:
    """How a game ends with a score: HIGH wins if it is greater than the LIMIT, else LOW (rule 6)."""
    return _ABOVE if score > limit else _WITHIN
