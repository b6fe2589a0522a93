"""Emulate the MCP23017: its registers, its interrupt line and its failures."""

import errno
import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from enum import IntEnum
from threading import RLock
from typing import Final

# A chip that lost its power comes back with every pin an input and everything else off, interrupts included
# (data sheet DS20001952, table 3-5).
_RESET: Final = (0xFF, 0xFF) + (0,) * 20
_REGISTERS: Final = len(_RESET)
_PORTS: Final = 2
_BITS: Final = 8
_PORT: Final = 0xFF
_PIN_7: Final = 0x80
_SPOILT: Final = 0x0F  # the bits of a byte that a disturbed SDA turns over


class ChipRegister(IntEnum):
    """Those of port A with IOCON.BANK = 0; port B's follow each."""

    IODIR = 0x00
    IPOL = 0x02
    GPINTEN = 0x04
    DEFVAL = 0x06
    INTCON = 0x08
    IOCON = 0x0A
    GPPU = 0x0C
    INTF = 0x0E
    INTCAP = 0x10
    GPIO = 0x12
    OLAT = 0x14


class Iocon(IntEnum):
    """The bits of IOCON."""

    INTPOL = 0x02
    ODR = 0x04
    SEQOP = 0x20
    MIRROR = 0x40
    BANK = 0x80


_READ_ONLY: Final = (ChipRegister.INTF, ChipRegister.INTCAP)
_WRITABLE_IOCON: Final = 0xFE


class InterruptLevel(IntEnum):
    """What a chip does to the wire at its pin INTA."""

    FREE = 0
    LOW = 1
    HIGH = 2


