"""The expanders on gpiozero's own factories for RPi.GPIO and lgpio, and on an SMBus of fake_rpi that remembers."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import ModuleType
from typing import ClassVar

import fake_rpi
import pytest

from gnomon_pi.config import load_bundled
from gnomon_pi.config.description import BoardDescription, Expanders, OnI2c
from gnomon_pi.drivers._expander_bank import SAFETY_US, ExpanderBank
from gnomon_pi.drivers.assembly import Drivers
from gnomon_pi.drivers.devices import open_devices
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.simulated.chips.expander_wiring import SolderedExpanders
from gnomon_pi.simulated.chips.i2c_bus import Chip, SimulatedI2C
from gnomon_pi.simulated.chips.ssd1306 import Ssd1309
from tests.drivers.expander_rig import SCAN
from tests.drivers.pin_libraries import Lgpio, LgpioError, SpiDev, StatefulGPIO
from tests.drivers.world import World
from tests.words.statements import in_english


class StatefulSMBus(fake_rpi.smbus.SMBus):  # type: ignore[misc]  # fake_rpi has no types
    """fake_rpi's SMBus, with chips that keep what is written to them, and a note of who is open."""

    there: ClassVar[dict[int, SimulatedI2C]] = {}
    opened: ClassVar[Counter[int]] = Counter()
    closed: ClassVar[Counter[int]] = Counter()

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number
        self.opened[number] += 1

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        super().write_i2c_block_data(i2c_addr, register, data)
        self.there[self.number].write_i2c_block_data(i2c_addr, register, data)

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        super().read_i2c_block_data(i2c_addr, register, length)
        return self.there[self.number].read_i2c_block_data(i2c_addr, register, length)

    def close(self) -> None:
        self.closed[self.number] += 1


class Machine:
    """A Raspberry Pi on which the board with expanders is opened, through one of the pin libraries."""

    def __init__(self, description: BoardDescription, pins: StatefulGPIO | Lgpio) -> None:
        assert isinstance(description.sensors, Expanders)
        self.sensors = description.sensors
        self.soldered = SolderedExpanders(description.sensors)
        self.pins = pins
        self.world = World()
        interrupt, emitters = description.sensors.interrupt, description.sensors.emitters
        assert interrupt is not None
        assert emitters is not None
        self.interrupt, self.emitters = interrupt, emitters.pin
        pins.heed = lambda pin, level: self.soldered.on_emitters(level) if pin == self.emitters else None
        self.soldered.wire_interrupt(self._pull)
        chips: dict[int, dict[int, Chip]] = {}
        for bus, address, chip in self.soldered.addressed_chips():
            chips.setdefault(bus, {})[address] = chip
        assert description.display is not None
        assert isinstance(description.display.wires, OnI2c)
        chips.setdefault(description.display.wires.bus, {})[description.display.wires.address] = Ssd1309()
        StatefulSMBus.there.clear()
        StatefulSMBus.there.update({number: SimulatedI2C(there) for number, there in chips.items()})
        StatefulSMBus.opened.clear()
        StatefulSMBus.closed.clear()
        self.drivers: Drivers = open_devices(description, now=self.world.clock, later=self.world.later)
        assert isinstance(self.drivers.sensors, ExpanderBank)
        self.bank = self.drivers.sensors

    def scan(self) -> set[str]:
        self.world.now += SCAN
        levels = self.bank.scan()
        return {name for bit, name in enumerate(self.sensors.inputs) if levels >> bit & 1}

    def put(self, *names: str) -> None:
        for name in self.sensors.inputs:
            self.soldered.set_input(name, value=name in names)

    def _pull(self, *, closed: bool) -> None:
        self.pins.levels[self.interrupt] = int(not closed)


@pytest.fixture(params=["rpigpio", "lgpio"])
def machine(request: pytest.FixtureRequest, pi: pytest.MonkeyPatch) -> Iterator[Machine]:
    """The board opened through each of the two libraries."""
    for name, member in (("smbus2", StatefulSMBus), ("spidev", SpiDev)):
        module = ModuleType(name)
        setattr(module, "SMBus" if name == "smbus2" else "SpiDev", member)
        pi.setitem(sys.modules, name, module)
    library: StatefulGPIO | Lgpio = request.getfixturevalue("gpio" if request.param == "rpigpio" else "lgpio")
    machine = Machine(replace(load_bundled("tamsk", variant="expanders"), pins=request.param), library)
    yield machine
    machine.drivers.close()


