"""Read the wall clock and the monotonic clock of a hall's machine.

Apart from the board's watch (`gnomon_pi.runtime.system.clock`), no other module imports `time` or calls `datetime.now`.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from gnomon.timekeeping.instants import Instant

_CLOCK: Final[int] = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")
Wall = Callable[[], datetime]
"""Tells the date and time of day, with a zone."""


def wall() -> datetime:
    """The date and time of day in UTC, as the machine believes them: a label, never a measure."""
    return datetime.now(UTC)


def timestamp(at: datetime) -> str:
    """The date and time to the second with the offset from UTC where this machine is: `2026-11-20T19:30:05+01:00`."""
    return at.astimezone().isoformat(timespec="seconds")


def monotonic_now() -> Instant:
    """Microseconds of this machine's monotonic clock: how old what a hall has heard is, and never a time of day.

    Where the system has one it is the clock that goes on while a laptop sleeps (man 2 clock_gettime): what was heard
    before its lid was closed is an hour old when it is opened again, and a round that was to end is over.
    """
    return Instant(time.clock_gettime_ns(_CLOCK) // 1000)


def boot() -> str:
    """The name of this boot of the machine; empty where the system has none."""
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return ""
