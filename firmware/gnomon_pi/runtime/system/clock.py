"""Read the machine's clocks: raw monotonic time, wall time, boot and sleep.

No other module of the daemon reads a clock. The raw monotonic clock measures: time servers may slew the ordinary
monotonic clock by up to 8 % and step the wall clock, and neither may move a sand glass. Wall time is a label.
"""

import ctypes
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from gnomon.timekeeping.instants import SECOND, Duration, Instant

BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
_NANOSECONDS: Final = 1_000  # in a microsecond


_SINCE_BOOT: Final[int | None] = getattr(time, "CLOCK_BOOTTIME", None)  # Linux's


class Watch(Protocol):
    """What tells the time: the machine's clocks, or virtual time."""

    @property
    def boot(self) -> str:
        """The name of the stretch of time in which instants may be compared: a boot of the machine."""
        ...

    def now(self) -> Instant:
        """Microseconds of CLOCK_MONOTONIC_RAW."""
        ...

    def asleep(self) -> Duration:
        """How long the machine has been suspended since it was started: its other clocks stood still meanwhile."""
        ...

    def wall(self) -> datetime:
        """The date and time of day as the machine believes them, with a zone: a label, never a measure."""
        ...


@dataclass(frozen=True, slots=True)
class MachineWatch:
    """The clocks of this machine; `started` is what the kernel calls this boot."""

    started: str

    @classmethod
    def of_this_boot(cls, boot_id: Path = BOOT_ID) -> "MachineWatch":
        """Read which boot this is. Raises OSError where the kernel does not say."""
        return cls(boot_id.read_text(encoding="ascii").strip())

    @property
    def boot(self) -> str:
        """The name of this boot, and how many seconds of it the machine was suspended, where it was.

        Over a sleep instants may not be compared: the sand ran on, and CLOCK_MONOTONIC_RAW did not.
        """
        seconds = round(self.asleep() / SECOND)
        return f"{self.started}+{seconds}" if seconds else self.started

    def asleep(self) -> Duration:
        """Microseconds by which CLOCK_BOOTTIME is ahead of CLOCK_MONOTONIC (clock_gettime(2)), or 0."""
        if _SINCE_BOOT is None:
            return Duration(0)
        awake = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        return Duration(max(0, (time.clock_gettime_ns(_SINCE_BOOT) - awake) // _NANOSECONDS))

    def now(self) -> Instant:
        """Microseconds of CLOCK_MONOTONIC_RAW."""
        return Instant(time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) // _NANOSECONDS)

    def wall(self) -> datetime:
        """The date and time of day in UTC."""
        return datetime.now(UTC)


class Compared(NamedTuple):
    """The raw clock and the wall clock, read together: nanoseconds each, and how far apart the two readings were."""

    raw: int
    wall: int
    apart: int


class Discipline(NamedTuple):
    """What the kernel says of the wall clock: whether a time server keeps it, and how well by its own estimate."""

    is_synchronised: bool
    most_wrong: int  # µs
    correction_ppm: float  # by which it makes the wall clock faster than the processor's own


_LOOKS: Final = 9  # a thread that is interrupted between two readings reads again


def compare_clocks() -> Compared:
    """Read the raw clock before and after the wall clock, the closest of a few times."""
    return min((_compare_once() for _ in range(_LOOKS)), key=lambda reading: reading.apart)


def _compare_once() -> Compared:
    before = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
    wall = time.time_ns()
    after = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
    return Compared((before + after) // 2, wall, after - before)


class _Timex(ctypes.Structure):
    """The kernel's `struct timex` as far as it is read here (adjtimex(2)), with room for the rest of it."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("more", ctypes.c_byte * 256),
    )


_UNSYNCHRONISED: Final = 0x40  # STA_UNSYNC
_TIME_ERROR: Final = 5
_PPM: Final = 65536  # `freq` counts in parts per million over 2^16


def discipline() -> Discipline | None:
    """What the kernel says of the wall clock; None where it does not say (adjtimex(2), read only)."""
    try:
        read = ctypes.CDLL(None, use_errno=True).adjtimex
    except (OSError, AttributeError):
        return None
    timex = _Timex()
    state = read(ctypes.byref(timex))
    if state < 0:
        return None
    kept = state != _TIME_ERROR and not timex.status & _UNSYNCHRONISED
    return Discipline(kept, timex.maxerror, timex.freq / _PPM)


def sleep_until(watch: Watch, instant: Instant) -> None:
    """Block this thread until `instant`, or not at all when it has passed.

    The kernel sleeps by the slewed clock: over one scan period the difference is below a microsecond a permille.
    """
    left = instant - watch.now()
    if left > 0:
        time.sleep(left / 1_000_000)
