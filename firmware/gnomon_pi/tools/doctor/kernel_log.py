"""Search the kernel log for complaints about buses, pins, the SD card and the supply."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gnomon_pi.tools.doctor.finding import Finding, note, ok, warning
from gnomon_pi.tools.doctor.machine import Machine

_ABOUT: Final = re.compile(r"i2c|\bspi(?!n)|gpio|pinctrl|under-?voltage|throttl|mmc|ext4|watchdog|rtc", re.IGNORECASE)
_LONGEST: Final = 300  # lines that are handed on

_COMPLAINTS: Final = (
    (
        re.compile(r"under-?voltage detected", re.IGNORECASE),
        "the voltage was too low",
        "Take a supply of 5.1 V made for this model and a short thick cable.",
    ),
    (
        re.compile(r"i2c.*(timed out|timeout|arbitration|bus error|transfer failed)", re.IGNORECASE),
        "an I2C bus did not answer",
        "Look at its wires and pull-ups; shorten them or lower its clock.",
    ),
    (
        re.compile(r"\bspi.*(timed out|timeout|failed|error)", re.IGNORECASE),
        "an SPI bus failed",
        "Look at its overlay in config.txt and at its wires.",
    ),
    (
        re.compile(r"(mmc\S*|mmcblk\S*|ext4-fs).*(i/o error|timeout|error|corrupt|remount.*read-only)", re.IGNORECASE),
        "the card or its file system failed",
        "Copy the journal away and change the card.",
    ),
)


def kernel_lines(machine: Machine) -> Sequence[str] | None:
    """The last lines of the kernel's log of this boot that are about the board; None when it may not be read."""
    told = machine.command(["dmesg"]) or machine.command(["journalctl", "-k", "-b", "-o", "cat", "--no-pager", "-q"])
    if not told:
        return None
    return [line for line in told.splitlines() if _ABOUT.search(line)][-_LONGEST:]


def check_kernel_log(machine: Machine) -> Iterator[Finding]:
    """What the kernel complained of since the start."""
    lines = kernel_lines(machine)
    if lines is None:
        yield note("kernel log", "It may not be read (that takes the group adm, or sudo).")
        return
    complaints = [
        warning("kernel log", f"{what[0].upper()}{what[1:]}, {_times(count)} since the start.", advice)
        for pattern, what, advice in _COMPLAINTS
        if (count := sum(1 for line in lines if pattern.search(line)))
    ]
    yield from complaints
    if not complaints:
        yield ok("kernel log", "No complaints about supply, buses or disk since the start.")


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
