"""Define the positions and moves of TAU."""

from typing import Final, Literal, NamedTuple

from gnomon.rules.protocol import Outcome

HIGH: Final = 0
LOW: Final = 1
PLAYERS: Final = ("high", "low")
BIDDERS: Final = ("p1", "p2")
NO_BID: Final = -1  # below every number that may be named


class Move(NamedTuple):
    """What a player does: a line through the row or column `number`, counted from 0 (rule 4), or a step of rule 2.

    The negotiation is made of "bid", a `number` >= 0, and "pass".
    """

    kind: Literal["row", "column", "bid", "pass"]
    number: int = 0


PASS: Final = Move("pass")


class Position(NamedTuple):
    """A TAU position: sets of rows (from the top) and of columns (from the left) are integers."""

    mover: int  # HIGH or LOW; in the negotiation the bidder, 0 or 1
    rows: int  # the rows without a line
    columns: int
    turns_left: int
    bid: int = NO_BID  # the last number named: the LIMIT when the negotiation is over
    high: int | None = None  # the bidder who is HIGH, None in the negotiation
    ending: Outcome | None = None

    @property
    def limit(self) -> int | None:
        """The number that HIGH must exceed (rule 6), None while it is negotiated."""
        return None if self.high is None else self.bid


def drawable(lines: int) -> int:
    """The rows, or columns, through which a line may be drawn: all that have none, but not the last one (rule 4)."""
    return lines if lines & lines - 1 else 0
