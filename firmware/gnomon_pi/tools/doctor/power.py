"""Check supply voltage and temperature: the firmware's throttling flags and the kernel's sensors."""

import re
from collections.abc import Iterator
from typing import Final

from gnomon_pi.tools.doctor.finding import Finding, fault, note, ok, warning
from gnomon_pi.tools.doctor.machine import Machine, number
from gnomon_pi.tools.doctor.system import family

# Raspberry Pi documentation, "vcgencmd get_throttled": a bit for now, and sixteen higher the same since the start.
_SINCE: Final = 16
_UNDERVOLTAGE: Final = 1 << 0
_SLOWED: Final = {
    1 << 1: "its clock was capped",
    1 << 2: "it was throttled",
    1 << 3: "it reached its soft limit of heat",
}

_HOT: Final = 80.0  # degrees, where every model begins to throttle
_WARM: Final = 70.0
_SUPPLY: Final = "Take a supply of 5.1 V made for this model and a short thick cable, and feed the lights apart."
_COOLING: Final = "Give it air or a heat sink: a Pi that is throttled scans late."


def throttled(machine: Machine) -> int | None:
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
    bits, alarm = throttled(machine), _alarm(machine)
    if bits is None and alarm is None:
        if family(machine):
            yield note("supply", "Neither the firmware nor the kernel says how the supply is.")
    elif (bits or 0) & _UNDERVOLTAGE or alarm:
        yield fault("supply", "The voltage is too low now.", _SUPPLY)
    elif (bits or 0) >> _SINCE & _UNDERVOLTAGE:
        yield warning("supply", "The voltage was too low at least once since the start.", _SUPPLY)
    else:
        yield ok("supply", "The voltage has been high enough since the start.")


def check_heat(machine: Machine) -> Iterator[Finding]:
    """How warm it is, and whether it was slowed down."""
    bits, degrees = throttled(machine) or 0, _degrees(machine)
    warm = "" if degrees is None else f"{degrees:.0f} °C"
    now = [words for bit, words in _SLOWED.items() if bits & bit]
    since = [words for bit, words in _SLOWED.items() if bits >> _SINCE & bit]
    if now:
        said = " and ".join(now)
        yield warning(
            "heat", f"{warm or 'The Pi'}: {said.replace('was', 'is').replace('reached', 'is at')} now.", _COOLING
        )
    elif degrees is not None and degrees >= _HOT:
        yield warning("heat", f"{warm}, where every Pi is slowed down.", _COOLING)
    elif since:
        yield note("heat", f"{warm or 'No thermometer'}; since the start {' and '.join(since)}.")
    elif degrees is None:
        yield note("heat", "The kernel shows no thermometer.")
    elif degrees >= _WARM:
        yield note("heat", f"{warm}: warm, and not yet slowed down.")
    else:
        yield ok("heat", f"{warm}.")


def _alarm(machine: Machine) -> bool | None:
    """Whether the kernel's watch over the supply (rpi_volt) gives alarm; None when there is none."""
    for path in machine.names("/sys/class/hwmon/hwmon*/name"):
        if machine.text(path) == "rpi_volt":
            return machine.text(f"{path.removesuffix('name')}in0_lcrit_alarm") == "1"
    return None


def _degrees(machine: Machine) -> float | None:
    told = number(machine.text("/sys/class/thermal/thermal_zone0/temp"))
    return None if told is None else told / 1000
