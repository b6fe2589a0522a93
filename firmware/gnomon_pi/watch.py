"""The only module that reads a clock.

The raw monotonic clock measures: time servers may slew the ordinary monotonic clock by up to 8 % and step the
wall clock, and neither may move a sand glass. Wall time is a label.
"""

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol

from gnomon.timekeeping.instants import Instant

BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
_NANOSECONDS: Final = 1_000  # in a microsecond


class Watch(Protocol):
    """What tells the time: the machine's clocks, or virtual time."""

    @property
    def boot(self) -> str:
        """The name of the stretch of time in which instants may be compared: a boot of the machine."""
        ...

    def now(self) -> Instant:
        """Microseconds of CLOCK_MONOTONIC_RAW."""
        ...

    def wall(self) -> datetime:
        """The date and time of day as the machine believes them, with a zone: a label, never a measure."""
        ...


@dataclass(frozen=True, slots=True)
class MachineWatch:
    """The clocks of this machine."""

    boot: str

    @classmethod
    def of_this_boot(cls, boot_id: Path = BOOT_ID) -> "MachineWatch":
        """Read which boot this is. Raises OSError where the kernel does not say."""
        return cls(boot_id.read_text(encoding="ascii").strip())

    def now(self) -> Instant:
        """Microseconds of CLOCK_MONOTONIC_RAW."""
        return Instant(time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) // _NANOSECONDS)

    def wall(self) -> datetime:
        """The date and time of day in UTC."""
        return datetime.now(UTC)


def sleep_until(watch: Watch, instant: Instant) -> None:
    """Block this thread until `instant`, or not at all when it has passed.

    The kernel sleeps by the slewed clock: over one scan period the difference is below a microsecond a permille.
    """
    left = instant - watch.now()
    if left > 0:
        time.sleep(left / 1_000_000)
