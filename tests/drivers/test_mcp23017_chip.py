"""The emulated MCP23017: what its data sheet says of registers, addresses, interrupts and its erratum."""

import pytest

from gnomon_pi.simulated.chips._mcp23017 import ChipRegister, InterruptLevel, Iocon, Mcp23017
from gnomon_pi.simulated.chips.i2c_bus import SimulatedI2C
from tests.drivers.expander_rig import Rig

ADDRESS = 0x20


@pytest.fixture
def chip() -> Mcp23017:
    """A chip that has just got its power."""
    return Mcp23017()


@pytest.fixture
def bus(chip: Mcp23017) -> SimulatedI2C:
    """The bus on which it is alone."""
    return SimulatedI2C({ADDRESS: chip})


def write(bus: SimulatedI2C, register: int, *data: int) -> None:
    bus.write_i2c_block_data(ADDRESS, register, data)


def read(bus: SimulatedI2C, register: int, count: int = 1) -> list[int]:
    return bus.read_i2c_block_data(ADDRESS, register, count)


def test_after_power_up_every_pin_is_an_input_and_everything_else_is_off(bus: SimulatedI2C) -> None:
    assert read(bus, 0, 22) == [0xFF, 0xFF] + [0] * 20


def test_a_block_goes_on_through_the_registers_and_begins_again_after_the_last(bus: SimulatedI2C) -> None:
    write(bus, ChipRegister.GPPU, 0x11, 0x22)
    assert read(bus, ChipRegister.GPPU, 2) == [0x11, 0x22]
    write(bus, ChipRegister.OLAT, 0x33, 0x44, 0x55, 0x66)
    assert read(bus, ChipRegister.OLAT, 4) == [0x33, 0x44, 0x55, 0x66]
    assert read(bus, ChipRegister.IODIR, 2) == [0x55, 0x66]


def test_without_sequential_operation_a_block_goes_to_and_fro_in_its_pair(bus: SimulatedI2C) -> None:
    write(bus, ChipRegister.IOCON, Iocon.SEQOP)
    write(bus, ChipRegister.GPPU, 1, 2, 3, 4)
    assert read(bus, ChipRegister.GPPU, 4) == [3, 4, 3, 4]


def test_with_bank_1_each_port_has_its_registers_in_a_row(bus: SimulatedI2C) -> None:
    write(bus, ChipRegister.IOCON, Iocon.BANK)
    write(bus, 0x06, 0xA1)  # GPPUA
    write(bus, 0x16, 0xB2)  # GPPUB
    assert read(bus, 0x05) == [Iocon.BANK]
    assert read(bus, 0x0B) == [0]  # nothing is there
    write(bus, 0x0B, 0xFF)
    write(bus, 0x05, 0)  # and back
    assert read(bus, ChipRegister.GPPU, 2) == [0xA1, 0xB2]


def test_with_bank_1_and_without_sequential_operation_the_same_register_is_read_again(bus: SimulatedI2C) -> None:
    write(bus, ChipRegister.IOCON, Iocon.BANK | Iocon.SEQOP)
    write(bus, 0x06, 1, 2, 3)
    assert read(bus, 0x06, 2) == [3, 3]


def test_both_addresses_of_iocon_are_one_register_and_its_lowest_bit_is_none(bus: SimulatedI2C) -> None:
    write(bus, ChipRegister.IOCON + 1, 0x45)
    assert read(bus, ChipRegister.IOCON, 2) == [0x44, 0x44]


def test_what_says_how_an_interrupt_came_about_cannot_be_written(bus: SimulatedI2C) -> None:
    write(bus, ChipRegister.INTF, 0xFF, 0xFF, 0xFF, 0xFF)
    assert read(bus, ChipRegister.INTF, 4) == [0] * 4


def test_a_write_to_the_port_goes_to_the_latch_and_shows_on_outputs_only(bus: SimulatedI2C) -> None:
    write(bus, ChipRegister.IODIR, 0x0F)
    write(bus, ChipRegister.GPIO, 0xFF)
    assert read(bus, ChipRegister.OLAT) == [0xFF]
    assert read(bus, ChipRegister.GPIO) == [0xF0]


def test_a_floating_input_is_high_with_a_pull_up_and_low_without(bus: SimulatedI2C, chip: Mcp23017) -> None:
    assert read(bus, ChipRegister.GPIO, 2) == [0, 0]
    write(bus, ChipRegister.GPPU, 0x0F, 0xF0)
    assert read(bus, ChipRegister.GPIO, 2) == [0x0F, 0xF0]
    chip.drive(0x0103, 0x0102)
    assert read(bus, ChipRegister.GPIO, 2) == [0x0E, 0xF1]
    write(bus, ChipRegister.IPOL, 0xFF)
    assert read(bus, ChipRegister.GPIO) == [0xF1]


# Interrupts


def listening(bus: SimulatedI2C, chip: Mcp23017, iocon: int = Iocon.MIRROR | Iocon.ODR) -> None:
    """Interrupts from every change of every pin, all of which are low."""
    chip.drive(0xFFFF, 0)
    write(bus, ChipRegister.GPINTEN, 0xFF, 0xFF)
    write(bus, ChipRegister.IOCON, iocon)


@pytest.mark.parametrize("pin", [0, 8])
def test_a_change_pulls_the_line_until_the_port_is_read(bus: SimulatedI2C, chip: Mcp23017, pin: int) -> None:
    listening(bus, chip)
    lines = [chip.line]
    chip.drive(0xFFFF, 1 << pin)
    assert chip.register(ChipRegister.INTF) == chip.register(ChipRegister.INTCAP) == 1 << pin
    lines.append(chip.line)
    read(bus, ChipRegister.GPIO + (pin == 0))  # the other port
    lines.append(chip.line)
    read(bus, ChipRegister.GPIO + (pin == 8))
    lines.append(chip.line)
    assert lines == [InterruptLevel.FREE, InterruptLevel.LOW, InterruptLevel.LOW, InterruptLevel.FREE]


