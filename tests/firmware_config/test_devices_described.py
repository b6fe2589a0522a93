"""Displays, buses, outputs, readers and supplies: what may be said of them, and every mistake with its line."""

from collections.abc import Mapping

import pytest

from gnomon_pi.config import examine_board, parse_board
from gnomon_pi.config.description import BuzzerWiring, I2cWires, OnI2c, OnSpi, Output, Reader, SpiDisplay, Supply
from tests.firmware_config.files import edited, last_line_of, line_of, refusal, sensors_of, text_of
from tests.firmware_config.wirings import BITS, CHAIN, EXPANDERS, table, tayu

I2C_DISPLAY = '\n[display]\nkind = "ssd1306"\ni2c_bus = 1\naddress = 0x3C\n'
SPI_DISPLAY = """
[display]
kind = "sh1106"
spi_port = 0
spi_device = 1
clock_hz = 4_000_000
data_command = 24
"""
READER = '\n[reader]\nkind = "pn532"\ni2c_bus = 1\n'
BUS_3 = "\n[[i2c]]\nnumber = 3\nsda = 22\nscl = 23\n"
LEVELS: Mapping[str, bool | None] = {"high": False, "low": True, "unknown": None}

# What may be said


def test_a_display_hangs_on_either_bus() -> None:
    on_i2c, on_spi = parse_board(table(I2C_DISPLAY), "x").display, parse_board(table(SPI_DISPLAY), "x").display
    assert on_i2c is not None
    assert on_spi is not None
    assert (on_i2c.wires, on_i2c.is_upside_down, on_i2c.dim_after, on_i2c.shift_every) == (
        OnI2c(1, 0x3C),
        False,
        300,
        60,
    )
    assert (on_spi.kind, on_spi.wires) == ("sh1106", SpiDisplay(OnSpi(0, 1, 4_000_000), 24, None))


def test_a_display_says_how_it_is_spared_and_where_its_reset_is() -> None:
    more = "reset = 23\nupside_down = true\ndim_after = 0\nshift_every = 5\n"
    display = parse_board(table(SPI_DISPLAY.replace("sh1106", "ssd1309") + more), "x").display
    assert display is not None
    assert isinstance(display.wires, SpiDisplay)
    assert (display.kind, display.wires.reset) == ("ssd1309", 23)
    assert (display.is_upside_down, display.dim_after, display.shift_every) == (True, 0, 5)


@pytest.mark.parametrize(("word", "active_low"), LEVELS.items())
def test_an_output_says_at_which_level_it_is_on(word: str, active_low: bool | None) -> None:
    buzzer = parse_board(table(f'\n[buzzer]\nkind = "active"\npin = 12\non = "{word}"\n'), "x").buzzer
    assert buzzer == BuzzerWiring(12, active=True, active_low=active_low)
    lit = edited(text_of("tamsk"), "emitters = 17", f'emitters_on = "{word}"\nemitters = 17')
    assert sensors_of(parse_board(lit, "x")).emitters == Output(17, active_low)


def test_bus_1_is_there_whenever_it_is_used_and_others_when_they_are_described() -> None:
    assert parse_board(table(""), "x").buses == ()
    assert parse_board(table(I2C_DISPLAY), "x").buses == (I2cWires(1, 2, 3, 400_000),)
    both = parse_board(table(f"{BUS_3}clock_hz = 50_000\n{I2C_DISPLAY}"), "x")
    assert both.buses == (I2cWires(1, 2, 3, 400_000), I2cWires(3, 22, 23, 50_000))
    slow = parse_board(table(f"\n[[i2c]]\nnumber = 1\nclock_hz = 100_000\n{I2C_DISPLAY}"), "x")
    assert slow.buses == (I2cWires(1, 2, 3, 100_000),)


def test_a_reader_of_tags_has_its_address_and_no_device() -> None:
    reader = parse_board(tayu(more=f'{READER}[reader.codes]\n"04A1" = "013"\n'), "x").reader
    assert reader == Reader("pn532", "", {"04A1": "013"}, OnI2c(1, 0x24))
    assert parse_board(table(f"{READER}address = 0x25\n"), "x").reader == Reader("pn532", "", {}, OnI2c(1, 0x25))


def test_devices_with_chip_selects_share_a_port() -> None:
    board = parse_board(tayu(more=SPI_DISPLAY), "x")
    assert board.display is not None
    assert isinstance(board.display.wires, SpiDisplay)
    assert sensors_of(board).spi_port == board.display.wires.spi.port == 0


