"""Number the positions of the game of twenty squares without gaps, as the tables of their values do.

A position is seen by the player who is to throw. Positions with as many counters not yet home are a layer: `mine` of
the player, `theirs` of the other. Within a layer, those in which both hold as many squares of the shared row are a
class; in a class come the arrangements of the shared row, and for each of them the player's rests, with all rests of
the other for each. A rest is where the counters are that hold no shared square: in hand, on the side row, or on top of
others. The layers of a game with fewer counters come first, so its table is the beginning of a greater one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations_with_replacement
from math import comb, lcm
from typing import Final, NamedTuple, Self

from gnomon.games.twenty_squares.rules import TwentySquares

HAND: Final = 0
SIDE: Final = 1
SHARED: Final = 2
COUNTS: Final = 16  # more than the counters of a player

_WIDEST: Final = (8, 15)  # side row and shared row

Layer = tuple[int, int]


Rest = tuple[int, ...]
"""How many counters a player has in hand, on each square of the side row, and beyond the first on each shared square
that the player holds."""


class Counters(NamedTuple):
    """The counters of one player who has not won: how many are not home, the shared squares held as bits, the rest."""

    left: int
    shared: int
    rest: Rest


@dataclass(frozen=True)
class Layout:
    """A board with its throws, as far as they decide what a position is worth; step 0 is the hand.

    With a `gate` only the second throw of rule 4 enters a counter, and `automatic` makes every 1 or 5 one. With
    `stacks` own counters share squares, and with `walls` no enemy lands on two or more.
    """

    kinds: tuple[int, ...]
    bits: tuple[int, ...]
    rosettes: tuple[bool, ...]
    throws: tuple[int, ...]
    weights: tuple[int, ...]
    gate: bool
    automatic: bool
    stacks: bool = False
    walls: bool = False

    @classmethod
    def of(cls, rules: TwentySquares) -> Self | None:
        """The layout of a game; None where players are in teams: positions there have no number."""
        settings, board = rules.settings, rules.board
        if settings.in_teams:
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
            stacks=settings.stacks,
            walls=settings.stacking == "invincible",
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
        """How many squares each player has alone."""
        return self.kinds.count(SIDE)

    def rests(self, left: int, held: int) -> Mapping[Rest, int]:
        """All rests of a player who holds so many shared squares, with their numbers: the fullest hand comes first."""
        return _rests(left - held, self.side, held, stacks=self.stacks)

    def rest_count(self, left: int, held: int) -> int:
        """How many they are."""
        if self.stacks:
            return comb(left + self.side, held + self.side)
        return sum(comb(self.side, count) for count in range(left - held + 1))

    def counters(self, counts: Sequence[int]) -> Counters:
        """The counters of a player who has so many on each step."""
        hand, *side = (count for count, kind in zip(counts, self.kinds, strict=True) if kind != SHARED)
        steps = [step for step, kind in enumerate(self.kinds) if kind == SHARED and counts[step]]
        shared = sum(1 << self.bits[step] for step in steps)
        return Counters(sum(counts), shared, (hand, *side, *(counts[step] - 1 for step in steps)))

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
        """How many squares both may hold on the shared row, the most advanced positions last."""
        mine, theirs = (range(min(count, self.width) + 1) for count in layer)
        found = [(k, j) for k in mine for j in theirs if k + j <= self.width]
        return sorted(found, key=lambda both: (sum(both), both))

    def class_size(self, layer: Layer, both: tuple[int, int]) -> int:
        """How many positions a class has."""
        (mine, theirs), (k, j) = layer, both
        arrangements = comb(self.width, k) * comb(self.width - k, j)
        return arrangements * self.rest_count(mine, k) * self.rest_count(theirs, j)

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
        rows, columns = layout.rests(mine.left, k), layout.rests(theirs.left, j)
        place = layout.arrangement(mine.shared, theirs.shared) * len(rows) + rows[mine.rest]
        start = self.starts[layer] + self.bases[layer][k * COUNTS + j]
        return start + place * len(columns) + columns[theirs.rest]


@cache
def _rests(loose: int, side: int, held: int, *, stacks: bool) -> Mapping[Rest, int]:
    """All ways to have so many counters in hand, on the side row, and beyond the first on shared squares."""
    boxes = 1 + side + (held if stacks else 0)
    found = []
    for chosen in combinations_with_replacement(range(boxes), loose):
        counts = [chosen.count(box) for box in range(1 + side + held)]
        if stacks or max(counts[1:]) <= 1:
            found.append(tuple(counts))
    found.sort(key=lambda each: (-each[0], each[::-1]))
    return {each: number for number, each in enumerate(found)}


def _whole(odds: Mapping[int, Fraction]) -> tuple[int, ...]:
    """The odds of all throws as whole numbers in proportion."""
    whole = lcm(*(share.denominator for share in odds.values()))
    return tuple(int(share * whole) for share in odds.values())
