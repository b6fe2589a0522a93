"""Read the inputs of a bank of MCP23017 expanders, by their interrupt line or by polling."""

import errno
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from gpiozero import InputDevice, OutputDevice

from gnomon.refusals import Statement, statement
from gnomon_pi.config.description import Expanders, Output
from gnomon_pi.drivers._mcp23017 import ExpanderChip, LostSettingsError, View, all_lost, lost_chips, trouble_of
from gnomon_pi.drivers._shared_bus import BusUser
from gnomon_pi.drivers.libraries import Closable, I2cBus, Pin, PinFactory, advice, failures
from gnomon_pi.drivers.protocols import DriverError, too_much_light

SAFETY_US: Final = 250_000
"""How long a chip is believed to have nothing to say because its interrupt line is silent."""
HUNG_US: Final = 5_000_000
"""How long a bus is left alone that the kernel gave up: each attempt keeps the scans waiting for a second."""
RECENT_US: Final = 60_000_000
"""How long a brown-out is told of."""

FOLLOWED: Final = 3
"""Scans after a change in which every chip is read, so that noise on a bus looks as it does when it is polled."""
ROUNDS: Final = 4  # in one scan, while the interrupt line stays low
STUCK: Final = 10  # scans that left the line low, one after the other: no switch bounces for so long
UNTOLD: Final = 2  # changes that only the safety scan found, one after the other: the line is not believed any more


