"""Decide whether a TAMSK move is legal, and name the rule that forbids it."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from gnomon.games.tamsk.rules.mobility import cannot_move, is_opening, lost_is_due
from gnomon.games.tamsk.rules.position import (
    BIT,
    BOARD,
    CAPACITY,
    FLIP15,
    FREE_RINGS,
    LIFTS,
    LOST,
    MASKS,
    NOWHERE,
    ONE_RING,
    PASS,
    PLAYERS,
    SHIFT,
    STOP15,
    STOPS,
    Move,
    Position,
    room,
)
from gnomon.games.tamsk.rules.sand import is_watched, stops
from gnomon.games.tamsk.rules.settings import TamskSettings


class Illegality(NamedTuple):
    """Why a move is not allowed: a short fixed word for programs, and one sentence that names the rule."""

    code: str
    message: str


OVER: Final = Illegality("over", "the game is over")
_NO_SUCH_MOVE: Final = Illegality("no_such_move", "there is no such move in TAMSK")
_NAMES: Final = BOARD.names


def why_not(settings: TamskSettings, position: Position, move: Move) -> Illegality | None:
    """Why a move is illegal now, or None when it is legal."""
    if position.ending is not None:
        return OVER
    if move.kind == "turn":
        return _why_not_turn(settings, position, move)
    return _WITHOUT_A_TURN.get(move.kind, _why_not_such_a_move)(position, move)


def why_not_lift(position: Position, space: int) -> Illegality | None:
    """Why the player on turn may not lift the glass on a space now (rules 1, 8, 11, 12, 13, 19 and 21)."""
    refusal = OVER if position.ending is not None else _why_not_leave(position, space)
    if refusal is None and not position.enterable & MASKS[space]:
        return Illegality("blocked", f"rule 1: no neighbour of {_NAMES[space]} can be entered")
    return refusal


def why_not_timer15(position: Position) -> Illegality | None:
    """Why the player who is not on turn may not turn the 15-second glass now (rules 16 and 20)."""
    timer15 = position.timer15
    if position.ending is not None:
        return OVER
    if timer15 is None:
        return Illegality("no_timer15", "rule 16: the 15-second glass is for level 3")
    # One that the players watch, and that binds nobody any more, has run out when it is turned again.
    if timer15.is_running(position.now) and (position.timer15_binds or not timer15.by_eye):
        return Illegality("timer15_running", "rule 16: the 15-second glass is turned only when it is empty")
    if lost_is_due(position) or cannot_move(position):
        player = PLAYERS[position.mover]
        return Illegality("no_move", f"rule 16: {player} has no move, so the 15-second glass is not turned")
    return None


def _why_not_turn(settings: TamskSettings, position: Position, move: Move) -> Illegality | None:
    """Why the player on turn may not make a whole turn."""
    origin, target, ring, forgotten, free, _ = move
    if (origin != position.lifted or origin == NOWHERE) and (refusal := _why_not_leave(position, origin)) is not None:
        return refusal
    if target not in BOARD.neighbours[origin] or not position.enterable & BIT[target]:
        return _why_not_enter(position, origin, target)
    # The common turn, of one ring or none, is settled here.
    if forgotten == NOWHERE and free == NOWHERE and (ring or not settings.auto):
        return None
    return _why_not_rings(settings, position, move)


def _why_not_leave(position: Position, space: int) -> Illegality | None:
    """Why the player on turn may not lift the glass on a space, wherever it goes to."""
    mover, glasses = position.mover, position.glasses
    if position.lifted >= 0:
        lifted = _NAMES[position.lifted]
        return Illegality("in_the_air", f"rule 1: a turn moves one glass, and the one from {lifted} is in the air")
    if space not in glasses:
        return Illegality("no_glass", f"rule 1: no glass stands on {_name(space)}")
    glass = glasses.index(space)
    if glass // 3 != mover:
        return Illegality("not_yours", f"rule 1: the glass on {_NAMES[space]} is not {PLAYERS[mover]}'s")
    if not position.rings_left[mover]:
        return Illegality("must_pass", f"rule 8: {PLAYERS[mover]} has no ring left and passes")
    return _why_not_in_time(position, glass) if position.sands else None


def _why_not_enter(position: Position, origin: int, target: int) -> Illegality:
    """Why no glass can go from `origin` to `target`."""
    if target not in BOARD.neighbours[origin]:
        return Illegality("not_adjacent", f"rule 1: {_name(target)} is not next to {_NAMES[origin]}")
    if target in position.glasses:
        return Illegality("occupied", f"rule 1: a glass stands on {_NAMES[target]}")
    return Illegality("full", f"rule 4: {_NAMES[target]} is full")


def _why_not_in_time(position: Position, glass: int) -> Illegality | None:
    """Why sand forbids a glass to leave: levels 2 and 3."""
    name = _NAMES[position.glasses[glass]]
    if lost_is_due(position):
        rule = 21 if position.sits_out >> position.mover & 1 else 19
        return Illegality("turn_lost", f"rule {rule}: {PLAYERS[position.mover]} has lost this turn")
    if is_opening(position, glass // 3):
        if position.moved >> glass & 1:
            return Illegality(
                "must_be_another_glass", f"rule 11: each of the first three turns moves another glass than {name}"
            )
    elif not position.sands[glass].is_running(position.now):
        return Illegality("stopped_glass", f"rule 12: the glass on {name} has run out and never moves again")
    return None


def _why_not_rings(settings: TamskSettings, position: Position, move: Move) -> Illegality | None:
    """Why the rings of a turn are not allowed, when its glass may go where it goes."""
    ring, forgotten, free = move.ring, move.forgotten, move.free
    if forgotten != NOWHERE and (settings.auto or forgotten != position.forgotten):
        return Illegality("ring_elsewhere", f"rule 3: no ring was forgotten on {_name(forgotten)}")
    if settings.auto and not ring:
        return Illegality("ring_due", "ring=auto: a ring is dropped with every move")
    needed = (forgotten != NOWHERE) + ring + (free != NOWHERE)
    left = position.rings_left[position.mover]
    if needed > left:
        return Illegality("no_ring", f"rule 2: {PLAYERS[position.mover]} has {left} left and cannot drop {needed}")
    return None if free == NOWHERE else _why_not_second_ring(position, move)


def _why_not_second_ring(position: Position, move: Move) -> Illegality | None:
    """Why the second ring of a turn, or the free ring of a player who cannot move, may not fall (rule 18)."""
    if not position.penalty:
        return Illegality("two_rings", f"rule 18: {PLAYERS[position.mover]} has no second ring to drop")
    if move.free == move.target and not move.ring:
        return Illegality("first_ring", f"rule 18: the first ring on {_NAMES[move.target]} is not the second one")
    if move.free not in room(rings_after(position.rings, move)):
        return Illegality("full", f"rule 18: {_name(move.free)} has no room for the second ring")
    return None


def rings_after(rings: int, move: Move) -> int:
    """The rings on the board when all rings of a turn but the second one (rule 18) have been dropped."""
    if move.forgotten != NOWHERE:
        rings += ONE_RING[move.forgotten]
    return rings + ONE_RING[move.target] if move.ring else rings


def fills_target(position: Position, move: Move) -> bool:
    """Whether the turn's own ring is the last for which its target has room: the `x` of the notation."""
    return move.ring and (position.rings >> SHIFT[move.target] & 7) + 1 == CAPACITY[move.target]


