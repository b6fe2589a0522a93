"""Check the computer: model, kernel, operating system, Python, memory and load."""

import re
from collections.abc import Iterator
from typing import Final

from gnomon_pi.tools.doctor.finding import Finding, note, ok, warning
from gnomon_pi.tools.doctor.machine import Machine

MODELS: Final = (
    (re.compile(r"Raspberry Pi Zero 2"), "pi02"),
    (re.compile(r"Raspberry Pi Zero"), "pi0"),
    (re.compile(r"Raspberry Pi (?:5|500|Compute Module 5)"), "pi5"),
    (re.compile(r"Raspberry Pi (?:4|400|Compute Module 4)"), "pi4"),
    (re.compile(r"Raspberry Pi (?:3|Compute Module 3)"), "pi3"),
    (re.compile(r"Raspberry Pi 2"), "pi2"),
    (re.compile(r"Raspberry Pi"), "pi1"),
)
"""The families of boards, named as the filters of config.txt name them."""

_TESTED_SYSTEMS: Final = ("bookworm", "trixie")
_MEBIBYTE: Final = 1024 * 1024
# The daemon takes some 60 MB; below this the kernel begins to throw away pages that are needed at once.
_LEAST_MEMORY: Final = 80 * _MEBIBYTE
_HEAVY_LOAD: Final = 1.0  # of one a processor


def model_name(machine: Machine) -> str:
    """What the computer calls itself; empty on one without a device tree, such as a PC."""
    return machine.text("/proc/device-tree/model")


def family(machine: Machine) -> str:
    """The family of Raspberry Pi; empty for any other computer."""
    name = model_name(machine)
    return next((kind for pattern, kind in MODELS if pattern.match(name)), "")


def kernel_version(machine: Machine) -> tuple[int, int, int]:
    """The three numbers of the kernel's version; zeros when it does not tell."""
    found = re.match(r"([0-9]{1,9})\.([0-9]{1,9})(?:\.([0-9]{1,9}))?", machine.text("/proc/sys/kernel/osrelease"))
    return (0, 0, 0) if found is None else (int(found[1]), int(found[2]), int(found[3] or 0))


def check_model(machine: Machine) -> Iterator[Finding]:
    """Which Raspberry Pi it is."""
    name = model_name(machine)
    if family(machine):
        revision = machine.data("/proc/device-tree/system/linux,revision").hex().lstrip("0")
        yield ok("model", f"{name}{f', revision {revision}' if revision else ''}.")
    else:
        yield note("model", f"{name or 'This computer'} is not a Raspberry Pi: only simulated boards run here.")


def check_kernel(machine: Machine) -> Iterator[Finding]:
    """Which kernel runs, and whether the programs are of the same width."""
    release = machine.text("/proc/sys/kernel/osrelease") or "unknown"
    architecture = machine.text("/proc/sys/kernel/arch") or (machine.command(["uname", "-m"]) or "").strip()
    wide = architecture in ("aarch64", "x86_64")
    kernel = f"Linux {release}{f' on {architecture}' if architecture else ''}"
    if wide and machine.bits == 32:  # noqa: PLR2004 - bits
        yield note("kernel", f"{kernel}, with a Python of 32 bits: some libraries have to be built for it.")
    else:
        yield ok("kernel", f"{kernel}, {machine.bits} bits.")


def check_release(machine: Machine) -> Iterator[Finding]:
    """Which system is installed."""
    told = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', machine.text("/etc/os-release"), re.MULTILINE))
    name = told.get("PRETTY_NAME", "")
    if not name:
        yield note("system", "The file /etc/os-release does not say which system this is.")
    elif told.get("VERSION_CODENAME") in _TESTED_SYSTEMS:
        yield ok("system", f"{name}.")
    else:
        yield note("system", f"{name}: Gnomon is meant for Raspberry Pi OS Bookworm and Trixie.")


def check_python(machine: Machine) -> Iterator[Finding]:
    """Which Python runs this."""
    yield ok("Python", f"{machine.python}.")


def check_memory(machine: Machine) -> Iterator[Finding]:
    """Whether there is memory for the daemon, and where it goes when there is none."""
    told = {
        name: int(size) * 1024 for name, size in re.findall(r"(\w+):\s+([0-9]{1,15}) kB", machine.text("/proc/meminfo"))
    }
    if "MemAvailable" not in told:
        yield note("memory", "The kernel does not say how much memory is left.")
        return
    swaps = [row.split()[0] for row in machine.text("/proc/swaps").splitlines()[1:] if row.split()]
    zram = any("zram" in swap for swap in swaps)
    spare = "no swap" if not swaps else "swap in compressed memory" if zram else "swap on a disk"
    total, left = told.get("MemTotal", 0) // _MEBIBYTE, told["MemAvailable"]
    found = f"{left // _MEBIBYTE} of {total} MB are free, {spare}."
    if left < _LEAST_MEMORY:
        yield warning("memory", found, "End other programs: the desktop and a browser take most.")
    elif swaps and not zram and "/mmcblk" in "".join(swaps):
        yield note("memory", found, "Swap on an SD card wears it out and makes scans late; zram does not.")
    else:
        yield ok("memory", found)


def check_load(machine: Machine) -> Iterator[Finding]:
    """Whether the processors have time for the scans."""
    found = re.match(r"(\d+\.\d+) (\d+\.\d+)", machine.text("/proc/loadavg"))
    if found is None:
        yield note("load", "The kernel does not say how busy it is.")
        return
    processors = max(1, len(re.findall(r"^cpu\d+ ", machine.text("/proc/stat"), re.MULTILINE)))
    said = f"{found[1]} over a minute and {found[2]} over five, on {processors} processors."
    if float(found[2]) > processors * _HEAVY_LOAD:
        yield warning("load", said, "End what keeps the processors busy (see top): scans come late.")
    else:
        yield ok("load", said)
