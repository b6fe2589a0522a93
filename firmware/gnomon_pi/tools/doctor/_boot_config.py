"""Parse config.txt, the boot configuration of a Raspberry Pi, as it applies to this model.

Filters, `include` and the scope of `dtparam` are those of the Raspberry Pi documentation, "config.txt".
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from gnomon_pi.config import image_overlays
from gnomon_pi.tools.doctor._system import family, model_name
from gnomon_pi.tools.doctor.machine import Machine

_DEEPEST: Final = 5  # includes in includes
_INCLUDE: Final = "include"
_MODEL_FILTERS: Final = frozenset(
    {
        "pi0",
        "pi0w",
        "pi02",
        "pi1",
        "pi2",
        "pi3",
        "pi3+",
        "pi4",
        "pi400",
        "pi5",
        "pi500",
        "cm0",
        "cm1",
        "cm3",
        "cm3+",
        "cm4",
        "cm4s",
        "cm5",
    }
)
BASE_PARAMETERS: Final = frozenset(
    {
        "i2c",
        "i2c_arm",
        "i2c1",
        "i2c_vc",
        "i2c0",
        "spi",
        "i2s",
        "audio",
        "uart0",
        "uart1",
        "act_led_gpio",
        "pwr_led_gpio",
        "act_led_trigger",
        "pwr_led_trigger",
        "i2c_baudrate",
        "i2c_arm_baudrate",
        "i2c1_baudrate",
        "i2c_vc_baudrate",
        "i2c0_baudrate",
        "watchdog",
        "random",
        "pciex1",
        "nvme",
        "krnbt",
        "ant1",
        "ant2",
        "noant",
    }
)
"""Parameters of the board itself: after an overlay they are still not the overlay's."""

_ON: Final = frozenset(("on", "true", "yes", "1", "y", "okay"))


class Overlay(NamedTuple):
    """A `dtoverlay` line and its parameters; one without a value is on."""

    name: str
    parameters: Mapping[str, str]

    @property
    def kind(self) -> str:
        """Its name in the kernel's own list."""
        return image_overlays.kind_of(self.name)

    def line(self) -> str:
        """As it would be written."""
        options = (name if value == "on" else f"{name}={value}" for name, value in self.parameters.items())
        return ",".join((f"dtoverlay={self.name}", *options))


@dataclass(frozen=True, slots=True)
class BootConfig:
    """What config.txt says on this model; `path` is empty when there is none."""

    path: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    overlays: tuple[Overlay, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    gpio: tuple[str, ...] = ()
    """What stands behind `gpio=`: how pins are set at the start."""
    image: str = ""
    """The file with the overlays of Gnomon's image; its kernel knows neither `dtparam` nor other overlays."""

    def is_on(self, *names: str) -> bool:
        """Whether a parameter is on, under any of its names."""
        return any(self.parameters.get(name, "").lower() in _ON for name in names)


def boot_config(machine: Machine) -> BootConfig:
    """What config.txt says on this model."""
    path = machine.boot_file("config.txt")
    told = BootConfig(path)
    is_overlay_open = False
    for key, value in _settings(machine, path, _filters(machine)):
        if key == "dtoverlay":
            is_overlay_open = bool(value)
            if value:
                told = replace(told, overlays=(*told.overlays, _overlay(value)))
        elif key == "dtparam":
            for name, given in _parameters(value.split(",")).items():
                told = _with_parameter(told, name, given, of_overlay=is_overlay_open)
        elif key == _INCLUDE:
            told = replace(told, image=value if value.endswith(f"/{image_overlays.NAME}") else told.image)
        elif key == "gpio":
            told = replace(told, gpio=(*told.gpio, value))
        else:
            told = replace(told, settings={**told.settings, key: value})
    return told


def plain_lines(text: str) -> Iterator[str]:
    """The lines that say something: no comments, no blanks."""
    for row in text.splitlines():
        if line := row.partition("#")[0].strip():
            yield line


def _with_parameter(told: BootConfig, name: str, value: str, *, of_overlay: bool) -> BootConfig:
    if of_overlay and name not in BASE_PARAMETERS:
        *others, last = told.overlays
        return replace(told, overlays=(*others, Overlay(last.name, {**last.parameters, name: value})))
    return replace(told, parameters={**told.parameters, name: value})


def _overlay(value: str) -> Overlay:
    name, *options = value.split(",")
    # `i2c-rtc:ds3231` is an older way to write `i2c-rtc,ds3231`.
    name, colon, first = name.partition(":")
    return Overlay(name.strip(), _parameters([first, *options] if colon else options))


def _parameters(options: list[str]) -> dict[str, str]:
    pairs = (option.strip().partition("=") for option in options if option.strip())
    return {name.strip(): value.strip() or "on" for name, _, value in pairs}


def _filters(machine: Machine) -> frozenset[str]:
    """The filters of models that let this one through."""
    name, kind = model_name(machine), family(machine)
    also = {kind}
    if kind == "pi02":
        also |= {"pi0", "pi0w"}
    if kind == "pi0" and "Zero W" in name:
        also.add("pi0w")
    if kind == "pi3" and "Plus" in name:
        also.add("pi3+")
    if number := re.search(r"Raspberry Pi (400|500)\b", name):
        also.add(f"pi{number[1]}")
    if number := re.search(r"Compute Module (\w+)( Plus)?", name):
        also.add(f"cm{number[1].lower()}")
        if number[2]:
            also.add(f"cm{number[1]}+")
    return frozenset(also - {""})


def _settings(machine: Machine, path: str, filters: frozenset[str], depth: int = 0) -> Iterator[tuple[str, str]]:
    """The settings that hold, in order. A filter of another kind (a display, a serial number) is taken as not met."""
    holds = {"model": True, "other": True}
    for line in plain_lines(machine.text(path)) if path else ():
        if section := re.fullmatch(r"\[(.*)\]", line):
            word = section[1].strip().lower()
            if word == "all":
                holds = {"model": True, "other": True}
            elif word in _MODEL_FILTERS:
                holds["model"] = word in filters
            else:
                holds["other"] = False
        elif all(holds.values()):
            if included := re.fullmatch(r"include\s+(\S+)", line):
                if depth < _DEEPEST:
                    file = f"{path.rpartition('/')[0]}/{included[1]}"
                    yield _INCLUDE, file
                    yield from _settings(machine, file, filters, depth + 1)
            else:
                key, _, value = line.partition("=")
                yield key.strip(), value.strip()
