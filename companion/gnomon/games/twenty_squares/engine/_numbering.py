"""Number the positions of the game of twenty squares without gaps, as the tables of their values do.

A position is seen by the player who is to throw. Positions with as many counters not yet home are a layer: `mine` of
the player, `theirs` of the other. Within a layer, those with as many counters on the shared row are a class; in a
class come the arrangements of the shared row, and for each of them all side rows of the player, with all side rows of
the other for each. The layers of a game with fewer counters come first, so its table is the beginning of a greater one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, lcm
from typing import Final, NamedTuple, Self

from gnomon.games.twenty_squares.rules import TwentySquares

HAND: Final = 0
SIDE: Final = 1
SHARED: Final = 2
COUNTS: Final = 16  # more than the counters of a player

_WIDEST: Final = (8, 15)  # side row and shared row

Layer = tuple[int, int]


class Counters(NamedTuple):
    """The counters of one player who has not won: how many are not home, and which squares are taken, as bits."""

    left: int
    side: int
    shared: int


@dataclass(frozen=True)
class Layout:
    """A board with its throws, as far as they decide what a position is worth; step 0 is the hand.

    With a `gate` only the second throw of rule 4 enters a counter, and `automatic` makes every 1 or 5 one.
    """

    kinds: tuple[int, ...]
    bits: tuple[int, ...]
    rosettes: tuple[bool, ...]
    throws: tuple[int, ...]
    weights: tuple[int, ...]
    gate: bool
    automatic: bool

    @classmethod
    def of(cls, rules: TwentySquares) -> Self | None:
        """The layout of a game; None where players stack counters, or play in teams: positions there have no number."""
        settings, board = rules.settings, rules.board
        if settings.stacks or settings.in_teams:
            return None
        first, second = board.routes
        kinds, bits, rosettes = [HAND], [0], [False]
        for step, square in enumerate(first, 1):
            kind = SHARED if board.step(1, square) == step else SIDE
            if kind == SIDE and square in second:
                return None  # the routes meet elsewhere
            bits.append(kinds.count(kind))
            kinds.append(kind)
            rosettes.append(square in board.rosettes)
        if kinds.count(SIDE) > _WIDEST[0] or kinds.count(SHARED) > _WIDEST[1]:
            return None
        return cls(
            tuple(kinds),
            tuple(bits),
            tuple(rosettes),
            tuple(rules.odds),
            _whole(rules.odds),
            gate=settings.enters_by_second_throw,
            automatic=settings.enters_by_second_throw and settings.entry == "auto",
        )

    @property
    def last(self) -> int:
        """The last step."""
        return len(self.kinds) - 1

    @cached_property
    def width(self) -> int:
        """How many squares both players share."""
        return self.kinds.count(SHARED)

    @cached_property
    def side(self) -> int:
        """How many squares each player has to himself."""
        return self.kinds.count(SIDE)

    @cached_property
    def side_masks(self) -> Sequence[int]:
        """Every side row as bits, by its number: those with fewer counters come first."""
        return sorted(range(1 << self.side), key=lambda mask: (mask.bit_count(), mask))

    @cached_property
    def side_ranks(self) -> Sequence[int]:
        """The number of every side row."""
        return _ranks(self.side_masks)

    @cached_property
    def sides(self) -> Sequence[int]:
        """How many side rows there are with at most so many counters."""
        return [sum(comb(self.side, count) for count in range(most + 1)) for most in range(COUNTS)]

    @cached_property
    def shared_masks(self) -> Sequence[Sequence[int]]:
        """By the number of counters, the shared rows of one player as bits, by their number."""
        found: list[list[int]] = [[] for _ in range(self.width + 1)]
        for mask in range(1 << self.width):
            found[mask.bit_count()].append(mask)
        return found

    @cached_property
    def shared_ranks(self) -> Sequence[int]:
        """The number of each shared row of one player, among those with as many counters."""
        ranks = [0] * (1 << self.width)
        for masks in self.shared_masks:
            for rank, mask in enumerate(masks):
                ranks[mask] = rank
        return ranks

    def classes(self, layer: Layer) -> Sequence[tuple[int, int]]:
        """How many counters both may have on the shared row, the most advanced positions last."""
        mine, theirs = (range(min(count, self.width) + 1) for count in layer)
        found = [(k, j) for k in mine for j in theirs if k + j <= self.width]
        return sorted(found, key=lambda both: (sum(both), both))

    def class_size(self, layer: Layer, both: tuple[int, int]) -> int:
        """How many positions a class has."""
        (mine, theirs), (k, j) = layer, both
        arrangements = comb(self.width, k) * comb(self.width - k, j)
        return arrangements * self.sides[mine - k] * self.sides[theirs - j]

    def bases(self, layer: Layer) -> tuple[Sequence[int], int]:
        """Where each class begins in a layer (16 times the first count plus the second), and its size."""
        starts, size = [0] * (COUNTS * COUNTS), 0
        for both in self.classes(layer):
            starts[both[0] * COUNTS + both[1]] = size
            size += self.class_size(layer, both)
        return starts, size

    def arrangement(self, mine: int, theirs: int) -> int:
        """The number of a shared row among those of its class."""
        squeezed, left = 0, theirs
        while left:
            bit = left & -left
            squeezed |= bit >> (mine & bit - 1).bit_count()
            left -= bit
        count = theirs.bit_count()
        return self.shared_ranks[mine] * comb(self.width - mine.bit_count(), count) + self.shared_ranks[squeezed]


def layers_of(counters: int) -> Sequence[Layer]:
    """The layers of a game in the order of a table: each comes after those that it leads to."""
    found: list[Layer] = []
    for most in range(1, counters + 1):
        for fewer in range(1, most):
            found += [(most, fewer), (fewer, most)]
        found.append((most, most))
    return found


class Numbering:
    """The number of every position of a game with so many counters."""

    def __init__(self, layout: Layout, counters: int) -> None:
        self.layout = layout
        self.counters = counters
        #: Where each layer begins, and by it where each class does.
        self.starts: dict[Layer, int] = {}
        self.bases: dict[Layer, Sequence[int]] = {}
        self.sizes: dict[Layer, int] = {}
        total = 0
        for layer in layers_of(counters):
            self.starts[layer] = total
            self.bases[layer], self.sizes[layer] = layout.bases(layer)
            total += self.sizes[layer]
        self.size: Final = total

    def number(self, mine: Counters, theirs: Counters) -> int:
        """The number of the position in which these are the counters of the player to throw, and of the other."""
        layout, layer = self.layout, (mine.left, theirs.left)
        k, j = mine.shared.bit_count(), theirs.shared.bit_count()
        rows, columns = layout.sides[mine.left - k], layout.sides[theirs.left - j]
        place = layout.arrangement(mine.shared, theirs.shared) * rows + layout.side_ranks[mine.side]
        start = self.starts[layer] + self.bases[layer][k * COUNTS + j]
        return start + place * columns + layout.side_ranks[theirs.side]


def _ranks(masks: Sequence[int]) -> Sequence[int]:
    ranks = [0] * len(masks)
    for rank, mask in enumerate(masks):
        ranks[mask] = rank
    return ranks


def _whole(odds: Mapping[int, Fraction]) -> tuple[int, ...]:
    """The odds of all throws as whole numbers in proportion."""
    whole = lcm(*(share.denominator for share in odds.values()))
    return tuple(int(share * whole) for share in odds.values())
