"""Decide whether a TAMSK move is legal, and name the rule that forbids it."""

from collections.abc import Callable, Mapping
from typing import Final

from gnomon.games.tamsk.rules._mobility import cannot_move, is_opening, lost_is_due
from gnomon.games.tamsk.rules._sand import is_watched, stops
from gnomon.games.tamsk.rules._settings import TamskSettings
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
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import GAME_OVER

_NO_SUCH_MOVE: Final = statement("told.tamsk.no_such_move")
_NAMES: Final = BOARD.names


def why_not(settings: TamskSettings, position: Position, move: Move) -> Statement | None:
    """Why a move is illegal now, or None when it is legal."""
    if position.ending is not None:
        return GAME_OVER
    if move.kind == "turn":
        return _why_not_turn(settings, position, move)
    return _WITHOUT_A_TURN.get(move.kind, _why_not_such_a_move)(position, move)


def why_not_lift(position: Position, space: int) -> Statement | None:
    """Why the player on turn may not lift the glass on a space now (rules 1, 8, 11, 12, 13, 19 and 21)."""
    why = GAME_OVER if position.ending is not None else _why_not_leave(position, space)
    if why is None and not position.enterable & MASKS[space]:
        return statement("told.tamsk.blocked", rules=(1,), space=_NAMES[space])
    return why


def why_not_timer15(position: Position) -> Statement | None:
    """Why the player who is not on turn may not turn the 15-second glass now (rules 16 and 20)."""
    timer15 = position.timer15
    if position.ending is not None:
        return GAME_OVER
    if timer15 is None:
        return statement("told.tamsk.no_timer15", rules=(16,))
    # One that the players watch, and that binds nobody any more, has run out when it is turned again.
    if timer15.is_running(position.now) and (position.timer15_binds or not timer15.by_eye):
        return statement("told.tamsk.timer15_running", rules=(16,))
    if lost_is_due(position) or cannot_move(position):
        return statement("told.tamsk.no_move", rules=(16,), player=PLAYERS[position.mover])
    return None


def _why_not_turn(settings: TamskSettings, position: Position, move: Move) -> Statement | None:
    """Why the player on turn may not make a whole turn."""
    origin, target, ring, forgotten, free, _ = move
    if (origin != position.lifted or origin == NOWHERE) and (why := _why_not_leave(position, origin)) is not None:
        return why
    if target not in BOARD.neighbours[origin] or not position.enterable & BIT[target]:
        return _why_not_enter(position, origin, target)
    # The common turn, of one ring or none, is settled here.
    if forgotten == NOWHERE and free == NOWHERE and (ring or not settings.auto):
        return None
    return _why_not_rings(settings, position, move)


def _why_not_leave(position: Position, space: int) -> Statement | None:
    """Why the player on turn may not lift the glass on a space, wherever it goes to."""
    mover, glasses = position.mover, position.glasses
    if position.lifted >= 0:
        return statement("told.tamsk.in_the_air", rules=(1,), space=_NAMES[position.lifted])
    if space not in glasses:
        return statement("told.tamsk.no_glass", rules=(1,), space=_name(space))
    glass = glasses.index(space)
    if glass // 3 != mover:
        return statement("told.tamsk.not_yours", rules=(1,), space=_NAMES[space], player=PLAYERS[mover])
    if not position.rings_left[mover]:
        return statement("told.tamsk.must_pass", rules=(8,), player=PLAYERS[mover])
    return _why_not_in_time(position, glass) if position.sands else None


def _why_not_enter(position: Position, origin: int, target: int) -> Statement:
    """Why no glass can go from `origin` to `target`."""
    if target not in BOARD.neighbours[origin]:
        return statement("told.tamsk.not_adjacent", rules=(1,), target=_name(target), origin=_NAMES[origin])
    if target in position.glasses:
        return statement("told.tamsk.occupied", rules=(1,), space=_NAMES[target])
    return statement("told.tamsk.full", rules=(4,), space=_NAMES[target])


