"""Boards whose sensors see one pole: all sockets alike, and a button that says that a glass was not turned."""

import pytest

from gnomon.games.tamsk.sensing.inputs import INPUTS, POLES, SINGLE, inputs_with
from gnomon_pi.config import parse_board
from tests.firmware_config.files import line_of, refusal, text_of

TWO, ONE = text_of("tamsk"), text_of("tamsk-single-pole")
POLES_HERE, GLASS_HERE = 'inputs = ["north", "south"]', 'inputs = ["glass"]'
BUTTON = '"button.not_turned" = 16'


def with_sockets(text: str, old: str, new: str) -> str:
    return text.replace(old, new, 1)


def with_stand(text: str, old: str, new: str) -> str:
    before, after = text.split('places = ["timer15"]')
    return f'{before}places = ["timer15"]{after.replace(old, new, 1)}'


def wired(text: str) -> set[str]:
    board = parse_board(text, "my.toml")
    return {*board.inputs, *(button.name for button in board.buttons)}


def test_with_two_poles_the_inputs_are_those_of_the_game() -> None:
    assert inputs_with() == INPUTS
    assert wired(TWO) == set(INPUTS)


def test_sockets_and_stand_have_one_pole_each_or_both() -> None:
    assert wired(ONE) == set(inputs_with(sockets=SINGLE, timer=SINGLE))
    assert {"D1.glass", "timer15.glass", "button.not_turned"} <= wired(ONE)
    button = TWO.replace('"button.arbiter" = 26', f'"button.arbiter" = 26\n{BUTTON}')
    assert wired(with_stand(button, POLES_HERE, GLASS_HERE)) == set(inputs_with(sockets=POLES, timer=SINGLE))
    assert wired(with_stand(ONE, GLASS_HERE, POLES_HERE)) == set(inputs_with(sockets=SINGLE, timer=POLES))


@pytest.mark.parametrize("text", [ONE, with_stand(TWO, POLES_HERE, GLASS_HERE)], ids=["sockets", "stand"])
def test_where_turning_is_trusted_a_button_must_say_that_it_was_not(text: str) -> None:
    text = text.replace(BUTTON, "#")
    said = "no wire is given for button.not_turned, which a board with one pole per glass needs"
    assert refusal(text) == f"my.toml:{line_of(text, '[buttons]')}: {said}"


def test_where_turning_is_measured_there_is_no_such_button() -> None:
    text = TWO.replace('"button.arbiter" = 26', f'"button.arbiter" = 26\n{BUTTON}')
    said = "the board has no input button.not_turned: every glass has two poles here, which tell whether it was turned"
    assert refusal(text) == f"my.toml:{line_of(text, BUTTON)}: {said}"


def test_the_sockets_are_all_alike() -> None:
    text = ONE.replace('"G1", "G2", "G3", "G4",\n]', '"G1", "G2", "G3",\n]', 1)
    text = text.replace(
        "[[sensors.bits]] # tubes of the edge",
        f'[[sensors.bits]]\nplaces = ["G4"] #\n{POLES_HERE}\n\n[[sensors.bits]] # tubes of the edge',
    )
    first = line_of(text, "[[sensors.bits]]")
    said = f"the board has no input G4.north: the sockets are all alike, and A1 has one pole (line {first})"
    odd = line_of(text, '["G4"] #')
    assert refusal(text) == f"my.toml:{odd}: {said}"


@pytest.mark.parametrize(
    ("old", "new", "name"), [('inputs = ["ring1"]', 'inputs = ["ring9"]', "A1.ring9"), ('"G4",', '"H4",', "H4.glass")]
)
def test_an_input_that_no_board_has_is_refused_without_a_word_of_poles(old: str, new: str, name: str) -> None:
    assert refusal(ONE.replace(old, new, 1)).endswith(f"the board has no input {name}")
