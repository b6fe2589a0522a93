"""The only place that knows how a two-player game clock runs: an immutable value, computed and never counted down."""

from dataclasses import dataclass, replace
from typing import Final, Self

from gnomon.timekeeping.instants import Duration, Instant

SIDES: Final = (0, 1)


@dataclass(frozen=True, slots=True)
class Clock:
    """Sudden death, with or without an increment for every turn: what each side had left at `since`, and who runs.

    Durations in microseconds; sides are 0 and 1. Nobody runs before `start`. Time that is used up stays used up: a
    side whose flag has fallen can end no turn until it is given time. An instant before `since` counts as `since`.
    """

    left: tuple[Duration, Duration]
    increment: Duration = Duration(0)
    side: int | None = None
    since: Instant = Instant(0)
    paused: bool = False

    @classmethod
    def of(cls, time: Duration, increment: Duration = Duration(0)) -> Self:
        """A clock that gives both sides the same time. Raises ValueError for no time or a negative increment."""
        if time <= 0 or increment < 0:
            message = f"a clock gives more than 0 µs and adds at least 0 µs a turn, not {time} and {increment}"
            raise ValueError(message)
        return cls((time, time), increment)

    def remaining(self, side: int, now: Instant) -> Duration:
        """What the side has left at `now`, at least 0. Raises ValueError when there is no such side."""
        _check(side)
        used = 0 if self.paused or side != self.side else max(0, now - self.since)
        return Duration(max(0, self.left[side] - used))

    def deadline(self) -> Instant | None:
        """The first instant at which the running side has nothing left, or None while nobody runs."""
        if self.side is None or self.paused:
            return None
        return Instant(self.since + self.left[self.side])

    def flagged(self, now: Instant) -> int | None:
        """The side that has used up its time by `now`, or None."""
        if self.side is None or self.remaining(self.side, now):
            return None
        return self.side

    def start(self, side: int, now: Instant) -> Self:
        """The clock with the given side running. Raises ValueError when it was started before."""
        _check(side)
        if self.side is not None:
            message = f"the clock was started before; side {self.side} is to move"
            raise ValueError(message)
        return replace(self, side=side, since=now)

    def press(self, now: Instant) -> Self:
        """The running side ends its turn: it gets its increment and the other side runs.

        Raises ValueError when nobody runs or the flag has fallen.
        """
        side = self._running()
        if self.flagged(now) is not None:
            message = f"side {side} has used up its time and can end no turn"
            raise ValueError(message)
        left = self._with(side, self.remaining(side, now) + self.increment)
        return replace(self, left=left, side=1 - side, since=max(now, self.since))

    def pause(self, now: Instant) -> Self:
        """The clock stopped for both. Raises ValueError when nobody runs."""
        side = self._running()
        left = self._with(side, self.remaining(side, now))
        return replace(self, left=left, since=max(now, self.since), paused=True)

    def resume(self, now: Instant) -> Self:
        """The clock going on for the side that ran. Raises ValueError when it is not paused."""
        if not self.paused:
            message = "the clock is not paused"
            raise ValueError(message)
        return replace(self, since=max(now, self.since), paused=False)

    def give(self, side: int, duration: int, now: Instant) -> Self:
        """A correction: the side has `duration` more (less when negative) than it had at `now`.

        A side whose flag has fallen counts from nothing left, however long ago it fell. Raises ValueError for a
        correction that changes nothing or takes all that is left.
        """
        changed = self.remaining(side, now) + duration
        if duration == 0 or changed <= 0:
            message = f"{duration} µs more than {self.remaining(side, now)} µs is no correction: some time must be left"
            raise ValueError(message)
        if side != self.side or self.paused:
            return replace(self, left=self._with(side, changed))
        return replace(self, left=self._with(side, changed), since=max(now, self.since))

    def _running(self) -> int:
        if self.side is None or self.paused:
            message = "the clock is not running"
            raise ValueError(message)
        return self.side

    def _with(self, side: int, left: int) -> tuple[Duration, Duration]:
        other = self.left[1 - side]
        return (other, Duration(left)) if side else (Duration(left), other)


def _check(side: int) -> None:
    if side not in SIDES:
        message = f"a clock has the sides 0 and 1, not {side}"
        raise ValueError(message)
