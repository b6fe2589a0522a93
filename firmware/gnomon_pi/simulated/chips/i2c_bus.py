"""Emulate an I2C bus with the interface of `smbus2.SMBus`."""

import errno
import os
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol, runtime_checkable

_LONGEST: Final = 32  # bytes of an SMBus block
_READ: Final = 0x0001  # linux/i2c.h: I2C_M_RD


class Chip(Protocol):
    """Whatever answers to an address."""

    def receive(self, control: int, data: Sequence[int]) -> None:
        """Take the bytes of one transaction. Raises OSError when it does not acknowledge."""
        ...


@runtime_checkable
class ReadableChip(Chip, Protocol):
    """Whatever can also be asked."""

    def answer(self, register: int, count: int) -> list[int]:
        """So many bytes from a register on. Raises OSError when it does not acknowledge."""
        ...


@runtime_checkable
class SendingChip(Chip, Protocol):
    """Whatever is read without naming a register."""

    def send(self, count: int) -> bytes:
        """The next so many bytes. Raises OSError when it does not acknowledge."""
        ...


class SimulatedI2C:
    """An I2C bus with chips on it, used as `smbus2.SMBus` is."""

    def __init__(self, chips: Mapping[int, Chip]) -> None:
        self._chips = dict(chips)
        self._readable = {address: chip for address, chip in chips.items() if isinstance(chip, ReadableChip)}

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        """Write up to 32 bytes after a first one. Raises OSError when nobody answers."""
        _check(len(data))
        chip = self._chips.get(i2c_addr)
        if chip is None:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        chip.receive(register, data)

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        """Read up to 32 bytes from a register on. Raises OSError when nobody answers."""
        _check(length)
        chip = self._readable.get(i2c_addr)
        if chip is None:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        return chip.answer(register, length)

    def i2c_rdwr(self, *messages: Any) -> None:
        """Write and read `i2c_msg`s. Raises OSError when nobody answers."""
        for message in messages:
            chip = self._chips.get(message.addr)
            if chip is None:
                raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
            if not message.flags & _READ:
                first, *more = bytes(message)
                chip.receive(first, more)
            elif isinstance(chip, SendingChip):
                for place, byte in enumerate(chip.send(len(message))):
                    message.buf[place] = byte
            else:
                raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))

    def close(self) -> None:
        """Nothing holds a simulated bus."""


def _check(length: int) -> None:
    if length > _LONGEST:
        message = f"an SMBus block has at most {_LONGEST} bytes, not {length}"
        raise ValueError(message)
