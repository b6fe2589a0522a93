"""Let simulated players make mistakes at the TAMSK table, and put them right by hand.

A mistake never moves the touches that decide (the last placing of the glass, the ring, the button): what it needs is
time before them or after them, and where there is too little, it is not made.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Final

from gnomon.games.tamsk.rules import BOARD, PLAYERS
from gnomon.games.tamsk.sensing.inputs import BUTTON_NOT_TURNED, trusts_sockets
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant, after
from gnomon_pi.simulated._chance import pick
from gnomon_pi.simulated._table import GLASSES, TableAct, Verb
from gnomon_pi.simulated.players._hand_motions import (
    BEAT,
    CALM,
    Handling,
    Occasion,
    TimedAct,
    besides,
    by_way_of,
    is_taken,
    neighbours,
    there_and_back,
    via,
)
from gnomon_pi.simulated.players.player_timing import RandomSpan

NUDGE: Final = Duration(100 * MILLISECOND)

PRESS: Final = Duration(120 * MILLISECOND)
"""How long the button is held that says that a glass was not turned."""


class PlayerMistake(Enum):
    """What can go wrong at a table, each made and put right by hand; none of them changes the score of the game."""

    TWO_IN_AIR = "a second glass is lifted while one is in the air, and put back"
    PUT_BACK = "another glass is lifted and put back"
    KNOCKED_OVER = "a glass is knocked over and set up again"
    NUDGED = "a glass leaves its socket for a tenth of a second"
    RING_FIRST = "the ring falls before the glass is turned and stands"
    RING_ON_WRONG_SPACE = "the ring falls on another space and is taken back"
    TWO_RINGS = "two rings fall at once, one is taken back"
    RING_TAKEN = "a ring is taken off the board and put back"
    FULL_SPACE = "the glass is set on a full space and taken back"
    NOT_TURNED = "the glass is set down without being turned, put right later"
    OPPONENTS_GLASS = "a glass of the opponent is moved and put back"
    FAST_REPLY = "the reply begins at once, and the ring falls after that"


@dataclass(frozen=True, slots=True)
class Clumsiness:
    """Which mistakes are made, how often (probability for each turn), and how long each stands uncorrected."""

    kinds: frozenset[PlayerMistake] = frozenset()
    chance: float = 1.0
    lasts: RandomSpan = field(default=RandomSpan(500 * MILLISECOND, 2_000 * MILLISECOND))

    def __call__(self, occasion: Occasion, random: Random) -> Handling | None:
        """The turn with a mistake, or as it should be made when none fits; None when none is to be made now."""
        if not self.kinds or random.random() >= self.chance:
            return None
        return mistaken(occasion, self, random)


CAREFUL = Clumsiness()
PATIENT = RandomSpan(4 * SECOND, 6 * SECOND)
"""Longer than a referee waits before it names a fault."""


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
            return _glass_off(occasion, lasts, random, _others(occasion, occasion.turn.player), Verb.LIFT, Verb.PLACE)
        case PlayerMistake.NUDGED:
            return _glass_off(occasion, NUDGE, random, _others(occasion), Verb.LIFT, Verb.PLACE)
        case PlayerMistake.KNOCKED_OVER:
            return _glass_off(occasion, lasts, random, _others(occasion), Verb.KNOCK_OVER, Verb.SET_UP)
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
    return besides(occasion, acts)


def _opponents_glass(occasion: Occasion, lasts: Duration, random: Random) -> Handling | None:
    start = occasion.pause(lasts + 2 * BEAT, random)
    space = pick(random, _others(occasion, _opponent(occasion.turn.player)))
    there = [name for name in neighbours(space) if not is_taken(occasion.table, name)]
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
    return besides(occasion, acts)


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
    return besides(occasion, acts)


# While the glass is in the air


def _two_in_air(occasion: Occasion, lasts: Duration, random: Random) -> Handling | None:
    start = occasion.earlier(lasts + 2 * BEAT)
    if start is None:
        return None
    space = pick(random, _others(occasion))
    lift, *rest = occasion.right.glass
    return occasion.right._replace(
        glass=(lift._replace(at=start), *rest),
        besides=there_and_back(after(start, BEAT), lasts, space, occasion.table.standing[space]),
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
    handling = via(occasion, start, occasion.turn.target, lasts, turned=False)
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
        for space in neighbours(occasion.turn.origin)
        if not occasion.table.has_room(space) and not is_taken(occasion.table, space)
    ]
    return by_way_of(occasion, pick(random, full), lasts, random) if full else None


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
    return besides(occasion, acts)


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
    return besides(occasion, acts)


def _fast_reply(occasion: Occasion, random: Random) -> Handling | None:
    """The ring that falls as soon as it is the replier's (rules 3 and 22), and no longer for the turn replied to."""
    drop = occasion.right.forgotten
    if drop is None or drop.at < occasion.lifted_at:
        return None
    soonest = max(occasion.lifted_at + NUDGE // 2, occasion.movers_until + NUDGE // 2)
    return occasion.right._replace(forgotten=drop._replace(at=Instant(random.randint(soonest, max(soonest, drop.at)))))


def _opponent(player: str) -> str:
    return PLAYERS[1 - PLAYERS.index(player)]


def _holds(occasion: Occasion, rings: int) -> bool:
    """Whether the mover has so many rings in his holder when he has dropped a forgotten one."""
    return occasion.table.holders[occasion.turn.player] - (occasion.right.forgotten is not None) >= rings


def _others(occasion: Occasion, player: str | None = None) -> list[str]:
    """The spaces with a glass (of a player, or any) other than the one of the turn."""
    return [
        space
        for space, glass in sorted(occasion.table.standing.items())
        if space != occasion.turn.origin and player in (None, GLASSES[glass])
    ]
