"""The descriptions of the boards of Tayu and of any table."""

from string import ascii_lowercase

import pytest

from gnomon.referee.games import begin
from gnomon.referee.table import TABLE_BUTTONS
from gnomon_pi.config import BoardError, bundled_sizes, load_bundled, parse_board
from gnomon_pi.config.description import BoardDescription, ChipPlace, Reader
from tests.firmware_config.files import refusal, sensors_of, text_of

TAYU = text_of("tayu")
TABLE = text_of("table")
READER = '\n[reader]\nkind = "keyboard"\ndevice = "/dev/input/event7"\n'


@pytest.mark.parametrize("size", [17, 19])
def test_the_matrix_has_every_square_of_the_game_once_in_the_order_of_the_rows(size: int) -> None:
    board, game = load_bundled("tayu", size), begin("tayu", {"size": size}, board="tayu")
    inputs = sensors_of(board).inputs
    assert set(inputs) | {button.name for button in board.buttons} == game.inputs
    assert list(inputs) == [f"{column}{row}.tile" for row in range(1, size + 1) for column in ascii_lowercase[:size]]
    assert len(inputs) == size * size
    assert not any(sensors_of(board).strobed)


def test_the_chain_is_as_long_as_the_squares_need_and_a_canary() -> None:
    assert [sensors_of(load_bundled("tayu", size)).registers for size in (17, 19)] == [38, 47]
    assert sensors_of(load_bundled("tayu")).place("a1.tile") == ChipPlace(0, "A")
    assert sensors_of(load_bundled("tayu")).place("q17.tile") == ChipPlace(36, "A")


def test_the_boards_of_both_editions_come_with_the_program() -> None:
    assert bundled_sizes() == (17, 19)
    assert load_bundled("tayu") == load_bundled("tayu", 17)
    with pytest.raises(BoardError, match="the program has no board of 21 squares a side, only 17 and 19"):
        load_bundled("tayu", 21)


@pytest.mark.parametrize(
    "board", [load_bundled("tayu"), load_bundled("tayu", 19), load_bundled("table")], ids=["17", "19", "table"]
)
def test_four_buttons_and_the_arbiters_a_display_and_a_buzzer_but_no_lights(board: BoardDescription) -> None:
    assert tuple(button.name for button in board.buttons) == TABLE_BUTTONS
    assert board.display is not None
    assert board.buzzer is not None
    assert (board.lights, board.reader) == (None, None)


def test_a_table_senses_nothing() -> None:
    assert (load_bundled("table").sensors, load_bundled("table").inputs) == (None, ())


def test_a_reader_is_described_by_its_kind_its_device_and_its_codes() -> None:
    board = parse_board(TAYU + READER + '[reader.codes]\n"04A1B2C3" = "013"\n4006381333931 = "123"\n', "my.toml")
    assert board.reader == Reader("keyboard", "/dev/input/event7", {"04A1B2C3": "013", "4006381333931": "123"})
    plain = parse_board(TABLE + READER, "my.toml").reader
    assert plain is not None
    assert dict(plain.codes) == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TAYU.replace("size = 17", "size = 27"), "size must be a whole number from 3 to 26, not 27"),
        (TAYU.replace("size = 17", "size = 18"), "no wire is given for a18.tile and 34 more"),
        (TAYU.replace("size = 17", "size = 16"), "the board has no input q1.tile"),
        (TAYU.replace("registers = 38", "registers = 37"), "289 inputs do not fit on 36 registers beside the canary"),
        (TAYU.replace('"button.back" = 19\n', ""), "no wire is given for button.back"),
        (TAYU.replace('"i9",', '"i8",'), "i8.tile is wired twice"),
        (TAYU + "\n[lights]\ncount = 3\n", "the file has no key lights"),
        (TABLE + '\n[sensors]\nkind = "hc165"\n', "the file has no key sensors"),
        (TABLE + "\nsize = 17\n", "has no key size"),
        (
            TAYU + READER.replace("keyboard", "camera"),
            "kind must be one of em4100, keyboard, lines, pn532, not 'camera'",
        ),
        (TAYU + READER.replace('"/dev/input/event7"', "7"), "device must be a text, not 7"),
        (TAYU + READER + '[reader.codes]\n"X" = "014"\n"Y" = "999"\n', "Y must be one of 012, 013"),
        (TAYU + READER + "baud = 9600\n", "[reader] has no key baud"),
    ],
)
def test_a_mistake_is_one_sentence_with_the_file(text: str, said: str) -> None:
    assert said in refusal(text)


def test_a_tamsk_board_has_no_reader() -> None:
    assert "the file has no key reader" in refusal(text_of("tamsk") + READER)
