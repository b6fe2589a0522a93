"""Define the speed, care and clumsiness of simulated players as ranges and probabilities."""

from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import NamedTuple

from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration


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


def _seconds(low: int, high: int, skew: float = 1.0) -> RandomSpan:
    return RandomSpan(low * SECOND, high * SECOND, skew)


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
    lasts: RandomSpan = field(default=_milliseconds(500, 2_000))


CAREFUL = Clumsiness()
PATIENT = _seconds(4, 6)
"""Longer than a referee waits before it names a fault."""


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


class TileMistake(Enum):
    """What can go wrong with tiles, each made and put right by hand; none of them changes the score of the game."""

    LIFTED = "a tile that was laid is lifted and put back"
    MOVED = "a tile that was laid is moved and put back"
    NUDGED = "one square of a tile that was laid loses it for a tenth of a second"
    ILLEGAL = "the tile is laid where it may not lie, and taken back"
    TWO_TILES = "a second tile is laid beside the one that may lie there, and taken back"
    NOT_DRAWN = "a tile is laid that was not drawn, and taken back"


@dataclass(frozen=True, slots=True)
class TileClumsiness:
    """Which mistakes are made, how often (probability for each tile), and how long each stands uncorrected."""

    kinds: frozenset[TileMistake] = frozenset()
    chance: float = 1.0
    lasts: RandomSpan = field(default=_milliseconds(500, 2_000))


WITH_CARE = TileClumsiness()
