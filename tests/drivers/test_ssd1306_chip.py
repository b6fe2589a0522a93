"""The emulated SSD1306 by itself, against its data sheet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from gnomon_pi.simulated.chips.i2c_bus import SimulatedI2C
from gnomon_pi.simulated.chips.ssd1306 import COMMANDS, DATA, HEIGHT, WIDTH, Ssd1306
from tests.drivers.test_display_chips import lit

UPRIGHT = (0xA1, 0xC8, 0x8D, 0x14, 0xAF)


def chip(*commands: int) -> Ssd1306:
    """A chip that is on, upright, and has been sent these commands."""
    result = Ssd1306()
    result.receive(COMMANDS, (*UPRIGHT, *commands))
    return result


def test_a_bit_is_a_pixel_with_the_lowest_on_top() -> None:
    shown = chip(0x20, 0x00)
    shown.receive(DATA, [0b0000_0101])
    assert lit(shown) == {(0, 0), (0, 2)}


def test_after_power_up_the_data_sheet_rules() -> None:
    shown = Ssd1306()
    assert (shown.on, shown.charge_pump, shown.contrast, shown.addressing) == (False, False, 0x7F, 2)
    shown.receive(DATA, [0xFF])
    assert lit(shown) == set()
    shown.receive(COMMANDS, [0xAF])
    assert lit(shown) == set()  # The module has no other source of its 7 volts than the charge pump.
    shown.receive(COMMANDS, [0x8D, 0x14])
    assert lit(shown) == {(127, 63 - y) for y in range(8)}  # Without 0xA1 and 0xC8 it stands on its head.


def test_page_mode_stays_in_its_page() -> None:
    shown = chip(0x20, 0x02, 0xB3, 0x0E, 0x17)
    shown.receive(DATA, [1, 1, 1])
    assert lit(shown) == {(126, 24), (127, 24), (0, 24)}


def test_horizontal_mode_fills_its_window_line_by_line_and_begins_anew() -> None:
    shown = chip(0x20, 0x00, 0x21, 5, 6, 0x22, 2, 3)
    shown.receive(DATA, [0x01, 0x02, 0x04, 0x08, 0x10])
    assert lit(shown) == {(5, 20), (6, 17), (5, 26), (6, 27)}


def test_vertical_mode_fills_its_window_column_by_column_and_begins_anew() -> None:
    shown = chip(0x20, 0x01, 0x21, 5, 6, 0x22, 2, 3)
    shown.receive(DATA, [0x01, 0x02, 0x04, 0x08, 0x10])
    assert lit(shown) == {(5, 20), (5, 25), (6, 18), (6, 27)}


@given(st.lists(st.integers(1, 40), min_size=1), st.sampled_from([0, 1, 2]))
def test_how_data_is_cut_into_transactions_does_not_matter(cuts: list[int], mode: int) -> None:
    data = [(7 * place + 3) % 256 for place in range(sum(cuts))]
    whole, parts = chip(0x20, mode), chip(0x20, mode)
    whole.receive(DATA, data)
    for cut in cuts:
        parts.receive(DATA, data[:cut])
        del data[:cut]
    assert whole.memory == parts.memory


def test_arguments_may_come_in_the_next_transaction() -> None:
    shown = chip(0x20, 0x00)
    shown.receive(COMMANDS, [0x21])
    shown.receive(COMMANDS, [9])
    shown.receive(COMMANDS, [9, 0x22, 0, 0])
    shown.receive(DATA, [1])
    assert lit(shown) == {(9, 0)}


def test_mirroring_the_columns_applies_to_what_comes_later_only() -> None:
    shown = chip(0x20, 0x00)
    shown.receive(DATA, [1, 1])
    shown.receive(COMMANDS, [0xA0, 0x21, 0, 127, 0x22, 0, 0])
    shown.receive(DATA, [2, 4])
    assert lit(shown) == {(0, 0), (1, 0), (127, 1), (126, 2)}


def test_flipping_the_lines_applies_at_once() -> None:
    shown = chip(0x20, 0x00)
    shown.receive(DATA, [1])
    shown.receive(COMMANDS, [0xC0])
    assert lit(shown) == {(0, 63)}


@pytest.mark.parametrize("commands", [(0x43,), (0xD3, 3)])
def test_start_line_and_offset_roll_the_picture(commands: tuple[int, ...]) -> None:
    shown = chip(0x20, 0x00, *commands)
    shown.receive(DATA, [0b1000_0001])
    assert lit(shown) == {(0, 61), (0, 4)}


def test_fewer_lines_leave_the_rest_dark() -> None:
    shown = chip(0x20, 0x00, 0xA8, 31)
    shown.receive(DATA, [0xFF] * 1024)
    assert lit(shown) == {(x, y) for x in range(WIDTH) for y in range(32)}


def test_inverse_and_all_on_and_off_do_not_touch_the_memory() -> None:
    shown = chip(0x20, 0x00)
    shown.receive(DATA, [1])
    everything = {(x, y) for x in range(WIDTH) for y in range(HEIGHT)}
    for command, expected in (
        (0xA7, everything - {(0, 0)}),
        (0xA6, {(0, 0)}),
        (0xA5, everything),
        (0xA4, {(0, 0)}),
        (0xAE, set()),
        (0xAF, {(0, 0)}),
        (0xE3, {(0, 0)}),
        (0x2E, {(0, 0)}),
    ):
        shown.receive(COMMANDS, [command])
        assert lit(shown) == expected


def test_losing_power_loses_the_picture_and_the_settings() -> None:
    shown = chip(0x20, 0x00, 0x81, 0xCF)
    shown.receive(DATA, [0xFF] * 40)
    shown.lose_power()
    assert lit(shown) == set()
    assert shown.contrast == 0x7F
    shown.receive(COMMANDS, UPRIGHT)
    assert lit(shown) == set()


@pytest.mark.parametrize("command", [0x23, 0x30, 0x82, 0xB8, 0xFF])
def test_bytes_that_are_no_command_are_refused(command: int) -> None:
    with pytest.raises(ValueError, match="is no command of the SSD1306"):
        chip(command)


def test_another_control_byte_is_refused() -> None:
    with pytest.raises(ValueError, match="0x80 is no control byte"):
        chip().receive(0x80, [0xAF])


def test_a_chip_that_does_not_answer_gives_the_error_of_the_kernel() -> None:
    shown = chip()
    shown.reachable = False
    with pytest.raises(OSError, match=r"\[Errno 121\]"):
        shown.receive(DATA, [1])


def test_every_nth_transaction_may_be_refused() -> None:
    shown = Ssd1306()
    shown.refuses_every = 3
    outcomes = []
    for _ in range(9):
        try:
            shown.receive(COMMANDS, [0xE3])
        except OSError as error:
            outcomes.append(error.errno)
        else:
            outcomes.append(0)
    assert outcomes == [0, 0, 121] * 3


def test_an_address_where_nobody_is_does_not_answer() -> None:
    with pytest.raises(OSError, match=r"\[Errno 121\]"):
        SimulatedI2C({0x3C: Ssd1306()}).write_i2c_block_data(0x3D, COMMANDS, [0xAF])


def test_a_block_has_at_most_32_bytes() -> None:
    bus = SimulatedI2C({0x3C: chip(0x20, 0x00)})
    bus.write_i2c_block_data(0x3C, DATA, [0] * 32)
    with pytest.raises(ValueError, match="at most 32 bytes, not 33"):
        bus.write_i2c_block_data(0x3C, DATA, [0] * 33)


@pytest.mark.untraced
@given(st.binary(min_size=1024, max_size=1024))
def test_the_picture_is_the_memory(data: bytes) -> None:
    shown = chip(0x20, 0x00)
    shown.receive(DATA, data)
    picture = Image.new("1", (WIDTH, HEIGHT))
    for place, byte in enumerate(data):
        page, x = divmod(place, WIDTH)
        for bit in range(8):
            picture.putpixel((x, page * 8 + bit), byte >> bit & 1)
    assert shown.image().tobytes() == picture.tobytes()
