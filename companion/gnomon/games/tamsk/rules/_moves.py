"""List the legal moves of TAMSK from precomputed tables of turns."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import itemgetter
from typing import Final

from gnomon.games.tamsk.rules._legality import rings_after, why_not_timer15
from gnomon.games.tamsk.rules._mobility import lost_is_due, may_leave
from gnomon.games.tamsk.rules.position import (
    BOARD,
    FLIP15,
    FREE_RINGS,
    GLASSES,
    LIFTS,
    LOST,
    MASKS,
    NOWHERE,
    PASS,
    RED,
    Move,
    Position,
    room,
)

_Pick = Callable[[Sequence[Move]], tuple[Move, ...]]

_EITHER: Final = (True, False)
_RING: Final = (True,)
_NO_RING: Final = (False,)


def legal_moves(position: Position, *, auto: bool) -> Sequence[Move]:
    """Every legal move; `auto`: the ring always falls and is never forgotten."""
    if position.ending is not None:
        return ()
    sands, mover = position.sands, position.mover
    left = position.rings_left[mover]
    if sands and lost_is_due(position):
        return (LOST,)
    if not left and position.lifted < 0:
        return (PASS,)  # Rule 8.
    if sands or position.lifted >= 0:
        spaces = _spaces_that_may_leave(position)
    else:
        spaces = position.glasses[:3] if mover == RED else position.glasses[3:]
    enterable, forgotten = position.enterable, position.forgotten
    turns_from = _auto_turns if auto else _turns
    turns: tuple[Move, ...] = ()
    for space in spaces:
        turns += turns_from(space, enterable & MASKS[space])
    if not turns:
        return _without_a_move(position)
    if forgotten >= 0:
        ready = _every_turn(forgotten)
        # Rule 8: the last ring may go to the forgotten space, and the move is then made without one.
        pick = _pick if left > 1 else _pick_without_ring
        for space in spaces:
            turns += pick(space, enterable & MASKS[space])(ready[space])
    return _with_level_3(position, turns, spaces) if sands else turns


# Tables of ready-made turns, filled as they are asked for. Per space, the turns to its neighbours in order, with a
# ring and without; a picker takes those to the neighbours that can be entered.


@cache
def _every_turn(forgotten: int) -> tuple[tuple[Move, ...], ...]:
    """By origin: all turns that use the ring forgotten on `forgotten` first."""
    return tuple(
        tuple(Move(space, target, ring, forgotten) for target in others for ring in _EITHER)
        for space, others in enumerate(BOARD.neighbours)
    )


def _picker(rings: tuple[bool, ...]) -> Callable[[int, int], _Pick]:
    """The table of pickers, by space and bit mask of targets, for turns with a ring, without, or either."""

    @cache
    def pick(space: int, targets: int) -> _Pick:
        indices = [
            2 * place + (not ring)
            for place, target in enumerate(BOARD.neighbours[space])
            if targets >> target & 1
            for ring in rings
        ]
        # An itemgetter returns a tuple only if it gets two items or more.
        return itemgetter(*indices) if len(indices) > 1 else lambda turns: tuple(turns[index] for index in indices)

    return pick


_pick: Final = _picker(_EITHER)
_pick_ring: Final = _picker(_RING)
_pick_without_ring: Final = _picker(_NO_RING)


@cache
def _turns(space: int, targets: int) -> tuple[Move, ...]:
    return _pick(space, targets)(_every_turn(NOWHERE)[space])


@cache
def _auto_turns(space: int, targets: int) -> tuple[Move, ...]:
    return _pick_ring(space, targets)(_every_turn(NOWHERE)[space])


def _spaces_that_may_leave(position: Position) -> tuple[int, ...]:
    """The spaces of the glasses with which the player on turn may move."""
    if position.lifted >= 0:
        return (position.lifted,)
    now = position.now
    return tuple(position.glasses[glass] for glass in GLASSES[position.mover] if may_leave(position, glass, now))


def _with_level_3(position: Position, turns: tuple[Move, ...], spaces: Iterable[int]) -> tuple[Move, ...]:
    """The turns with a second ring (rule 18), lifts (rule 17), and the turning of the 15-second glass (rule 16)."""
    if position.penalty:
        turns += tuple(_with_second_ring(position, turns))
    if position.timer15 is None or position.lifted >= 0:
        return turns
    lifts = tuple(LIFTS[space] for space in spaces if position.enterable & MASKS[space])
    return (*turns, *lifts, FLIP15) if why_not_timer15(position) is None else (*turns, *lifts)


def _without_a_move(position: Position) -> Sequence[Move]:
    """What is left to a player who cannot move: to pass (rule 6), or to drop a free ring (rule 18)."""
    if position.penalty:
        return (PASS, *(FREE_RINGS[space] for space in room(position.rings)))
    return (PASS,)


def _with_second_ring(position: Position, turns: Iterable[Move]) -> Iterable[Move]:
    """The turns that go on with a second ring (rule 18): anywhere but where it would be the first one."""
    left = position.rings_left[position.mover]
    for turn in turns:
        if (turn.forgotten != NOWHERE) + turn.ring < left:
            for space in room(rings_after(position.rings, turn)):
                if turn.ring or space != turn.target:
                    yield Move(turn.origin, turn.target, turn.ring, turn.forgotten, space)