def test_a_second_change_before_the_read_is_in_the_port_but_not_in_the_capture(
    bus: SimulatedI2C, chip: Mcp23017
) -> None:
    listening(bus, chip)
    chip.drive(0xFFFF, 0x01)
    chip.drive(0xFFFF, 0x03)
    assert chip.register(ChipRegister.INTF) == 0x01
    assert chip.register(ChipRegister.INTCAP) == 0x01
    assert read(bus, ChipRegister.INTCAP) == [0x01]
    assert chip.line is InterruptLevel.FREE  # and so a driver that reads the capture has lost the second one
    assert read(bus, ChipRegister.GPIO) == [0x03]


def test_a_change_between_the_sample_and_the_last_bit_raises_no_interrupt(bus: SimulatedI2C, chip: Mcp23017) -> None:
    listening(bus, chip)
    chip.between = lambda: chip.drive(0xFFFF, 0x05)
    chip.drive(0xFFFF, 0x01)
    assert read(bus, ChipRegister.GPIO) == [0x01]
    assert chip.line is InterruptLevel.FREE
    assert read(bus, ChipRegister.GPIO) == [0x05]


def test_a_pin_compared_with_its_default_interrupts_as_long_as_it_differs(bus: SimulatedI2C, chip: Mcp23017) -> None:
    write(bus, ChipRegister.DEFVAL, 0x01)
    write(bus, ChipRegister.INTCON, 0x01)
    listening(bus, chip)
    lines = [chip.line]
    read(bus, ChipRegister.GPIO)
    lines.append(chip.line)
    chip.drive(0xFFFF, 1)
    read(bus, ChipRegister.GPIO)
    lines.append(chip.line)
    assert lines == [InterruptLevel.LOW, InterruptLevel.LOW, InterruptLevel.FREE]


def test_without_mirroring_port_b_does_not_show_at_inta(bus: SimulatedI2C, chip: Mcp23017) -> None:
    listening(bus, chip, Iocon.ODR)
    chip.drive(0xFFFF, 0x0100)
    assert chip.register(ChipRegister.INTF) == 0x0100
    assert chip.line is InterruptLevel.FREE


def test_an_output_that_changes_interrupts_nobody(bus: SimulatedI2C, chip: Mcp23017) -> None:
    listening(bus, chip)
    write(bus, ChipRegister.IODIR, 0)
    read(bus, ChipRegister.GPIO, 2)
    write(bus, ChipRegister.OLAT, 0xFF)
    assert chip.line is InterruptLevel.FREE


@pytest.mark.parametrize(
    ("iocon", "idle", "told"),
    [(0, InterruptLevel.HIGH, InterruptLevel.LOW), (Iocon.INTPOL, InterruptLevel.LOW, InterruptLevel.HIGH)],
)
def test_a_line_that_is_no_open_drain_is_driven_both_ways(
    bus: SimulatedI2C, chip: Mcp23017, iocon: int, idle: InterruptLevel, told: InterruptLevel
) -> None:
    listening(bus, chip, iocon)
    assert chip.line is idle
    chip.drive(0xFFFF, 1)
    assert chip.line is told


# How it fails


def test_a_chip_without_power_says_nothing_and_pulls_nothing(bus: SimulatedI2C, chip: Mcp23017) -> None:
    listening(bus, chip)
    chip.drive(0xFFFF, 1)
    chip.switch_off()
    assert chip.line is InterruptLevel.FREE
    with pytest.raises(OSError, match="Remote I/O error"):
        read(bus, ChipRegister.GPIO)
    chip.switch_on()
    assert read(bus, 0, 14) == [0xFF, 0xFF] + [0] * 12
    chip.switch_on()  # has not been away
    write(bus, ChipRegister.GPPU, 7)
    chip.switch_on()
    assert read(bus, ChipRegister.GPPU) == [7]


def test_a_chip_that_is_lost_keeps_its_settings_and_its_line(bus: SimulatedI2C, chip: Mcp23017) -> None:
    listening(bus, chip)
    chip.reachable = False
    chip.drive(0xFFFF, 1)
    assert chip.line is InterruptLevel.LOW
    with pytest.raises(OSError, match="Remote I/O error"):
        write(bus, ChipRegister.IOCON, 0)
    chip.reachable = True
    assert read(bus, ChipRegister.IOCON) == [Iocon.MIRROR | Iocon.ODR]


@pytest.mark.parametrize("port", [0, 1])
def test_a_seventh_pin_that_changes_while_it_is_read_as_an_input_spoils_the_byte(
    bus: SimulatedI2C, chip: Mcp23017, port: int
) -> None:
    chip.drive(0xFFFF, 0)
    chip.between = lambda: chip.drive(0xFFFF, 0x8080)
    assert read(bus, ChipRegister.GPIO + port) != [0]
    chip.drive(0xFFFF, 0)
    write(bus, ChipRegister.IODIR + port, 0x7F)
    assert read(bus, ChipRegister.GPIO + port) == [0]


def test_an_open_drain_is_not_heard_beside_a_chip_that_lost_its_settings() -> None:
    rig = Rig()
    heard: list[bool] = []
    rig.scan()
    rig.soldered.wire_interrupt(lambda *, closed: heard.append(closed))
    rig.change({"hall0"})
    rig.soldered.brown_out(2)
    assert heard == [False, True, False]
