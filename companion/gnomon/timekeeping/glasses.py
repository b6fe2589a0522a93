"""Model a sand glass as an immutable value: sand left, turning over, and the instant it runs out.

The sand is computed from instants and never counted down.
"""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Final, Self

from gnomon.refusals import InvalidValueError, statement
from gnomon.timekeeping.instants import SECOND, Duration, Instant

THREE_MINUTES: Final = Duration(180 * SECOND)
FIFTEEN_SECONDS: Final = Duration(15 * SECOND)


@dataclass(frozen=True, slots=True)
class SandGlass:
    """A sand glass: how much sand its upper bulb held at `since`, and which end is up.

    Real glasses run differently in their two directions, so each end has its own duration (µs for a full upper
    bulb). Sand is counted in grains so fine that a whole number of them falls in a microsecond either way: turning
    over is exact, and turning twice at one instant gives the same glass.

    A glass that people watch `by_eye` runs until they say that it has run out (`stop`), and never by itself: its
    sand is then an estimate.
    """

    durations: tuple[Duration, Duration]
    up: int
    sand: int
    since: Instant
    by_eye: bool = False
    _empty_at: Instant | None = field(init=False, repr=False, compare=False)  # asked far more often than sand changes

    def __post_init__(self) -> None:
        """What follows from the fields, once and for all."""
        empty_at = Instant(self.since - (-self.sand // self.rate)) if self.sand else None
        object.__setattr__(self, "_empty_at", empty_at)

    @classmethod
    def empty(cls, durations: tuple[Duration, Duration], since: Instant = Instant(0), *, by_eye: bool = False) -> Self:
        """A glass whose upper bulb is empty: all the sand lies below. Durations must be positive."""
        if min(durations) <= 0:
            raise InvalidValueError(statement("told.sand.nothing", durations=durations))
        return cls(durations, 0, 0, since, by_eye)

    @property
    def capacity(self) -> int:
        """All the sand there is, in grains."""
        return _grains(self.durations)

    @property
    def rate(self) -> int:
        """Grains that fall in a microsecond with this end up."""
        return lcm(*self.durations) // self.durations[self.up]

    def sand_left(self, now: Instant) -> int:
        """Grains in the upper bulb at `now`; an instant before `since` counts as `since`."""
        return max(0, self.sand - self.rate * max(0, now - self.since))

    def fraction(self, now: Instant) -> Fraction:
        """The part of all sand that is in the upper bulb at `now`, from 0 to 1."""
        return Fraction(self.sand_left(now), self.capacity)

    def remaining(self, now: Instant) -> Duration:
        """Microseconds until the upper bulb is empty, rounded up; 0 when it is."""
        if self._empty_at is None:
            return Duration(0)
        return Duration(max(0, self._empty_at - max(now, self.since)))

    def is_running(self, now: Instant) -> bool:
        """Whether the glass is alive: the upper bulb holds sand (TAMSK rule 12: more than none)."""
        return self._empty_at is not None and (now < self._empty_at or self.by_eye)

    def runs_out_at(self) -> Instant | None:
        """The first instant at which the upper bulb is empty; None for one that was empty at `since`, or is watched."""
        return None if self.by_eye else self._empty_at

    def turn(self, now: Instant) -> Self:
        """The glass turned over at `now`: the bulbs are exchanged."""
        sand = self.capacity - self.sand_left(now)
        if self.by_eye:
            sand = max(1, sand)  # an estimate of nothing stops no glass
        return replace(self, up=1 - self.up, sand=sand, since=max(now, self.since))

    def stop(self, now: Instant) -> Self:
        """The glass that has run out by `now`, as people say who watch it."""
        return replace(self, sand=0, since=max(now, self.since))

    def with_remaining(self, remaining: Duration, now: Instant) -> Self:
        """The glass with its sand set by hand so that it runs out `remaining` after `now`.

        Raises InvalidValueError when the glass cannot hold that much.
        """
        if not 0 <= remaining <= self.durations[self.up]:
            raise InvalidValueError(statement("told.sand.too_much", time=remaining, most=self.durations[self.up]))
        return replace(self, sand=remaining * self.rate, since=now)


@cache
def _grains(durations: tuple[Duration, Duration]) -> int:
    # A hall knows a handful of durations, and a game asks for them ten thousand times.
    return lcm(*durations)


def fifteen_second_glass() -> SandGlass:
    """The nominal neutral glass of TAMSK level 3: 15 s both ways, upper bulb empty (rule 16)."""
    return SandGlass.empty((FIFTEEN_SECONDS, FIFTEEN_SECONDS))
