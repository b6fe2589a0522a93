"""Emulate the 74HC165 chain, the SK9822 light strip and the buzzer, down to their bytes and pulses."""

import errno
import os
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from gnomon_pi.config.description import BITS_PER_REGISTER, Chain
from gnomon_pi.simulated.chips._inputs import SolderedInputs

Colour = tuple[int, int, int]

_FULL: Final = 0xFF
DARK: Final[Colour] = (0, 0, 0)


class RegisterChain(SolderedInputs):
    """74HC165 registers in a row, with what is soldered to them.

    The last register is the canary. Its serial input, and with it everything clocked in from behind it, is 0.
    The clock rests low after power-up, whatever mode was asked for, because the controllers of a Pi set its rest
    level at their first transfer (Linux, spi-bcm2835.c: "default polarities", then `prepare_message`).
    """

    def __init__(self, sensors: Chain) -> None:
        self._sensors = sensors
        super().__init__(sensors)
        self._canary_at = (sensors.registers - 1) * BITS_PER_REGISTER
        self._invert = (1 << self._canary_at) - 1 if sensors.active_low else 0
        self._emitters = False
        self._loading = False
        self._clock_rests_high = False
        self._order: Callable[[list[int]], list[int]] = list
        self._held_latch: bool | None = None
        self._held_data: bool | None = None
        self._serial = [0] * sensors.registers
        self._parallel: dict[bool, list[int]] = {}
        self._mend()

    # Faults

    def break_wire(self, register: int, *, reads: int) -> None:
        """Nothing comes from `register` on, counted from 0 at the Pi: 0 or 1 is read instead."""
        self._change(broken_at=register, broken_reads=reads)

    def corrupt_canary(self, value: int) -> None:
        """The pins of the last register are wired to something else."""
        self._change(canary=value)

    def slip(self, bits: int) -> None:
        """Clock pulses are lost or doubled: everything comes so many bits too late, or too early (negative)."""
        self._change(slipped=bits)

    def resolder(self, order: Callable[[list[int]], list[int]]) -> None:
        """The registers are in another order, of another number, or their inputs on other pins.

        `order` makes of the bytes as described, the canary last, those as they are soldered.
        """
        with self._lock:
            self._order = order
            self._parallel.clear()

    def hold_latch(self, level: bool | None) -> None:  # noqa: FBT001 - the value is what it is about
        """The wire of the latch touches ground (False), or is broken and stays high (True); None mends it."""
        with self._lock:
            self._held_latch = level
            self._loading = level is False
            self._serial = [0] * self._sensors.registers

    def hold_data(self, level: bool | None) -> None:  # noqa: FBT001 - as above
        """The wire of the data touches ground (False) or 3.3 V (True); None mends it."""
        with self._lock:
            self._held_data = level

    def stop_clock(self) -> None:
        """The clock does not arrive: the first pin is read again and again."""
        self._change(is_clocked=False)

    def cut_off(self) -> None:
        """The bus itself fails: every transfer raises OSError."""
        self._change(reachable=False)

    def mend(self) -> None:
        """Take every fault away."""
        with self._lock:
            self._mend()
            self._loading = False
            self._parallel.clear()

    @property
    def _behind(self) -> int:
        """What is clocked in from behind the last register: ground, or what a broken wire reads."""
        return _FULL if self._broken_reads and self._broken_at < self._sensors.registers else 0

    # The pins and the bus

    def on_emitters(self, level: float) -> None:
        """The emitters' pin changed."""
        self._emitters = bool(level)

    def on_latch(self, level: float) -> None:
        """The pin SH/LD changed: while it is low the registers follow their inputs, then they hold them."""
        if self._held_latch is not None:
            return
        self._loading = not level
        if level:
            self._serial = self._parallel.get(self._emitters) or self._load()

    def transfer(self, count: int, clock_mode: int) -> list[int]:
        """Clock bytes out, the register next to the Pi first; what was clocked out is gone until the next load.

        Raises OSError while the bus is broken.
        """
        if not self._reachable:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        if self._held_data is not None:
            return [_FULL if self._held_data else 0] * count
        if self._is_clocked:
            self._rest_clock(high=bool(clock_mode & 2))
        if self._loading or not self._is_clocked:
            # Without clock pulses for the registers, the first pin is read again and again.
            return [_FULL if self._load()[0] >> (BITS_PER_REGISTER - 1) else 0] * count
        reading, behind = self._serial, self._behind
        if count == len(reading):
            self._serial = [behind] * count
        else:
            reading = (reading + [behind] * count)[:count]
            self._serial = (self._serial + [behind] * count)[count:][: len(self._serial)]
        # The registers shift on rising edges; only in mode 2 is a bit sampled before the edge that replaces it.
        slipped = self._slipped - (clock_mode != 2)
        return _slip(reading, slipped) if slipped else reading

    def _rest_clock(self, *, high: bool) -> None:
        """Take over the rest level of a mode: where the clock rises to it, the registers shift once."""
        if high and not self._clock_rests_high and not self._loading:
            self._serial = _slip(self._serial, -1)
        self._clock_rests_high = high

    def _load(self) -> list[int]:
        with self._lock:
            emitters = self._emitters
            blind = 0 if emitters else self._strobed
            active = (self._present & ~blind | self._dazzled | self._stuck_on) & ~self._stuck_off
            chain = (active ^ self._invert) | self._canary << self._canary_at
            registers = list(chain.to_bytes(self._sensors.registers, "little"))
            if self._broken_at < len(registers):
                level = _FULL if self._broken_reads else 0
                registers[self._broken_at :] = [level] * (len(registers) - self._broken_at)
            registers = self._order(registers)
            self._parallel[emitters] = registers
        return registers

    def _show(self) -> None:
        self._parallel.clear()

    def _mend(self) -> None:
        self._broken_at = self._sensors.registers
        self._broken_reads = 0
        self._canary = self._sensors.canary
        self._slipped = 0
        self._stuck_on = self._stuck_off = self._dazzled = 0
        self._reachable = self._is_clocked = True
        self._order = list
        self._held_latch = self._held_data = None


