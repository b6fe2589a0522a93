"""Check the installed device libraries: presence, version and mutual conflicts."""

import re
from collections.abc import Iterator
from typing import Final

from gnomon_pi.config.description import BoardDescription
from gnomon_pi.tools.doctor.finding import Finding, fault, note, ok, warning
from gnomon_pi.tools.doctor.machine import Machine
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


def normalised(name: str) -> str:
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