class ExpanderBank:
    """A sensor driver: one bit an input, set when the input is active.

    The interrupt line is looked at in every scan, not waited for: it stays low until what it tells of has been read,
    so a look cannot miss it as an edge can be missed. A change is then known as exactly as if it had been polled,
    without a byte on the buses while nothing moves. While the line is low every chip is read, again until it is high,
    and so they are in the three scans after a change: a byte that was read wrongly must not stand for 250 ms.
    Every 250 ms they are read whatever the line says, because a change between the sampling of a port and its last
    bit on the bus raises no interrupt, and a wire may break; what only this finds may have happened at any time since
    its chip was read, and `unread` says so. It says so too of a change that is found because the line tells of another:
    of a chip that was not read by the scan before, the flags and the capture of its interrupt are read with its ports,
    and what they do not speak for is older. Levels are taken from GPIO, never from INTCAP, which shows the first of
    several changes only.

    Chips with strobed inputs are read in every scan, in the light of the emitters: without it they see nothing, so
    there is nothing to interrupt for. They are read in the dark too when that light shows something new, every
    250 ms, and while foreign light falls in: a strobed input counts only if it is active in the emitters' light and
    not without it. Between the emitters and the first port lies `settle_us`: see the shift registers' driver.

    A chip that is lost keeps its levels, because a broken wire is no lifted glass, and is asked again every 250 ms.
    News of a chip are believed only while its settings stand; one that had a brown-out is set up and read again.
    """

    def __init__(
        self,
        sensors: Expanders,
        *,
        pin_factory: PinFactory,
        buses: Mapping[int, BusUser],
        now: Callable[[], int],
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """`buses` are those of the chips by their numbers; `now` tells microseconds, `pause` lets seconds pass."""
        self._sensors = sensors
        self._pause = pause
        self._settling = sensors.settle_us / 1_000_000
        self._pin_factory = pin_factory
        self._buses = buses
        self._now = now
        self._chips = tuple(ExpanderChip.of(sensors, number) for number in range(len(sensors.chips)))
        for chip in self._chips:
            chip.trouble = statement("health.expander.unasked", address=chip.address, bus=chip.wires.bus)
        self._strobed = tuple(chip for chip in self._chips if chip.strobed)
        self._hung_until = dict.fromkeys(buses, 0)
        self._pins: _Pins | None = None
        self._levels = self._scans = self._safety_at = self._checks = self._low_scans = self._untold = 0
        self._again = False  # a chip was set up again in this round
        self._followed_until = 0  # the last scan that follows a change
        self._deaf_in = 0  # the last scan that found a chip lost or without its settings
        self._unread: dict[int, int] = {}  # microseconds, by the number of the input

    def scan(self) -> int:
        """One bit an input, in the order of `Expanders.inputs`.

        Raises DriverError when no chip answers, or one that has never been read; the next call tries again.
        """
        try:
            pins = self._pins or self._connect()
            self._scans += 1
            self._unread = {}
            now = self._now()
            is_low = pins.is_low()
            if is_due := now >= self._safety_at:
                self._prepare_for_safety(now)
            chips = self._chips if is_due or is_low or self._is_polled() else self._strobed
            self._read_until_silent(chips, pins, now, is_low=is_low)
        except failures() as error:
            self._let_pins_go()
            raise DriverError(statement("health.expander.pins", detail=advice(error))) from error
        self._refuse_the_unknown()
        return self._levels

    def unread(self, number: int) -> int:
        """For how many microseconds before the last scan nobody had looked at input `number`; 0: a scan at most."""
        return self._unread.get(number, 0)

    def health(self) -> tuple[Statement, ...]:
        """Chips that are lost, had a brown-out or see foreign light, and an interrupt line that cannot be right."""
        now = self._now()
        is_known = all(chip.read_at is not None for chip in self._chips)
        # Of a board that is not known, or of which nothing is left, `scan` tells.
        said = lost_chips(self._chips) if is_known and not all(chip.trouble for chip in self._chips) else []
        for chip in self._chips:
            if chip.reset_at is not None and now - chip.reset_at < RECENT_US:
                said.append(statement("health.expander.settings", address=chip.address, bus=chip.wires.bus))
        if dazzled := [name for chip in self._chips for name in chip.dazzled_names()]:
            said.append(too_much_light(dazzled))
        # One that has lost the bus may hold the line, and has been named.
        if self._low_scans >= STUCK and not any(chip.trouble for chip in self._chips):
            said.append(statement("health.interrupt.low", pin=self._sensors.interrupt))
        if self._untold >= UNTOLD:
            said.append(statement("health.interrupt.mute", pin=self._sensors.interrupt))
        emitters = self._sensors.emitters
        if emitters is not None and emitters.active_low is None:
            said.append(statement("health.emitters.dark", pin=emitters.pin))
        return tuple(said)

    def diagnose(self) -> tuple[Statement, ...]:
        """What is wrong with the interrupt line, which is silent while nothing moves: each chip pulls it low in turn.

        For somebody who looks for a fault, with the board at rest. Raises DriverError.
        """
        pin = self._sensors.interrupt
        if pin is None:
            return ()
        try:
            pins = self._pins or self._connect()
            there = [chip for chip in self._chips if not chip.trouble]
            mute = [chip for chip in there if not self._pulls(chip, pins)]
            if there and pins.is_low():
                return (statement("health.interrupt.low", pin=pin),)
        except failures() as error:
            self._let_pins_go()
            raise DriverError(statement("health.expander.pins", detail=advice(error))) from error
        if not mute:
            return ()
        if len(mute) == len(there):
            return (statement("health.interrupt.open", pin=pin),)
        named = [statement("health.interrupt.chip", address=chip.address, bus=chip.wires.bus) for chip in mute]
        return (statement("health.interrupt.chips", chips=named, pin=pin),)

    def close(self) -> None:
        """Let the pins and the buses go, with the emitters off."""
        self._let_pins_go()
        for bus in self._buses.values():
            with suppress(*failures()):  # What cannot be reached cannot be let go.
                bus.close()

    # One scan

    def _is_polled(self) -> bool:
        """Whether every chip is read though the line is high. A lost chip may hold it either way."""
        is_mute = self._sensors.interrupt is None or self._untold >= UNTOLD
        return is_mute or self._scans <= self._followed_until or any(chip.trouble for chip in self._chips)

    def _prepare_for_safety(self, now: int) -> None:
        """Ask for the lost chips, check the settings of one of the others, and have all of them read in the dark."""
        self._safety_at = now + SAFETY_US
        self._settle(self._chips[self._checks % len(self._chips)], now)
        self._checks += 1
        for chip in self._chips:
            if chip.trouble and now >= self._hung_until[chip.wires.bus]:
                self._begin(chip, now)
        for chip in self._strobed:
            chip.must_compare = True

    def _read_until_silent(self, chips: Sequence[ExpanderChip], pins: "_Pins", now: int, *, is_low: bool) -> None:
        """Read chips, and all of them while the line is low: a second change gives no second edge.

        A line that the scan before left low is stuck, or a switch bounces: then one round a scan is enough.
        """
        for _ in range(ROUNDS):
            self._again = False
            if chips:
                self._read(chips, pins, now, is_told=is_low)
            is_low = pins.is_low()
            if not self._again and (not is_low or self._low_scans):
                break
            chips = self._chips
        self._low_scans = self._low_scans + 1 if is_low else 0

    def _read(self, chips: Iterable[ExpanderChip], pins: "_Pins", now: int, *, is_told: bool) -> None:
        """Take what chips see in the light of the emitters, and in the dark where that must be known."""
        pins.shine(on=True)
        if self._settling and any(chip.strobed for chip in chips):
            self._pause(self._settling)
        lit = self._ports(chips, now, is_told=is_told)
        pins.shine(on=False)
        dark = self._ports([chip for chip, port in lit.items() if chip.wants_darkness(port)], now)
        for chip, port in lit.items():
            if not chip.trouble and self._take(chip, chip.view(port, dark.get(chip)), now, is_told=is_told):
                chip.read_at, chip.read_in = now, self._scans
                chip.must_compare = chip.must_compare and chip not in dark

    def _take(self, chip: ExpanderChip, view: View, now: int, *, is_told: bool) -> bool:
        """Believe what a chip shows; news only when its settings stand, for without them it shows anything."""
        if view != chip.shown or chip.read_at is None:
            if not self._settle(chip, now):
                return False
            if changed := view.active ^ chip.shown.active:
                self._weigh(chip, changed, now, is_told=is_told)
            chip.shown = view
            self._followed_until = self._scans + FOLLOWED
            self._levels = self._levels & ~chip.mask | chip.decode()
        return True

    def _weigh(self, chip: ExpanderChip, changed: int, now: int, *, is_told: bool) -> None:
        """Find out for how long changes of pins may be old, and whether the line told of them."""
        is_heard = is_told and self._deaf_in < self._scans
        if is_heard:
            self._untold = 0
        if chip.read_at is None or self._is_fresh(chip):
            return
        unheard = changed & ~chip.told if is_heard else changed
        self._unread |= dict.fromkeys(chip.inputs(unheard), now - chip.read_at)
        if self._sensors.interrupt is not None and not is_heard and self._deaf_in < self._scans:
            self._untold += 1
            # One that lost its settings drives the line high, so that the open drains of the others are not heard.
            for other in self._chips:
                self._settle(other, now)

    def _is_fresh(self, chip: ExpanderChip) -> bool:
        """Whether a change of a chip is not older than a scan, because the scan before has read it or this one."""
        return chip.read_in >= self._scans - 1

    def _refuse_the_unknown(self) -> None:
        """Say that nothing, or not everything, is known. Raises DriverError."""
        gone = [chip for chip in self._chips if chip.trouble]
        if not gone:
            return
        if len(gone) == len(self._chips):
            raise DriverError(all_lost(self._chips))
        for chip in gone:
            if chip.read_at is None:
                raise DriverError(statement("health.expander.needed", trouble=trouble_of(chip, self._chips)))

    # The chips

    def _ports(self, chips: Iterable[ExpanderChip], now: int, *, is_told: bool = False) -> dict[ExpanderChip, int]:
        """The active pins of each chip that answers; each bus is held for all of its chips.

        Where the line tells of something, a chip that may have kept a change for longer is asked of what it tells.
        """
        ports: dict[ExpanderChip, int] = {}
        for number, bus in self._buses.items():
            there = [chip for chip in chips if chip.wires.bus == number and not chip.trouble]
            if not there:
                continue
            try:
                with bus.turn() as wire:
                    for chip in there:
                        read = chip.told_port if is_told and not self._is_fresh(chip) else chip.port
                        self._ask(chip, read, wire, ports, now)
            except OSError as error:
                for chip in there:
                    self._lose(chip, error, now)
        return ports

    def _ask(
        self, chip: ExpanderChip, read: Callable[[I2cBus], int], wire: I2cBus, ports: dict[ExpanderChip, int], now: int
    ) -> None:
        if chip.trouble:  # Its bus has hung in the meantime.
            return
        try:
            ports[chip] = read(wire)
        except OSError as error:
            self._lose(chip, error, now)

    def _settle(self, chip: ExpanderChip, now: int) -> bool:
        """Whether a chip's settings stand; one that has lost them is given them again, and will be read again."""
        if chip.trouble:
            return False
        try:
            with self._buses[chip.wires.bus].turn() as wire:
                chip.check(wire)
        except LostSettingsError:
            self._again = True
            self._begin(chip, now)
            return False
        except OSError as error:
            self._lose(chip, error, now)
            return False
        chip.checked_at = now
        return True

    def _begin(self, chip: ExpanderChip, now: int) -> None:
        """Have a chip ready that is new, was lost, or has lost its settings."""
        self._deaf_in = self._scans
        try:
            with self._buses[chip.wires.bus].turn() as wire:
                self._set_up(chip, wire, now)
        except OSError as error:
            self._lose(chip, error, now)
        else:
            chip.trouble, chip.checked_at = None, now

    def _set_up(self, chip: ExpanderChip, wire: I2cBus, now: int) -> None:
        if chip.checked_at is not None:
            try:
                chip.check(wire)
            except LostSettingsError:
                # Nobody knows when it lost them, and without them it may have shown anything.
                chip.reset_at, chip.read_at, chip.read_in = now, chip.read_at and chip.checked_at, -1
            else:
                return
        chip.begin(wire)

    def _lose(self, chip: ExpanderChip, error: OSError, now: int) -> None:
        """Note that a chip does not answer, and all on its bus when that hangs."""
        self._deaf_in = self._scans
        if not chip.trouble:
            self._safety_at = now  # once more at once: it may have been a disturbance
        if error.errno == errno.ETIMEDOUT:
            self._hung_until[chip.wires.bus] = now + HUNG_US
            for other in self._chips:
                if other.wires.bus == chip.wires.bus:
                    other.trouble = statement("health.bus", bus=chip.wires.bus)
        elif isinstance(error, LostSettingsError):
            chip.trouble = statement("health.expander.keeps_not", address=chip.address, bus=chip.wires.bus)
        else:
            chip.trouble = statement("health.expander.silent", address=chip.address, bus=chip.wires.bus)

    def _pulls(self, chip: ExpanderChip, pins: "_Pins") -> bool:
        """Whether a chip is seen to pull the interrupt line low; of one that does not answer, `scan` tells."""
        for _ in range(ROUNDS):  # an input that changes just then would have it high
            try:
                with self._buses[chip.wires.bus].turn() as wire:
                    chip.port(wire)  # an interrupt that stands is cleared
                    try:
                        chip.rest_low(wire)
                        is_low = pins.is_low()
                    finally:
                        chip.rest_open(wire)
            except OSError as error:
                self._lose(chip, error, self._now())
                return True
            if is_low:
                return True
        return False

    # The pins

    def _connect(self) -> "_Pins":
        self._pins = _Pins(self._sensors, self._pin_factory)
        return self._pins

    def _let_pins_go(self) -> None:
        pins, self._pins = self._pins, None
        if pins is not None:
            pins.close()


class _Pins:
    """The pins of the interrupt line and of the emitters, while they are held."""

    def __init__(self, sensors: Expanders, pin_factory: PinFactory) -> None:
        self._held: list[Closable] = []
        self._line: Pin | None = None
        self._emitters: Pin | None = None
        self._lights_at = 1
        try:
            if sensors.interrupt is not None:
                line = InputDevice(sensors.interrupt, pull_up=True, pin_factory=pin_factory)
                self._held.append(line)
                self._line = line.pin
            if sensors.emitters is not None and sensors.emitters.active_low is not None:
                self._connect_emitters(sensors.emitters, pin_factory)
        except BaseException:
            self.close()
            raise

    def is_low(self) -> bool:
        """Whether the interrupt line is low; never when there is none."""
        return self._line is not None and not self._line.state

    def shine(self, *, on: bool) -> None:
        """Turn the emitters on or off."""
        if self._emitters is not None:
            self._emitters.state = self._lights_at if on else 1 - self._lights_at

    def close(self) -> None:
        with suppress(*failures()):
            self.shine(on=False)
        for device in reversed(self._held):
            with suppress(*failures()):  # What cannot be reached cannot be let go.
                device.close()

    def _connect_emitters(self, emitters: Output, pin_factory: PinFactory) -> None:
        self._lights_at = int(not emitters.active_low)
        device = OutputDevice(emitters.pin, initial_value=bool(emitters.active_low), pin_factory=pin_factory)
        self._held.append(device)
        self._emitters = device.pin
