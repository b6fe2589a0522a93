"""Define how tiles lie on a Tayu board: their cells, and every spot where one may lie.

A spot is a square under a tile's first cell and a direction, in one number: `direction * lane + square`. A set of
spots, like a set of squares, is an integer.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from gnomon.boards.squares import SquareBoard
from gnomon.games.tayu.rules.position import Move
from gnomon.games.tayu.rules.tiles import CELLS, DIRECTIONS, OUTFLOWS, SIDES, TileEdge, turn


class TileShape(NamedTuple):
    """A tile in one direction, as sets of squares, shifted so that its lowest square is square 0."""

    reach: int  # from the lowest square up to the one under the first cell
    cells: int
    outflows: tuple[int, int, int, int]  # squares under a cell with an outflow to its north, east, south, west


@dataclass(frozen=True, slots=True)
class TayuGeometry:
    """The squares of a board and all that can be said of tiles on it before the game begins."""

    size: int
    squares: SquareBoard
    steps: tuple[int, int, int, int]  # from one cell of a tile to the next, by direction
    neighbours: tuple[int, int, int, int]  # from a square to the next one north, east, south, west
    lane: int  # spots of one direction
    eastward: int  # squares from which three in a row to the east are on the board
    northward: int
    centre: int
    opening: int  # the spots of the first tile (rule 3)
    rims: tuple[int, int, int, int]  # the squares along the north, east, south and west edge of the board
    shapes: tuple[tuple[TileShape, ...], ...]  # by tile and direction

    def __hash__(self) -> int:
        return hash(self.size)

    def cells(self, square: int, direction: int) -> tuple[int, int, int]:
        """The squares under a tile from its first cell on; they need not be on the board."""
        step = self.steps[direction]
        return square, square + step, square + 2 * step

    def spot(self, square: int, direction: int) -> int:
        """The number of a spot."""
        return direction * self.lane + square


@cache
def board_of(size: int) -> TayuGeometry:
    """The board with so many squares along each side."""
    squares = SquareBoard.of_size(size, size)
    stride = squares.stride
    steps = (1, -stride, -1, stride)
    lane = size * stride
    # An empty square ends each row, so three in a row are never parted by the edge of the board.
    eastward = squares.full & squares.full >> 1 & squares.full >> 2
    northward = squares.full & squares.full >> stride & squares.full >> 2 * stride
    middle = range((size - 1) // 2, size // 2 + 1)  # [D] Four squares are the centre of a board of even size.
    centre = sum(1 << row * stride + column for row in middle for column in middle)
    along = eastward & (centre | centre >> 1 | centre >> 2)
    up = northward & (centre | centre >> stride | centre >> 2 * stride)
    ends = range(size)
    return TayuGeometry(
        size=size,
        squares=squares,
        steps=steps,
        neighbours=(stride, 1, -stride, -1),
        lane=lane,
        eastward=eastward,
        northward=northward,
        centre=centre,
        opening=spots_of(along, up << 2 * stride, along << 2, up, lane),
        rims=(
            sum(1 << (size - 1) * stride + column for column in ends),
            sum(1 << row * stride + size - 1 for row in ends),
            sum(1 << column for column in ends),
            sum(1 << row * stride for row in ends),
        ),
        shapes=tuple(
            tuple(_shape(turn(outflows, direction), step) for direction, step in enumerate(steps))
            for outflows in OUTFLOWS
        ),
    )


def lays(size: int, tile: int, spots: int) -> tuple[Move, ...]:
    """The moves that lay a tile on the spots of a set, on a board of some size."""
    moves, found = _lays(size, tile), []
    # Spots are few and far between, so the set shrinks fast from its upper end.
    while spots:
        spot = spots.bit_length() - 1
        found.append(moves[spot])
        spots ^= 1 << spot
    return tuple(found)


@cache
def _lays(size: int, tile: int) -> Mapping[int, Move]:
    """Every move that lays a tile on a board of some size, by spot."""
    board = board_of(size)
    return {
        board.spot(square, direction): Move("lay", tile, square, direction)
        for direction in range(len(DIRECTIONS))
        for square in board.squares.names
        if all(cell in board.squares.names for cell in board.cells(square, direction))
    }


def spots_of(east: int, south: int, west: int, north: int, lane: int) -> int:
    """The set of spots with these squares under the first cell, by direction."""
    return east | south << lane | west << 2 * lane | north << 3 * lane


def _shape(outflows: tuple[TileEdge, ...], step: int) -> TileShape:
    """A tile with these outflows whose cells are a step apart."""
    reach = max(0, -step * (CELLS - 1))
    cells = [reach + cell * step for cell in range(CELLS)]
    sides = [0] * len(SIDES)
    for cell, side in outflows:
        sides[side] |= 1 << cells[cell]
    north, east, south, west = sides
    return TileShape(reach, sum(1 << cell for cell in cells), (north, east, south, west))
