"""The only place that stands in for the I2C bus below luma."""

import errno
import os
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

_LONGEST: Final = 32  # bytes of an SMBus block


class Chip(Protocol):
    """Whatever answers to an address."""

    def receive(self, control: int, data: Sequence[int]) -> None:
        """Take the bytes of one transaction. Raises OSError when it does not acknowledge."""
        ...


class SimulatedI2C:
    """An I2C bus with chips on it, used as `smbus2.SMBus` is."""

    def __init__(self, chips: Mapping[int, Chip]) -> None:
        self._chips = dict(chips)

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        """Write up to 32 bytes after a first one. Raises OSError when nobody answers."""
        if len(data) > _LONGEST:
            message = f"an SMBus block has at most {_LONGEST} bytes, not {len(data)}"
            raise ValueError(message)
        chip = self._chips.get(i2c_addr)
        if chip is None:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        chip.receive(register, data)

    def close(self) -> None:
        """Nothing holds a simulated bus."""
