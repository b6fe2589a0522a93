"""Check what is installed: the device libraries, their versions and conflicts, and the daemon's service."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from gnomon_pi.config.description import BoardDescription
from gnomon_pi.tools.doctor.finding import Finding, fault, note, ok, quantity, warning
from gnomon_pi.tools.doctor.machine import Machine, number
from gnomon_pi.tools.doctor.system import family, kernel_version

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
    said = ", ".join(f"{name} {version}" for name, version in told_versions(machine).items())
    missing = [dict(_TOLD)[key] for key in _ALWAYS if key not in machine.versions]
    if missing:
        yield fault(
            "libraries",
            f"{', '.join(missing)} cannot be found.",
            "Install Gnomon anew into its environment: pip install .",
        )
    if said:
        yield ok("libraries", f"{said}.")
    if "gpiozero" in machine.versions and numbers(machine.versions["gpiozero"]) < _GOOD_GPIOZERO:
        yield _old_gpiozero(machine)
    if numbers(machine.versions.get("pillow", "0")) >= (14,):
        advice = "Install an older one: pip install 'pillow<14'."
        yield warning("libraries", f"Pillow {machine.versions['pillow']} lacks what luma.oled calls.", advice)


def check_pin_library(machine: Machine, description: BoardDescription) -> Iterator[Finding]:
    """Whether the library that the description asks for is there, alone, and works on this model and kernel."""
    has_shim, has_original = "rpi-lgpio" in machine.versions, "rpi-gpio" in machine.versions
    if has_shim and has_original:
        yield fault(
            "pin library",
            "rpi-lgpio and RPi.GPIO are both installed, and both are the module RPi.GPIO.",
            "Run pip uninstall RPi.GPIO rpi-lgpio, then install rpi-lgpio alone.",
        )
    elif description.pins == "rpigpio" and has_original:
        yield from _original(machine)
    elif description.pins == "rpigpio" and has_shim:
        yield ok("pin library", f"RPi.GPIO by rpi-lgpio {machine.versions['rpi-lgpio']}, as the description asks.")
    elif description.pins == "lgpio" and "lgpio" in machine.versions:
        yield ok("pin library", f"lgpio {machine.versions['lgpio']}, as the description asks.")
    else:
        wanted = "lgpio" if description.pins == "lgpio" else "RPi.GPIO"
        advice = f"{_SYSTEM_PACKAGES}, and let the environment see them (--system-site-packages)."
        yield fault("pin library", f"The description asks for {wanted}, which is not installed.", advice)


def check_spidev(machine: Machine, description: BoardDescription) -> Iterator[Finding]:
    """Whether the lights have the library that writes to them."""
    if description.lights is not None and "spidev" not in machine.versions:
        yield fault("spidev", "The lights need spidev, which is not installed.", f"{_SYSTEM_PACKAGES}.")


def _original(machine: Machine) -> Iterator[Finding]:
    version, advice = machine.versions["rpi-gpio"], "Run pip uninstall RPi.GPIO, then pip install rpi-lgpio."
    if family(machine) == "pi5":
        yield fault("pin library", f"RPi.GPIO {version} does not know the Raspberry Pi 5.", advice)
    elif kernel_version(machine) >= _NO_SYSFS_EDGES:
        found = f"RPi.GPIO {version} hears no buttons on kernels from 6.6 on."
        yield fault("pin library", found, advice)
    else:
        yield ok("pin library", f"RPi.GPIO {version}, as the description asks.")


def _old_gpiozero(machine: Machine) -> Finding:
    version = machine.versions["gpiozero"]
    breaks = family(machine) == "pi5" and kernel_version(machine) >= _RENUMBERED and not machine.has("/dev/gpiochip4")
    advice = "Run pip install 'gpiozero>=2.0.1.post3' in Gnomon's environment."
    if breaks:
        return fault("libraries", f"gpiozero {version} does not find the pins of this Pi 5.", advice)
    if version == "2.0.1":
        return note("libraries", f"gpiozero {version} is 2.0.1.post3 in all but name where Raspberry Pi OS packs it.")
    return warning("libraries", f"gpiozero {version} is older than 2.0.1.post3.", advice)


# The service


def unit(machine: Machine, name: str = UNIT) -> Mapping[str, str]:
    """What systemd says of a unit; empty where there is no systemd."""
    told = machine.command(["systemctl", "show", name, f"--property={_PROPERTIES}"]) or ""
    return dict(row.split("=", 1) for row in told.splitlines() if "=" in row)


def holder(machine: Machine, journal: Path) -> str:
    """Who has the board: a sentence's beginning such as `gnomond.service`; empty when nobody is found.

    The lock beside the journal is only looked for among the kernel's locks: to try it would keep a daemon that is
    just starting from taking it.
    """
    if unit(machine).get("ActiveState") in ("active", "activating", "reloading"):
        return UNIT
    with suppress(OSError):
        inode = journal.with_name(journal.name + "-lock").stat().st_ino
        pattern = rf"FLOCK\s+ADVISORY\s+WRITE\s+(\d+)\s+[0-9a-f]+:[0-9a-f]+:{inode}\s"
        if found := re.search(pattern, machine.text("/proc/locks")):
            return f"gnomond, process {found[1]}"
    return ""


def check_service(machine: Machine) -> Iterator[Finding]:
    """Whether the service is installed, runs, is watched over, and how often it was started again."""
    told = unit(machine)
    if told.get("LoadState", "not-found") != "loaded":
        yield note("service", f"There is no {UNIT}: gnomond is started by hand.")
        return
    state = f"{told.get('ActiveState', 'unknown')} ({told.get('SubState', 'unknown')})"
    start = told.get("UnitFileState") or "unknown"
    if told.get("ActiveState") == "failed":
        found = f"{UNIT} has failed ({told.get('Result', 'unknown')})."
        yield warning("service", found, f"Read why: journalctl -u {UNIT} -e.")
    elif start not in ("enabled", "enabled-runtime", "static", "linked", "alias"):
        found = f"{UNIT} is {state}, and {start}: it is not started with the machine."
        yield note("service", found, f"sudo systemctl enable {UNIT}")
    else:
        yield ok("service", f"{UNIT} is {state}, and {start}.")
    restarts = number(told.get("NRestarts", "")) or 0
    if restarts > 0:
        found = f"systemd had to start it again {quantity(restarts, 'time')}."
        many = restarts >= _MANY_RESTARTS
        yield warning("restarts", found, f"Read why: journalctl -u {UNIT} -e.") if many else note("restarts", found)
    if told.get("WatchdogUSec", "0") in ("0", "infinity", ""):
        advice = f"Put WatchdogSec=10 under [Service] (sudo systemctl edit {UNIT})."
        yield warning("watchdog", "systemd does not watch over the daemon: if it hangs, it stays so.", advice)


def check_safe_mode(machine: Machine) -> Iterator[Finding]:
    """Whether the daemon was told to start without the board, or had to."""
    if flag := machine.boot_file(_SAFE_FLAG):
        yield warning("safe mode", f"{flag} keeps gnomond from using the board.", f"Delete it: sudo rm {flag}.")
    elif unit(machine, _SAFE_UNIT).get("ActiveState") == "active":
        advice = f"Mend what is told here, then sudo systemctl restart {UNIT}."
        yield warning("safe mode", f"{_SAFE_UNIT} runs because gnomond failed again and again.", advice)
