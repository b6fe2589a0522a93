"""Check the computer: model, kernel, system, memory, load, supply, heat, clocks and the kernel's complaints."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

from gnomon.refusals import Statement, join, statement
from gnomon_pi.runtime.watchdog import EARLIEST
from gnomon_pi.tools.doctor.finding import Finding, fault, note, ok, warning
from gnomon_pi.tools.doctor.machine import Machine, number

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
# Raspberry Pi documentation, "vcgencmd get_throttled": a bit for now, and sixteen higher the same since the start.
_SINCE: Final = 16
_UNDERVOLTAGE: Final = 1 << 0
SLOWED: Final = {
    1 << 1: "capped",
    1 << 2: "throttled",
    1 << 3: "soft_limit",
}

_HOT: Final = 80.0  # degrees, where every model begins to throttle
_WARM: Final = 70.0
READINGS: Final = 2_000  # of the raw clock, some milliseconds on a Pi
_LATEST: Final = datetime(2100, 1, 1, tzinfo=UTC)
_COARSE: Final = ("acpi_pm", "hpet", "jiffies", "refined-jiffies", "pit")
_FINE_US: Final = 1_000
"""A step of the raw clock beyond this would show in a player's time."""
_ABOUT: Final = re.compile(r"i2c|\bspi(?!n)|gpio|pinctrl|under-?voltage|throttl|mmc|ext4|watchdog|rtc", re.IGNORECASE)
_LONGEST: Final = 300  # lines that are handed on

COMPLAINTS: Final = (
    (
        re.compile(r"under-?voltage detected", re.IGNORECASE),
        "voltage",
    ),
    (
        re.compile(r"i2c.*(timed out|timeout|arbitration|bus error|transfer failed)", re.IGNORECASE),
        "i2c",
    ),
    (
        re.compile(r"\bspi.*(timed out|timeout|failed|error)", re.IGNORECASE),
        "spi",
    ),
    (
        re.compile(r"(mmc\S*|mmcblk\S*|ext4-fs).*(i/o error|timeout|error|corrupt|remount.*read-only)", re.IGNORECASE),
        "card",
    ),
)


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
        told = statement("doctor.model.revision", name=name, revision=revision) if revision else Statement.plain(name)
        yield ok("model", told)
    elif name:
        yield note("model", statement("doctor.model.other", name=name))
    else:
        yield note("model", statement("doctor.model.unknown"))


def check_kernel(machine: Machine) -> Iterator[Finding]:
    """Which kernel runs, and whether the programs are of the same width."""
    release = machine.text("/proc/sys/kernel/osrelease") or "?"
    architecture = machine.text("/proc/sys/kernel/arch") or (machine.command(["uname", "-m"]) or "").strip()
    wide = architecture in ("aarch64", "x86_64")
    name = f"Linux {release}"
    kernel = statement("doctor.kernel.on", kernel=name, machine=architecture) if architecture else Statement.plain(name)
    if wide and machine.bits == 32:  # noqa: PLR2004 - bits
        yield note("kernel", statement("doctor.kernel.narrow", kernel=kernel))
    else:
        yield ok("kernel", statement("doctor.kernel", kernel=kernel, bits=machine.bits))


def check_release(machine: Machine) -> Iterator[Finding]:
    """Which system is installed."""
    told = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', machine.text("/etc/os-release"), re.MULTILINE))
    name = told.get("PRETTY_NAME", "")
    if not name:
        yield note("system", statement("doctor.system.unknown"))
    elif told.get("VERSION_CODENAME") in _TESTED_SYSTEMS:
        yield ok("system", Statement.plain(name))
    else:
        yield note("system", statement("doctor.system.other", name=name))


def check_python(machine: Machine) -> Iterator[Finding]:
    """Which Python runs this."""
    yield ok("Python", Statement.plain(machine.python))


