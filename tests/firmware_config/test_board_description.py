"""Board descriptions: what the bundled one says, and that every mistake is named with its line."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.games.tamsk.sensing.inputs import BUTTONS, GLASS_INPUTS, INPUTS, RING_INPUTS, TIMER_INPUTS
from gnomon_pi.config import BoardError, load, load_bundled, parse_board
from gnomon_pi.config.description import ChipPlace, OnI2c, Output
from tests.firmware_config import files
from tests.firmware_config.files import line_of, refusal, sensors_of, text_of

TAMSK = text_of("tamsk")
LINES = TAMSK.splitlines()


def edited(old: str, new: str) -> str:
    return files.edited(TAMSK, old, new)


def test_the_bundled_board_has_every_input_of_the_game_once() -> None:
    board = load_bundled("tamsk")
    wired = sensors_of(board).inputs + tuple(button.name for button in board.buttons)
    assert len(wired) == len(set(wired))
    assert set(wired) == set(INPUTS)


def test_the_chain_begins_with_the_glasses_in_the_order_of_the_game_and_ends_with_the_timer() -> None:
    inputs = sensors_of(load_bundled("tamsk")).inputs
    assert inputs[: len(GLASS_INPUTS)] == GLASS_INPUTS
    assert inputs[-len(TIMER_INPUTS) :] == TIMER_INPUTS


def test_ring_levels_and_nothing_else_are_read_by_strobed_light() -> None:
    sensors = sensors_of(load_bundled("tamsk"))
    strobed = {name for name, strobe in zip(sensors.inputs, sensors.strobed, strict=True) if strobe}
    assert strobed == set(RING_INPUTS)


def test_the_wiring_is_the_one_of_the_documents() -> None:
    board = load_bundled("tamsk")
    assert (sensors_of(board).latch, sensors_of(board).emitters, sensors_of(board).canary) == (25, Output(17), 0xB1)
    assert (sensors_of(board).registers, sensors_of(board).scan_hz, sensors_of(board).active_low) == (19, 100, True)
    assert {button.name: button.pin for button in board.buttons} == dict(zip(BUTTONS, (5, 6, 26), strict=True))
    assert board.buzzer is not None
    assert (board.buzzer.pin, board.buzzer.active) == (12, False)
    assert board.display is not None
    assert (board.display.wires, board.display.is_upside_down) == (OnI2c(1, 0x3C), False)
    assert board.lights is not None
    assert (board.lights.spi_port, board.lights.count, board.lights.brightness) == (1, 37, 8)


def test_every_input_says_where_it_is_soldered() -> None:
    sensors = sensors_of(load_bundled("tamsk"))
    assert sensors.place("A1.north") == ChipPlace(0, "A")
    assert sensors.place("A1.south") == ChipPlace(0, "B")
    assert sensors.place("B1.north") == ChipPlace(1, "A")
    assert sensors.place("timer15.south") == ChipPlace(17, "D")
    places = [sensors.place(name) for name in sensors.inputs]
    assert len(set(places)) == len(places)
    assert all(place.chip < sensors.registers - 1 for place in places)


def test_a_moved_input_keeps_its_number_in_the_scan_and_changes_its_place() -> None:
    text = edited("[buttons]", '[sensors.moved]\n"D2.north" = 140\n"A1.north" = 1\n"A1.south" = 0\n\n[buttons]')
    plain, moved = sensors_of(load_bundled("tamsk")), sensors_of(parse_board(text, "my.toml"))
    assert moved.inputs == plain.inputs
    assert moved.place("D2.north") == ChipPlace(17, "E")
    assert (moved.place("A1.north"), moved.place("A1.south")) == (ChipPlace(0, "B"), ChipPlace(0, "A"))


def test_a_board_may_lack_display_lights_and_buzzer() -> None:
    text = TAMSK[: TAMSK.index("[buzzer]")]
    board = parse_board(text, "my.toml")
    assert (board.display, board.lights, board.buzzer) == (None, None, None)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("latch = 25", "latch = 28", "latch must be a whole number from 2 to 27, not 28"),
        ("latch = 25", "latch = true", "latch must be a whole number from 2 to 27, not True"),
        ("latch = 25", 'latch = "25"', "latch must be a whole number from 2 to 27, not '25'"),
        ("latch = 25", "latsch = 25", "[sensors] lacks latch"),
        ("latch = 25", "latch = 25\nlatsch = 3", "[sensors] has no key latsch"),
        ('"button.red" = 5', '"button.red" = 26', "pin 26 cannot be button.arbiter: it is button.red (line"),
        ('"button.red" = 5', '"button.red" = 25', "pin 25 cannot be button.red: it is the latch of the sensors (line"),
        ('"button.red" = 5', '"button.red" = 11', "pin 11 cannot be button.red: it is SPI0 of the sensors (line"),
        ('"button.red" = 5', '"button.green" = 5', "the board has no input button.green"),
        ('"button.red" = 5', '"D2.north" = 5', "D2.north is wired twice"),
        ('"button.red" = 5\n', "", "no wire is given for button.red"),
        ('inputs = ["ring1"]\n', "", "[sensors.bits] lacks inputs"),
        ('places = ["D4"]', 'places = ["D8"]', "the board has no input D8.ring1"),
        ('places = ["D4"]', 'places = ["D4", "D4"]', "D4.ring1 is wired twice"),
        ('places = ["D4"]', "places = []", "places must be a list of names"),
        ('places = ["D4"]', "places = [4]", "places must be a list of names"),
        ("registers = 19", "registers = 18", "140 inputs do not fit on 17 registers beside the canary"),
        ("canary = 0xB1", "canary = 0xFF", "canary must be a whole number from 1 to 254, not 255"),
        ("emitters = 17 #", "# emitters = 17", "[sensors] lacks emitters"),
        ('kind = "hc165"', 'kind = "mcp3008"', "kind must be one of hc165, mcp23017, not 'mcp3008'"),
        ("spi_port = 1\n", "spi_port = 0\n", "pin 11 cannot be SPI0 of the lights: it is SPI0 of the sensors (line"),
        ("brightness = 8", "brightness = 32", "brightness must be a whole number from 1 to 31"),
        (
            "address = 0x3C",
            "address = 0x78",
            "address must be a whole number from 0x08 to 0x77, not 0x78, which is 0x3C",
        ),
        ("address = 0x3C", "address = 0x07", "address must be a whole number from 0x08 to 0x77, not 0x07"),
        ("address = 0x3C", "address = 300", "address must be a whole number from 0x08 to 0x77, not 300"),
        ("upside_down = false", "upside_down = 2", "upside_down must be true or false, not 2"),
        ('board = "tamsk"', 'board = "chess"', "board must be one of table, tamsk, tayu, not 'chess'"),
        ('pins = "lgpio"', 'pins = "pigpio"', "pins must be one of lgpio, mock, rpigpio, not 'pigpio'"),
        ("[buzzer]", "[bell]", "the file has no key bell"),
        (
            TAMSK[TAMSK.index("[display]") : TAMSK.index("# On SPI1")],
            "[[display]]\n",
            "display must be a table: [display]",
        ),
        (
            TAMSK[TAMSK.index("# The chain's bits") : TAMSK.index("# Each button")],
            "[sensors.bits]\n",
            "bits must be tables: [[sensors.bits]]",
        ),
        ("[buzzer]", "[buttons]", "buttons is given twice, first on line "),
        ('board = "tamsk"', 'board = "tamsk"\nbuttons = 3\n[x]', "buttons is given twice, first on line 3"),
        (TAMSK[TAMSK.index("[display]") : TAMSK.index("# On SPI1")], "[x.display]\n", "the file has no key x"),
    ],
)
def test_a_mistake_is_one_sentence_with_the_file(old: str, new: str, said: str) -> None:
    message = refusal(edited(old, new))
    assert re.match(r"my\.toml:\d+: ", message)
    assert said in message


@pytest.mark.parametrize(
    ("old", "new", "at"),
    [
        ("latch = 25", "latch = 28", "latch = 28"),
        ("scan_hz = 100", "scan_hz = 1000000", "scan_hz"),
        ('"button.red" = 5', '"button.red" = 26', '"button.arbiter" = 26'),
        ("latch = 25", "latsch = 25", "[sensors]"),
        ("latch = 25", "latch = 25\nlatsch = 3", "latsch"),
        ('places = ["D4"]', 'places = ["D8"]', '"D8"'),
        ('"G1", "G2", "G3", "G4",\n]', '"G1", "G2", "G3", "G9",\n]', '"G9"'),
        ('"button.red" = 5\n', "", "[buttons]"),
        ("[buzzer]", "[bell]", "[bell]"),
        ('kind = "ssd1309"', 'kind = "ssd1305"', "ssd1305"),
        ("brightness = 8 #", "brightness = = 8 #", "brightness"),
        ("[buzzer]\nkind", "[buzzer]\nkinder", "[buzzer]"),
        (TAMSK[TAMSK.index("[display]") : TAMSK.index("# On SPI1")], "[x]\n", "[x]"),
        (TAMSK[TAMSK.index("# Each button") :], "", "# The TAMSK board"),
    ],
)
def test_a_mistake_is_named_with_its_line(old: str, new: str, at: str) -> None:
    text = edited(old, new)
    assert refusal(text).startswith(f"my.toml:{line_of(text, at)}: ")


@pytest.mark.untraced
@pytest.mark.parametrize("number", range(len(LINES)))
def test_any_line_left_out_is_harmless_or_named(number: int) -> None:
    text = "\n".join(LINES[:number] + LINES[number + 1 :])
    try:
        board = parse_board(text, "my.toml")
    except BoardError as error:
        assert re.match(r"my\.toml:\d+: \S", str(error))  # noqa: PT017 - either way is right
    else:
        assert set(sensors_of(board).inputs) | {button.name for button in board.buttons} == set(INPUTS)


@given(st.integers(0, len(TAMSK)), st.integers(0, 40), st.text(max_size=8))
def test_no_text_whatever_gets_past_as_another_error(start: int, length: int, text: str) -> None:
    mangled = TAMSK[:start] + text + TAMSK[start + length :]
    try:
        parse_board(mangled, "my.toml")
    except BoardError as error:
        assert str(error).startswith("my.toml")  # noqa: PT017 - either way is right


@pytest.mark.parametrize(
    ("moved", "said"),
    [
        ('"D2.north" = 0', "bit 0 cannot be D2.north: it is A1.north"),
        ('"D2.north" = 144', "D2.north must be a whole number from 0 to 143"),
        ('"button.red" = 140', "button.red is not on the chain, so it cannot be moved"),
    ],
)
def test_an_input_cannot_be_moved_to_where_another_is(moved: str, said: str) -> None:
    text = edited("[buttons]", f"[sensors.moved]\n{moved}\n\n[buttons]")
    message = refusal(text)
    assert message.startswith(f"my.toml:{line_of(text, moved)}: ")
    assert said in message


def test_a_builders_own_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(edited("latch = 25", "latch = 24"), encoding="utf-8")
    assert sensors_of(load(path)).latch == 24


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b"board = \xe4\n")
    for path, why in (
        (tmp_path / "none.toml", "No such file or directory"),
        (tmp_path, "Is a directory"),
        (latin, "byte 9 is not UTF-8 text"),
        (Path("/dev/zero"), "it is longer than 1 MB"),
    ):
        with pytest.raises(BoardError) as refused:
            load(path)
        assert str(refused.value) == f"{path}: cannot be read: {why}"


def test_an_unknown_board_is_refused_with_those_there_are() -> None:
    with pytest.raises(BoardError, match=re.escape("there is no board '../tamsk'; there are: table, tamsk, tayu")):
        load_bundled("../tamsk")
