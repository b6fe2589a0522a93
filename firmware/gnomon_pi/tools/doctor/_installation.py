"""Check what is installed: the device libraries, their versions and conflicts, and the daemon's service."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from gnomon.refusals import NOTHING, Statement, statement
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.tools.doctor._system import family, kernel_version
from gnomon_pi.tools.doctor.finding import Finding, fault, note, ok, warning
from gnomon_pi.tools.doctor.machine import Machine, number

_TOLD: Final = (
    ("gnomon", "gnomon"),
    ("gpiozero", "gpiozero"),
    ("luma-core", "luma.core"),
    ("luma-oled", "luma.oled"),
    ("pillow", "pillow"),
    ("smbus2", "smbus2"),
    ("spidev", "spidev"),
    ("lgpio", "lgpio"),
    ("rpi-lgpio", "rpi-lgpio"),
    ("rpi-gpio", "RPi.GPIO"),
    ("sqlite", "SQLite"),
)
_ALWAYS: Final = ("gpiozero", "luma-core", "luma-oled", "pillow", "smbus2")
_GOOD_GPIOZERO: Final = (2, 0, 1, 3)  # 2.0.1.post3
_RENUMBERED: Final = (6, 6, 45)  # kernels from here on call the Pi 5's header gpiochip0 (raspberrypi/linux#6144)
_NO_SYSFS_EDGES: Final = (6, 6, 0)  # RPi.GPIO 0.7.1 hears no edges any more (raspberrypi/linux#6037)
_SYSTEM_PACKAGES: Final = "sudo apt-get install python3-lgpio python3-rpi-lgpio python3-spidev"
UNIT: Final = "gnomond.service"
_SAFE_UNIT: Final = "gnomond-safe.service"
_SAFE_FLAG: Final = "gnomon-safe"  # a file on the boot partition that asks for the safe mode
_SYSTEMD: Final = "/run/systemd/system"  # there where systemd runs
_PROPERTIES: Final = "LoadState,UnitFileState,ActiveState,SubState,Result,NRestarts,WatchdogUSec"
_MANY_RESTARTS: Final = 3


def normalise(name: str) -> str:
    """The name of a distribution as it is compared (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, so that a later one is greater."""
    return tuple(int(each) for each in re.findall(r"\d+", version.partition("+")[0]))


def told_versions(machine: Machine) -> dict[str, str]:
    """The versions of what Gnomon uses, by the names that people know."""
    return {name: machine.versions[key] for key, name in _TOLD if key in machine.versions}


def check_versions(machine: Machine) -> Iterator[Finding]:
    """What is installed, and what of it is missing or of a version that does not work."""
    said = [f"{name} {version}" for name, version in told_versions(machine).items()]
    missing = [dict(_TOLD)[key] for key in _ALWAYS if key not in machine.versions]
    if missing:
        yield fault("libraries", statement("doctor.libraries.missing", libraries=missing))
    if said:
        yield ok("libraries", statement("doctor.libraries", versions=said))
    if "gpiozero" in machine.versions and numbers(machine.versions["gpiozero"]) < _GOOD_GPIOZERO:
        yield _old_gpiozero(machine)
    if numbers(machine.versions.get("pillow", "0")) >= (14,):
        yield warning("libraries", statement("doctor.libraries.pillow", version=machine.versions["pillow"]))


def check_pin_library(machine: Machine, description: BoardDescription) -> Iterator[Finding]:
    """Whether the library that the description asks for is there, alone, and works on this model and kernel."""
    has_shim, has_original = "rpi-lgpio" in machine.versions, "rpi-gpio" in machine.versions
    if has_shim and has_original:
        yield fault("pin library", statement("doctor.pin_library.both"))
    elif description.pins == "rpigpio" and has_original:
        yield from _original(machine)
    elif description.pins == "rpigpio" and has_shim:
        yield ok("pin library", _as_asked(statement("doctor.pin_library.by", version=machine.versions["rpi-lgpio"])))
    elif description.pins == "lgpio" and "lgpio" in machine.versions:
        yield ok("pin library", _as_asked(f"lgpio {machine.versions['lgpio']}"))
    else:
        wanted = "lgpio" if description.pins == "lgpio" else "RPi.GPIO"
        yield fault("pin library", statement("doctor.pin_library.none", library=wanted, command=_SYSTEM_PACKAGES))


def check_spidev(machine: Machine, description: BoardDescription) -> Iterator[Finding]:
    """Whether the lights have the library that writes to them."""
    if description.lights is not None and "spidev" not in machine.versions:
        yield fault("spidev", statement("doctor.spidev", command=_SYSTEM_PACKAGES))


def _original(machine: Machine) -> Iterator[Finding]:
    version = machine.versions["rpi-gpio"]
    if family(machine) == "pi5":
        yield fault("pin library", statement("doctor.pin_library.pi5", version=version))
    elif kernel_version(machine) >= _NO_SYSFS_EDGES:
        yield fault("pin library", statement("doctor.pin_library.deaf", version=version))
    else:
        yield ok("pin library", _as_asked(f"RPi.GPIO {version}"))


def _as_asked(library: Statement | str) -> Statement:
    return statement("doctor.pin_library", library=library)


def _old_gpiozero(machine: Machine) -> Finding:
    version = machine.versions["gpiozero"]
    breaks = family(machine) == "pi5" and kernel_version(machine) >= _RENUMBERED and not machine.has("/dev/gpiochip4")
    if breaks:
        return fault("libraries", statement("doctor.gpiozero.pi5", version=version))
    if version == "2.0.1":
        return note("libraries", statement("doctor.gpiozero.packed", version=version))
    return warning("libraries", statement("doctor.gpiozero.old", version=version))


# The service


def unit(machine: Machine, name: str = UNIT) -> Mapping[str, str]:
    """What systemd says of a unit; empty where there is no systemd, or it takes too long to answer."""
    told = machine.command(["systemctl", "show", name, f"--property={_PROPERTIES}"]) or ""
    return dict(row.split("=", 1) for row in told.splitlines() if "=" in row)


def holder(machine: Machine, journal: Path) -> Statement:
    """Who has the board: the service or a process; NOTHING when nobody is found.

    The lock beside the journal is only looked for among the kernel's locks: to try it would keep a daemon that is
    just starting from taking it.
    """
    if unit(machine).get("ActiveState") in ("active", "activating", "reloading"):
        return Statement.plain(UNIT)
    with suppress(OSError):
        inode = journal.with_name(journal.name + "-lock").stat().st_ino
        pattern = rf"FLOCK\s+ADVISORY\s+WRITE\s+(\d+)\s+[0-9a-f]+:[0-9a-f]+:{inode}\s"
        if found := re.search(pattern, machine.text("/proc/locks")):
            return statement("doctor.board.process", number=found[1])
    return NOTHING


def check_service(machine: Machine) -> Iterator[Finding]:
    """Whether the service is installed, runs, is watched over, and how often it was started again."""
    told = unit(machine)
    if not told and machine.has(_SYSTEMD):
        yield note("service", statement("doctor.service.silent", unit=UNIT))
        return
    if told.get("LoadState", "not-found") != "loaded":
        yield note("service", statement("doctor.service.none", unit=UNIT))
        return
    state = f"{told.get('ActiveState', 'unknown')} ({told.get('SubState', 'unknown')})"
    start = told.get("UnitFileState") or "unknown"
    if told.get("ActiveState") == "failed":
        yield warning("service", statement("doctor.service.failed", unit=UNIT, result=told.get("Result", "unknown")))
    elif start not in ("enabled", "enabled-runtime", "static", "linked", "alias"):
        yield note("service", statement("doctor.service.off", unit=UNIT, state=state, start=start))
    else:
        yield ok("service", statement("doctor.service", unit=UNIT, state=state, start=start))
    restarts = number(told.get("NRestarts", "")) or 0
    if restarts > 0:
        found = statement("doctor.restarts.one" if restarts == 1 else "doctor.restarts.other", number=restarts)
        many = restarts >= _MANY_RESTARTS
        yield (
            warning("restarts", found, statement("doctor.restarts.do", unit=UNIT)) if many else note("restarts", found)
        )
    if told.get("WatchdogUSec", "0") in ("0", "infinity", ""):
        yield warning("watchdog", statement("doctor.watchdog", unit=UNIT))


def check_safe_mode(machine: Machine) -> Iterator[Finding]:
    """Whether the daemon was told to start without the board, or had to."""
    if flag := machine.boot_file(_SAFE_FLAG):
        yield warning("safe mode", statement("doctor.safe.flag", file=flag))
    elif unit(machine, _SAFE_UNIT).get("ActiveState") == "active":
        yield warning("safe mode", statement("doctor.safe.unit", safe_unit=_SAFE_UNIT, unit=UNIT))
