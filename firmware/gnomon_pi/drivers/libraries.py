"""Define typed protocols for the untyped device libraries, and say what their failures mean and what helps.

The libraries ship no types, and name a cause and no remedy. Each protocol here is the part of one of them that a
driver relies on, so that the emulated chips and the real devices are held to the same.
"""

import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import luma.core.error
from gpiozero.exc import GPIOZeroError

from gnomon.refusals import Statement, statement

Later = Callable[[float, Callable[[], None]], object]
"""Calls a function after so many seconds, as `asyncio.loop.call_later` does."""
DEVICES: Final = Path("/dev")
_CAUSE: Final = re.compile(r"error was: (.*)\)$")  # why gpiozero falls back to an SPI clocked by software

_MAY_NOT: Final = statement("advice.may_not")
_OLD_LIBRARY: Final = statement("advice.old_library")
_NO_PI: Final = statement("advice.no_pi")

# What the libraries say, and what it means: lgpio 0.2.2, rpi-lgpio 0.6, RPi.GPIO 0.7.1, gpiozero 2.0.1.
_REMEDIES: Final = (
    ("GPIO busy", statement("advice.busy")),
    ("Failed to add edge detection", _OLD_LIBRARY),
    ("Cannot determine SOC peripheral base address", _OLD_LIBRARY),
    ("No access to /dev/mem", _MAY_NOT),
    ("Permission denied", _MAY_NOT),
    ("can only be run on a Raspberry Pi", _NO_PI),
    ("unable to locate Pi revision", _NO_PI),
)


# Protocols


class Closable(Protocol):
    """Whatever holds pins or a bus."""

    def close(self) -> None:
        """Let them go."""
        ...


class Pin(Protocol):
    """A GPIO pin of gpiozero."""

    state: float
    frequency: float | None
    bounce: float | None
    edges: str
    when_changed: Callable[[float, float], None] | None


class Spi(Protocol):
    """A hardware SPI of gpiozero."""

    clock_mode: int
    rate: int

    def transfer(self, data: list[int]) -> list[int]:
        """Clock bytes out and as many in."""
        ...

    def close(self) -> None:
        """Let the pins go."""
        ...


class PinFactory(Protocol):
    """What makes pins and buses: gpiozero's `LGPIOFactory`, or one in software."""

    def pin(self, name: int) -> Pin:
        """The pin of a BCM number."""
        ...

    def spi(self, *, port: int, device: int) -> Spi:
        """A hardware SPI."""
        ...

    def ticks(self) -> float:
        """The present instant on the clock that stamps edges."""
        ...

    def ticks_diff(self, later: float, earlier: float) -> float:
        """The seconds between two instants of that clock."""
        ...


class I2cBus(Protocol):
    """An I2C bus of smbus2."""

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        """Write up to 32 bytes after a first one. Raises OSError when nobody answers."""
        ...

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        """Read up to 32 bytes from a register on, in one transaction. Raises OSError when nobody answers."""
        ...

    def i2c_rdwr(self, *messages: Any) -> None:
        """Write and read `i2c_msg`s in one transaction. Raises OSError when nobody answers."""
        ...

    def close(self) -> None:
        """Let the bus go."""
        ...


class I2cTransfers(Protocol):
    """An I2C bus of smbus2 for chips that have no registers."""

    def i2c_rdwr(self, *messages: Any) -> None:
        """Write and read `i2c_msg`s in one transaction. Raises OSError when nobody answers."""
        ...

    def close(self) -> None:
        """Let the bus go."""
        ...


class SpiWriter(Protocol):
    """An SPI of spidev that is only written to."""

    def writebytes2(self, data: bytes) -> None:
        """Write any number of bytes. Raises OSError."""
        ...

    def close(self) -> None:
        """Let the bus go."""
        ...


# Failures


def failures(*more: type[Exception]) -> tuple[type[Exception], ...]:
    """The exceptions that mean that a device failed, as opposed to a mistake in this program."""
    known: tuple[type[Exception], ...] = (OSError, GPIOZeroError, luma.core.error.Error, *more)
    if lgpio := sys.modules.get("lgpio"):
        known += (lgpio.error,)
    if "RPi.GPIO" in sys.modules:
        known += (RuntimeError,)  # "Failed to add edge detection" on kernels from 6.6 on
    return known


def advice(error: BaseException, devices: Path = DEVICES) -> Statement:
    """What a library said, with what to do where that is known; no full stop."""
    said = str(error).strip().strip("'").rstrip(".!") or type(error).__name__
    if "can not open gpiochip" in said:
        return _about_chips(said, devices)
    remedy = next((remedy for words, remedy in _REMEDIES if words in said), None)
    return Statement.plain(said) if remedy is None else _with_remedy(said, remedy)


def bus_advice(error: BaseException, setting: str, group: str) -> Statement:
    """What to do about a bus that cannot be opened: the setting that makes it, or the group that may; no full stop."""
    said = str(error)
    if found := _CAUSE.search(said):
        said = found[1]
    if "ermission denied" in said:
        return statement("advice.bus.may_not", group=group)
    said = said.strip().strip("'").rstrip(".")
    from gnomon_pi.config import image_overlays  # where nothing fails, no advice is asked for

    if image_overlays.FILE.exists():
        return _with_remedy(said, statement("advice.bus.image"))
    return _with_remedy(said, statement("advice.bus.setting", setting=setting))


def _with_remedy(said: str, remedy: Statement) -> Statement:
    return statement("advice.said", said=said, more=remedy)


def _about_chips(said: str, devices: Path) -> Statement:
    """Tell apart what lgpio says the same of: a chip that is not there, and one that may not be opened."""
    chips = sorted(devices.glob("gpiochip*"))
    if not chips:
        return _with_remedy(said, statement("advice.no_chip", device=f"{devices}/gpiochip0", more=_NO_PI))
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return _MAY_NOT
    return _with_remedy(said, statement("advice.other_chip", device=str(chips[0])))
