"""Define the positions and moves of Tayu."""

from typing import Final, Literal, NamedTuple

from gnomon.rules.protocol import Outcome

NOTHING: Final = -1  # no tile, no square, no direction, no bid
NOBODY: Final = -1
BITS: Final = 7  # of a counter of tiles: up to 127 of a kind

Kind = Literal["bid", "pick", "draw", "lay"]
Pick = Literal["", "ring", "plain", "left", "right"]


class Move(NamedTuple):
    """What a player or nature does.

    "bid": a number for the saboteur's role (rule 10); "pick": which back or stack the next tile comes from (rule 2);
    "draw": nature gives a tile, an index of KINDS; "lay": the tile drawn, its first cell on `square` of the board,
    turned clockwise by so many quarter turns that it runs in `direction`, an index of DIRECTIONS (rules 3 and 4).
    """

    kind: Kind
    tile: int = NOTHING
    square: int = NOTHING
    direction: int = NOTHING
    pick: Pick = ""
    bid: int = NOTHING


class Position(NamedTuple):
    """A Tayu position: sets of squares are integers, as the board numbers them."""

    mover: int  # the player on turn, or for whom nature draws
    due: Kind  # the only kind of move that may come next
    tile: int  # the tile in the mover's hand, or NOTHING
    left: int  # how many tiles of each kind have not been drawn, BITS a kind
    kinds: int  # the set of kinds of which one is left
    occupied: int
    outflows: tuple[int, int, int, int]  # squares under a cell with an outflow to its north, east, south, west
    laid: tuple[Move, ...]  # in the order of play
    placements: int  # where the tile in hand may go: a set of spots of the board
    pick: Pick = ""  # what was chosen for the draw that is due
    stacks: tuple[int, int] = (0, 0)  # tiles left in the two rows of stacks, left and right
    bids: tuple[int, ...] = ()
    saboteur: int = NOBODY
    target: int = NOTHING  # of three players, once it is agreed (rules 9 and 10)
    ending: Outcome | None = None

    def copies_left(self, tile: int) -> int:
        """How many tiles of a kind have not been drawn."""
        return self.left >> BITS * tile & (1 << BITS) - 1
