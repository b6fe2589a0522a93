"""Define the 28 kinds of Tayu tiles: outflows, names, marks on the back, and rotations.

A tile covers three cells in a row and has eight edge positions; as it is drawn in the rules file it runs east from
its first cell, and the positions go round it clockwise: 0 1 2 along the north side, 3 at the east end, 4 5 6 along
the south side from the east, 7 at the west end.
"""

from collections.abc import Mapping
from itertools import combinations
from typing import Final, NamedTuple

CELLS: Final = 3
SIDES: Final = "nesw"  # clockwise, so that a quarter turn adds one
NORTH, EAST, SOUTH, WEST = range(4)
DIRECTIONS: Final = "ESWN"  # where a tile runs from its first cell after 0, 1, 2, 3 quarter turns clockwise


class TileEdge(NamedTuple):
    """One of the eight edge positions of a tile: which of its cells, and which side of that cell."""

    cell: int
    side: int


# By position, on the tile as drawn.
EDGES: Final = (
    *(TileEdge(cell, NORTH) for cell in (0, 1, 2)),
    TileEdge(2, EAST),
    *(TileEdge(cell, SOUTH) for cell in (2, 1, 0)),
    TileEdge(0, WEST),
)


def half_turned(name: str) -> str:
    """The outflows of a tile seen from the other side of the table: 0 becomes 4, 1 becomes 5 and so on."""
    return "".join(sorted(str((int(position) + 4) % len(EDGES)) for position in name))


# Every choice of three positions, named by the smaller of its two names: none of them is its own half turn.
KINDS: Final = tuple(name for name in map("".join, combinations("01234567", 3)) if name < half_turned(name))
TILE: Final[Mapping[str, int]] = {name: tile for tile, name in enumerate(KINDS)}
NAME_OF_TURNED: Final[Mapping[str, str]] = {half_turned(name): name for name in KINDS}
DRAWS: Final[Mapping[str, str]] = {name: f"draw:{kind}" for kind in KINDS for name in (kind, half_turned(kind))}
"""The draw of a tile in canonical text, by its name either way round."""
OUTFLOWS: Final = tuple(tuple(EDGES[int(position)] for position in name) for name in KINDS)

# The twelve kinds with outflows on three sides carry a ring on the back, the others nothing.
RINGED: Final = sum(
    1 << tile for tile, outflows in enumerate(OUTFLOWS) if len({edge.side for edge in outflows}) == len(outflows)
)
PLAIN: Final = (1 << len(KINDS)) - 1 ^ RINGED


def turn(edges: tuple[TileEdge, ...], quarter_turns: int) -> tuple[TileEdge, ...]:
    """The same edges of a tile after so many quarter turns clockwise: the cells go with it, the sides change."""
    return tuple(TileEdge(cell, (side + quarter_turns) % len(SIDES)) for cell, side in edges)
