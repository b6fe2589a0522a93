"""The only place where a TAMSK position is put right by hand, as an arbiter does."""

from dataclasses import dataclass
from typing import Final

from gnomon.rules.protocol import RulesError
from gnomon.rules.tamsk_mobility import ending
from gnomon.rules.tamsk_position import (
    BIT,
    BOARD,
    CAPACITY,
    NEVER,
    NOWHERE,
    ONE_RING,
    PLAYERS,
    RINGS_EACH,
    SHIFT,
    UNTIL_SEEN,
    Position,
    enterable_spaces,
)
from gnomon.rules.tamsk_settings import TamskSettings
from gnomon.timekeeping.instants import Duration

TIMER15: Final = "timer15"


@dataclass(frozen=True, slots=True)
class Corrections:
    """Positions put right under some settings; each correction asks anew whether the game is over.

    Spaces and players are given by index or by name. Every method raises RulesError for what cannot be.
    """

    settings: TamskSettings

    def with_sand(self, position: Position, glass: int | str, remaining: Duration) -> Position:
        """The position in which a glass (0 to 5, or "timer15") runs out `remaining` µs from now."""
        try:
            if glass == TIMER15:
                return self._judged(_with_timer15(position, remaining))
            return self._judged(_with_glass(position, glass, remaining))
        except RulesError:
            raise
        except ValueError as error:
            raise RulesError(str(error)) from error

    def with_rings(self, position: Position, space: int | str, count: int, player: int | str) -> Position:
        """The position with `count` rings on a space; the difference is taken from or given to a player's holder."""
        where, who = _space(space), _player(player)
        if not 0 <= count <= CAPACITY[where]:
            message = f"{BOARD.names[where]} holds 0 to {CAPACITY[where]} rings, not {count}"
            raise RulesError(message)
        more = count - position.rings_on(where)
        left = [*position.rings_left]
        left[who] -= more
        if not 0 <= left[who] <= RINGS_EACH:
            message = f"{PLAYERS[who]} has 0 to {RINGS_EACH} rings left, not {left[who]}"
            raise RulesError(message)
        rings = position.rings + more * ONE_RING[where]
        forgotten = position.forgotten
        if forgotten >= 0 and rings >> SHIFT[forgotten] & 7 == CAPACITY[forgotten]:
            forgotten = NOWHERE
        return self._judged(
            position._replace(
                rings=rings,
                rings_left=(left[0], left[1]),
                enterable=enterable_spaces(position.glasses, rings),
                forgotten=forgotten,
            )
        )

    def with_turn(self, position: Position, player: int | str) -> Position:
        """The position with a player on turn who has begun nothing, owes nothing and is owed nothing."""
        mover = _player(player)
        return self._judged(
            position._replace(
                mover=mover,
                forgotten=NOWHERE,
                penalty=False,
                bound_until=NEVER,
                lifted=NOWHERE,
                lifted_at=NEVER,
                sits_out=position.sits_out & ~BIT[mover],
            )
        )

    def _judged(self, position: Position) -> Position:
        return position._replace(ending=ending(self.settings, position))


def _with_glass(position: Position, glass: int | str, remaining: Duration) -> Position:
    if not isinstance(glass, int) or not 0 <= glass < len(position.glasses):
        message = f"there is no glass {glass!r}; they are 0 to 5 and timer15"
        raise RulesError(message)
    if not position.sands:
        message = "no glass runs at level 1"
        raise RulesError(message)
    sands = [*position.sands]
    sands[glass] = sands[glass].with_remaining(remaining, position.now)
    return position._replace(sands=tuple(sands))


def _with_timer15(position: Position, remaining: Duration) -> Position:
    if position.timer15 is None:
        message = "the 15-second glass is for level 3"
        raise RulesError(message)
    timer15 = position.timer15.with_remaining(remaining, position.now)
    # A timer that binds this turn goes on to bind it; emptied by hand it binds nobody.
    end = UNTIL_SEEN if timer15.by_eye else position.now + remaining
    bound_until = end if position.timer15_binds and remaining else NEVER
    return position._replace(timer15=timer15, bound_until=bound_until)


def _space(space: int | str) -> int:
    index = BOARD.index.get(space, NOWHERE) if isinstance(space, str) else space
    if not 0 <= index < len(BOARD.names):
        message = f"there is no space {space!r} on the board"
        raise RulesError(message)
    return index


def _player(player: int | str) -> int:
    if player in PLAYERS:
        return PLAYERS.index(str(player))
    if player not in range(len(PLAYERS)):
        message = f"the players are {' and '.join(PLAYERS)}, not {player!r}"
        raise RulesError(message)
    return int(player)
