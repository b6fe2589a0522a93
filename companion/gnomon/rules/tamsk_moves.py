"""The only place that lists the legal moves of TAMSK, from tables of ready-made turns."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from gnomon.rules.tamsk_legality import rings_after, why_not_timer15
from gnomon.rules.tamsk_mobility import lost_is_due, may_leave
from gnomon.rules.tamsk_position import (
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

_EITHER: Final = (True, False)
_RING: Final = (True,)
_NO_RING: Final = (False,)


def legal_moves(position: Position, *, auto: bool) -> Sequence[Move]:
    """Every legal move; `auto`: the ring always falls and is never forgotten."""
    mover, glasses, _, rings_left, enterable, forgotten, penalty, _, _, sands, timer15, *_, end = position
    if end is not None:
        return ()
    if (timer15 is not None or position.sits_out) and lost_is_due(position):
        return (LOST,)
    if sands or position.lifted >= 0:
        spaces = _spaces_that_may_leave(position)
    else:
        spaces = glasses[:3] if mover == RED else glasses[3:]
    left = rings_left[mover]
    if not left and position.lifted < 0:
        return (PASS,)  # Rule 8.
    first = _RING if auto else _EITHER
    turns: tuple[Move, ...] = ()
    for space in spaces:
        turns += turns_from(space, enterable & MASKS[space], first)
    if not turns:
        return _without_a_move(position)
    if forgotten >= 0 and not auto:
        rings = _EITHER if left > 1 else _NO_RING  # Rule 8: the last ring may be the forgotten one.
        for space in spaces:
            turns += turns_from(space, enterable & MASKS[space], rings, forgotten)
    if penalty:
        turns += tuple(_with_second_ring(position, turns))
    if timer15 is not None and position.lifted < 0:
        turns += tuple(LIFTS[space] for space in spaces if enterable & MASKS[space])
        if why_not_timer15(position) is None:
            turns += (FLIP15,)
    return turns


@cache
def turns_from(space: int, targets: int, rings: tuple[bool, ...], forgotten: int = NOWHERE) -> tuple[Move, ...]:
    """The turns of a glass that leaves `space` for one of the spaces in the bit mask `targets`."""
    return tuple(
        _turn(space, target, ring, forgotten)
        for target in BOARD.neighbours[space]
        if targets >> target & 1
        for ring in rings
    )


@cache
def _turn(origin: int, target: int, ring: bool, forgotten: int) -> Move:  # noqa: FBT001  # the fields of Move
    return Move(origin, target, ring, forgotten)


def _spaces_that_may_leave(position: Position) -> tuple[int, ...]:
    """The spaces of the glasses with which the player on turn may move."""
    if position.lifted >= 0:
        return (position.lifted,)
    now = position.now
    return tuple(position.glasses[glass] for glass in GLASSES[position.mover] if may_leave(position, glass, now))


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
                    yield turn._replace(free=space)
