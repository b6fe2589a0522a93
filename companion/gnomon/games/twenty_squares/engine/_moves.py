"""Tabulate the moves and captures of one player's counters, whatever the other player has.

The sweeps, `_sweep.py` and `core.c` alike, look up here what a move makes of side rows and stacks.
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from gnomon.games.twenty_squares.engine._numbering import SHARED, Layout

NONE: Final = -1


@dataclass(frozen=True)
class MoveTable:
    """The moves of a player who has so many counters not home."""

    layout: Layout
    left: int

    @property
    def record(self) -> int:
        """How many numbers a record of `moves` has."""
        return self.left * (1 + len(self.layout.throws))

    @cached_property
    def moves(self) -> Sequence["array[int]"]:
        """By the number of shared squares held: a record for each arrangement of them and each rest, in order.

        A record has for each step with counters, the hand first, twice the step, and one more if its last counter
        leaves it; then for each throw the number of the rest once a counter has moved, or -1 where it cannot, the
        enemy left aside. After the last step comes -1.
        """
        layout = self.layout
        most = min(self.left, layout.width)
        return [array("i", self._records(held)) for held in range(most + 1)]

    @cached_property
    def captures(self) -> Sequence["array[int]"]:
        """By the number of shared squares held: what is left once the enemy has landed on one of them.

        The hindmost square comes first, and for each square all rests: the number of the rest after the capture, or
        -1 where no enemy may land.
        """
        most = min(self.left, self.layout.width)
        return [array("i", self._captures(held)) for held in range(most + 1)]

    def _records(self, held: int) -> Iterator[int]:
        layout = self.layout
        squares = [step for step, kind in enumerate(layout.kinds) if kind == SHARED]
        others = [step for step, kind in enumerate(layout.kinds) if kind != SHARED]
        for mask in layout.shared_masks[held]:
            taken = [step for step in squares if mask >> layout.bits[step] & 1]
            for rest in layout.rests(self.left, held):
                counts = [0] * len(layout.kinds)
                for step, count in zip(others + taken, rest, strict=True):
                    counts[step] = count
                for step in taken:
                    counts[step] += 1
                yield from self._record(counts)

    def _record(self, counts: list[int]) -> Sequence[int]:
        layout, found = self.layout, []
        for step, count in enumerate(counts):
            if count:
                found.append(2 * step + (count == 1))
                found += [self._after(counts, step, step + throw) for throw in layout.throws]
        return found + [NONE] * (self.record - len(found))

    def _after(self, counts: list[int], step: int, end: int) -> int:
        """The number of the rest after a move, or -1 where there is none."""
        layout = self.layout
        if end == step or end > layout.last + 1:
            return NONE
        after = counts.copy()
        after[step] -= 1
        if end <= layout.last:
            if after[end] and not layout.stacks:
                return NONE
            after[end] += 1
        left, shared, rest = layout.counters(after)
        return layout.rests(left, shared.bit_count())[rest]

    def _captures(self, held: int) -> Iterator[int]:
        layout = self.layout
        first = 1 + layout.side  # where the shared squares begin in a rest
        after: Mapping[tuple[int, ...], int] = layout.rests(self.left, held - 1) if held else {}
        for square in range(first, first + held):
            for rest in layout.rests(self.left, held):
                more = rest[square]
                hand = rest[0] + 1 + more
                kept = (hand, *rest[1:square], *rest[square + 1 :])
                yield NONE if more and layout.walls else after[kept]