def test_the_expanders_are_read_through_the_library(machine: Machine) -> None:
    assert machine.scan() == set()
    for names in ({"A1.north", "D4.ring1", "timer15.south"}, {"A1.south"}, {"D4.ring1", "D4.ring2"}, set[str]()):
        machine.put(*names)
        assert machine.scan() == names
    assert machine.bank.health() == ()


def test_the_interrupt_pin_is_pulled_up_and_the_emitters_are_off_between_scans(machine: Machine) -> None:
    machine.scan()
    assert machine.pins.levels[machine.interrupt] == 1
    assert machine.pins.levels[machine.emitters] == 0
    machine.put("A1.north")
    assert machine.pins.levels[machine.interrupt] == 0
    machine.scan()
    assert machine.pins.levels[machine.interrupt] == 1


def test_a_lost_chip_is_named_and_comes_back(machine: Machine) -> None:
    machine.put("A1.north", "D4.ring1")
    machine.scan()
    machine.soldered.switch_off(0)
    machine.put("D4.ring1", "D4.ring2")
    assert machine.scan() == {"A1.north", "D4.ring1", "D4.ring2"}
    assert machine.scan() == {"A1.north", "D4.ring1", "D4.ring2"}
    (said,) = in_english(machine.bank.health())
    assert said.startswith("Expander 0x20 on I2C bus 4 does not answer: ")
    machine.soldered.mend()
    machine.world.now += SAFETY_US
    assert machine.scan() == {"D4.ring1", "D4.ring2"}


def test_every_bus_is_opened_once_and_closed_once(machine: Machine) -> None:
    machine.scan()
    assert StatefulSMBus.opened == {1: 1, 4: 1, 6: 1}
    assert StatefulSMBus.closed == {}
    machine.drivers.close()
    assert StatefulSMBus.closed == {1: 1, 4: 1, 6: 1}
    machine.drivers.close()
    assert StatefulSMBus.closed == {1: 1, 4: 1, 6: 1}


def test_a_pin_that_another_program_holds_is_one_sentence_and_the_next_scan_tries_anew(
    machine: Machine, pi: pytest.MonkeyPatch
) -> None:
    beneath = ModuleType("lgpio")  # rpi-lgpio, which is RPi.GPIO on today's systems, stands on it
    beneath.error = LgpioError  # type: ignore[attr-defined]  # a module made for the test
    pi.setitem(sys.modules, "lgpio", beneath)
    machine.pins.busy.add(machine.interrupt)
    with pytest.raises(DriverError, match=r"The pins of the expanders do not answer: GPIO busy: another program"):
        machine.scan()
    machine.pins.busy.clear()
    machine.put("B2.south")
    assert machine.scan() == {"B2.south"}


def test_a_display_on_the_bus_of_the_expanders_shares_it(
    pi: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    module = ModuleType("smbus2")
    module.SMBus = StatefulSMBus  # type: ignore[attr-defined]  # a module made for the test
    pi.setitem(sys.modules, "smbus2", module)
    description = load_bundled("tamsk", variant="expanders")
    assert description.display is not None
    display = replace(description.display, wires=OnI2c(4, 0x3C))
    bare = replace(description, display=display, lights=None)
    library: Lgpio = request.getfixturevalue("lgpio")
    machine = Machine(bare, library)
    assert StatefulSMBus.opened == {4: 1, 6: 1}
    machine.scan()
    machine.bank.close()
    assert StatefulSMBus.closed == {6: 1}  # the display still has the other
    machine.drivers.close()
    assert StatefulSMBus.closed == {4: 1, 6: 1}


def test_a_bus_that_is_switched_off_is_one_sentence_with_its_setting_and_its_users(
    pi: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    def missing(number: int) -> StatefulSMBus:
        if number == 1:
            return StatefulSMBus(number)
        raise FileNotFoundError(2, "No such file or directory", f"/dev/i2c-{number}")

    module = ModuleType("smbus2")
    module.SMBus = missing  # type: ignore[attr-defined]  # a module made for the test
    pi.setitem(sys.modules, "smbus2", module)
    request.getfixturevalue("lgpio")
    world = World()
    with pytest.raises(DriverError) as raised:
        open_devices(load_bundled("tamsk", variant="expanders"), now=world.clock, later=world.later)
    assert str(raised.value).startswith("I2C bus 4 of the expanders cannot be opened: ")
    assert "dtoverlay=i2c4 (or i2c-gpio)" in str(raised.value)