def test_a_supply_is_what_it_gives() -> None:
    more = "\n[supply]\nfive_volt_ma = 1\nthree_volt_ma = 500\n"
    assert parse_board(table(more), "x").supply == Supply(1, 500)


def lit(count: int, more: str = "") -> str:
    """The TAMSK board with so many lights on its strip."""
    return edited(text_of("tamsk"), "count = 37\n", f"count = {count}\n{more}")


@pytest.mark.parametrize(
    ("count", "skipped", "places"),
    [
        (37, (), ()),
        (40, (), tuple(range(37))),
        (38, (5,), (*range(5), *range(6, 38))),
        (41, (40, 0, 1), tuple(range(2, 39))),
    ],
)
def test_spare_and_dead_lights_are_left_out(count: int, skipped: tuple[int, ...], places: tuple[int, ...]) -> None:
    lights = parse_board(lit(count, f"skipped = {[*skipped]}\n" if skipped else ""), "x").lights
    assert lights is not None
    assert (lights.count, lights.places, len(lights.shown)) == (count, places, 37)


def test_a_strip_at_a_table_has_one_light_fewer_for_each_that_is_skipped() -> None:
    text = edited(text_of("table-clock-lights"), "count = 8", "skipped = [7]\ncount = 8")
    board = parse_board(text, "x")
    assert board.lights is not None
    assert board.strip == len(board.lights.shown) == 7


@pytest.mark.parametrize(
    ("count", "more", "at", "said"),
    [
        (36, "", "count", "the strip has 36 lights that can be used (count = 36), but 37 are needed"),
        (38, "skipped = [0, 37]", "skipped", "the strip has 36 lights that can be used (count = 38), but 37 are"),
        (38, "skipped = [38]", "skipped", "skipped must be a list of whole numbers from 0 to 37, not 38"),
        (38, "skipped = [true]", "skipped", "skipped must be a list of whole numbers from 0 to 37, not True"),
        (38, "skipped = 3", "skipped", "skipped must be a list of whole numbers from 0 to 37, not 3"),
        (40, "skipped = [3, 3]", "skipped", "light 3 is skipped twice"),
    ],
)
def test_a_strip_that_is_too_short_and_wrong_numbers_of_lights_are_named(
    count: int, more: str, at: str, said: str
) -> None:
    text = lit(count, f"{more}\n")
    (mistake,) = examine_board(text, "my.toml").mistakes
    assert str(mistake).startswith(f"my.toml:{line_of(text, f'{at} = ')}: {said}")


# What may not


def test_lights_are_alone_on_their_port_whichever_comes_first() -> None:
    lights_later = edited(text_of("tamsk"), "spi_port = 1\n", "spi_port = 0\n")
    assert refusal(lights_later) == (
        f"my.toml:{last_line_of(lights_later, 'spi_port')}: pin 11 cannot be SPI0 of the lights: it is SPI0 of the "
        f"sensors (line {line_of(lights_later, 'spi_port')}), and the lights have no chip select and take whatever is "
        "sent there"
    )
    text = text_of("tamsk")
    text = text.replace(
        text[text.index("[display]") : text.index("# On SPI1")],
        SPI_DISPLAY.replace("device = 1", "device = 2").replace("= 0", "= 1"),
    )
    message = refusal(text)
    assert "pin 21 cannot be SPI1 of the lights: it is SPI1 of the display (line " in message
    assert message.endswith("the lights have no chip select and take whatever is sent there")


def test_sensors_are_refused_on_an_spi_that_their_driver_cannot_read() -> None:
    text = edited(text_of("tamsk-no-lights"), "spi_port = 0\n", "spi_port = 1\n")
    assert refusal(text) == (
        f"my.toml:{line_of(text, 'spi_port')}: SPI1 cannot be that of the sensors: gpiozero drives no other than SPI0 "
        "by hardware; wire them to SPI0"
    )


def test_sensors_that_are_refused_take_no_pin_of_that_spi() -> None:
    text = edited(text_of("tamsk"), "spi_port = 0\n", "spi_port = 1\n")
    assert [mistake.line for mistake in examine_board(text, "my.toml").mistakes] == [line_of(text, "spi_port")]