def _slip(reading: list[int], bits: int) -> list[int]:
    """The same bits, so many places later, or earlier (negative); zeros fill the gap."""
    width = len(reading) * BITS_PER_REGISTER
    value = int.from_bytes(bytes(reading), "big")
    value = value >> bits if bits > 0 else value << -bits & (1 << width) - 1
    return list(value.to_bytes(len(reading), "big"))


class LightStrip:
    """SK9822 lights: they take their colours over when 32 zeros follow, as far as clock pulses pass them on."""

    _START: Final = bytes(4)
    _MARK: Final = 0xE0
    _STRENGTHS: Final = bytes(mark & 0x1F for mark in range(256))

    def __init__(self, count: int) -> None:
        self._count = count
        self._colours = [DARK] * count
        self._brightness = [0] * count
        self.powered = True
        self.reachable = True

    @property
    def colours(self) -> tuple[Colour, ...]:
        """Red, green, blue of every light; all dark without power."""
        return tuple(self._colours) if self.powered else (DARK,) * self._count

    @property
    def brightness(self) -> tuple[int, ...]:
        """The global brightness of every light, of 31."""
        return tuple(self._brightness) if self.powered else (0,) * self._count

    def writebytes2(self, data: bytes) -> None:
        """Receive a frame, as `spidev.SpiDev.writebytes2` sends it. Raises OSError while the bus is broken."""
        if not self.reachable:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        if not data.startswith(self._START):
            return
        start = len(self._START)
        lights = data[start : start + 4 * min(self._count, len(data) // 4 - 1)]
        marks = lights[: len(lights) // 4 * 4 : 4]
        marked = len(marks)
        if marks and min(marks) < self._MARK:
            marked = next(number for number, mark in enumerate(marks) if mark < self._MARK)
        tail = data[start + 4 * marked :]
        if not tail.startswith(self._START) or any(tail):
            return
        # Each light passes the data on half a clock pulse late.
        reached = min(marked, 2 * BITS_PER_REGISTER * (len(tail) - start) + 1)
        blue, green, red = (lights[colour : 4 * reached : 4] for colour in (1, 2, 3))
        self._colours[:reached] = zip(red, green, blue, strict=True)
        self._brightness[:reached] = marks[:reached].translate(self._STRENGTHS)

    def close(self) -> None:
        """Nothing holds a simulated bus."""


class Heard(NamedTuple):
    """A sound that began: when, in microseconds, and its frequency in Hz, 0 for silence."""

    at: int
    frequency: float


class Piezo:
    """What comes out of the buzzer's pin; the last few hundred changes are remembered."""

    REMEMBERED: Final = 512

    def __init__(self, own_tone: float, *, active_low: bool = False) -> None:
        self._own_tone = own_tone  # of an active buzzer, Hz; 0 for a piezo that sounds as it is driven
        self._rest = active_low
        self._heard: deque[Heard] = deque(maxlen=self.REMEMBERED)

    @property
    def sounds(self) -> tuple[Heard, ...]:
        """The changes of sound, oldest first."""
        return tuple(self._heard)

    def on_pin(self, at: int, level: float, frequency: float | None) -> None:
        """The pin's level or the frequency of its pulses changed."""
        if frequency is not None:
            sound = frequency if 0 < level < 1 else 0.0
        else:
            sound = self._own_tone if bool(level) is not self._rest else 0.0
        if sound != (self._heard[-1].frequency if self._heard else 0.0):
            self._heard.append(Heard(at, sound))
