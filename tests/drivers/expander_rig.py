"""Wire expanders to their driver, on buses that record what goes over them."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import NamedTuple

from gnomon_pi.config.description import Expanders, OnI2c, Output
from gnomon_pi.drivers._expander_bank import ExpanderBank
from gnomon_pi.drivers._shared_bus import SharedBus
from gnomon_pi.drivers.libraries import PinFactory
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.simulated.chips._mcp23017 import Mcp23017
from gnomon_pi.simulated.chips.expander_wiring import SolderedExpanders
from gnomon_pi.simulated.chips.i2c_bus import SimulatedI2C
from gnomon_pi.simulated.chips.pin_factory import SimulatedFactory
from tests.drivers.world import World

SCAN = 10_000  # microseconds
INTERRUPT, EMITTERS = 4, 17

HALLS = tuple(f"hall{number}" for number in range(20))
RINGS = tuple(f"ring{number}" for number in range(6))
INPUTS = HALLS + RINGS
HALL_BITS = (*range(7), *range(8, 15), 32, 33, 34, 40, 41, 42)  # all of chip 0, some of chip 2
RING_BITS = (16, 22, 24, 30, 35, 46)  # chip 1, and with the switches on chip 2

SMALL = Expanders(
    chips=(OnI2c(1, 0x20), OnI2c(3, 0x20), OnI2c(3, 0x27)),
    interrupt=INTERRUPT,
    emitters=Output(EMITTERS),
    active_low=True,
    scan_hz=100,
    inputs=INPUTS,
    bits=HALL_BITS + RING_BITS,
    strobed=(False,) * len(HALLS) + (True,) * len(RINGS),
)
"""Three expanders on two buses: switches on the first, rings on the second, both on the third."""

QUIET = Expanders(
    chips=SMALL.chips,
    interrupt=INTERRUPT,
    emitters=None,
    active_low=True,
    scan_hz=100,
    inputs=HALLS,
    bits=HALL_BITS,
    strobed=(False,) * len(HALLS),
)
"""The same without anything strobed."""


class Sent(NamedTuple):
    """One transaction: where, what was written, how many bytes were read."""

    bus: int
    address: int
    register: int
    written: bytes
    read: int


class NotingBus(SimulatedI2C):
    """A bus that notes every transaction, and hangs when it is told to."""

    def __init__(self, number: int, chips: dict[int, Mcp23017], notes: list[Sent]) -> None:
        super().__init__(chips)
        self.number = number
        self.notes = notes
        self.failure: OSError | None = None
        self.closed = 0

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        self._note(Sent(self.number, i2c_addr, register, bytes(data), 0))
        super().write_i2c_block_data(i2c_addr, register, data)

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        self._note(Sent(self.number, i2c_addr, register, b"", length))
        return super().read_i2c_block_data(i2c_addr, register, length)

    def close(self) -> None:
        self.closed += 1

    def _note(self, sent: Sent) -> None:
        self.notes.append(sent)
        if self.failure is not None:
            raise self.failure


class Rig:
    """Expanders, their buses and pins, and the driver; time passes by scans."""

    def __init__(self, sensors: Expanders = SMALL, pin_factory: PinFactory | None = None) -> None:
        self.sensors = sensors
        self.world = World()
        self.soldered = SolderedExpanders(sensors)
        self.factory = SimulatedFactory(chain=None, ticks=lambda: self.world.now / 1_000_000)
        if pin_factory is None:
            if sensors.interrupt is not None:
                self.soldered.wire_interrupt(self.factory.pin(sensors.interrupt).ground)
            if sensors.emitters is not None:
                self.factory.attach(sensors.emitters.pin, lambda level, _: self.soldered.on_emitters(level))
        self.notes: list[Sent] = []
        self.pauses: list[tuple[float, bool]] = []  # how long, and whether the emitters shone
        self.buses = {
            number: NotingBus(
                number, {a: chip for bus, a, chip in self.soldered.addressed_chips() if bus == number}, self.notes
            )
            for number in sorted({chip.bus for chip in sensors.chips})
        }
        self.bank = ExpanderBank(
            sensors,
            pin_factory=pin_factory or self.factory,
            buses={number: SharedBus(bus).user() for number, bus in self.buses.items()},
            now=self.world.clock,
            pause=lambda seconds: self.pauses.append((seconds, self.soldered._shine)),
        )

    @property
    def chips(self) -> tuple[Mcp23017, ...]:
        return self.soldered.chips

    def scan(self, scans: int = 1) -> set[str]:
        """The active inputs of the last of so many scans."""
        levels = 0
        for _ in range(scans):
            self.world.now += SCAN
            levels = self.bank.scan()
        assert levels >> len(self.sensors.inputs) == 0
        return {name for bit, name in enumerate(self.sensors.inputs) if levels >> bit & 1}

    def scan_blindly(self, scans: int) -> None:
        """So many scans, whether they succeed or not."""
        for _ in range(scans):
            with suppress(DriverError):
                self.scan()

    def put(self, *names: str) -> None:
        """Make these inputs active and no others."""
        self.change(set(self.truth()) ^ set(names))

    def change(self, names: Collection[str]) -> None:
        """Turn these inputs over."""
        for name in sorted(names):
            self.soldered.set_input(name, value=not self.soldered.input(name))

    def truth(self) -> set[str]:
        """The inputs that are active, whatever is read."""
        return {name for name in self.sensors.inputs if self.soldered.input(name)}

    def unread(self, name: str) -> int:
        return self.bank.unread(self.sensors.inputs.index(name))

    def settings(self) -> list[list[int]]:
        """IODIRA to GPPUB of every chip, read past every bus and fault."""
        return [list(chip._registers[:14]) for chip in self.chips]
