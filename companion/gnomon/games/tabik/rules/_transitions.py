"""Compute what each placement and swap of Tabik changes on a board of a given size."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from gnomon.boards.bitsets import BitGroups
from gnomon.boards.squares import Edge, SquareBoard
from gnomon.games.tabik.rules._position import Move


class Transition(NamedTuple):
    """What a placement or a swap needs and changes."""

    rod: int  # the edge that gets the rod, as a set
    black: int  # the squares where a black stone appears or disappears
    white: int
    elsewhere: int  # every edge that touches neither square: a placement may follow there
    placing: bool


class Turns(NamedTuple):
    """Every placement and swap on a board, and how the open ones are listed."""

    board: SquareBoard
    changes: Mapping[Move, Transition]
    placing: BitGroups[Move]
    swapping: BitGroups[Move]


@cache
def turns_on(size: int) -> Turns:
    """The turns on a board with `size` squares along each side."""
    board = SquareBoard.of_size(size, size)
    touching = dict.fromkeys(board.names, 0)
    for number, lower, higher in board.edges:
        touching[lower] |= 1 << number
        touching[higher] |= 1 << number
    changes: dict[Move, Transition] = {}
    placing: list[tuple[Move, ...]] = [()] * (2 * board.edge_stride)
    swapping: list[tuple[Move, ...]] = [()] * (2 * board.edge_stride)
    for edge in board.edges:
        elsewhere = ~(touching[edge.lower] | touching[edge.higher])
        placements, swap = _turns_at(edge, elsewhere)
        changes |= placements | swap
        placing[edge.number] = tuple(placements)
        swapping[edge.number] = tuple(swap)
    return Turns(board, changes, BitGroups(placing), BitGroups(swapping))


def _turns_at(edge: Edge, elsewhere: int) -> tuple[dict[Move, Transition], dict[Move, Transition]]:
    """The two placements and the swap whose rod lies on an edge."""
    rod, lower, higher = (1 << number for number in edge)
    placements = {
        Move("place", edge.lower, edge.higher): Transition(rod, lower, higher, elsewhere, placing=True),
        Move("place", edge.higher, edge.lower): Transition(rod, higher, lower, elsewhere, placing=True),
    }
    both = lower | higher
    return placements, {Move("swap", edge.lower, edge.higher): Transition(rod, both, both, elsewhere, placing=False)}
