"""Define typed protocols for the untyped device libraries, and list the exceptions that mean a device failure.

The libraries ship no types; each protocol here is the part of one of them that a driver relies on, so that the
emulated chips and the real devices are held to the same.
"""

import sys
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import luma.core.error
from gpiozero.exc import GPIOZeroError

Later = Callable[[float, Callable[[], None]], object]
"""Calls a function after so many seconds, as `asyncio.loop.call_later` does."""


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

    def i2c_rdwr(self, *messages: Any) -> None:  # noqa: ANN401 - smbus2's `i2c_msg` has no type
        """Write and read `i2c_msg`s in one transaction. Raises OSError when nobody answers."""
        ...

    def close(self) -> None:
        """Let the bus go."""
        ...


class I2cTransfers(Protocol):
    """An I2C bus of smbus2 for chips that have no registers."""

    def i2c_rdwr(self, *messages: Any) -> None:  # noqa: ANN401 - smbus2's `i2c_msg` has no type
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


def failures(*more: type[Exception]) -> tuple[type[Exception], ...]:
    """The exceptions that mean that a device failed, as opposed to a mistake in this program."""
    known: tuple[type[Exception], ...] = (OSError, GPIOZeroError, luma.core.error.Error, *more)
    if lgpio := sys.modules.get("lgpio"):
        known += (lgpio.error,)
    if "RPi.GPIO" in sys.modules:
        known += (RuntimeError,)  # "Failed to add edge detection" on kernels from 6.6 on
    return known
