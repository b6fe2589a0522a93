"""Define the geometry of square boards: square names, edges, neighbours and connected groups."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Final, NamedTuple, Self

from gnomon.refusals import InvalidValueError, statement

_LETTERS: Final = ascii_lowercase


class Edge(NamedTuple):
    """The edge between two orthogonally adjacent squares; `number` is its bit in a set of edges."""

    number: int
    lower: int  # to the left of the other, or below it
    higher: int


@dataclass(frozen=True, slots=True)
class SquareBoard:
    """Columns a, b, … from the left, rows 1, 2, … from the bottom.

    A square is a bit in an integer, row after row. Between two rows one bit stays empty, so that a shift by one never
    leads from the end of a row to the beginning of the next; a shift by `stride` leads one row up. An edge has the
    number of its lower square, and `edge_stride` more if it lies above that square, not to its right.
    """

    columns: int
    rows: int
    stride: int
    edge_stride: int
    names: Mapping[int, str]  # in the order of the squares: row after row from the bottom, from the left
    index: Mapping[str, int]
    full: int  # the set of all squares
    edges: tuple[Edge, ...]

    @classmethod
    def of_size(cls, columns: int, rows: int) -> Self:
        """The board with so many columns and rows. Raises InvalidValueError unless its columns can be lettered."""
        if not (1 <= columns <= len(_LETTERS) and rows >= 1):
            raise InvalidValueError(statement("told.board.squares", most=len(_LETTERS), columns=columns, rows=rows))
        stride = columns + 1
        names = {
            row * stride + column: f"{_LETTERS[column]}{row + 1}" for row in range(rows) for column in range(columns)
        }
        across = (Edge(square, square, square + 1) for square in names if square + 1 in names)
        upward = (Edge(rows * stride + square, square, square + stride) for square in names if square + stride in names)
        return cls(
            columns=columns,
            rows=rows,
            stride=stride,
            edge_stride=rows * stride,
            names=names,
            index={name: square for square, name in names.items()},
            full=sum(1 << square for square in names),
            edges=(*across, *upward),
        )

    def __hash__(self) -> int:
        return hash((self.columns, self.rows))

    def edges_between(self, squares: int, others: int) -> int:
        """The set of edges between a square of one set and a square of another."""
        stride = self.stride
        across = squares & others >> 1 | others & squares >> 1
        upward = squares & others >> stride | others & squares >> stride
        return across | upward << self.edge_stride

    def groups(self, squares: int) -> Iterator[int]:
        """The largest connected parts of a set of squares, in no particular order."""
        stride = self.stride
        while squares:
            group, grown = 0, squares & -squares
            while grown != group:
                group = grown
                grown = (group | group << 1 | group >> 1 | group << stride | group >> stride) & squares
            yield group
            squares ^= group
