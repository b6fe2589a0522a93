"""Define what a game brings for its coach: what a move takes up, where it puts it, and what it does."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from gnomon.refusals import Statement

PositionT = TypeVar("PositionT")
MoveT_contra = TypeVar("MoveT_contra", contravariant=True)


class Coach(Protocol[PositionT, MoveT_contra]):
    """What can be said of the moves of one game under one choice of settings. It is made of the game's `Rules`.

    Every statement is about a move that is legal in the position, and names players instead of addressing one.
    """

    def piece(self, position: PositionT, move: MoveT_contra) -> Statement:
        """What the move is made with: a glass by where it stands, a tile, a bid. It does not say where it goes."""
        ...

    def place(self, position: PositionT, move: MoveT_contra) -> Statement:
        """The whole move, with where it goes."""
        ...

    def reasons(self, position: PositionT, move: MoveT_contra) -> Sequence[Statement]:
        """What the move does for its player, the most important first; nothing where nothing stands out."""
        ...

    def predicts(self, position: PositionT) -> bool:
        """Whether an engine's value of the position says who will win, so that numbers may be shown."""
        ...

    def other_turn(self, position: PositionT) -> PositionT | None:
        """The position if it were the opponent's turn; None where that cannot be."""
        ...
