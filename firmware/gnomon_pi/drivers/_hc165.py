"""Read a chain of 74HC165 shift registers, and detect a broken, stuck or slipped chain."""

import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from gpiozero import OutputDevice
from gpiozero.exc import SPIBadArgs, SPIFixedRate, SPISoftwareFallback

from gnomon.refusals import Statement, statement
from gnomon_pi.config.description import BITS_PER_REGISTER, Chain
from gnomon_pi.drivers.libraries import Closable, Pin, PinFactory, Spi, advice, bus_advice, failures
from gnomon_pi.drivers.protocols import DriverError, too_much_light

# The register shifts on rising edges. In mode 2 the Pi samples on falling ones: half a clock of margin both ways.
_CLOCK_MODE: Final = 2
_ONES: Final = 0xFF
_SETTING: Final = "dtparam=spi=on"
_LATEST: Final = 4  # a canary that came so many bits too late is no longer told from chance
_BEYOND: Final = 8  # registers more than described that a closer look still finds
_LOOKS: Final = 5


class ShiftRegisters:
    """A sensor driver: one bit an input, set when the input is active.

    Each scan of a chain with infra-red emitters reads it twice, with these off and on: a strobed input counts only if
    it is active in the emitters' light and not without it. The emitters are on while the dark reading is clocked in
    (19 registers at 1 MHz: 152 µs), and then for `settle_us`: how fast an eye is hangs on its load, and nobody has
    measured it with this one (hardware/electronics.md). Without emitters that can be switched one reading says
    everything.
    """

    def __init__(self, sensors: Chain, *, pin_factory: PinFactory, pause: Callable[[float], None] = time.sleep) -> None:
        """`pause` lets so many seconds pass."""
        self._sensors = sensors
        self._pause = pause
        self._settle = sensors.settle_us / 1_000_000
        self._pin_factory = pin_factory
        self._decoder = _Decoder(sensors)
        self._zeros = [0] * sensors.registers
        self._wires: _Wires | None = None
        self._last: tuple[list[int], list[int]] = ([], [])
        self._levels = 0
        self._dazzled = 0

    def scan(self) -> int:
        """One bit an input, in the order of `Chain.inputs`. Raises DriverError; the next call tries again."""
        try:
            wires = self._wires or self._connect()
            zeros, latch, emitters, off = self._zeros, wires.latch, wires.emitters, wires.off
            latch.state = False
            latch.state = True
            if emitters is None:
                dark = lit = wires.spi.transfer(zeros)
            else:
                emitters.state = not off
                dark = wires.spi.transfer(zeros)
                if self._settle:
                    self._pause(self._settle)
                latch.state = False
                latch.state = True
                emitters.state = off
                lit = wires.spi.transfer(zeros)
        except failures() as error:
            self.close()
            raise DriverError(statement("health.sensors", detail=advice(error))) from error
        if (dark, lit) != self._last:
            self._levels, self._dazzled = self._decoder.levels(dark, lit)
            self._last = (dark, lit)
        return self._levels

    def unread(self, _number: int) -> int:
        """0: every scan that succeeds looks at every input."""
        return 0

    def health(self) -> tuple[Statement, ...]:
        """The strobed inputs that saw light although the emitters were off, or that nobody can read yet."""
        emitters = self._sensors.emitters
        if emitters is not None and emitters.active_low is None:
            return (statement("health.emitters.unread", pin=emitters.pin),)
        names = [name for bit, name in enumerate(self._sensors.inputs) if self._dazzled >> bit & 1]
        if not names:
            return ()
        return (too_much_light(names),)

    def diagnose(self) -> tuple[Statement, ...]:
        """Why scans fail, as far as more bytes than a scan has can tell; nothing when the canary is in its place.

        For somebody who looks for a fault, with the board at rest. Raises DriverError.
        """
        zeros = [0] * (self._sensors.registers + _BEYOND)
        causes = []
        try:
            wires = self._wires or self._connect()
            for _ in range(_LOOKS):
                wires.latch.state = False
                wires.latch.state = True
                causes.append(chain_fault(wires.spi.transfer(zeros), self._sensors.registers, self._sensors.canary))
        except failures() as error:
            self.close()
            raise DriverError(statement("health.sensors", detail=advice(error))) from error
        usual = max(causes, key=causes.count)
        return () if usual is None else (usual,)

    def close(self) -> None:
        """Let the pins and the bus go, with the emitters off."""
        wires, self._wires = self._wires, None
        self._last = ([], [])
        if wires is not None:
            wires.close()

    def _connect(self) -> "_Wires":
        self._wires = _Wires(self._sensors, self._pin_factory)
        return self._wires