def check_memory(machine: Machine) -> Iterator[Finding]:
    """Whether there is memory for the daemon, and where it goes when there is none."""
    told = {
        name: int(size) * 1024 for name, size in re.findall(r"(\w+):\s+([0-9]{1,15}) kB", machine.text("/proc/meminfo"))
    }
    if "MemAvailable" not in told:
        yield note("memory", statement("doctor.memory.unknown"))
        return
    swaps = [row.split()[0] for row in machine.text("/proc/swaps").splitlines()[1:] if row.split()]
    zram = any("zram" in swap for swap in swaps)
    spare = statement("doctor.swap.none") if not swaps else _swap(in_memory=zram)
    total, left = told.get("MemTotal", 0) // _MEBIBYTE, told["MemAvailable"]
    found = statement("doctor.memory", free=left // _MEBIBYTE, size=total, swap=spare)
    if left < _LEAST_MEMORY:
        yield warning("memory", found, statement("doctor.memory.little"))
    elif swaps and not zram and "/mmcblk" in "".join(swaps):
        yield note("memory", found, statement("doctor.memory.card"))
    else:
        yield ok("memory", found)


def _swap(*, in_memory: bool) -> Statement:
    return statement("doctor.swap.memory" if in_memory else "doctor.swap.disk")


def check_load(machine: Machine) -> Iterator[Finding]:
    """Whether the processors have time for the scans."""
    found = re.match(r"(\d+\.\d+) (\d+\.\d+)", machine.text("/proc/loadavg"))
    if found is None:
        yield note("load", statement("doctor.load.unknown"))
        return
    processors = max(1, len(re.findall(r"^cpu\d+ ", machine.text("/proc/stat"), re.MULTILINE)))
    said = statement("doctor.load", minute=found[1], five=found[2], processors=processors)
    if float(found[2]) > processors * _HEAVY_LOAD:
        yield warning("load", said, statement("doctor.load.heavy"))
    else:
        yield ok("load", said)


# Supply and heat


def throttling_flags(machine: Machine) -> int | None:
    """The bits of the firmware; None where there is no such firmware.

    The command first: reading the kernel's file has cleared the bits of the past in some kernels.
    """
    if found := re.search(r"throttled=0x([0-9a-fA-F]+)", machine.command(["vcgencmd", "get_throttled"]) or ""):
        return int(found[1], 16)
    for path in machine.names("/sys/devices/platform/soc*/*firmware/get_throttled"):
        if found := re.fullmatch(r"(?:0x)?([0-9a-fA-F]+)", machine.text(path)):
            return int(found[1], 16)
    return None


def check_supply(machine: Machine) -> Iterator[Finding]:
    """Whether the voltage is low now, or was since the start."""
    bits, alarm = throttling_flags(machine), _alarm(machine)
    if bits is None and alarm is None:
        if family(machine):
            yield note("supply", statement("doctor.supply.unknown"))
    elif (bits or 0) & _UNDERVOLTAGE or alarm:
        yield fault("supply", statement("doctor.supply.low"), statement("doctor.supply.do"))
    elif (bits or 0) >> _SINCE & _UNDERVOLTAGE:
        yield warning("supply", statement("doctor.supply.was_low"), statement("doctor.supply.do"))
    else:
        yield ok("supply", statement("doctor.supply"))


def check_heat(machine: Machine) -> Iterator[Finding]:
    """How warm it is, and whether it was slowed down."""
    bits, degrees = throttling_flags(machine) or 0, _degrees(machine)
    warm = None if degrees is None else f"{degrees:.0f} °C"
    now = [Statement(f"doctor.heat.is.{how}") for bit, how in SLOWED.items() if bits & bit]
    since = [Statement(f"doctor.heat.was.{how}") for bit, how in SLOWED.items() if bits >> _SINCE & bit]
    cool, where = statement("doctor.heat.do"), statement("doctor.heat.pi") if warm is None else Statement.plain(warm)
    if now:
        yield warning("heat", statement("doctor.heat.now", where=where, how=join(now)), cool)
    elif degrees is not None and degrees >= _HOT:
        yield warning("heat", statement("doctor.heat.hot", heat=warm), cool)
    elif since:
        yield note("heat", statement("doctor.heat.since", where=where, how=join(since)))
    elif warm is None or degrees is None:
        yield note("heat", statement("doctor.heat.unknown"))
    elif degrees >= _WARM:
        yield note("heat", statement("doctor.heat.warm", heat=warm))
    else:
        yield ok("heat", Statement.plain(warm))


def _alarm(machine: Machine) -> bool | None:
    """Whether the kernel's watch over the supply (rpi_volt) gives alarm; None when there is none."""
    for path in machine.names("/sys/class/hwmon/hwmon*/name"):
        if machine.text(path) == "rpi_volt":
            return machine.text(f"{path.removesuffix('name')}in0_lcrit_alarm") == "1"
    return None


def _degrees(machine: Machine) -> float | None:
    told = number(machine.text("/sys/class/thermal/thermal_zone0/temp"))
    return None if told is None else told / 1000


# Clocks


def check_raw_clock(machine: Machine) -> Iterator[Finding]:
    """Whether the clock that measures games goes forward, and in small steps."""
    readings = [machine.watch.now() for _ in range(READINGS)]
    steps = [after - before for before, after in pairwise(readings)]
    source = machine.text("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    by = source or "?"
    forward = [step for step in steps if step > 0]
    if any(step < 0 for step in steps):
        yield fault("raw clock", statement("doctor.raw_clock.back", source=by))
    elif source in _COARSE or (forward and min(forward) > _FINE_US):
        yield warning("raw clock", statement("doctor.raw_clock.coarse", source=by))
    elif forward:
        yield ok("raw clock", statement("doctor.raw_clock", source=by, step=min(forward)))
    else:
        yield ok("raw clock", statement("doctor.raw_clock.still", source=by))


def check_wall_clock(machine: Machine) -> Iterator[Finding]:
    """Whether the date can be right, and who keeps it; no game's time depends on it."""
    wall, synchronised = machine.watch.wall(), _is_synchronised(machine)
    rtc = next((machine.text(path) for path in machine.names("/sys/class/rtc/rtc*/name")), "")
    has_rtc = bool(rtc) or machine.has("/dev/rtc0")
    kept = statement("doctor.date.kept" if has_rtc else "doctor.date.not_kept")
    told = f"{wall:%Y-%m-%d %H:%M} UTC"
    if not EARLIEST <= wall < _LATEST:
        yield warning("date", statement("doctor.date.wrong", date=told, kept=kept))
    elif synchronised:
        yield ok("date", statement("doctor.date.server", kept=kept))
    else:
        yield note("date", statement("doctor.date.by_itself", date=told, kept=kept))


def _is_synchronised(machine: Machine) -> bool:
    if machine.has("/run/systemd/timesync/synchronized"):
        return True
    # Whatever sets the clock, chrony too: the kernel's own flag.
    return (machine.command(["timedatectl", "show", "-p", "NTPSynchronized", "--value"]) or "").strip() == "yes"


# What the kernel complained of


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
        yield note("kernel log", statement("doctor.kernel_log.closed"))
        return
    complaints = [
        warning("kernel log", _complaint(what, count))
        for pattern, what in COMPLAINTS
        if (count := sum(1 for line in lines if pattern.search(line)))
    ]
    yield from complaints
    if not complaints:
        yield ok("kernel log", statement("doctor.kernel_log"))


def _complaint(what: str, count: int) -> Statement:
    times = statement("doctor.times.one") if count == 1 else statement("doctor.times.other", number=count)
    return Statement(f"doctor.kernel_log.{what}", {"times": times})
