"""Summarize measured durations as percentiles: count, median, 90 %, 99 % and worst."""

from collections.abc import Sequence
from typing import NamedTuple, Self

from gnomon.timekeeping.instants import MILLISECOND


class Spread(NamedTuple):
    """Percentiles of durations in microseconds, by the nearest rank, and how many there were."""

    number: int
    median: int
    most: int  # 90 of 100
    nearly_all: int  # 99 of 100
    worst: int

    @classmethod
    def of(cls, durations: Sequence[int]) -> Self | None:
        """The spread of these durations; None when there are none."""
        if not durations:
            return None
        ranked = sorted(durations)
        last = len(ranked) - 1
        median, most, nearly_all = (ranked[min(last, -(-percent * len(ranked) // 100) - 1)] for percent in (50, 90, 99))
        return cls(len(ranked), median, most, nearly_all, ranked[-1])

    def cells(self) -> tuple[str, ...]:
        """Number, median, 90 %, 99 % and worst, in milliseconds, for a table."""
        return (str(self.number), *(f"{each / MILLISECOND:.1f} ms" for each in self[1:]))
