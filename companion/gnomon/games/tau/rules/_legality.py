"""Decide whether a TAU move is legal, and name the rule that forbids it."""

from typing import Final

from gnomon.games.tau.rules.notation import write
from gnomon.games.tau.rules.position import NO_BID, PASS, Move, Position, drawable
from gnomon.refusals import Statement, statement
from gnomon.rules.bids import digits
from gnomon.rules.protocol import GAME_OVER

_NO_SUCH_MOVE: Final = statement("told.tau.no_such_move")
_NO_LIMIT: Final = statement("told.tau.no_limit", rules=(2,))
_NO_BIDDING: Final = statement("told.tau.limit_settled", rules=(2,))
_MUST_BID: Final = statement("told.tau.must_bid", rules=(2,))


def why_not(position: Position, move: Move) -> Statement | None:
    """Why a move is illegal now, or None when it is legal."""
    kind, number = move
    if position.ending is not None:
        return GAME_OVER
    if kind == "row":
        lines = position.rows
    elif kind == "column":
        lines = position.columns
    else:
        return _why_not_bid(position, move)
    if position.high is not None and number >= 0 and drawable(lines) >> number & 1:
        return None
    return _why_not_line(position, move, lines)


def _why_not_line(position: Position, move: Move, lines: int) -> Statement:
    """Why no line can be drawn through a row or column."""
    if position.high is None:
        return _NO_LIMIT
    if move.number < 0:
        return _NO_SUCH_MOVE
    if lines >> move.number & 1:
        return statement("told.tau.last_line", rules=(4,), text=write(move), line=move.kind)
    return statement("told.tau.no_square", rules=(4,), text=write(move))


def _why_not_bid(position: Position, move: Move) -> Statement | None:
    """Why a number, or a pass, is not allowed in the negotiation (rule 2)."""
    if move.kind not in ("bid", "pass") or move.number < 0 or (move.kind == "pass" and move != PASS):
        return _NO_SUCH_MOVE
    if position.high is not None:
        return _NO_BIDDING
    bid = position.bid
    if move.kind == "pass":
        return _MUST_BID if bid == NO_BID else None
    if move.number <= bid:
        return statement("told.tau.too_low", rules=(2,), bid=digits(bid))
    return None