@pytest.mark.parametrize(
    ("kind", "fastest", "cycle"),
    [("ssd1306", 10_000_000, 100), ("ssd1309", 10_000_000, 100), ("sh1106", 4_000_000, 250)],
)
def test_a_display_on_spi_is_clocked_no_faster_than_its_chip_takes(kind: str, fastest: int, cycle: int) -> None:
    text = table(SPI_DISPLAY.replace("sh1106", kind).replace("4_000_000", str(fastest)))
    display = parse_board(text, "x").display
    assert display is not None
    assert isinstance(display.wires, SpiDisplay)
    assert display.wires.spi.clock_hz == fastest == 1_000_000_000 // cycle
    message = refusal(text.replace(str(fastest), str(fastest + 1)))
    assert message.startswith(f"my.toml:{line_of(text, 'clock_hz')}: clock_hz ")
    assert str(fastest) in message


def test_a_display_that_is_clocked_too_fast_for_its_kind_is_told_why() -> None:
    text = table(SPI_DISPLAY.replace("4_000_000", "8_000_000"))
    assert refusal(text) == (
        f"my.toml:{line_of(text, 'clock_hz')}: clock_hz = 8000000 is too fast for an SH1106, whose clock cycle takes "
        "250 ns: 4000000 at most"
    )


SPI1_TABLE = table(SPI_DISPLAY.replace("spi_port = 0", "spi_port = 1")).replace(
    '"button.back" = 19', '"button.back" = 4'
)
SUPPLY = "\n[supply]\nfive_volt_ma = 1\nthree_volt_ma = 34\n"


@pytest.mark.parametrize(
    ("text", "at", "said"),
    [
        (
            tayu(more=SPI_DISPLAY.replace("e = 1", "e = 0")),
            "spi_device",
            "device 0 of SPI0 cannot be the display: it is",
        ),
        (table(SPI_DISPLAY.replace("= 24", "= 10")), "data_command", "pin 10 cannot be data or command of the display"),
        (
            table(SPI_DISPLAY.replace("= 24", "= 7")),
            "data_command",
            "pin 7 cannot be data or command of the display: it is the chip select of",
        ),
        (table(f"{SPI_DISPLAY}i2c_bus = 1\n"), "i2c_bus", "[display] has both i2c_bus and spi_port"),
        (
            table(f"{SPI_DISPLAY}reset = 24\n"),
            "reset",
            "pin 24 cannot be the reset of the display: it is data or",
        ),
        (table(SPI_DISPLAY.replace("spi_port = 0", "")), "[display]", "[display] lacks i2c_bus"),
        (
            table(SPI_DISPLAY.replace("4_000", "11_000")),
            "clock_hz",
            "clock_hz must be a whole number from 100000 to 10000",
        ),
        (
            table(f"{I2C_DISPLAY}dim_after = -1\n"),
            "dim_after",
            "dim_after must be a whole number from 0 to 86400, not -1",
        ),
        (
            table(I2C_DISPLAY.replace("0x3C", "true")),
            "address",
            "address must be a whole number from 0x08 to 0x77, not True",
        ),
        (
            table(I2C_DISPLAY.replace("= 1", "= 3")),
            "i2c_bus",
            "I2C bus 3 is not described: add [[i2c]] with number = 3",
        ),
        (table(I2C_DISPLAY.replace("= 1", "= 0")), "i2c_bus", "i2c_bus must be a whole number from 1 to 31, not 0"),
        (table(BUS_3.replace("= 3", "= 2")), "number", "I2C bus 2 belongs to the HDMI socket"),
        (table(BUS_3 + BUS_3.replace(" 2", " 1")), "number", "I2C bus 3 is described twice"),
        (table(BUS_3.replace("scl = 23", "")), "[[i2c]]", "[i2c] lacks scl"),
        (table(f"{BUS_3}adress = 3\n"), "adress", "[i2c] has no key adress"),
        (table(BUS_3.replace("22", "5")), '"button.next" = 5', "pin 5 cannot be button.next: it is I2C3 data (line"),
        (
            table(f"\n[[i2c]]\nnumber = 1\nscl = 3\n{I2C_DISPLAY}"),
            "scl",
            "bus 1 is always on pins 2 and 3: leave scl out",
        ),
        (table(f"\n[[i2c]]\nnumber = 1\nclock_hz = 5\n{I2C_DISPLAY}"), "clock_hz", "clock_hz must be a whole number"),
        (table(f"\n[i2c]\nnumber = 1\n{I2C_DISPLAY}"), "[i2c]", "i2c must be tables: [[i2c]]"),
        (
            table(f"\n[[i2c]]\nnumber = 1\nclock_hz = 1_000_000\n{I2C_DISPLAY}"),
            "i2c_bus",
            "I2C bus 1 is set to 1000000 Hz, but the display takes 400000 Hz at most",
        ),
        (table(I2C_DISPLAY + '"button.x" = 2\n'), '"button.x"', "[display] has no key button.x"),
        (
            table(I2C_DISPLAY).replace("= 5\n", "= 2\n"),
            "i2c_bus",
            "pin 2 cannot be I2C1 data: it is button.next (line 4)",
        ),
        (
            tayu(more=I2C_DISPLAY.replace("0x3C", "0x24") + READER),
            "[reader]",
            "address 0x24 on I2C bus 1 cannot be the reader: it is the display (line",
        ),
        (
            tayu(more=f'{READER}device = "/dev/x"\n'),
            "device =",
            "[reader] has no key device; it may have: address, codes",
        ),
        (tayu(more='\n[reader]\nkind = "lines"\ni2c_bus = 1\n'), "[reader]", "[reader] lacks device"),
        (table('\n[buzzer]\nkind = "active"\npin = 12\non = "up"\n'), "on =", "on must be one of high, low, unknown"),
        (table(f"{I2C_DISPLAY}[supply]\nfive_volt_ma = 1\n"), "[supply]", "[supply] lacks three_volt_ma"),
        (
            table(f'{I2C_DISPLAY}{SUPPLY}[buzzer]\nkind = "passive"\npin = 12\n'),
            "three_volt_ma",
            "the parts draw up to 35 mA at 3.3 V, but three_volt_ma = 34",
        ),
        (
            edited(text_of("tamsk"), "five_volt_ma = 3000", "five_volt_ma = 1889"),
            "five_volt_ma",
            "the parts draw up to 1890 mA at 5 V, but five_volt_ma = 1889",
        ),
    ],
)
def test_a_mistake_is_named_with_its_line(text: str, at: str, said: str) -> None:
    message = refusal(text)
    assert said in message
    assert message.startswith(f"my.toml:{last_line_of(text, at)}: ")


