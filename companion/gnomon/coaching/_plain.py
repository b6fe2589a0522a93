"""Coach any game by the texts of its moves alone."""

from collections.abc import Sequence
from typing import Generic

from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import MoveT, PositionT, Rules

_TO = "-"
"""What stands between two places in the text of a move."""


class PlainCoach(Generic[PositionT, MoveT]):
    """The coach of games that bring none of their own: it gives no reasons."""

    def __init__(self, rules: Rules[PositionT, MoveT]) -> None:
        self._rules = rules

    def piece(self, position: PositionT, move: MoveT) -> Statement:
        """The place that the move begins with, where its text names two; else how many moves there are."""
        first, to, _ = self._rules.text(position, move).partition(_TO)
        if to and first:
            return statement("coach.piece.place", place=first)
        return statement("coach.piece.any", number=len(self._rules.legal_moves(position)))

    def place(self, position: PositionT, move: MoveT) -> Statement:
        """The text of the move."""
        return statement("coach.place", move=self._rules.text(position, move))

    def reasons(self, _position: PositionT, _move: MoveT) -> Sequence[Statement]:
        """None."""
        return ()

    def predicts(self, _position: PositionT) -> bool:
        """True: nothing is known to the contrary."""
        return True

    def other_turn(self, _position: PositionT) -> PositionT | None:
        """None."""
        return None
