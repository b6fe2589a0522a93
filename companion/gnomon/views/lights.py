"""Define the colours and rhythms of lights, and show a match clock by them, to be seen across a room.

One word for each half:

    word          colour   rhythm                   half
    thinks        white    steady                   of the player whose time runs
    low           amber    half a second each       of that player, in the last 20 seconds
    flag          red      quick: 5 in 2 s          of the player whose flag fell first
    paused        amber    steady, faint            both, in a pause
    ready         white    steady, faint            both, before the clock is started

A warning before a turn counts blinks in amber, quick, on every light that says nothing else, three times; so does the
answer that what is in hand is part of no good turn. That it is part of one is said in steady green, for as long.

Colour is never needed to tell words apart: each has a rhythm, a strength or a half of its own.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from gnomon.referee.game import Game
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant, earliest
from gnomon.views.clock_faces import TENTHS_BELOW

Colour = tuple[int, int, int]
"""Red, green, blue, each 0..255; the driver has its own cap."""

DARK: Final[Colour] = (0, 0, 0)


class Rhythm(NamedTuple):
    """A pattern in time: lengths of light and dark by turns, beginning with light; one number is steady light."""

    lengths: tuple[Duration, ...]

    @classmethod
    def of(cls, *milliseconds: int) -> "Rhythm":
        """A rhythm from milliseconds."""
        return cls(tuple(Duration(length * MILLISECOND) for length in milliseconds))

    def is_lit(self, now: Instant) -> bool:
        """Whether there is light at board time `now`."""
        return len(self.lengths) == 1 or _place(self.lengths, now)[0] % 2 == 0

    def changes_at(self, now: Instant) -> Instant | None:
        """The next instant after `now` at which light and dark change; None for steady light."""
        return None if len(self.lengths) == 1 else _place(self.lengths, now)[1]


# Whether there is light and when that changes is asked at the same instants.
@lru_cache(maxsize=16)
def _place(lengths: tuple[Duration, ...], now: Instant) -> tuple[int, Instant]:
    """Which of the lengths of a rhythm `now` lies in, and when that ends."""
    ends = accumulate(lengths, initial=now - now % sum(lengths))
    return next((number - 1, Instant(end)) for number, end in enumerate(ends) if end > now)


class Signal(NamedTuple):
    """What one light says: a colour, in a rhythm."""

    colour: Colour
    rhythm: Rhythm


class LightsView(NamedTuple):
    """What the lights say, and until when they say it (None: until the game changes).

    `lights` has for each light, in their order, the place of its signal among the `signals`.
    """

    signals: tuple[Signal, ...]
    lights: tuple[int, ...]
    until: Instant | None

    @classmethod
    def of(cls, signals: Iterable[Signal], until: Instant | None) -> "LightsView":
        """The view in which each light says its own of these signals."""
        each = tuple(signals)
        ids = tuple(map(id, each))  # Most lights say the same: to compare what each says takes several times as long.
        known = dict(zip(ids, each, strict=True))
        said = tuple(dict.fromkeys(known.values()))
        numbers = {key: said.index(signal) for key, signal in known.items()}
        return cls(said, tuple(map(numbers.__getitem__, ids)), until)

    def colours(self, now: Instant) -> tuple[Colour, ...]:
        """The colour of every light at board time `now`."""
        shades = [signal.colour if signal.rhythm.is_lit(now) else DARK for signal in self.signals]
        return tuple(map(shades.__getitem__, self.lights))

    def changes_at(self, now: Instant) -> Instant | None:
        """The next board time after `now` at which a light may change by itself; None if none does."""
        return earliest([self.until, *(signal.rhythm.changes_at(now) for signal in self.signals)])


LOW: Final = TENTHS_BELOW

THINKS: Final[Colour] = (255, 255, 255)
RUNS_LOW: Final[Colour] = (255, 140, 0)
FLAG: Final[Colour] = (255, 0, 0)
PAUSED: Final[Colour] = (64, 35, 0)
READY: Final[Colour] = (48, 48, 48)

_STEADY: Final = Rhythm.of(1000)
_HALVES: Final = Rhythm.of(500, 500)
_QUICK: Final = Rhythm.of(200, 200)

NOTHING: Final = Signal(DARK, _STEADY)
"""A light that says nothing is dark."""

LOOKS: Final = Signal(RUNS_LOW, _QUICK)
FITS: Final = Signal((0, 180, 0), _STEADY)
WARNING_TIME: Final = Duration(1200 * MILLISECOND)
"""For so long they blink: three times."""

Sides = Sequence[int | None]
"""Of each light the half of the clock that it belongs to, None for the middle."""


def say_help(game: Game, view: LightsView, now: Instant) -> LightsView:
    """The view with a warning of the turn that waits, or the answer whether what is in hand is part of a good one."""
    if game.warned is not None:
        return look_again(view, game.warned.at, now)
    if game.helped is not None and game.helped.held:
        return look_again(view, game.helped.at, now, FITS if game.helped.fits else LOOKS)
    return view


def look_again(view: LightsView, since: Instant, now: Instant, says: Signal = LOOKS) -> LightsView:
    """The view in which every dark light says something for a moment, blinking where hands had better stop."""
    end = Instant(since + WARNING_TIME)
    if now >= end:
        return view
    signals = tuple(says if signal == NOTHING else signal for signal in view.signals)
    until = end if view.until is None else min(end, view.until)
    return LightsView(signals, view.lights, until)


def along(count: int) -> Sides:
    """A strip of so many lights in a row: the first half, the second, and an odd one between them."""
    half = count // 2
    return (0,) * half + (None,) * (count - 2 * half) + (1,) * half


def lights(game: Game, now: Instant, sides: Sides) -> LightsView:
    """What every light shows of the match clock from board time `now` on; without a clock they are dark."""
    if game.clock is None:
        return LightsView.of((NOTHING,) * len(sides), None)
    halves = [_signal(game, now, side) for side in (0, 1)]
    return LightsView.of((NOTHING if side is None else halves[side] for side in sides), _low_at(game, now))


def _signal(game: Game, now: Instant, side: int) -> Signal:
    """What one half says."""
    match = game.clock
    if match is None:
        return NOTHING
    if match.flag == side:
        return Signal(FLAG, _QUICK)
    if game.outcome is not None:
        return NOTHING
    if game.paused_at is not None:
        return Signal(PAUSED, _STEADY)
    if not match.has_started:
        return Signal(READY, _STEADY)
    when = game.game_time(now)
    if match.clock.at(when).runs != side:
        return NOTHING
    left = match.clock.available(side, when)
    return Signal(RUNS_LOW, _HALVES) if left is not None and left <= LOW else Signal(THINKS, _STEADY)


def _low_at(game: Game, now: Instant) -> Instant | None:
    """When the player who thinks comes to the last seconds, or to their end; None when neither is ahead.

    The last seconds show on the second side too when the flag of the first has fallen.
    """
    match = game.clock
    if match is None or game.outcome is not None or game.paused_at is not None:
        return None
    when = game.game_time(now)
    clock = match.clock.at(when)
    left = None if clock.runs is None else clock.available(clock.runs, when)
    if left is None:
        return None
    end = max(when, clock.since) + left
    return earliest(Instant(mark + game.standstill) for mark in (end - LOW, end) if mark > when)
