"""The driver of the shift registers down to the single edge of clock and latch, on pins that are clocked one by one.

The transfers of the simulated board are held to the same: what they answer is what the bits would have been.
"""

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gnomon.games.tamsk.sensing.inputs import GLASS_INPUTS, RING_INPUTS, TIMER_INPUTS
from gnomon_pi.config import load_bundled
from gnomon_pi.drivers._hc165 import ShiftRegisters
from gnomon_pi.drivers.software_pins import SoftwarePin
from gnomon_pi.simulated.board import SimulatedBoard
from tests.conftest import examples
from tests.drivers.world import World, chain_of, scans_of, sensors_of

SENSORS = sensors_of(load_bundled("tamsk"))
CLOCK, MISO, SELECT = 11, 9, 8


class Registers:
    """The chain of 74HC165 as its data sheet says: loaded while SH/LD is low, shifted on rising edges of the clock."""

    def __init__(self, factory: MockFactory, active: set[str]) -> None:
        self._factory = factory
        self._active = active
        self._contents: list[int] = []
        self._shines = self._loading = self._selected = False
        self.shifts = 0
        factory.pin(SENSORS.latch).heed = self.on_latch
        assert SENSORS.emitters is not None
        factory.pin(SENSORS.emitters.pin).heed = self.on_emitters
        factory.pin(CLOCK).heed = self.on_clock
        factory.pin(SELECT).heed = self.on_select

    def on_emitters(self, level: float, _frequency: float | None) -> None:
        self._shines = bool(level)

    def on_select(self, level: float, _frequency: float | None) -> None:
        self._selected = not level

    def on_latch(self, level: float, _frequency: float | None) -> None:
        self._loading = not level
        if self._loading:
            self._load()
            self._drive()

    def on_clock(self, level: float, _frequency: float | None) -> None:
        if level and self._selected and not self._loading:
            self.shifts += 1
            self._contents = [*self._contents[1:], 0]
            self._drive()

    def _load(self) -> None:
        bits = [1] * 8 * (SENSORS.registers - 1)
        for name, bit, strobed in zip(SENSORS.inputs, SENSORS.bits, SENSORS.strobed, strict=True):
            if name in self._active and (self._shines or not strobed):
                bits[bit] = 0  # switches pull down
        bits += [SENSORS.canary >> bit & 1 for bit in range(8)]
        # Pin H of the register next to the Pi stands at the output first, its pin A last.
        self._contents = [bits[first + pin] for first in range(0, len(bits), 8) for pin in range(7, -1, -1)]

    def _drive(self) -> None:
        pin = self._factory.pin(MISO)
        if self._contents[0]:
            pin.drive_high()
        else:
            pin.drive_low()


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> MockFactory:
    """Gpiozero's own pins and its own bit-banged SPI, which asks for the global factory."""
    factory = MockFactory(pin_class=SoftwarePin)
    monkeypatch.setattr(Device, "pin_factory", factory)
    return factory


@given(st.sets(st.sampled_from(GLASS_INPUTS + RING_INPUTS + TIMER_INPUTS)))
@settings(max_examples=examples(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_bit_arrives_as_the_simulated_board_says_it_does(factory: MockFactory, active: set[str]) -> None:
    registers = Registers(factory, active)
    driver = ShiftRegisters(SENSORS, pin_factory=factory)
    by_the_bit = driver.scan()
    driver.close()
    world = World()
    board = SimulatedBoard(load_bundled("tamsk"), now=world.clock, later=world.later)
    for name in active:
        board.set_input(name, True)
    assert by_the_bit == scans_of(board).scan()
    assert {name for bit, name in enumerate(SENSORS.inputs) if by_the_bit >> bit & 1} == active
    # A byte that brings the clock to its rest level, and two readings, each of as many rising edges as there are bits.
    assert registers.shifts == 8 + 2 * 8 * SENSORS.registers
    board.close()


@pytest.mark.parametrize("mode", range(4))
def test_only_in_mode_2_is_a_bit_sampled_before_the_edge_that_replaces_it(factory: MockFactory, mode: int) -> None:
    active = {"A1.north", "D4.south", "timer15.north"}
    Registers(factory, active)
    latch = factory.pin(SENSORS.latch)
    latch.output_with_state(True)
    spi = factory.spi(port=0, device=0)
    spi.clock_mode = mode
    latch.state = False
    latch.state = True
    clocked = spi.transfer([0] * SENSORS.registers)
    spi.close()

    world = World()
    board = SimulatedBoard(load_bundled("tamsk"), now=world.clock, later=world.later)
    for name in active:
        board.set_input(name, True)
    chain_of(board).transfer(1, mode)  # gpiozero's own pins rest as the mode says before anything is clocked
    chain_of(board).on_latch(0)
    chain_of(board).on_latch(1)
    assert clocked == chain_of(board).transfer(SENSORS.registers, mode)
    assert (clocked[-1] == SENSORS.canary) == (mode == 2)
    board.close()