def _why_not_in_time(position: Position, glass: int) -> Statement | None:
    """Why sand forbids a glass to leave: levels 2 and 3."""
    name = _NAMES[position.glasses[glass]]
    if lost_is_due(position):
        rule = 21 if position.sits_out >> position.mover & 1 else 19
        return statement("told.tamsk.turn_lost", rules=(rule,), player=PLAYERS[position.mover])
    if is_opening(position, glass // 3):
        if position.moved >> glass & 1:
            return statement("told.tamsk.must_be_another_glass", rules=(11,), space=name)
    elif not position.sands[glass].is_running(position.now):
        return statement("told.tamsk.stopped_glass", rules=(12,), space=name)
    return None


def _why_not_rings(settings: TamskSettings, position: Position, move: Move) -> Statement | None:
    """Why the rings of a turn are not allowed, when its glass may go where it goes."""
    ring, forgotten, free = move.ring, move.forgotten, move.free
    if forgotten != NOWHERE and (settings.auto or forgotten != position.forgotten):
        return statement("told.tamsk.not_forgotten", rules=(3,), short="ring_elsewhere", space=_name(forgotten))
    if settings.auto and not ring:
        return statement("told.tamsk.ring_due")
    needed = (forgotten != NOWHERE) + ring + (free != NOWHERE)
    left = position.rings_left[position.mover]
    if needed > left:
        player = PLAYERS[position.mover]
        return statement("told.tamsk.no_ring", rules=(2,), player=player, left=left, needed=needed)
    return None if free == NOWHERE else _why_not_second_ring(position, move)


def _why_not_second_ring(position: Position, move: Move) -> Statement | None:
    """Why the second ring of a turn, or the free ring of a player who cannot move, may not fall (rule 18)."""
    if not position.penalty:
        return statement("told.tamsk.two_rings", rules=(18,), player=PLAYERS[position.mover])
    if move.free == move.target and not move.ring:
        return statement("told.tamsk.first_ring", rules=(18,), space=_NAMES[move.target])
    if move.free not in room(rings_after(position.rings, move)):
        return statement("told.tamsk.no_room", rules=(18,), short="full", space=_name(move.free))
    return None


def rings_after(rings: int, move: Move) -> int:
    """The rings on the board when all rings of a turn but the second one (rule 18) have been dropped."""
    if move.forgotten != NOWHERE:
        rings += ONE_RING[move.forgotten]
    return rings + ONE_RING[move.target] if move.ring else rings


def fills_target(position: Position, move: Move) -> bool:
    """Whether the turn's own ring is the last for which its target has room: the `x` of the notation."""
    return move.ring and (position.rings >> SHIFT[move.target] & 7) + 1 == CAPACITY[move.target]


def _why_not_lost(position: Position, move: Move) -> Statement | None:
    if move != LOST:
        return _NO_SUCH_MOVE
    if not lost_is_due(position):
        return statement("told.tamsk.not_lost", rules=(19,), player=PLAYERS[position.mover])
    return None


def _why_not_pass(position: Position, move: Move) -> Statement | None:
    return _why_not_stay(position) if move == PASS else _NO_SUCH_MOVE


def _why_not_free(position: Position, move: Move) -> Statement | None:
    if move not in FREE_RINGS:
        return _NO_SUCH_MOVE
    if (why := _why_not_stay(position)) is not None:
        return why
    if not position.rings_left[position.mover]:
        return statement("told.tamsk.none_left", rules=(18,), short="no_ring", player=PLAYERS[position.mover])
    return _why_not_second_ring(position, move)


def _why_not_stay(position: Position) -> Statement | None:
    """Why the player on turn may not leave their glasses where they are."""
    player = PLAYERS[position.mover]
    if lost_is_due(position):
        return statement("told.tamsk.turn_lost", rules=(19,), player=player)
    if not cannot_move(position):
        return statement("told.tamsk.must_move", rules=(6,), player=player)
    return None


def _why_not_lift_move(position: Position, move: Move) -> Statement | None:
    if position.timer15 is None:
        return statement("told.tamsk.no_lift", rules=(17,))
    return why_not_lift(position, move.origin) if move in LIFTS else _NO_SUCH_MOVE


def _why_not_flip15(position: Position, move: Move) -> Statement | None:
    if move != FLIP15:
        return _NO_SUCH_MOVE
    if position.lifted >= 0:
        # Rule 16 allows it, and `turn_timer15` does it; as a move it would stand among the turns of the player.
        return statement("told.tamsk.only_its_own", rules=(16,), short="in_the_air")
    return why_not_timer15(position)


def _why_not_stop(position: Position, move: Move) -> Statement | None:
    if move != STOP15 and move not in STOPS:
        return _NO_SUCH_MOVE
    if not is_watched(position):
        return statement("told.tamsk.by_itself")
    if move in stops(position):
        return None
    if move == STOP15:
        return statement("told.tamsk.not_running.timer15", rules=(12,), short="not_running")
    return statement("told.tamsk.not_running", rules=(12,), space=_NAMES[move.origin])


def _why_not_such_a_move(_position: Position, _move: Move) -> Statement:
    return _NO_SUCH_MOVE


_WITHOUT_A_TURN: Final[Mapping[str, Callable[[Position, Move], Statement | None]]] = {
    "pass": _why_not_pass,
    "lost": _why_not_lost,
    "free": _why_not_free,
    "lift": _why_not_lift_move,
    "flip15": _why_not_flip15,
    "stop": _why_not_stop,
    "stop15": _why_not_stop,
}


def _name(space: int) -> str | Statement:
    return _NAMES[space] if 0 <= space < len(_NAMES) else statement("word.no_space")