class _Wires:
    """The pins and the bus of the chain, while they are held."""

    def __init__(self, sensors: Chain, pin_factory: PinFactory) -> None:
        self._held: list[Closable] = []
        self.emitters: Pin | None = None
        self.off = False
        try:
            self.latch = self._output("latch", sensors.latch, pin_factory, high=True)
            if sensors.emitters is not None and sensors.emitters.active_low is not None:
                self.off = sensors.emitters.active_low
                self.emitters = self._output("emitters", sensors.emitters.pin, pin_factory, high=self.off)
            self.spi = self._bus(sensors, pin_factory)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self.emitters is not None:
            with suppress(*failures()):
                self.emitters.state = self.off
        for device in reversed(self._held):
            with suppress(*failures()):  # What cannot be reached cannot be let go.
                device.close()

    def _output(self, what: str, number: int, pin_factory: PinFactory, *, high: bool) -> Pin:
        try:
            device = OutputDevice(number, initial_value=high, pin_factory=pin_factory)
        except failures() as error:
            why = statement(
                "health.sensors.latch" if what == "latch" else "health.sensors.emitters",
                pin=number,
                detail=advice(error),
            )
            raise DriverError(why) from error
        self._held.append(device)
        # Writing to the pin itself takes half of the time of `on()` and `off()`.
        pin: Pin = device.pin
        return pin

    def _bus(self, sensors: Chain, pin_factory: PinFactory) -> Spi:
        try:
            with warnings.catch_warnings():
                # Bits clocked by Python would take some 10 ms a scan, and gpiozero says so only by a warning.
                warnings.simplefilter("error", SPISoftwareFallback)
                spi = pin_factory.spi(port=sensors.spi_port, device=sensors.spi_device)
        except SPIBadArgs as error:
            if sensors.spi_port == 0:
                raise
            # Asked for the pins of SPI1, gpiozero would clock them by Python, and say nothing.
            raise DriverError(statement("health.sensors.spi", port=sensors.spi_port)) from error
        except SPISoftwareFallback as error:
            raise DriverError(
                statement("health.sensors.bus", port=sensors.spi_port, detail=bus_advice(error, _SETTING, "spi"))
            ) from error
        self._held.append(spi)
        spi.clock_mode = _CLOCK_MODE
        with suppress(SPIFixedRate):  # A bus clocked by software has no rate.
            spi.rate = sensors.clock_hz
        # The controller lets the clock rest low until its first transfer (Linux, spi-bcm2835.c). A clock that rises to
        # its rest level after a load would shift the registers once; so it rises here, before the first load.
        spi.transfer([0])
        return spi


class _Decoder:
    """What two readings of the chain mean."""

    def __init__(self, sensors: Chain) -> None:
        self._sensors = sensors
        self._invert = (1 << sensors.registers * BITS_PER_REGISTER) - 1 if sensors.active_low else 0
        self._used = (1 << len(sensors.inputs)) - 1
        self._strobed = sum(1 << bit for bit, strobed in enumerate(sensors.strobed) if strobed)
        self._in_order = sensors.bits == tuple(range(len(sensors.bits)))

    def levels(self, dark: Sequence[int], lit: Sequence[int]) -> tuple[int, int]:
        """The active inputs, and the strobed ones that see foreign light. Raises DriverError."""
        canary = self._sensors.canary
        for reading in (dark, lit):
            if reading[-1] != canary:
                raise DriverError(_failure(reading, canary))
        unlit, seen = self._inputs(dark), self._inputs(lit)
        dazzled = unlit & self._strobed
        return seen & ~dazzled, dazzled

    def _inputs(self, reading: Sequence[int]) -> int:
        # H is the first pin of a register to arrive, and so the highest bit of its byte; the register next to
        # the Pi is the first to arrive, and so the lowest byte.
        chain = int.from_bytes(bytes(reading), "little") ^ self._invert
        if self._in_order:
            return chain & self._used
        return sum((chain >> bit & 1) << number for number, bit in enumerate(self._sensors.bits))


