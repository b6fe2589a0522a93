"""The only module beside the board's watch that reads a clock: the time of day, and time that passes in a hall."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

from gnomon.timekeeping.instants import Instant

Wall = Callable[[], datetime]
"""Tells the date and time of day, with a zone."""


def wall() -> datetime:
    """The date and time of day in UTC, as the machine believes them: a label, never a measure."""
    return datetime.now(UTC)


def labelled(at: datetime) -> str:
    """The date and time to the second with the offset from UTC where this machine is: `2026-11-20T19:30:05+01:00`."""
    return at.astimezone().isoformat(timespec="seconds")


def passing() -> Instant:
    """Microseconds of this machine's monotonic clock: how old what a hall has heard is, and never a time of day."""
    return Instant(time.monotonic_ns() // 1000)
