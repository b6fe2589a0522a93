"""Check the machine's clocks: the raw monotonic clock that times games, and the wall clock that dates them."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

from gnomon_pi.runtime.watchdog import EARLIEST
from gnomon_pi.tools.doctor.finding import Finding, fault, note, ok, warning
from gnomon_pi.tools.doctor.machine import Machine

READINGS: Final = 2_000  # of the raw clock, some milliseconds on a Pi
_LATEST: Final = datetime(2100, 1, 1, tzinfo=UTC)
_COARSE: Final = ("acpi_pm", "hpet", "jiffies", "refined-jiffies", "pit")
_FINE_US: Final = 1_000
"""A step of the raw clock beyond this would show in a player's time."""


def check_raw_clock(machine: Machine) -> Iterator[Finding]:
    """Whether the clock that measures games goes forward, and in small steps."""
    readings = [machine.watch.now() for _ in range(READINGS)]
    steps = [after - before for before, after in pairwise(readings)]
    source = machine.text("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    by = f" by {source}" if source else ""
    forward = [step for step in steps if step > 0]
    if any(step < 0 for step in steps):
        yield fault("raw clock", f"The clock that measures games went backwards{by}.", "Restart; do not play before.")
    elif source in _COARSE or (forward and min(forward) > _FINE_US):
        advice = "Look in the kernel's log why it left its own clock (clocksource)."
        yield warning("raw clock", f"The clock that measures games goes in coarse steps{by}.", advice)
    else:
        step = f", in steps of {min(forward)} µs or less" if forward else ""
        yield ok("raw clock", f"It goes forward{by}{step}.")


def check_wall_clock(machine: Machine) -> Iterator[Finding]:
    """Whether the date can be right, and who keeps it; no game's time depends on it."""
    wall, synchronised = machine.watch.wall(), _is_synchronised(machine)
    rtc = next((machine.text(path) for path in machine.names("/sys/class/rtc/rtc*/name")), "")
    has_rtc = bool(rtc) or machine.has("/dev/rtc0")
    kept = "a clock with a battery keeps it while the power is off" if has_rtc else "nothing keeps it without power"
    if not EARLIEST <= wall < _LATEST:
        advice = "Let it reach a time server, or set it: sudo timedatectl set-time 'YYYY-MM-DD hh:mm'."
        yield warning("date", f"It is {wall:%Y-%m-%d %H:%M} UTC here, which cannot be; {kept}.", advice)
    elif synchronised:
        yield ok("date", f"Set by a time server; {kept}.")
    else:
        yield note("date", f"{wall:%Y-%m-%d %H:%M} UTC, not set by a time server; {kept}. Games are timed without it.")


def _is_synchronised(machine: Machine) -> bool:
    if machine.has("/run/systemd/timesync/synchronized"):
        return True
    # Whatever sets the clock, chrony too: the kernel's own flag.
    return (machine.command(["timedatectl", "show", "-p", "NTPSynchronized", "--value"]) or "").strip() == "yes"
