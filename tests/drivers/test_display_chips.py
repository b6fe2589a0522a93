"""The emulated SSD1309 and SH1106 by themselves, against their data sheets, and displays on SPI."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon_pi.simulated.chips.sh1106 import Sh1106
from gnomon_pi.simulated.chips.ssd1306 import COMMANDS, DATA, HEIGHT, WIDTH, Oled, SpiModule, Ssd1306, Ssd1309

UPRIGHT = (0xA1, 0xC8, 0xAF)


def sh1106(*commands: int) -> Sh1106:
    """A chip that is on, upright, and has been sent these commands."""
    result = Sh1106()
    result.receive(COMMANDS, (*UPRIGHT, *commands))
    return result


def lit(shown: Oled) -> set[tuple[int, int]]:
    picture = shown.image()
    return {(x, y) for x in range(WIDTH) for y in range(HEIGHT) if picture.getpixel((x, y))}


# SH1106


def test_after_power_up_the_data_sheet_of_the_sh1106_rules() -> None:
    shown = Sh1106()
    assert (shown.on, shown.charge_pump, shown.contrast, len(shown.memory)) == (False, True, 0x80, 132 * 8)


def test_the_glass_shows_the_middle_of_the_132_columns() -> None:
    for column, expected in ((1, set()), (2, {(0, 0)}), (129, {(127, 0)}), (130, set())):
        shown = sh1106(0xB0, column & 0x0F, 0x10 | column >> 4)
        shown.receive(DATA, [1])
        assert lit(shown) == expected


@pytest.mark.parametrize("mirrored", [0xA0, 0xA1])
def test_mirroring_the_columns_leaves_the_middle_in_the_middle(mirrored: int) -> None:
    shown = sh1106(mirrored, 0xB0, 0x02, 0x10)
    shown.receive(DATA, [1] * WIDTH)
    assert lit(shown) == {(x, 0) for x in range(WIDTH)}


@given(st.integers(0, 131), st.integers(0, 300))
def test_data_stops_behind_the_last_column_and_never_reaches_another_page(column: int, count: int) -> None:
    shown = sh1106(0xB3, column & 0x0F, 0x10 | column >> 4)
    shown.receive(DATA, [0xFF] * count)
    start = 3 * 132
    assert bytes(shown.memory[:start]) == bytes(start)
    assert not any(shown.memory[start + 132 :])
    assert sum(map(bool, shown.memory)) == min(count, 132 - column)


def test_without_its_converter_the_sh1106_is_dark() -> None:
    shown = sh1106(0xB0, 0x02, 0x10)
    shown.receive(DATA, [1])
    shown.receive(COMMANDS, [0xAD, 0x8A])
    assert lit(shown) == set()
    shown.receive(COMMANDS, [0xAD, 0x8B])
    assert lit(shown) == {(0, 0)}


@pytest.mark.parametrize("command", [0x20, 0x21, 0x22, 0x2E, 0x8D, 0xB8, 0xFD])
def test_what_only_its_relatives_know_is_refused_by_the_sh1106(command: int) -> None:
    with pytest.raises(ValueError, match="is no command of the SH1106"):
        sh1106(command)


# SSD1309


def test_the_ssd1309_has_no_charge_pump_and_shines_without() -> None:
    shown = Ssd1309()
    shown.receive(COMMANDS, (*UPRIGHT, 0x20, 0x00))
    shown.receive(DATA, [1])
    assert lit(shown) == {(0, 0)}
    with pytest.raises(ValueError, match="0x8D is no command of the SSD1309"):
        shown.receive(COMMANDS, [0x8D, 0x14])


def test_a_locked_ssd1309_obeys_nothing_but_its_unlocking() -> None:
    shown = Ssd1309()
    shown.receive(COMMANDS, [0xFD, 0x16, 0xAF])
    assert not shown.on
    shown.receive(COMMANDS, [0xFD, 0x12, 0xAF])
    assert shown.on


# SPI


def module(chip: Oled) -> SpiModule:
    result = SpiModule(chip)
    result.writebytes2(bytes((0xA1, 0xC8, 0x8D, 0x14, 0x20, 0x00, 0xAF)))
    return result


def test_the_pin_says_whether_bytes_are_commands_or_data() -> None:
    chip = Ssd1306()
    spi = module(chip)
    spi.on_data_command(1)
    spi.writebytes2(b"\x01")
    spi.on_data_command(0)
    spi.writebytes2(b"\xa7")
    assert len(lit(chip)) == WIDTH * HEIGHT - 1


def test_a_chip_that_is_held_in_reset_hears_nothing_and_keeps_its_picture() -> None:
    chip = Ssd1306()
    spi = module(chip)
    spi.on_data_command(1)
    spi.writebytes2(b"\x01")
    spi.on_data_command(0)
    spi.on_reset(0)
    spi.writebytes2(bytes((0xA1, 0xC8, 0x8D, 0x14, 0x20, 0x00, 0xAF)))
    spi.on_reset(1)
    assert not chip.on
    spi.writebytes2(bytes((0xC8, 0x8D, 0x14, 0xAF)))
    assert lit(chip) == {(0, 0)}


def test_nobody_acknowledges_on_spi() -> None:
    chip = Ssd1306()
    spi = module(chip)
    chip.reachable = False
    spi.writebytes2(b"\xae")
    assert chip.on


def test_a_broken_spi_gives_the_error_of_the_kernel() -> None:
    spi = module(Ssd1306())
    spi.connected = False
    with pytest.raises(OSError, match=r"\[Errno 5\]"):
        spi.writebytes2(b"\xae")
