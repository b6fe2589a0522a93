"""Define the clock interface that sessions, codes and attempts are measured with, and a clock that stands still."""

from datetime import UTC, datetime
from typing import Protocol

from gnomon.timekeeping.instants import Instant


class TimeSource(Protocol):
    """What tells the time."""

    @property
    def boot(self) -> str:
        """The name of the stretch of time in which instants may be compared: a boot of the machine."""
        ...

    def now(self) -> Instant:
        """Microseconds of a monotonic clock."""
        ...

    def wall(self) -> datetime:
        """The date and time, with a zone."""
        ...


class StandingClock:
    """A clock that stands still, where nothing has to expire."""

    boot = ""

    def now(self) -> Instant:
        """The beginning."""
        return Instant(0)

    def wall(self) -> datetime:
        """The beginning."""
        return datetime(2026, 1, 1, tzinfo=UTC)
