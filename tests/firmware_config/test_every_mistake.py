"""One look at a file finds every mistake in it, says each once, and never fails in another way."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon_pi.config import BoardError, examine_board
from tests.firmware_config.files import FOLDER, line_of, text_of
from tests.firmware_config.wirings import CHAIN, EXPANDERS, table, tayu

DEVICES = """
[[i2c]]
number = 3
sda = 22
scl = 23

[display]
kind = "sh1106"
spi_port = 0
spi_device = 1
clock_hz = 4_000_000
data_command = 24
reset = 27

[buzzer]
kind = "active"
pin = 12
on = "unknown"

[reader]
kind = "pn532"
i2c_bus = 3
address = 0x24
codes = { "04A1" = "013" }

[supply]
five_volt_ma = 500
three_volt_ma = 500
"""
SEEDS = [tayu(CHAIN, more=DEVICES), tayu(EXPANDERS, more=DEVICES), table(DEVICES)]
VALUES = st.sampled_from([
    "0",
    "-1",
    "2",
    "25",
    "999999999999",
    "0x" + "f" * 4000,
    "9" * 4400,
    "true",
    "1.5",
    "nan",
    '""',
    '"x"',
    '"a1"',
    '"\\n\\u0007"',
    "[]",
    "[1, 'x']",
    "['a1', 'a1']",
    "[{}]",
    "{}",
    "{ a = 1 }",
    "2026-11-20",
    "[" * 3000 + "]" * 3000,
])  # fmt: skip


def mistakes(text: str) -> list[str]:
    """What is wrong with a text, in the order of its lines."""
    try:
        found = examine_board(text, "my.toml").mistakes
    except BoardError as error:
        return [str(error)]
    return [str(mistake) for mistake in sorted(found, key=lambda mistake: mistake.line)]


def test_a_file_in_order_has_none() -> None:
    assert [mistakes(text) for text in SEEDS] == [[], [], []]


def test_every_mistake_is_found_at_once() -> None:
    text = tayu(CHAIN, more=DEVICES)
    wrong = {
        "spi_device = 0": "spi_device = 9",
        "canary = 0xB1": "canary = 0",
        "latch = 25": "latsch = 25",
        "'b2'": "'z9'",
        '"button.enter" = 13': '"button.enter" = 5',
        "number = 3": "number = 2",
        'kind = "sh1106"': 'kind = "hd44780"',
        'on = "unknown"': "on = 1",
        '"013"': '"999"',
        "five_volt_ma = 500": "five_volt_ma = true",
    }
    for right, other in wrong.items():
        text = text.replace(right, other, 1)
    found = mistakes(text)
    assert [re.sub(r"^my\.toml:\d+: ", "", each)[:44] for each in found] == [
        "[sensors] lacks latch",
        "spi_device must be a whole number from 0 to ",
        "canary must be a whole number from 1 to 254,",
        "[sensors] has no key latsch; it may have: ac",
        "the board has no input z9.tile",
        "pin 5 cannot be button.enter: it is button.n",
        "I2C bus 2 belongs to the HDMI socket; take a",
        "kind must be one of sh1106, ssd1306, ssd1309",
        "on must be one of high, low, unknown, not 1",
        "I2C bus 3 is not described: add [[i2c]] with",
        "04A1 must be one of 012, 013, 014, 015, 016,"[:44],
        "five_volt_ma must be a whole number from 1 t",
    ]


def test_what_only_follows_from_another_mistake_is_not_said() -> None:
    assert mistakes(text_of("tamsk").replace('board = "tamsk"', 'board = "tasmk"')) == [
        "my.toml:2: board must be one of table, tamsk, tayu, not 'tasmk'"
    ]
    assert len(mistakes(text_of("tayu").replace("size = 17", 'size = "17"'))) == 1
    assert len(mistakes(text_of("tamsk").replace('kind = "hc165"', 'kind = "74hc165"'))) == 1
    assert len(mistakes(text_of("tamsk").replace("registers = 19", "registers = 0"))) == 1
    assert len(mistakes(tayu(CHAIN).replace("[sensors]", "[censors]").replace("sensors.bits", "censors.bits"))) == 2


@pytest.mark.parametrize(
    ("board", "word", "said"),
    [
        ("tamsk", "tayu", "board = 'tayu' has none of the 140 inputs that are described (A1.north and so on)"),
        (
            "tamsk-expanders",
            "tayu",
            "board = 'tayu' has none of the 140 inputs that are described (A1.north and so on)",
        ),
        ("tayu", "tamsk", "board = 'tamsk' has none of the 289 inputs that are described (a1.tile and so on)"),
        ("tamsk", "table", "board = 'table' senses nothing, but [sensors] is there"),
        ("tayu", "table", "board = 'table' senses nothing, but [sensors] is there"),
    ],
)
def test_the_word_for_another_board_is_one_mistake(board: str, word: str, said: str) -> None:
    text = re.sub(r'^board = "\w+"', f'board = "{word}"', text_of(board), flags=re.MULTILINE)
    assert mistakes(text) == [f"my.toml:{line_of(text, 'board = ')}: {said}: it is the word for another board"]


def test_a_part_of_a_board_needs_the_inputs_of_its_places_and_no_buttons() -> None:
    text = text_of("tamsk-one-space")
    board = examine_board(text, "x").description
    assert board is not None
    assert (board.only, board.inputs, board.buttons) == (("A1",), ("A1.north", "A1.south", "A1.ring1"), ())
    assert mistakes(text.replace('"north", "south"', '"north"')) == [
        f"my.toml:{line_of(text, '[sensors]')}: no wire is given for A1.south"
    ]
    assert mistakes(text.replace('inputs = ["ring1"]', 'inputs = ["ring1", "ring2"]')) == [
        f"my.toml:{line_of(text, 'strobed = true') - 2}: the board has no input A1.ring2"
    ]
    assert mistakes(text.replace('only = ["A1"]', 'only = ["H9"]'))[0].endswith("the board has no place H9")
    assert mistakes(text.replace('only = ["A1"]', "only = 3")) == ["my.toml:4: only must be a list of names"]
    assert "the file has no key only" in mistakes(f'only = ["a1"]\n{text_of("table")}')[0]


def test_a_table_that_is_called_a_board_with_sensors_lacks_these_and_no_more_is_said() -> None:
    text = text_of("table").replace('board = "table"', 'board = "tamsk"')
    assert mistakes(text) == ["my.toml:1: the file lacks sensors"]


def test_a_bus_with_a_wrong_number_is_named_once_however_many_chips_are_on_it() -> None:
    text = text_of("tamsk-expanders").replace("number = 4", "number = 5")
    assert mistakes(text) == [
        f"my.toml:{line_of(text, 'bus = 4')}: I2C bus 4 is not described: add [[i2c]] with number = 4, sda and scl"
    ]


@pytest.mark.parametrize(
    ("text", "line", "key", "first"),
    [
        ("a = 1\nb = 2\na = 3\n", 3, "a", 1),
        ("[t]\nx = 1\n[u]\nx = 1\nx = [\n  2,\n]\n", 5, "u.x", 4),
        ("[t]\nx = 1\n[u]\n[t]\n", 4, "t", 1),
        ("[t]\nx = 1\n[[t.x]]\n", 3, "t.x", 2),
        ("[[t]]\nx = 1\n[[t]]\nx = 1\n'x' = 2\n", 5, "t.1.x", 4),
        ('"button.red" = 5\n"button.red" = 6', 2, "button.red", 1),
    ],
)
def test_a_key_that_is_given_twice_is_named_with_both_lines(text: str, line: int, key: str, first: int) -> None:
    assert mistakes(text) == [f"my.toml:{line}: {key} is given twice, first on line {first}"]


def test_inputs_and_buttons_without_a_wire_are_told_apart() -> None:
    text = tayu(CHAIN).replace(", 'b2'", "").replace('"button.back" = 19\n', "")
    assert mistakes(text) == [
        f"my.toml:{line_of(text, '[sensors]')}: no wire is given for b2.tile",
        f"my.toml:{line_of(text, '[buttons]')}: no wire is given for button.back",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = " + "[" * 3000, "my.toml: brackets or dotted keys are nested too deeply"),
        ("a." * 32_000 + "a = 1", "my.toml: brackets or dotted keys are nested too deeply"),
        ("a = " + "9" * 5000, "my.toml: a number has far too many digits"),
        ("board = ", "my.toml:1: Invalid value"),
        ('board = "x', "my.toml:1: Unterminated string"),
        ('board = "tab\\nle"', "my.toml:1: board must be one of table, tamsk, tayu, not 'tab\\nle'"),
        ('"\\u0007\\n" = 1\n' + table(""), "my.toml:1: the file has no key \\x07\\n; it may have: "),
        (table("[supply]\nfive_volt_ma = 0x" + "f" * 4000), "not a number of thousands of digits"),
        (table("[supply]\nfive_volt_ma = '" + "f" * 4000), "my.toml:"),
    ],
)
def test_what_would_break_a_line_or_a_reader_is_one_sentence(text: str, said: str) -> None:
    first = mistakes(text)[0] if "digits" not in said else "".join(mistakes(text))
    assert said in first
    assert first.isprintable()
    assert len(first) < 300


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A description of which some lines are lost, doubled, moved or given another value."""
    lines = draw(st.sampled_from(SEEDS)).splitlines()
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines) - 1))
        key, equals, _ = lines[at].partition(" = ")
        match draw(st.sampled_from("vvvdxm")):
            case "v" if equals:
                lines[at] = f"{key} = {draw(VALUES)}"
            case "d":
                lines.insert(draw(st.integers(0, len(lines))), lines[at])
            case "m":
                lines.insert(draw(st.integers(0, len(lines) - 1)), lines.pop(at))
            case _:
                del lines[at]
    return "\n".join(lines)


@given(mutated())
def test_a_file_with_any_mistake_is_refused_by_sentences_with_lines(text: str) -> None:
    for mistake in mistakes(text):
        assert re.match(r"my\.toml:(\d+: )? ?\S", mistake)
        assert mistake.isprintable()


def test_every_bundled_file_is_found() -> None:
    names = {file.name for file in FOLDER.iterdir()}
    assert {"tamsk.toml", "tayu19-pn532.toml", "table-pn532.toml"} <= names