class Mcp23017:
    """One expander, down to its registers; it may be used from any thread.

    Its pins are driven from outside by `drive`; one that nobody drives is high with a pull-up and low without. `told`
    is called when the chip does something else to its interrupt line; `between` in the middle of each byte that is
    read of a port, when its pins have been sampled and its interrupt is not cleared yet.
    """

    def __init__(self, lock: AbstractContextManager[object] | None = None) -> None:
        """`lock` is that of everything that is soldered together: hands and the bus have threads of their own."""
        self.told: Callable[[], None] = lambda: None
        self.between: Callable[[], None] = lambda: None
        self.reachable = True
        self.forgets = False  # it acknowledges what is written, and keeps nothing of it
        self._powered = True
        self._lock = lock or RLock()
        self._driven = self._levels = 0
        self._start()
        self.line = self._line()

    # The pins

    def drive(self, driven: int, levels: int) -> None:
        """Drive those of the 16 pins, GPA0 the lowest bit, to those levels, and let the others float."""
        with self._lock:
            self._driven, self._levels = driven, levels & driven
            self._notice()

    def register(self, register: ChipRegister) -> int:
        """A pair of registers as they are, port B in the upper byte; of GPIO only a read knows."""
        return self._registers[register] | self._registers[register + 1] << _BITS

    # The power

    def switch_off(self) -> None:
        """The power goes away."""
        with self._lock:
            self._powered = False
            self._tell()

    def switch_on(self) -> None:
        """The power comes back, without any setting; nothing when it has not been away."""
        with self._lock:
            if not self._powered:
                self._powered = True
                self._start()
                self._tell()

    def _start(self) -> None:
        self._registers = list(_RESET)
        self._previous = self._port_levels()

    # The bus

    def receive(self, control: int, data: Sequence[int]) -> None:
        """Take the bytes from a register on. Raises OSError when the chip does not acknowledge."""
        with self._lock:
            self._acknowledge()
            address = control
            for byte in data:
                self._write(self._at(address), byte)
                address = self._after(address)
            self._notice()

    def answer(self, register: int, count: int) -> list[int]:
        """So many bytes from a register on. Raises OSError when the chip does not acknowledge."""
        with self._lock:
            self._acknowledge()
            address, read = register, []
            for _ in range(count):
                read.append(self._read(self._at(address)))
                address = self._after(address)
            return read

    def _acknowledge(self) -> None:
        if not (self.reachable and self._powered):
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))

    def _at(self, address: int) -> int:
        """The register at an address, by its number with BANK = 0, or one beyond the last."""
        if not self._registers[ChipRegister.IOCON] & Iocon.BANK:
            return address
        port, place = divmod(address, 0x10)
        return 2 * place + port if place < _REGISTERS // _PORTS and port < _PORTS else _REGISTERS

    def _after(self, address: int) -> int:
        """Where the next byte goes: one on, or with SEQOP to and fro within the pair."""
        iocon = self._registers[ChipRegister.IOCON]
        if iocon & Iocon.SEQOP:
            return address if iocon & Iocon.BANK else address ^ 1
        return (address + 1) % (0x20 if iocon & Iocon.BANK else _REGISTERS)

    def _write(self, number: int, byte: int) -> None:
        if number >= _REGISTERS or self.forgets:
            return
        register, port = ChipRegister(number & ~1), number & 1
        if register in _READ_ONLY:
            return
        if register is ChipRegister.GPIO:
            number = ChipRegister.OLAT + port
        if register is ChipRegister.IOCON:  # one register at two addresses
            self._registers[ChipRegister.IOCON] = self._registers[ChipRegister.IOCON + 1] = byte & _WRITABLE_IOCON
        else:
            self._registers[number] = byte

    def _read(self, number: int) -> int:
        if number >= _REGISTERS:
            return 0
        register, port = ChipRegister(number & ~1), number & 1
        if register not in (ChipRegister.GPIO, ChipRegister.INTCAP):
            return self._registers[number]
        before = self._port(port)
        byte = before if register is ChipRegister.GPIO else self._registers[number]
        self.between()
        # Data sheet DS20001952D, section 2: a change of GPA7 or GPB7 while it is sent as an input disturbs SDA.
        if (self._port(port) ^ before) & self._registers[ChipRegister.IODIR + port] & _PIN_7:
            byte ^= _SPOILT
        self._clear(port)
        return byte

    # The interrupt

    def _clear(self, port: int) -> None:
        """The last bit of GPIO or INTCAP has been read: what is there now is what the next change is seen against."""
        self._registers[ChipRegister.INTF + port] = 0
        mask = _PORT << _BITS * port
        self._previous = self._previous & ~mask | self._port_levels() & mask
        self._notice()

    def _notice(self) -> None:
        """Raise the interrupt of a port whose pins have changed, unless it is raised already."""
        shown = self._port_levels()
        for port in range(_PORTS):
            if self._registers[ChipRegister.INTF + port]:
                continue
            mask = _PORT << _BITS * port
            against = self._registers[ChipRegister.INTCON + port]
            level, was = shown >> _BITS * port & _PORT, self._previous >> _BITS * port & _PORT
            differs = (level ^ was) & ~against | (level ^ self._registers[ChipRegister.DEFVAL + port]) & against
            enabled = self._registers[ChipRegister.GPINTEN + port] & self._registers[ChipRegister.IODIR + port]
            if flags := differs & enabled:
                self._registers[ChipRegister.INTF + port] = flags
                self._registers[ChipRegister.INTCAP + port] = level
            else:
                self._previous = self._previous & ~mask | shown & mask
        self._tell()

    def _tell(self) -> None:
        line = self._line()
        if line is not self.line:
            self.line = line
            self.told()

    def _line(self) -> InterruptLevel:
        """What the chip does to the wire at INTA; a chip without power does nothing."""
        if not self._powered:
            return InterruptLevel.FREE
        iocon = self._registers[ChipRegister.IOCON]
        is_active = bool(self.register(ChipRegister.INTF) & (0xFFFF if iocon & Iocon.MIRROR else _PORT))
        if iocon & Iocon.ODR:
            return InterruptLevel.LOW if is_active else InterruptLevel.FREE
        return InterruptLevel.HIGH if is_active == bool(iocon & Iocon.INTPOL) else InterruptLevel.LOW

    def _port(self, port: int) -> int:
        return self._port_levels() >> _BITS * port & _PORT

    def _port_levels(self) -> int:
        """What a read of both ports shows: of outputs their latches, of inputs what is driven or pulled."""
        # The addresses of ChipRegister, written out: half of the time of the simulated board goes by here.
        inputs_a, inputs_b, flipped_a, flipped_b = self._registers[0x00:0x04]
        pulled_a, pulled_b = self._registers[0x0C:0x0E]
        latched_a, latched_b = self._registers[0x14:0x16]
        inputs = inputs_a | inputs_b << _BITS
        seen = self._levels | (pulled_a | pulled_b << _BITS) & ~self._driven
        seen ^= flipped_a | flipped_b << _BITS
        return seen & inputs | (latched_a | latched_b << _BITS) & ~inputs