def _failure(reading: Sequence[int], canary: int) -> Statement:
    """Which way the chain failed, as far as its bytes tell, and where to look."""
    last = reading[-1]
    if last in (0, _ONES):
        # Bytes of the same kind in front of it may come from idle inputs, so the break is there or further on.
        register = len(reading)
        while register and reading[register - 1] == last:
            register -= 1
        return _silence(register, is_zero=last == 0)
    if (step := _step(reading, canary)) is not None:
        return step
    return _wrong_canary(last, canary)


def _silence(register: int, *, is_zero: bool) -> Statement:
    """That only one level comes from a register on, or from all of them."""
    if register == 0:
        return statement("health.sensors.zeros" if is_zero else "health.sensors.ones")
    return statement("health.sensors.zeros.broken" if is_zero else "health.sensors.ones.broken", register=register)


def _wrong_canary(read: int, canary: int) -> Statement:
    """How the last register is wired, when all before it is in its place."""
    if read == int(f"{canary:08b}"[::-1], 2):
        return statement("health.sensors.reversed", read=f"0x{read:02X}", canary=f"0x{canary:02X}")
    if read == canary ^ _ONES:
        return statement("health.sensors.inverted", read=f"0x{read:02X}", canary=f"0x{canary:02X}")
    return statement("health.sensors.canary", read=f"0x{read:02X}", canary=f"0x{canary:02X}")


def chain_fault(reading: Sequence[int], registers: int, canary: int) -> Statement | None:
    """What is wrong with a chain of which more was read than it has; None when nothing is.

    The serial input of the last register is tied to ground, so only zeros come behind the canary: where both are
    found, the canary is the canary and no pattern of inputs.
    """
    bits = "".join(f"{byte:08b}" for byte in reading)
    mark, place = f"{canary:08b}", (registers - 1) * BITS_PER_REGISTER
    end = len(bits.rstrip("0"))
    found = end - len(mark.rstrip("0"))
    if end and found >= 0 and bits.startswith(mark, found):
        return _shifted_canary(found - place, registers)
    last = int(bits[place : place + len(mark)], 2)
    if place < end <= place + len(mark) and last:
        return _wrong_canary(last, canary)
    level = bits[-1]
    begins = -(-len(bits.rstrip(level)) // BITS_PER_REGISTER)
    if begins < registers:
        return _silence(begins, is_zero=level == "0")
    return statement("health.sensors.canary", read=f"0x{last:02X}", canary=f"0x{canary:02X}")


def _shifted_canary(bits: int, registers: int) -> Statement | None:
    """What it means that the canary came so many bits late, or early (negative)."""
    more, rest = divmod(bits, BITS_PER_REGISTER)
    if rest:
        return statement("health.sensors.step.late" if bits > 0 else "health.sensors.step.early", bits=abs(bits))
    if not more:
        return None
    found = registers + more
    return statement("health.sensors.more" if more > 0 else "health.sensors.fewer", registers=registers, found=found)


def _step(reading: Sequence[int], canary: int) -> Statement | None:
    """By how many bits the canary came too early or too late; None when it is not to be found."""
    bits = int.from_bytes(bytes(reading), "big")
    for shift in range(1, BITS_PER_REGISTER):
        if bits >> shift & _ONES == canary:
            return statement("health.sensors.step.early", bits=shift)
    for shift in range(1, _LATEST):
        # Its first bits are the last ones that arrived.
        if bits & (_ONES >> shift) == canary >> shift:
            return statement("health.sensors.step.late", bits=shift)
    return None
