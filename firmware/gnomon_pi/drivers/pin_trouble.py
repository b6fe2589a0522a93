"""Translate errors of the pin libraries and buses into advice for the builder.

The libraries name a cause and no remedy.
"""

import os
import re
from pathlib import Path
from typing import Final

DEVICES: Final = Path("/dev")
_CAUSE: Final = re.compile(r"error was: (.*)\)$")  # why gpiozero falls back to an SPI clocked by software

_MAY_NOT: Final = "this user may not use the pins: sudo usermod -aG gpio $USER, and log in anew"
_OLD_LIBRARY: Final = (
    'RPi.GPIO does not know this Pi or its kernel: say pins = "lgpio", or install rpi-lgpio in the place of RPi.GPIO'
)
_NO_PI: Final = "is this a Raspberry Pi? (gnomond --simulated needs none)"

# What the libraries say, and what it means: lgpio 0.2.2, rpi-lgpio 0.6, RPi.GPIO 0.7.1, gpiozero 2.0.1.
_REMEDIES: Final = (
    ("GPIO busy", "another program holds that pin, perhaps a second gnomond: gpioinfo names it, and it has to stop"),
    ("Failed to add edge detection", _OLD_LIBRARY),
    ("Cannot determine SOC peripheral base address", _OLD_LIBRARY),
    ("No access to /dev/mem", _MAY_NOT),
    ("Permission denied", _MAY_NOT),
    ("can only be run on a Raspberry Pi", _NO_PI),
    ("unable to locate Pi revision", _NO_PI),
)


def advice(error: BaseException, devices: Path = DEVICES) -> str:
    """What a library said, with what to do where that is known; no full stop."""
    said = str(error).strip().strip("'").rstrip(".!") or type(error).__name__
    if "can not open gpiochip" in said:
        return _about_chips(said, devices)
    for words, remedy in _REMEDIES:
        if words in said:
            return f"{said}: {remedy}"
    return said


def bus_advice(error: BaseException, setting: str, group: str) -> str:
    """What to do about a bus that cannot be opened: the setting that makes it, or the group that may; no full stop."""
    said = str(error)
    if found := _CAUSE.search(said):
        said = found[1]
    if "ermission denied" in said:
        return f"this user may not use it: sudo usermod -aG {group} $USER, and log in anew"
    said = said.strip().strip("'").rstrip(".")
    return f"{said}: set {setting} in config.txt, and start the Pi anew"


def _about_chips(said: str, devices: Path) -> str:
    """Tell apart what lgpio says the same of: a chip that is not there, and one that may not be opened."""
    chips = sorted(devices.glob("gpiochip*"))
    if not chips:
        return f"{said}: there is no {devices}/gpiochip0; {_NO_PI}"
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return _MAY_NOT
    return f"{said}: {chips[0]} is there, so another one is meant; gpiodetect lists them"
