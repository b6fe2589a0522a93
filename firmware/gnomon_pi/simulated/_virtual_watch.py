"""Provide a clock that jumps to the next event instead of waiting for it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from itertools import count
from typing import Final

from gnomon.timekeeping.instants import SECOND, Duration, Instant
from gnomon_pi.runtime.outputs import NEVER

EPOCH: Final = datetime(2026, 1, 1, tzinfo=UTC)


class VirtualWatch:
    """A watch that goes when it is told to, and calls those who wait for an instant on its way."""

    def __init__(self, boot: str = "virtual boot", epoch: datetime = EPOCH) -> None:
        self.boot = boot
        self._epoch = epoch  # the wall time of instant 0
        self._now = Instant(0)
        self._asleep = Duration(0)
        self._numbers = count()
        self._waiting: list[tuple[Instant, int, Callable[[], None]]] = []

    def now(self) -> Instant:
        """Microseconds of virtual time."""
        return self._now

    def asleep(self) -> Duration:
        """How long the virtual machine has been suspended."""
        return self._asleep

    def suspend(self, length: timedelta) -> None:
        """Suspend the machine: the wall clock goes on, this one stands."""
        self._epoch += length
        self._asleep = Duration(self._asleep + length // timedelta(microseconds=1))
        self.boot = f"{self.boot.partition('+')[0]}+{self._asleep // SECOND}"

    def wall(self) -> datetime:
        """Virtual wall time."""
        return self._epoch + timedelta(microseconds=self._now)

    def later(self, seconds: float, call: Callable[[], None]) -> None:
        """Call `call` after so many seconds."""
        heappush(self._waiting, (Instant(self._now + round(seconds * SECOND)), next(self._numbers), call))

    @property
    def next_call(self) -> Instant:
        """When somebody waits to be called."""
        return self._waiting[0][0] if self._waiting else NEVER

    def go_to(self, instant: Instant) -> None:
        """Let time pass up to `instant`."""
        while self._waiting and self._waiting[0][0] <= instant:
            at, _, call = heappop(self._waiting)
            self._now = max(self._now, at)
            call()
        self._now = max(self._now, instant)

    def reboot(self, away: timedelta = timedelta(0)) -> None:
        """Cut the power for so long: the raw clock begins again, the wall clock goes on, nobody waits any more."""
        self._epoch = self.wall() + away
        self._now = Instant(0)
        self._waiting.clear()
        self.boot += "'"
