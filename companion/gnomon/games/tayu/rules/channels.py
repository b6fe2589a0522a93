"""Compute the channels of a laid Tayu tile as lines to draw.

Points are in squares, from the south-west corner of the board: x to the east, y to the north; the middle of a1 is at
(0.5, 0.5).
"""

from typing import Final, NamedTuple

from gnomon.games.tayu.rules._board import TayuGeometry
from gnomon.games.tayu.rules.position import Move
from gnomon.games.tayu.rules.tiles import OUTFLOWS, SIDES, turn

_HALF: Final = 0.5
_TOWARDS: Final = ((0.0, _HALF), (_HALF, 0.0), (0.0, -_HALF), (-_HALF, 0.0))  # from the middle of a square, by side


class Point(NamedTuple):
    """A place on the board, in squares."""

    x: float
    y: float


class Outflow(NamedTuple):
    """One end of a tile's channels."""

    square: str
    side: str  # of that square: "n", "e", "s" or "w"
    bend: Point  # the middle of the square
    mouth: Point  # the middle of the edge that it flows through
    at_rim: bool  # that edge is the edge of the board, and the outflow counts for its side


class Channels(NamedTuple):
    """The joined channels of a tile: from each mouth straight to its bend, and along the tile between the bends."""

    outflows: tuple[Outflow, Outflow, Outflow]  # in the order of the kind's name
    spine: tuple[Point, Point]  # from the first bend to the last; one point twice if there is but one bend


def channels(board: TayuGeometry, move: Move) -> Channels:
    """The channels of a tile where a move lays it."""
    cells = board.cells(move.square, move.direction)
    flows = turn(OUTFLOWS[move.tile], move.direction)
    first, second, third = (_outflow(board, cells[cell], side) for cell, side in flows)
    bent = sorted(cell for cell, _ in flows)
    return Channels((first, second, third), (_middle(board, cells[bent[0]]), _middle(board, cells[bent[-1]])))


def _outflow(board: TayuGeometry, square: int, side: int) -> Outflow:
    bend, (to_east, to_north) = _middle(board, square), _TOWARDS[side]
    return Outflow(
        square=board.squares.names[square],
        side=SIDES[side],
        bend=bend,
        mouth=Point(bend.x + to_east, bend.y + to_north),
        at_rim=bool(board.rims[side] >> square & 1),
    )


def _middle(board: TayuGeometry, square: int) -> Point:
    row, column = divmod(square, board.squares.stride)
    return Point(column + _HALF, row + _HALF)