@pytest.mark.parametrize(
    ("text", "at", "said"),
    [
        (
            edited(text_of("tamsk"), "latch = 25", "latch = 7"),
            "latch = 7",
            "pin 7 cannot be the latch of the sensors: the kernel takes it as chip select 1 of SPI0",
        ),
        (
            edited(text_of("table-clock-lights"), '"button.left" = 5', '"button.left" = 7'),
            '"button.left" = 7',
            "pin 7 cannot be button.left: the kernel takes it as chip select 1 of SPI0",
        ),
        (
            edited(SPI1_TABLE, '"button.next" = 5', '"button.next" = 18'),
            '"button.next" = 18',
            "pin 18 cannot be button.next: the kernel takes it as chip select 0 of SPI1",
        ),
    ],
)
def test_a_pin_that_the_kernel_takes_for_a_chip_select_is_named_once(text: str, at: str, said: str) -> None:
    (mistake,) = examine_board(text, "my.toml").mistakes
    assert str(mistake) == f"my.toml:{line_of(text, at)}: {said}"


def test_chip_selects_that_no_line_of_config_txt_brings_are_free() -> None:
    assert parse_board(table("").replace('"button.next" = 5', '"button.next" = 7'), "x").board == "table"
    on_spi1 = edited(SPI1_TABLE, "spi_device = 1", "spi_device = 0")
    assert parse_board(edited(on_spi1, '"button.next" = 5', '"button.next" = 17'), "x").board == "table"


def test_a_chain_is_clocked_no_faster_than_its_wires_bear() -> None:
    text = edited(text_of("tamsk"), "clock_hz = 1_000_000", "clock_hz = 1_000_001")
    assert "clock_hz must be a whole number from 10000 to 1000000, not 1000001" in refusal(text)


# The sensors


