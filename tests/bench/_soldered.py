"""Solder the sensors of a board to emulated chips on buses that count."""

from collections.abc import Callable, Mapping

from gnomon_pi.config.description import Chain, Expanders, OnI2c, Sensors
from gnomon_pi.drivers._expander_bank import ExpanderBank
from gnomon_pi.drivers._hc165 import ShiftRegisters
from gnomon_pi.drivers._shared_bus import SharedBus
from gnomon_pi.drivers.libraries import I2cBus
from gnomon_pi.simulated.chips.expander_wiring import SolderedExpanders
from gnomon_pi.simulated.chips.hc165_and_lights import RegisterChain
from gnomon_pi.simulated.chips.i2c_bus import Chip
from tests.bench._counted import CountedFactory, CountedI2c, Passes, Traffic, at_once

Share = Callable[[I2cBus], SharedBus]


def _do_not_wait(_seconds: float) -> None:
    """What is measured here are the buses."""


class SolderedSensors:
    """The sensors under their real driver.

    `now` tells microseconds, `passes` makes what happens while pulses go over one of the buses, and `beside` is
    another chip on one of them.
    """

    def __init__(
        self,
        sensors: Sensors,
        now: Callable[[], int],
        *,
        passes: Callable[[], Passes] = lambda: at_once,
        beside: Mapping[OnI2c, Chip] | None = None,
        share: Share = SharedBus,
    ) -> None:
        self.sensors = sensors
        self.traffic = Traffic()
        self.buses: dict[int, SharedBus] = {}
        self.wires: dict[int, CountedI2c] = {}
        self.chips: RegisterChain | SolderedExpanders
        self.driver: ShiftRegisters | ExpanderBank
        if isinstance(sensors, Chain):
            self._solder_chain(sensors, passes())
        else:
            self._solder_expanders(sensors, now, passes, beside or {}, share)

    def _solder_chain(self, sensors: Chain, passes: Passes) -> None:
        self.chips = chain = RegisterChain(sensors)
        factory = CountedFactory(chain, self.traffic, passes)
        factory.attach(sensors.latch, lambda level, _: chain.on_latch(level))
        if sensors.emitters is not None:
            dark = bool(sensors.emitters.active_low)
            factory.attach(sensors.emitters.pin, lambda level, _: chain.on_emitters(bool(level) is not dark))
        self.driver = ShiftRegisters(sensors, pin_factory=factory, pause=_do_not_wait)

    def _solder_expanders(
        self,
        sensors: Expanders,
        now: Callable[[], int],
        passes: Callable[[], Passes],
        beside: Mapping[OnI2c, Chip],
        share: Share,
    ) -> None:
        self.chips = expanders = SolderedExpanders(sensors)
        factory = CountedFactory(None, self.traffic, at_once)
        if sensors.interrupt is not None:
            expanders.wire_interrupt(factory.pin(sensors.interrupt).ground)
        if sensors.emitters is not None:
            factory.attach(sensors.emitters.pin, lambda level, _: expanders.on_emitters(level))
        there: dict[int, dict[int, Chip]] = {}
        for (bus, address), other in beside.items():
            there.setdefault(bus, {})[address] = other
        for bus, address, chip in expanders.addressed_chips():
            there.setdefault(bus, {})[address] = chip
        self.wires = {number: CountedI2c(chips, self.traffic, passes()) for number, chips in there.items()}
        for bus, _, chip in expanders.addressed_chips():
            chip.between = self.wires[bus].pass_byte
        self.buses = {number: share(wire) for number, wire in self.wires.items()}
        self.driver = ExpanderBank(
            sensors,
            pin_factory=factory,
            buses={number: self.buses[number].user() for number in {chip.bus for chip in sensors.chips}},
            now=now,
            pause=_do_not_wait,
        )
