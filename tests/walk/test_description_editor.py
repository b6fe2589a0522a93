"""Only the keys that change are edited, every comment stays, and what is written is what was meant."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon_pi import config
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.tools.walk.conclusions import moved_inputs
from gnomon_pi.tools.walk.description_editor import EditError, edit
from gnomon_pi.tools.walk.wires import every_bit
from tests.conftest import examples
from tests.walk.boards import bundled, sensors_of, with_bits

TAMSK = bundled("tamsk")
TABLE = '[sensors.moved] # by hand\n"A1.north" = 140 # the pad came off\n"A2.north" = 141\n'


def comments(text: str) -> list[str]:
    """What is said beside the values."""
    return [line[line.index("#") :] for line in text.splitlines() if "#" in line]


def with_table(text: str) -> str:
    """The text with two inputs moved already."""
    return text.replace("# Each button closes", f"{TABLE}\n# Each button closes")


def after(board: BoardDescription, order: list[int], *, low: bool) -> BoardDescription:
    """The board with its first inputs in another order on the bits, and every level at `low`."""
    sensors, buzzer = sensors_of(board), board.buzzer
    assert sensors.emitters is not None
    assert buzzer is not None
    bits = list(sensors.bits)
    rest = [bit for bit in every_bit(sensors) if bit not in bits]
    pool = bits[:6] + rest[:2]
    bits[:6] = [pool[number] for number in order if number < len(pool)][:6]
    emitters = replace(sensors.emitters, active_low=low)
    red, black, *others = board.buttons
    swapped = (replace(red, pin=black.pin), replace(black, pin=red.pin), *others) if low else board.buttons
    return replace(
        board,
        sensors=replace(sensors, bits=tuple(bits), active_low=not low, emitters=emitters),
        buzzer=replace(buzzer, active_low=low),
        buttons=swapped,
    )


@settings(max_examples=examples(15))
@given(st.permutations(range(8)), st.booleans(), st.sampled_from(["", "table", "unknown", "expanders", "crlf"]))
def test_whatever_changes_is_written_and_nothing_else(order: list[int], low: bool, form: str) -> None:
    text = bundled("tamsk", "expanders" if form == "expanders" else "", unknown=form == "unknown").text
    text = with_table(text) if form == "table" else text.replace("\n", "\r\n") if form == "crlf" else text
    before = config.parse_board(text, "mine.toml")
    wanted = after(before, order, low=low)
    result = edit(text, "mine.toml", before, wanted)
    assert config.parse_board(result, "mine.toml") == wanted
    kept = set(comments(text)) - {"# the pad came off"}
    assert kept <= set(comments(result))
    changed = set(result.splitlines()) - set(text.splitlines())
    assert len(changed) <= len(moved_inputs(sensors_of(wanted))) + 6
    assert result.count("\r\n") == (result.count("\n") if form == "crlf" else 0)


def test_the_table_stands_with_the_sensors() -> None:
    result = edit(TAMSK.text, "mine.toml", TAMSK.board, with_bits(TAMSK.board, D4_north=141))
    assert '# "D2.north" = 140\n\n[sensors.moved]\n"D4.north" = 141\n\n# Each button closes its pin' in result


def test_a_table_that_is_there_is_changed_in_its_lines() -> None:
    text = with_table(TAMSK.text)
    before = config.parse_board(text, "mine.toml")
    result = edit(text, "mine.toml", before, with_bits(before, A1_north=142, A2_north=2, B1_south=143))
    assert '[sensors.moved] # by hand\n"A1.north" = 142 # the pad came off\n"B1.south" = 143\n\n# Each' in result


def test_a_table_at_the_end_of_a_file_without_a_last_line_is_put_behind_it() -> None:
    text = bundled("tamsk").text
    start, rest = text.split("[sensors]")
    sensors, others = rest.split("# Each button closes")
    text = f"{start}\n[buttons]{others.split('[buttons]')[1]}\n[sensors]{sensors.rstrip()}"
    before = config.parse_board(text, "mine.toml")
    result = edit(text, "mine.toml", before, with_bits(before, D4_north=141))
    assert result.endswith('[sensors.moved]\n"D4.north" = 141')


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("scan_hz = 100", 'scan_hz = 100\nmoved = { "A1.north" = 140 }'),
        ("scan_hz = 100", 'scan_hz = 100\nmoved."A1.north" = 140'),
    ],
)
def test_what_cannot_be_edited_is_said_to_be_done_by_hand(old: str, new: str) -> None:
    text = TAMSK.text.replace(old, new)
    before = config.parse_board(text, "mine.toml")
    wanted = replace(with_bits(before, A1_north=0, D4_north=141), buzzer=after(before, list(range(8)), low=True).buzzer)
    with pytest.raises(EditError) as caught:
        edit(text, "mine.toml", before, wanted)
    assert str(caught.value) == (
        "mine.toml is written in a way that cannot be edited here; write by hand: "
        'buzzer.on = "low"; [sensors.moved] with "D4.north" = 141'
    )
