"""Simulate handling mistakes at the TAMSK table, and their correction by hand.

A mistake never moves the touches that decide (the last placing of the glass, the ring, the button): what it needs is
time before them or after them, and where there is too little, it is not made.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from gnomon.games.tamsk.rules import BOARD, PLAYERS
from gnomon.games.tamsk.sensing.inputs import BUTTON_NOT_TURNED, trusts_sockets
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant, after
from gnomon_pi.simulated._table import GLASSES, TableAct, TamskTable, Verb
from gnomon_pi.simulated.players.choices import pick
from gnomon_pi.simulated.players.game_script import TimedTurn
from gnomon_pi.simulated.players.player_timing import Clumsiness, PlayerMistake

CALM: Final = Duration(250 * MILLISECOND)
"""Between a mistake and what is done rightly before and after it."""

BEAT: Final = Duration(150 * MILLISECOND)
"""Between two touches of a mistake."""

NUDGE: Final = Duration(100 * MILLISECOND)

PRESS: Final = Duration(120 * MILLISECOND)
"""How long the button is held that says that a glass was not turned."""


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

    def others(self, player: str | None = None) -> list[str]:
        """The spaces with a glass (of a player, or any) other than the one of the turn."""
        return [
            space
            for space, glass in sorted(self.table.standing.items())
            if space != self.turn.origin and player in (None, GLASSES[glass])
        ]


def hesitation(occasion: Occasion, lasts: Duration, random: Random) -> Handling | None:
    """The right glass is lifted and put back, and lifted again later."""
    start = occasion.pause(lasts, random)
    space = occasion.turn.origin
    return None if start is None else _besides(occasion, _there_and_back(start, lasts, space, occasion.glass))


def hover(occasion: Occasion, lasts: Duration, random: Random) -> Handling | None:
    """The glass stands on another free space for a moment before it comes to its own."""
    elsewhere = [
        space
        for space in _neighbours(occasion.turn.origin)
        if space != occasion.turn.target and occasion.table.has_room(space) and not _is_taken(occasion.table, space)
    ]
    return _by_way_of(occasion, pick(random, elsewhere), lasts, random) if elsewhere else None


def mistaken(occasion: Occasion, clumsiness: Clumsiness, random: Random) -> Handling:
    """The turn with one of the mistakes that are asked for, or as it should be made when none of them fits."""
    kinds = [kind for kind in PlayerMistake if kind in clumsiness.kinds]
    random.shuffle(kinds)
    for kind in kinds:
        handling = _make(kind, occasion, clumsiness.lasts.draw(random), random)
        if handling is not None:
            return handling
    return occasion.right


def _make(  # noqa: C901, PLR0911  # one line for each mistake
    kind: PlayerMistake, occasion: Occasion, lasts: Duration, random: Random
) -> Handling | None:
    match kind:
        case PlayerMistake.TWO_IN_AIR:
            return _two_in_air(occasion, lasts, random)
        case PlayerMistake.PUT_BACK:
            return _glass_off(occasion, lasts, random, occasion.others(occasion.turn.player), Verb.LIFT, Verb.PLACE)
        case PlayerMistake.NUDGED:
            return _glass_off(occasion, NUDGE, random, occasion.others(), Verb.LIFT, Verb.PLACE)
        case PlayerMistake.KNOCKED_OVER:
            return _glass_off(occasion, lasts, random, occasion.others(), Verb.KNOCK_OVER, Verb.SET_UP)
        case PlayerMistake.OPPONENTS_GLASS:
            return _opponents_glass(occasion, lasts, random)
        case PlayerMistake.RING_TAKEN:
            return _ring_taken(occasion, lasts, random)
        case PlayerMistake.RING_ON_WRONG_SPACE:
            return _ring_on_wrong_space(occasion, lasts, random)
        case PlayerMistake.TWO_RINGS:
            return _two_rings(occasion, lasts, random)
        case PlayerMistake.RING_FIRST:
            return _ring_first(occasion, lasts)
        case PlayerMistake.NOT_TURNED:
            return _not_turned(occasion, lasts) if occasion.turns_over else None
        case PlayerMistake.FULL_SPACE:
            return _full_space(occasion, lasts, random)
        case PlayerMistake.FAST_REPLY:
            return _fast_reply(occasion, random)


# Before the turn


def _glass_off(  # noqa: PLR0913, PLR0917  # one shape for three mistakes
    occasion: Occasion, lasts: Duration, random: Random, spaces: Sequence[str], off: Verb, on: Verb
) -> Handling | None:
    start = occasion.pause(lasts, random)
    if start is None or not spaces:
        return None
    space = pick(random, spaces)
    glass = occasion.table.standing[space]
    acts = (TimedAct(start, TableAct(off, space)), TimedAct(after(start, lasts), TableAct(on, space, glass=glass)))
    return _besides(occasion, acts)


def _opponents_glass(occasion: Occasion, lasts: Duration, random: Random) -> Handling | None:
    start = occasion.pause(lasts + 2 * BEAT, random)
    space = pick(random, occasion.others(_opponent(occasion.turn.player)))
    there = [name for name in _neighbours(space) if not _is_taken(occasion.table, name)]
    if start is None or not there:
        return None
    other, glass, turned = pick(random, there), occasion.table.standing[space], occasion.turns_over
    gone = after(start, BEAT)
    back = after(gone, lasts)
    acts = (
        TimedAct(start, TableAct(Verb.LIFT, space)),
        TimedAct(gone, TableAct(Verb.PLACE, other, glass=glass, turned=turned)),
        TimedAct(back, TableAct(Verb.LIFT, other)),
        TimedAct(after(back, BEAT), TableAct(Verb.PLACE, space, glass=glass, turned=turned)),
    )
    return _besides(occasion, acts)


def _ring_taken(occasion: Occasion, lasts: Duration, random: Random) -> Handling | None:
    start = occasion.pause(lasts, random)
    spaces = [space for space, stack in sorted(occasion.table.stacks.items()) if stack]
    if start is None or not spaces:
        return None
    space = pick(random, spaces)
    owner = occasion.table.stacks[space][-1]
    acts = (
        TimedAct(start, TableAct(Verb.TAKE_RING, space)),
        TimedAct(after(start, lasts), TableAct(Verb.DROP_RING, space, owner)),
    )
    return _besides(occasion, acts)


# While the glass is in the air


def _two_in_air(occasion: Occasion, lasts: Duration, random: Random) -> Handling | None:
    start = occasion.earlier(lasts + 2 * BEAT)
    if start is None:
        return None
    space = pick(random, occasion.others())
    lift, *rest = occasion.right.glass
    return occasion.right._replace(
        glass=(lift._replace(at=start), *rest),
        besides=_there_and_back(after(start, BEAT), lasts, space, occasion.table.standing[space]),
    )


def _ring_first(occasion: Occasion, lasts: Duration) -> Handling | None:
    ring = occasion.right.ring
    if ring is None or occasion.turn.free is not None:
        return None
    if not occasion.turns_over:
        return occasion.right._replace(ring=ring._replace(at=Instant((occasion.lifted_at + occasion.placed_at) // 2)))
    wrong = _not_turned(occasion, lasts)
    return None if wrong is None else wrong._replace(ring=ring._replace(at=after(wrong.glass[1].at, BEAT)))


def _not_turned(occasion: Occasion, lasts: Duration) -> Handling | None:
    start = occasion.earlier(lasts + 3 * BEAT)
    if start is None:
        return None
    handling = _via(occasion, start, occasion.turn.target, lasts, turned=False)
    if not trusts_sockets(occasion.table.sensing):
        return handling
    # No sensor sees it: somebody does, and says so before the glass is turned.
    pressed = after(start, BEAT + 2 * lasts // 3)
    released = after(pressed, min(PRESS, lasts // 4))
    return handling._replace(
        besides=(
            TimedAct(pressed, TableAct(Verb.PRESS, BUTTON_NOT_TURNED)),
            TimedAct(released, TableAct(Verb.RELEASE, BUTTON_NOT_TURNED)),
        )
    )


def _full_space(occasion: Occasion, lasts: Duration, random: Random) -> Handling | None:
    full = [
        space
        for space in _neighbours(occasion.turn.origin)
        if not occasion.table.has_room(space) and not _is_taken(occasion.table, space)
    ]
    return _by_way_of(occasion, pick(random, full), lasts, random) if full else None


def _by_way_of(occasion: Occasion, space: str, lasts: Duration, random: Random) -> Handling | None:
    start = occasion.earlier(lasts + 3 * BEAT)
    turned = random.random() < 0.5  # noqa: PLR2004  # a coin
    return None if start is None else _via(occasion, start, space, lasts, turned=turned)


def _via(occasion: Occasion, start: Instant, space: str, lasts: Duration, *, turned: bool) -> Handling:
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


# Rings after the glass


def _ring_on_wrong_space(occasion: Occasion, lasts: Duration, random: Random) -> Handling | None:
    ring = occasion.right.ring
    wrong = after(occasion.placed_at, BEAT // 2)
    back = after(wrong, lasts)
    if ring is None or occasion.any_ring_counts or wrong > ring.at - BEAT // 2 or not occasion.idle_until - back > CALM:
        return None
    never = {occasion.turn.origin, occasion.turn.target, *occasion.sacred}
    spaces = [space for space in BOARD.names if space not in never and occasion.table.has_room(space)]
    if not _holds(occasion, 2) or not spaces or abs(back - ring.at) < BEAT:
        return None
    space = pick(random, spaces)
    acts = (
        TimedAct(wrong, TableAct(Verb.DROP_RING, space, occasion.turn.player)),
        TimedAct(back, TableAct(Verb.TAKE_RING, space)),
    )
    return _besides(occasion, acts)


def _two_rings(occasion: Occasion, lasts: Duration, random: Random) -> Handling | None:
    ring = occasion.right.ring
    if ring is None or occasion.any_ring_counts or not _holds(occasion, 2):
        return None
    target = occasion.turn.target
    if not occasion.table.drop_ring(target, occasion.turn.player).has_room(target):
        return None
    second = after(ring.at, random.randint(20 * MILLISECOND, 80 * MILLISECOND))
    back = after(second, lasts)
    if not occasion.idle_until - back > CALM:
        return None
    acts = (
        TimedAct(second, TableAct(Verb.DROP_RING, target, occasion.turn.player)),
        TimedAct(back, TableAct(Verb.TAKE_RING, target)),
    )
    return _besides(occasion, acts)


def _fast_reply(occasion: Occasion, random: Random) -> Handling | None:
    """The ring that falls as soon as it is the replier's (rules 3 and 22), and no longer for the turn replied to."""
    drop = occasion.right.forgotten
    if drop is None or drop.at < occasion.lifted_at:
        return None
    soonest = max(occasion.lifted_at + NUDGE // 2, occasion.movers_until + NUDGE // 2)
    return occasion.right._replace(forgotten=drop._replace(at=Instant(random.randint(soonest, max(soonest, drop.at)))))


# The parts of which mistakes are made


def _besides(occasion: Occasion, acts: tuple[TimedAct, ...]) -> Handling:
    return occasion.right._replace(besides=acts)


def _there_and_back(start: Instant, lasts: Duration, space: str, glass: int) -> tuple[TimedAct, TimedAct]:
    return TimedAct(start, TableAct(Verb.LIFT, space)), TimedAct(
        after(start, lasts), TableAct(Verb.PLACE, space, glass=glass)
    )


def _neighbours(space: str) -> list[str]:
    return [BOARD.names[other] for other in BOARD.neighbours[BOARD.index[space]]]


def _is_taken(table: TamskTable, space: str) -> bool:
    return table.glass_on(space) is not None


def _opponent(player: str) -> str:
    return PLAYERS[1 - PLAYERS.index(player)]


def _holds(occasion: Occasion, rings: int) -> bool:
    """Whether the mover has so many rings in his holder when he has dropped a forgotten one."""
    return occasion.table.holders[occasion.turn.player] - (occasion.right.forgotten is not None) >= rings