@pytest.mark.parametrize(
    ("old", "new", "at", "said"),
    [
        ("address = 0x21", "address = 0x20", "0x20", "address 0x20 on I2C bus 1 cannot be chip 1 of the sensors"),
        ("address = 0x21", "address = 0x28", "0x28", "address must be a whole number from 0x20 to 0x27, not 0x28"),
        ("bus = 1\naddress = 0x21", "bus = 4\naddress = 0x21", "bus = 4", "I2C bus 4 is not described"),
        ("address = 0x21", "address = 0x21\npin = 3", "pin = 3", "[sensors.chips] has no key pin"),
        (
            "scan_hz = 100",
            "scan_hz = 100\ninterrupt = 2",
            "interrupt",
            "pin 2 cannot be the interrupt of the sensors: it is",
        ),
        ("scan_hz = 100", "scan_hz = 100\nlatch = 4", "latch", "[sensors] has no key latch; it may have: active, bits"),
        (
            "scan_hz = 100",
            "scan_hz = 100\nemitters_on = 'low'",
            "emitters_on",
            "emitters_on means nothing without emitters",
        ),
        (
            "scan_hz = 100",
            "scan_hz = 1000\n[[i2c]]\nnumber = 1\nclock_hz = 100_000",
            "[[sensors.chips]]\nbus = 1\naddress = 0x20",
            "a scan takes 1.9",
        ),
        (
            "[buttons]",
            "[sensors.moved]\n'b2.tile' = 7\n[buttons]",
            "b2.tile' = 7",
            "bit 7 cannot be b2.tile: it is GPA7 of",
        ),
        (
            "[buttons]",
            "[sensors.moved]\n'b2.tile' = 31\n[buttons]",
            "b2.tile' = 31",
            "it is GPB7 of chip 1, and the MCP23",
        ),
        (
            "[buttons]",
            "[sensors.moved]\n'b2.tile' = 32\n[buttons]",
            "b2.tile' = 32",
            "must be a whole number from 0 to 31",
        ),
        (
            "[buttons]",
            "[sensors.moved]\n'b2.tile' = 8\n[buttons]",
            "b2.tile' = 8",
            "bit 8 cannot be b2.tile: it is b3.tile",
        ),
        (
            "[buttons]",
            "[sensors.moved]\n'x9.tile' = 20\n[buttons]",
            "x9",
            "x9.tile is not on the chips, so it cannot be",
        ),
    ],
)
def test_a_mistake_about_expanders_is_named_with_its_line(old: str, new: str, at: str, said: str) -> None:
    text = edited(tayu(EXPANDERS), old, new)
    message = refusal(text)
    assert said in message
    assert message.startswith(f"my.toml:{last_line_of(text, at)}: ")


def test_a_board_whose_inputs_do_not_fit_is_told_how_many_do() -> None:
    text = text_of("tamsk-expanders")
    short = edited(text, "  { bus = 6, address = 0x24 },\n", "")
    assert (
        refusal(short) == f"my.toml:{line_of(short, 'chips = [')}: 140 inputs do not fit on 9 chips of 14 usable pins"
    )


def test_a_display_at_the_address_of_an_expander_is_refused() -> None:
    text = tayu(EXPANDERS, BITS, I2C_DISPLAY.replace("0x3C", "0x21"))
    line = line_of(text, "address = 0x21")
    assert f"address 0x21 on I2C bus 1 cannot be the display: it is chip 1 of the sensors (line {line})" in refusal(
        text
    )


def test_a_scan_must_end_before_the_next_begins() -> None:
    text = tayu(CHAIN.replace("1_000_000", "10_000").replace("= 100\n", "= 400\n"))
    assert (
        refusal(text)
        == f"my.toml:{line_of(text, 'clock_hz')}: a scan takes 3.2 ms on its bus, but has only 2.5 ms at scan_hz = 400"
    )
    assert sensors_of(parse_board(text.replace("scan_hz = 400", "scan_hz = 200"), "x")).clock_hz == 10_000


def test_the_pause_for_the_eyes_is_a_part_of_the_scan_and_needs_emitters() -> None:
    text = text_of("tamsk")
    assert sensors_of(parse_board(text, "x")).settle_us == 850
    assert sensors_of(parse_board(text.replace("settle_us = 850", ""), "x")).settle_us == 0
    for pause, said in ((5_001, "settle_us must be a whole number from 0 to 5000"), (-1, "settle_us must be a whole")):
        assert said in refusal(text.replace("settle_us = 850", f"settle_us = {pause}"))
    fast = text.replace("scan_hz = 100", "scan_hz = 1000")
    assert "a scan takes 1.2 ms on its bus, but has only 1.0 ms" in refusal(fast)
    assert "settle_us means nothing without emitters" in refusal(tayu(f"{CHAIN}settle_us = 10\n"))


def test_a_chain_with_emitters_is_read_twice_in_the_time_of_a_scan() -> None:
    text = edited(text_of("tamsk"), "clock_hz = 1_000_000", "clock_hz = 20_000")
    text = text.replace("settle_us = 850", "settle_us = 0")
    at = f"my.toml:{line_of(text, 'clock_hz')}"
    assert refusal(text) == f"{at}: a scan takes 15.2 ms on its bus, but has only 10.0 ms at scan_hz = 100"
