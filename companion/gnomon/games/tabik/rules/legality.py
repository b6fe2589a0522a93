"""Decide whether a Tabik move is legal, and name the rule that forbids it."""

from typing import Final, NamedTuple

from gnomon.games.tabik.rules.position import PIE, Move, Position
from gnomon.games.tabik.rules.settings import TabikSettings
from gnomon.games.tabik.rules.transitions import Change, Turns


class Illegality(NamedTuple):
    """Why a move is not allowed: a short fixed word for programs, and one sentence that names the rule."""

    code: str
    message: str


OVER: Final = Illegality("over", "the game is over")
NO_SUCH_MOVE: Final = Illegality("no_such_move", "there is no such move in Tabik")
_NO_PIE: Final = Illegality("no_pie", "rule 8: this game is played without the pie")
_PIE_NOT_NOW: Final = Illegality("not_now", "rule 8: only White swaps sides, and only on White's first turn")


def why_not(settings: TabikSettings, turns: Turns, position: Position, move: Move) -> Illegality | None:
    """Why a move is illegal now, or None when it is legal."""
    if position.ending is not None:
        return OVER
    change = turns.changes.get(move)
    if change is None:
        return _why_not_pie(settings, position) if move == PIE else _why_not_there(turns, move)
    if change.rod & (position.placements if change.placing else position.swaps):
        return None
    return _why_not_place(turns, position, move) if change.placing else _why_not_swap(turns, position, move, change)


def _why_not_pie(settings: TabikSettings, position: Position) -> Illegality | None:
    if not settings.pie:
        return _NO_PIE
    return None if position.pie else _PIE_NOT_NOW


def _why_not_there(turns: Turns, move: Move) -> Illegality:
    """Why no placement and no swap can be made on two squares, in any position."""
    names = turns.board.names
    if move.kind not in ("place", "swap") or not {move.first, move.second} <= names.keys():
        return NO_SUCH_MOVE
    if Move(move.kind, move.second, move.first) in turns.changes:
        return NO_SUCH_MOVE  # A swap the wrong way round: it has one name only.
    message = f"rule 4: {names[move.first]} and {names[move.second]} are not orthogonally adjacent"
    return Illegality("not_adjacent", message)


def _why_not_place(turns: Turns, position: Position, move: Move) -> Illegality:
    """Why stones cannot be placed on two adjacent squares."""
    taken = move.first if (position.black | position.white) >> move.first & 1 else move.second
    return Illegality("occupied", f"rule 4: a stone stands on {turns.board.names[taken]}")


def _why_not_swap(turns: Turns, position: Position, move: Move, change: Change) -> Illegality:
    """Why the stones on two adjacent squares cannot be swapped."""
    first, second = turns.board.names[move.first], turns.board.names[move.second]
    empty = change.black & ~(position.black | position.white)
    if empty:
        bare = first if empty >> move.first & 1 else second
        return Illegality("empty", f"rule 4: no stone stands on {bare}")
    if change.rod & position.rods:
        return Illegality("rod", f"rule 5: a rod lies between {first} and {second}")
    colour = "black" if position.black >> move.first & 1 else "white"
    return Illegality("same_colour", f"rule 4: the stones on {first} and {second} are both {colour}")
