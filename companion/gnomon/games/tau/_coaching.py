"""Say what a line of TAU does: the groups that it leaves, and the product that decides the game."""

from collections.abc import Sequence

from gnomon.games.tau.rules import Move, Position, Tau
from gnomon.refusals import Statement, statement
from gnomon.rules.bids import digits


class TauCoach:
    """The coach of TAU."""

    def __init__(self, rules: Tau) -> None:
        self._rules = rules

    def piece(self, _position: Position, move: Move) -> Statement:
        """A row, a column, or a step of the negotiation."""
        if move.kind in ("row", "column"):
            return statement("coach.tau.row" if move.kind == "row" else "coach.tau.column")
        return statement("coach.tau.bid" if move.kind == "bid" else "coach.tau.pass")

    def place(self, position: Position, move: Move) -> Statement:
        """Which one."""
        return statement("coach.place", move=self._rules.text(position, move))

    def reasons(self, position: Position, move: Move) -> Sequence[Statement]:
        """How many groups there are afterwards, and their product as it stands; of a bid, what it leads to."""
        if move.kind not in ("row", "column"):
            bidder = self._rules.turn(position)
            if move.kind == "bid":
                return (statement("coach.tau.high", player=bidder, limit=digits(move.number)),)
            return (statement("coach.tau.low", player=bidder, limit=digits(position.bid)),)
        after = self._rules.play(position, move)
        before, then = (self._rules.score(each)["product"] for each in (position, after))
        return (
            statement("coach.tau.groups", before=_groups(position), after=_groups(after)),
            statement("coach.tau.product", before=digits(before), after=digits(then), limit=digits(position.bid)),
        )

    def predicts(self, _position: Position) -> bool:
        """True: values mean something from the first move."""
        return True

    def other_turn(self, position: Position) -> Position | None:
        """The position with the opponent on turn, once the LIMIT is agreed."""
        if position.ending is not None or position.high is None:
            return None
        return position._replace(mover=1 - position.mover)


def _groups(position: Position) -> int:
    """The groups on the grid: each run of rows meets each run of columns in one."""
    return _runs(position.rows) * _runs(position.columns)


def _runs(lines: int) -> int:
    return (lines & ~(lines << 1)).bit_count()
