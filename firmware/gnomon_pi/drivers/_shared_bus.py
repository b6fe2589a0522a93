"""Share an I2C bus among drivers in several threads: opened once, used in turns, closed with the last user."""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from threading import Lock
from typing import Any

from gnomon_pi.drivers.libraries import I2cBus


class SharedBus:
    """An I2C bus on which several drivers have chips, each in a thread of its own.

    smbus2 notes the address of a chip in one call to the kernel and transfers in the next, so two threads that used
    a bus freely would speak to each other's chips. A whole picture keeps a display's thread busy for 25 ms at
    400 kHz, in transactions of at most 34 bytes (0.8 ms): a waiting thread gets the bus after the transaction that is
    under way. A plain lock does not promise that: the thread that lets it go may take it again before the other wakes.
    """

    def __init__(self, bus: I2cBus) -> None:
        self._bus = bus
        self._next = Lock()  # held by the one who waits; to pass here is to be next
        self._busy = Lock()
        self._users: list[BusUser] = []

    def user(self) -> "BusUser":
        """The bus for one more driver, which closes it when it is done."""
        user = BusUser(self)
        self._users.append(user)
        return user

    @contextmanager
    def turn(self, user: "BusUser") -> Iterator[I2cBus]:
        """The bus for a user alone. Raises OSError when it has closed the bus."""
        with self._next:
            self._busy.acquire()
        try:
            if user not in self._users:
                raise OSError(errno.EBADF, os.strerror(errno.EBADF))
            yield self._bus
        finally:
            self._busy.release()

    def leave(self, user: "BusUser") -> None:
        """One user fewer; the last one closes the bus. Raises OSError when that fails."""
        with self._next, self._busy:
            if user in self._users:
                self._users.remove(user)
                if not self._users:
                    self._bus.close()


class BusUser:
    """A shared bus as one driver has it; used as `smbus2.SMBus` is, each call a turn of its own."""

    def __init__(self, shared: SharedBus) -> None:
        self._shared = shared

    def turn(self) -> AbstractContextManager[I2cBus]:
        """The bus for several transactions in a row, as a context; keep it short, others wait. Raises OSError."""
        return self._shared.turn(self)

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        """Write up to 32 bytes after a first one. Raises OSError when nobody answers."""
        with self.turn() as bus:
            bus.write_i2c_block_data(i2c_addr, register, data)

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        """Read up to 32 bytes from a register on. Raises OSError when nobody answers."""
        with self.turn() as bus:
            return bus.read_i2c_block_data(i2c_addr, register, length)

    def i2c_rdwr(self, *messages: Any) -> None:
        """Write and read `i2c_msg`s in one transaction. Raises OSError when nobody answers."""
        with self.turn() as bus:
            bus.i2c_rdwr(*messages)

    def close(self) -> None:
        """Let the bus go; it is closed when nobody uses it any more."""
        self._shared.leave(self)
