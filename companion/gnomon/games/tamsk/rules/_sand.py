"""Turn over the sand glasses of a TAMSK position, and stop those that the players have seen run out."""

from collections.abc import Sequence

from gnomon.games.tamsk.rules.position import STOP15, STOPS, UNTIL_SEEN, Move, Position
from gnomon.timekeeping.glasses import SandGlass, fifteen_second_glass
from gnomon.timekeeping.instants import Instant


def turn_glass(sands: tuple[SandGlass, ...], glass: int, now: Instant) -> tuple[SandGlass, ...]:
    """The six glasses with one of them turned over."""
    return (*sands[:glass], sands[glass].turn(now), *sands[glass + 1 :])


def timer15_turned(position: Position) -> Position:
    """The 15-second glass runs; a timer that has already run out in this turn is what counts (rules 18 and 19)."""
    timer15 = (position.timer15 or fifteen_second_glass()).turn(position.now)
    end = UNTIL_SEEN if timer15.by_eye else timer15.runs_out_at() or position.now
    return position._replace(timer15=timer15, bound_until=position.bound_until if position.timer15_binds else end)


def is_watched(position: Position) -> bool:
    """Whether the players' eyes decide when sand has run out."""
    return bool(position.sands) and position.sands[0].by_eye


def stops(position: Position) -> Sequence[Move]:
    """What may be said to have run out: the running glasses that stand on the board, and the 15-second glass."""
    timer15, now = position.timer15, position.now
    standing = tuple(
        STOPS[space]
        for space, sand in zip(position.glasses, position.sands, strict=True)
        if sand.is_running(now) and space != position.lifted
    )
    return (*standing, STOP15) if timer15 is not None and timer15.is_running(now) else standing


def glass_stopped(position: Position, space: int) -> Position:
    """The position when the players have seen that the glass on a space has run out."""
    glass, sands = position.glasses.index(space), position.sands
    return position._replace(sands=(*sands[:glass], sands[glass].stop(position.now), *sands[glass + 1 :]))


def timer15_stopped(position: Position) -> Position:
    """The position when the players have seen that the 15-second glass has run out, which is when it binds until."""
    timer15 = (position.timer15 or fifteen_second_glass()).stop(position.now)
    bound_until = position.now if position.bound_until == UNTIL_SEEN else position.bound_until
    return position._replace(timer15=timer15, bound_until=bound_until)
