"""Find all spots where a Tayu tile may lie (rules 3 and 4), by bit operations on sets of squares.

A tile that runs west covers what the same tile, turned by half, covers running east; so only two directions are
examined, from the lowest of the three squares.
"""

from typing import Final, NamedTuple

from gnomon.games.tayu.rules._board import TayuGeometry, spots_of
from gnomon.games.tayu.rules.tiles import CELLS, DIRECTIONS, EDGES, OUTFLOWS, SIDES, TileEdge, turn

_BLANK: Final = len(SIDES)  # the first set of `demands_of` that demands a blank side

Demands = tuple[int, int, int, int, int, int, int, int]


class _Needs(NamedTuple):
    """What a tile in one direction needs, cells counted from the lowest square; numbers are those of `demands_of`."""

    forbidden: tuple[tuple[int, int, int], tuple[int, int], tuple[int, int, int]]  # by cell
    wanted: tuple[tuple[int, int], tuple[int, int], tuple[int, int]]  # the outflows: cell, and the demand met there


def placements(board: TayuGeometry, occupied: int, outflows: tuple[int, int, int, int], tile: int) -> int:
    """The set of spots where a tile may lie among the tiles on the board.

    `outflows`: the squares under a cell with an outflow to its north, east, south and west.
    """
    if not occupied:
        return board.opening
    stride = board.squares.stride
    demands = demands_of(stride, occupied, outflows)
    eastward = board.eastward & ~(occupied | occupied >> 1 | occupied >> 2)
    northward = board.northward & ~(occupied | occupied >> stride | occupied >> 2 * stride)
    east, south, west, north = _NEEDS[tile]
    return spots_of(
        _fits(eastward, 1, demands, east),
        _fits(northward, stride, demands, south) << 2 * stride,
        _fits(eastward, 1, demands, west) << 2,
        _fits(northward, stride, demands, north),
        board.lane,
    )


def demands_of(stride: int, occupied: int, outflows: tuple[int, int, int, int]) -> Demands:
    """The squares to whose north, east, south, west a tile shows an outflow, then those to which it shows a blank."""
    to_north, to_east, to_south, to_west = outflows
    north, east, south, west = to_south >> stride, to_west >> 1, to_north << stride, to_east << 1
    return (
        north,
        east,
        south,
        west,
        occupied >> stride ^ north,
        occupied >> 1 ^ east,
        occupied << stride ^ south,
        occupied << 1 ^ west,
    )


def _fits(room: int, step: int, demands: Demands, needs: _Needs) -> int:
    """The squares of `room` from which a tile fits whose cells are a step apart."""
    ((a, b, c), (d, e), (f, g, h)), ((cell, i), (other, j), (another, k)) = needs
    forbidden = (
        demands[a]
        | demands[b]
        | demands[c]
        | (demands[d] | demands[e]) >> step
        | (demands[f] | demands[g] | demands[h]) >> 2 * step
    )
    connected = demands[i] >> cell * step | demands[j] >> other * step | demands[k] >> another * step
    return room & connected & ~forbidden


def _needs(outflows: tuple[TileEdge, ...], direction: int) -> _Needs:
    """What a tile with these outflows needs when it has been turned into a direction."""
    backwards = DIRECTIONS[direction] in "SW"  # its first cell is on the highest square
    flows = [TileEdge(CELLS - 1 - cell if backwards else cell, side) for cell, side in turn(outflows, direction)]
    edges = [TileEdge(CELLS - 1 - cell if backwards else cell, side) for cell, side in turn(EDGES, direction)]
    low, middle, high = (
        [side + _BLANK if edge in flows else side for edge in edges if edge.cell == cell for side in (edge.side,)]
        for cell in range(CELLS)
    )
    first, second, third = flows
    return _Needs(
        forbidden=((low[0], low[1], low[2]), (middle[0], middle[1]), (high[0], high[1], high[2])),
        wanted=((first.cell, first.side), (second.cell, second.side), (third.cell, third.side)),
    )


# By tile and direction.
_NEEDS: Final = tuple(
    tuple(_needs(outflows, direction) for direction in range(len(DIRECTIONS))) for outflows in OUTFLOWS
)