def _why_not_lost(position: Position, move: Move) -> Illegality | None:
    if move != LOST:
        return _NO_SUCH_MOVE
    if not lost_is_due(position):
        return Illegality("not_lost", f"rule 19: {PLAYERS[position.mover]} has not lost this turn")
    return None


def _why_not_pass(position: Position, move: Move) -> Illegality | None:
    return _why_not_stay(position) if move == PASS else _NO_SUCH_MOVE


def _why_not_free(position: Position, move: Move) -> Illegality | None:
    if move not in FREE_RINGS:
        return _NO_SUCH_MOVE
    if (refusal := _why_not_stay(position)) is not None:
        return refusal
    if not position.rings_left[position.mover]:
        return Illegality("no_ring", f"rule 18: {PLAYERS[position.mover]} has no ring left")
    return _why_not_second_ring(position, move)


def _why_not_stay(position: Position) -> Illegality | None:
    """Why the player on turn may not leave his glasses where they are."""
    player = PLAYERS[position.mover]
    if lost_is_due(position):
        return Illegality("turn_lost", f"rule 19: {player} has lost this turn")
    if not cannot_move(position):
        return Illegality("must_move", f"rule 6: {player} can move, and so must")
    return None


def _why_not_lift_move(position: Position, move: Move) -> Illegality | None:
    if position.timer15 is None:
        return Illegality("no_lift", "rule 17: a lift is a move of its own at level 3 only")
    return why_not_lift(position, move.origin) if move in LIFTS else _NO_SUCH_MOVE


def _why_not_flip15(position: Position, move: Move) -> Illegality | None:
    if move != FLIP15:
        return _NO_SUCH_MOVE
    if position.lifted >= 0:
        # Rule 16 allows it, and `turn_timer15` does it; as a move it would stand among the turns of the player.
        return Illegality("in_the_air", "rule 16: a glass is in the air, and only its own turns are played")
    return why_not_timer15(position)


def _why_not_stop(position: Position, move: Move) -> Illegality | None:
    if move != STOP15 and move not in STOPS:
        return _NO_SUCH_MOVE
    if not is_watched(position):
        return Illegality("by_itself", "time decides when sand has run out, and nobody says so, unless time=sand")
    if move in stops(position):
        return None
    what = "the 15-second glass" if move == STOP15 else f"a glass on {_NAMES[move.origin]}"
    return Illegality("not_running", f"rule 12: {what} does not run, so it cannot be said to have run out")


def _why_not_such_a_move(position: Position, move: Move) -> Illegality:  # noqa: ARG001  # one of the kinds below
    return _NO_SUCH_MOVE


_WITHOUT_A_TURN: Final[Mapping[str, Callable[[Position, Move], Illegality | None]]] = {
    "pass": _why_not_pass,
    "lost": _why_not_lost,
    "free": _why_not_free,
    "lift": _why_not_lift_move,
    "flip15": _why_not_flip15,
    "stop": _why_not_stop,
    "stop15": _why_not_stop,
}


def _name(space: int) -> str:
    return _NAMES[space] if 0 <= space < len(_NAMES) else "a space that is not on the board"
