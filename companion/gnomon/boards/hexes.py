"""Define the geometry of hexagonal boards: space names, neighbours, distances and drawing coordinates."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from string import ascii_uppercase
from typing import Final, Self

from gnomon.refusals import InvalidValueError, statement

_HALF_OF_ROOT_3: Final = sqrt(3) / 2  # columns of hexagons whose neighbours are 1 apart


@dataclass(frozen=True, slots=True)
class HexBoard:
    """A hexagon of hexagons: columns A, B, … from left to right, rows counted from 1 at the bottom of each column.

    A space is its index in `names`; a set of spaces is an integer with the bits of their indices.
    """

    side: int
    names: tuple[str, ...]
    index: Mapping[str, int]
    columns: tuple[tuple[int, ...], ...]  # the spaces of each column, from the bottom
    neighbours: tuple[tuple[int, ...], ...]
    neighbour_masks: tuple[int, ...]

    @classmethod
    def of_side(cls, side: int) -> Self:
        """The board with `side` spaces along each edge. Raises InvalidValueError unless its columns can be lettered."""
        if not 1 <= side <= (len(ascii_uppercase) + 1) // 2:
            raise InvalidValueError(statement("told.board.hexes", side=side))
        heights = [side + min(column, 2 * side - 2 - column) for column in range(2 * side - 1)]
        places = [(column, row) for column, height in enumerate(heights) for row in range(1, height + 1)]
        at = {place: index for index, place in enumerate(places)}
        names = tuple(f"{ascii_uppercase[column]}{row}" for column, row in places)
        around = tuple(_around(place, at, side - 1) for place in places)
        return cls(
            side=side,
            names=names,
            index={name: index for index, name in enumerate(names)},
            columns=tuple(
                tuple(at[column, row] for row in range(1, height + 1)) for column, height in enumerate(heights)
            ),
            neighbours=around,
            neighbour_masks=tuple(sum(1 << other for other in others) for others in around),
        )

    def __hash__(self) -> int:
        return hash(self.side)

    @property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """Every pair of neighbours, once."""
        return tuple((one, other) for one, others in enumerate(self.neighbours) for other in others if one < other)

    def column(self, space: int) -> int:
        """The column of a space, counted from 0 at the left."""
        return ascii_uppercase.index(self.names[space][0])

    def row(self, space: int) -> int:
        """The row of a space, counted from 1 at the bottom of its column."""
        return int(self.names[space][1:])

    def distance(self, one: int, other: int) -> int:
        """The smallest number of steps from one space to another."""
        across = abs(self.column(one) - self.column(other))
        along = abs(self._half_rows(one) - self._half_rows(other))
        # Each step to another column also goes half a row up or down.
        return across + max(0, along - across) // 2

    def centre(self, space: int) -> tuple[float, float]:
        """Where a space is drawn: (x, y) from the middle of the board, y downwards, neighbours 1 apart."""
        return (self.column(space) - self.side + 1) * _HALF_OF_ROOT_3, -self._half_rows(space) / 2

    def spaces(self, mask: int) -> tuple[int, ...]:
        """The spaces of a bit mask, in order."""
        return tuple(space for space in range(len(self.names)) if mask >> space & 1)

    def _half_rows(self, space: int) -> int:
        """The height of a space above the middle of the board, in half rows."""
        return 2 * self.row(space) - len(self.columns[self.column(space)]) - 1


def _around(place: tuple[int, int], at: Mapping[tuple[int, int], int], middle: int) -> tuple[int, ...]:
    """The indices of the places around one, in order; columns grow towards the middle and shrink after it."""
    column, row = place
    right = row if column < middle else row - 1
    left = row - 1 if column <= middle else row
    beside = (
        (column - 1, left),
        (column - 1, left + 1),
        (column, row - 1),
        (column, row + 1),
        (column + 1, right),
        (column + 1, right + 1),
    )
    return tuple(sorted(at[other] for other in beside if other in at))
