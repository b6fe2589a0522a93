"""Decide whether a Tabik move is legal, and name the rule that forbids it."""

from typing import Final

from gnomon.games.tabik.rules._position import PIE, Move, Position
from gnomon.games.tabik.rules._settings import TabikSettings
from gnomon.games.tabik.rules._transitions import Transition, Turns
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import GAME_OVER

NO_SUCH_MOVE: Final = statement("told.tabik.no_such_move")
_NO_PIE: Final = statement("told.tabik.no_pie", rules=(8,))
_PIE_NOT_NOW: Final = statement("told.tabik.not_now", rules=(8,))


def why_not(settings: TabikSettings, turns: Turns, position: Position, move: Move) -> Statement | None:
    """Why a move is illegal now, or None when it is legal."""
    if position.ending is not None:
        return GAME_OVER
    change = turns.changes.get(move)
    if change is None:
        return _why_not_pie(settings, position) if move == PIE else _why_not_there(turns, move)
    if change.rod & (position.placements if change.placing else position.swaps):
        return None
    return _why_not_place(turns, position, move) if change.placing else _why_not_swap(turns, position, move, change)


def _why_not_pie(settings: TabikSettings, position: Position) -> Statement | None:
    if not settings.pie:
        return _NO_PIE
    return None if position.pie else _PIE_NOT_NOW


def _why_not_there(turns: Turns, move: Move) -> Statement:
    """Why no placement and no swap can be made on two squares, in any position."""
    names = turns.board.names
    if move.kind not in ("place", "swap") or not {move.first, move.second} <= names.keys():
        return NO_SUCH_MOVE
    if Move(move.kind, move.second, move.first) in turns.changes:
        return NO_SUCH_MOVE  # A swap the wrong way round: it has one name only.
    return statement("told.tabik.not_adjacent", rules=(4,), first=names[move.first], second=names[move.second])


def _why_not_place(turns: Turns, position: Position, move: Move) -> Statement:
    """Why stones cannot be placed on two adjacent squares."""
    taken = move.first if (position.black | position.white) >> move.first & 1 else move.second
    return statement("told.tabik.occupied", rules=(4,), square=turns.board.names[taken])


def _why_not_swap(turns: Turns, position: Position, move: Move, change: Transition) -> Statement:
    """Why the stones on two adjacent squares cannot be swapped."""
    first, second = turns.board.names[move.first], turns.board.names[move.second]
    empty = change.black & ~(position.black | position.white)
    if empty:
        bare = first if empty >> move.first & 1 else second
        return statement("told.tabik.empty", rules=(4,), square=bare)
    if change.rod & position.rods:
        return statement("told.tabik.rod", rules=(5,), first=first, second=second)
    colour = "black" if position.black >> move.first & 1 else "white"
    return statement("told.tabik.same_colour", rules=(4,), first=first, second=second, colour=colour)
