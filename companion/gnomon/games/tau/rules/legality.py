"""Decide whether a TAU move is legal, and name the rule that forbids it."""

from typing import Final, NamedTuple

from gnomon.games.bids import digits
from gnomon.games.tau.rules.notation import write
from gnomon.games.tau.rules.position import NO_BID, PASS, Move, Position, drawable


class Illegality(NamedTuple):
    """Why a move is not allowed: a short fixed word for programs, and one sentence that names the rule."""

    code: str
    message: str


OVER: Final = Illegality("over", "the game is over")
_NO_SUCH_MOVE: Final = Illegality("no_such_move", "there is no such move in TAU")
_NO_LIMIT: Final = Illegality("no_limit", "rule 2: before the first line a pass must settle the LIMIT")
_NO_BIDDING: Final = Illegality("limit_settled", "rule 2: the LIMIT is settled, and nobody bids or passes any more")
_MUST_BID: Final = Illegality("must_bid", "rule 2: who begins the negotiation names a number and may not pass")


def why_not(position: Position, move: Move) -> Illegality | None:
    """Why a move is illegal now, or None when it is legal."""
    kind, number = move
    if position.ending is not None:
        return OVER
    if kind == "row":
        lines = position.rows
    elif kind == "column":
        lines = position.columns
    else:
        return _why_not_bid(position, move)
    if position.high is not None and number >= 0 and drawable(lines) >> number & 1:
        return None
    return _why_not_line(position, move, lines)


def _why_not_line(position: Position, move: Move, lines: int) -> Illegality:
    """Why no line can be drawn through a row or column."""
    if position.high is None:
        return _NO_LIMIT
    if move.number < 0:
        return _NO_SUCH_MOVE
    if lines >> move.number & 1:
        message = f"rule 4: {write(move)} is the last {move.kind} left, and some squares must stay"
        return Illegality("last_line", message)
    return Illegality("no_square", f"rule 4: a line through {write(move)} crosses no square that is left")


def _why_not_bid(position: Position, move: Move) -> Illegality | None:
    """Why a number, or a pass, is not allowed in the negotiation (rule 2)."""
    if move.kind not in ("bid", "pass") or move.number < 0 or (move.kind == "pass" and move != PASS):
        return _NO_SUCH_MOVE
    if position.high is not None:
        return _NO_BIDDING
    bid = position.bid
    if move.kind == "pass":
        return _MUST_BID if bid == NO_BID else None
    if move.number <= bid:
        return Illegality("too_low", f"rule 2: a number higher than {digits(bid)} is due, or a pass")
    return None
