"""Correct a TAMSK position by hand, as an arbiter does: sand, rings, glasses, turn and missed turns."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from gnomon.games.tamsk.rules._mobility import outcome_of
from gnomon.games.tamsk.rules._settings import TamskSettings
from gnomon.games.tamsk.rules.position import (
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
from gnomon.refusals import InvalidValueError, statement
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.glasses import SandGlass
from gnomon.timekeeping.instants import Duration

TIMER15: Final = "timer15"


class Missed(NamedTuple):
    """A turn that was made and not known of: a glass (0 to 5), from where to where, and where its rings fell.

    `sand` is its glass before and after it; empty at level 1.
    """

    glass: int
    origin: int
    target: int
    rings: tuple[int, ...]
    sand: tuple[SandGlass, ...]


@dataclass(frozen=True, slots=True)
class PositionCorrections:
    """Positions put right under some settings; each correction asks again whether the game is over.

    Spaces and players are given by index or by name. Every method raises RulesError for what cannot be.
    """

    settings: TamskSettings

    def with_sand(self, position: Position, glass: int | str, remaining: Duration) -> Position:
        """The position in which a glass (0 to 5, or "timer15") runs out `remaining` µs from now."""
        try:
            if glass == TIMER15:
                return self._judge(_with_timer15(position, remaining))
            return self._judge(_with_glass(position, glass, remaining))
        except InvalidValueError as error:
            raise RulesError(error) from error

    def with_rings(self, position: Position, space: int | str, count: int, player: int | str) -> Position:
        """The position with `count` rings on a space; the difference is taken from or given to a player's holder."""
        where, who = _space(space), _player(player)
        if not 0 <= count <= CAPACITY[where]:
            raise RulesError(statement("told.tamsk.holds", space=BOARD.names[where], most=CAPACITY[where], count=count))
        more = count - position.rings_on(where)
        left = [*position.rings_left]
        left[who] -= more
        if not 0 <= left[who] <= RINGS_EACH:
            raise RulesError(statement("told.tamsk.has", player=PLAYERS[who], most=RINGS_EACH, count=left[who]))
        rings = position.rings + more * ONE_RING[where]
        forgotten = position.forgotten
        if forgotten >= 0 and rings >> SHIFT[forgotten] & 7 == CAPACITY[forgotten]:
            forgotten = NOWHERE
        return self._judge(
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
        return self._judge(
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

    def with_glass(self, position: Position, glass: int, space: int | str, *, turned: bool) -> Position:
        """The position with a glass (0 to 5) standing on a space, turned over now or not; it may be full (rule 4)."""
        where = _space(space)
        if where in position.glasses and position.glasses[glass] != where:
            raise RulesError(statement("told.correction.taken", space=BOARD.names[where]))
        glasses = (*position.glasses[:glass], where, *position.glasses[glass + 1 :])
        sands = position.sands
        if turned and sands:
            sands = (*sands[:glass], sands[glass].turn(position.now), *sands[glass + 1 :])
        return self._judge(
            position._replace(
                glasses=glasses,
                sands=sands,
                enterable=enterable_spaces(glasses, position.rings),
                forgotten=NOWHERE if position.forgotten == position.glasses[glass] != where else position.forgotten,
            )
        )

    def with_penalty(self, position: Position, *, due: bool) -> Position:
        """The position in which the player on turn may drop a second ring, or may not (rule 18)."""
        if position.timer15 is None:
            raise RulesError(statement("told.correction.second_ring", rules=(18,)))
        return self._judge(position._replace(penalty=due))

    def with_missed_turn(self, position: Position, missed: "Missed") -> Position:
        """A later position of a game, with a turn in it that had been missed before. Raises RulesError."""
        glass, target = missed.glass, missed.target
        if position.glasses[glass] != missed.origin or (missed.sand and position.sands[glass] != missed.sand[0]):
            raise RulesError(statement("told.tamsk.missed.moved", space=BOARD.names[missed.origin]))
        rings = position.rings
        for space in missed.rings:
            rings += ONE_RING[space]
            if rings >> SHIFT[space] & 7 > CAPACITY[space]:
                raise RulesError(statement("told.tamsk.missed.filled", space=BOARD.names[space]))
        mover, left = glass // 3, [*position.rings_left]
        left[mover] -= len(missed.rings)
        if left[mover] < 0:
            raise RulesError(statement("told.tamsk.missed.no_ring", player=PLAYERS[mover]))
        after = position._replace(
            rings=rings,
            rings_left=(left[0], left[1]),
            moved=position.moved | BIT[glass] if position.sands else position.moved,
            sands=(*position.sands[:glass], *missed.sand[1:], *position.sands[glass + 1 :]),
            enterable=enterable_spaces(position.glasses, rings),
        )
        return self.with_glass(after, glass, target, turned=False)

    def _judge(self, position: Position) -> Position:
        return position._replace(ending=outcome_of(self.settings, position))


def _with_glass(position: Position, glass: int | str, remaining: Duration) -> Position:
    if not isinstance(glass, int) or not 0 <= glass < len(position.glasses):
        raise RulesError(statement("told.tamsk.no_such_glass", glass=glass))
    if not position.sands:
        raise RulesError(statement("told.tamsk.no_sand"))
    sands = [*position.sands]
    sands[glass] = sands[glass].with_remaining(remaining, position.now)
    return position._replace(sands=tuple(sands))


def _with_timer15(position: Position, remaining: Duration) -> Position:
    if position.timer15 is None:
        raise RulesError(statement("told.tamsk.no_timer15"))
    timer15 = position.timer15.with_remaining(remaining, position.now)
    # A timer that binds this turn goes on to bind it; emptied by hand it binds nobody.
    end = UNTIL_SEEN if timer15.by_eye else position.now + remaining
    bound_until = end if position.timer15_binds and remaining else NEVER
    return position._replace(timer15=timer15, bound_until=bound_until)


def _space(space: int | str) -> int:
    index = BOARD.index.get(space, NOWHERE) if isinstance(space, str) else space
    if not 0 <= index < len(BOARD.names):
        raise RulesError(statement("told.no_space", space=space))
    return index


def _player(player: int | str) -> int:
    if player in PLAYERS:
        return PLAYERS.index(str(player))
    if player not in range(len(PLAYERS)):
        raise RulesError(statement("told.tamsk.no_player", text=player))
    return int(player)
