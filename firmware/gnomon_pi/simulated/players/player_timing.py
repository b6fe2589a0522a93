"""Define the speed and care of simulated players as ranges and probabilities."""

from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from gnomon.timekeeping.instants import MILLISECOND, Duration

FINGER: Final = Duration(100 * MILLISECOND)
"""Nothing that one hand does follows its last touch sooner than this."""


class RandomSpan(NamedTuple):
    """A range of durations in microseconds; `skew` above 1 makes short ones more frequent."""

    low: int
    high: int
    skew: float = 1.0

    def draw(self, random: Random) -> Duration:
        """A duration between `low` and `high`."""
        return Duration(self.low + int((self.high - self.low) * random.random() ** self.skew))


def _milliseconds(low: int, high: int, skew: float = 1.0) -> RandomSpan:
    return RandomSpan(low * MILLISECOND, high * MILLISECOND, skew)


@dataclass(frozen=True, slots=True)
class Habits:
    """How the hands go about a turn: durations, and probabilities from 0 to 1 of what people do now and then.

    A turn is: think, lift, carry, place, drop the ring (or press the button, or leave the end to the other's lift).
    """

    think: RandomSpan = field(default=_milliseconds(400, 40_000, 3.0))
    carry: RandomSpan = field(default=_milliseconds(250, 2_500, 2.0))
    """From the lift to the placing; at least 0.2 s, since a forgotten ring may have to fall in between."""
    ring: RandomSpan = field(default=_milliseconds(150, 1_500, 2.0))
    button: RandomSpan = field(default=_milliseconds(300, 1_800, 2.0))
    hold_button: RandomSpan = field(default=_milliseconds(60, 250))
    turn_timer15: RandomSpan = field(default=_milliseconds(150, 500))
    react: RandomSpan = field(default=_milliseconds(250, 1_500))
    """From what happened to the first touch that answers it."""

    ponder: RandomSpan = field(default=_milliseconds(200, 1_500))
    """How long a hesitating hand leaves the glass where it will not stay."""

    drops_ring: float = 0.75
    plays_forgotten: float = 0.5
    plays_penalty: float = 0.8
    leaves_end_open: float = 0.3
    """No ring, no button: the turn ends when the other lifts."""
    presses_needlessly: float = 0.05
    """The button after the ring, when the turn is over anyway."""
    turns_timer15: float = 0.3
    comes_late: float = 0.2
    """Under a running 15-second glass: the turn is begun in time and completed too late."""
    loses_turn: float = 0.1
    """Under a running 15-second glass: nothing is touched until it is empty."""
    cuts_it_fine: float = 0.2
    """Acts on a deadline or within a few microseconds of it."""
    hesitates: float = 0.05
    """Lifts the glass, puts it back, and lifts it again later."""
    hovers: float = 0.05
    """Sets the glass on another space for a moment before it comes to its own."""
    turned_at_level_1: float = 0.3
    """At level 1 a glass may stand either way up."""


@dataclass(frozen=True, slots=True)
class TableHabits:
    """How the hands go about a game at a table, or on Tayu's board: durations, and probabilities from 0 to 1."""

    think: RandomSpan = field(default=_milliseconds(900, 30_000, 3.0))
    """From one move to the next; longer than a tile needs to be accepted."""
    settle: RandomSpan = field(default=_milliseconds(0, 60))
    """From one square of a tile to the next, as it comes to lie."""
    hold_button: RandomSpan = field(default=_milliseconds(60, 180))
    between_presses: RandomSpan = field(default=_milliseconds(420, 800))
    """From press to press: eight presses of one button in three seconds are taken for chatter."""
    answer: RandomSpan = field(default=_milliseconds(900, 2_500))
    """From a tile that may lie two ways round to the first press that says which."""

    picks: float = 0.3
    """Moves picked with the four buttons; the others are entered on the page."""
    reads: float = 0.8
    """Tiles whose code is read; the others are entered on the page."""
