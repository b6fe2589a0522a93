"""Describe how hands make one turn of TAMSK: as they should, hesitating, or by way of another space."""

from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from gnomon.games.tamsk.rules import BOARD
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant, after
from gnomon_pi.simulated._chance import pick, toss
from gnomon_pi.simulated._table import TableAct, TamskTable, Verb
from gnomon_pi.simulated.players.game_script import TimedTurn

CALM: Final = Duration(250 * MILLISECOND)
"""Between what hands do besides and the turn before and after it."""

BEAT: Final = Duration(150 * MILLISECOND)
"""Between two touches of a glass that does not stay where it is."""


class TimedAct(NamedTuple):
    """An act and its instant."""

    at: Instant
    act: TableAct


class Handling(NamedTuple):
    """A turn as hands make it: the way of the glass from first lift to last placing, the rings, and acts besides."""

    glass: tuple[TimedAct, ...]
    ring: TimedAct | None
    forgotten: TimedAct | None = None
    besides: tuple[TimedAct, ...] = ()


@dataclass(frozen=True, slots=True)
class Occasion:
    """A turn with a glass to move, about to be made: what may go wrong in it.

    `table` is the table before the turn. `idle_from` is since when nobody touches anything, None when the turn before
    is still open or the 15-second glass runs: then every touch counts. `idle_until` is the first touch after the turn.
    `movers_until` is until when a ring is still for the turn before, where that was left open (rule 22).
    """

    table: TamskTable
    turn: TimedTurn
    right: Handling
    turns_over: bool
    idle_from: Instant | None
    idle_until: Instant
    movers_until: Instant
    sacred: frozenset[str]  # spaces on which a stray ring would mean something (rule 3)
    any_ring_counts: bool  # whether a stray ring anywhere would: a second ring is due now or next (rule 18)

    @property
    def lifted_at(self) -> Instant:
        """When the glass is lifted."""
        return self.right.glass[0].at

    @property
    def placed_at(self) -> Instant:
        """When the glass stands for good."""
        return self.right.glass[-1].at

    @property
    def glass(self) -> int:
        """The glass of the turn."""
        return self.table.standing[self.turn.origin]

    def pause(self, length: int, random: Random) -> Instant | None:
        """An instant before the turn at which something of this length fits in; None when nothing does."""
        first = self.lifted_at if self.right.forgotten is None else min(self.lifted_at, self.right.forgotten.at)
        if self.idle_from is None or self.idle_from + CALM + length + CALM > first:
            return None
        return Instant(random.randint(self.idle_from + CALM, first - CALM - length))

    def earlier(self, by: int) -> Instant | None:
        """The lift `by` microseconds earlier; None when that would be too early."""
        start = after(self.lifted_at, -by)
        return None if self.idle_from is None or start < self.idle_from + CALM else start


def hesitation(occasion: Occasion, lasts: Duration, random: Random) -> Handling | None:
    """The right glass is lifted and put back, and lifted again later."""
    start = occasion.pause(lasts, random)
    space = occasion.turn.origin
    return None if start is None else besides(occasion, there_and_back(start, lasts, space, occasion.glass))


def hover(occasion: Occasion, lasts: Duration, random: Random) -> Handling | None:
    """The glass stands on another free space for a moment before it comes to its own."""
    elsewhere = [
        space
        for space in neighbours(occasion.turn.origin)
        if space != occasion.turn.target and occasion.table.has_room(space) and not is_taken(occasion.table, space)
    ]
    return by_way_of(occasion, pick(random, elsewhere), lasts, random) if elsewhere else None


def by_way_of(occasion: Occasion, space: str, lasts: Duration, random: Random) -> Handling | None:
    """The turn with the glass on another space for a while; None when there is no time for it."""
    start = occasion.earlier(lasts + 3 * BEAT)
    turned = toss(random)
    return None if start is None else via(occasion, start, space, lasts, turned=turned)


def via(occasion: Occasion, start: Instant, space: str, lasts: Duration, *, turned: bool) -> Handling:
    """Lift at `start`, stand on `space` for a while, and come to the target at the instant at which it should be."""
    last = occasion.right.glass[-1]
    stood = after(start, BEAT)
    glass = (
        TimedAct(start, TableAct(Verb.LIFT, occasion.turn.origin)),
        TimedAct(stood, TableAct(Verb.PLACE, space, glass=occasion.glass, turned=turned)),
        TimedAct(after(stood, lasts), TableAct(Verb.LIFT, space)),
        last._replace(act=last.act._replace(turned=last.act.turned ^ turned)),
    )
    return occasion.right._replace(glass=glass)


def besides(occasion: Occasion, acts: tuple[TimedAct, ...]) -> Handling:
    """The turn as it should be made, and acts besides."""
    return occasion.right._replace(besides=acts)


def there_and_back(start: Instant, lasts: Duration, space: str, glass: int) -> tuple[TimedAct, TimedAct]:
    """A glass is lifted, and put back after a while."""
    return TimedAct(start, TableAct(Verb.LIFT, space)), TimedAct(
        after(start, lasts), TableAct(Verb.PLACE, space, glass=glass)
    )


def neighbours(space: str) -> list[str]:
    """The spaces beside one."""
    return [BOARD.names[other] for other in BOARD.neighbours[BOARD.index[space]]]


def is_taken(table: TamskTable, space: str) -> bool:
    """Whether a glass stands on a space."""
    return table.glass_on(space) is not None
