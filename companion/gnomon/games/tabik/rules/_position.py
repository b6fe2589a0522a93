"""Define the positions and moves of Tabik."""

from typing import Final, Literal, NamedTuple

from gnomon.rules.protocol import Outcome

BLACK: Final = 0
WHITE: Final = 1
PLAYERS: Final = ("black", "white")
NOWHERE: Final = -1


class Move(NamedTuple):
    """What a player does in a turn (rules 4 and 8); squares are those of the board.

    "place": a black stone on `first` and a white one on `second`; "swap": the stones on two squares change places,
    `first` the lower one; "pie": the players change sides.
    """

    kind: Literal["place", "swap", "pie"]
    first: int = NOWHERE
    second: int = NOWHERE


PIE: Final = Move("pie")


class Position(NamedTuple):
    """A Tabik position: sets of squares and of edges are integers, as the board numbers them."""

    mover: int  # the colour on turn
    black: int  # squares with a black stone
    white: int
    rods: int  # edges
    placements: int  # edges between two empty squares (rule 4)
    swaps: int  # edges without a rod between stones of different colours (rule 4)
    pie: bool = False  # White may swap sides now (rule 8)
    swapped: bool = False  # White was the first player to move, and has changed sides (rule 8)
    ending: Outcome | None = None

    @property
    def turns(self) -> int:
        """How many turns have been made, the pie not counted: each has left a rod (rule 5)."""
        return self.rods.bit_count()
