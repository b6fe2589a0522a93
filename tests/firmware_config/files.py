"""Find the bundled board descriptions for the tests, and what is wrong with others."""

import re
from importlib import resources

import pytest

from gnomon_pi.config import BoardError, parse_board
from gnomon_pi.config.description import BoardDescription, Chain, Expanders

FOLDER = resources.files("gnomon_pi") / "boards"


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8")


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), start=1) if part in line)


def last_line_of(text: str, part: str) -> int:
    return text.count("\n", 0, text.rindex(part)) + 1


def edited(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, f"{old!r} must stand in the description once"
    return text.replace(old, new)


def refusal(text: str) -> str:
    with pytest.raises(BoardError) as raised:
        parse_board(text, "my.toml")
    message = str(raised.value)
    assert re.match(r"my\.toml:\d+: \S", message)
    assert message.isprintable()
    return message


def sensors_of(description: BoardDescription) -> Chain:
    assert isinstance(description.sensors, Chain)
    return description.sensors


def expanders_of(description: BoardDescription) -> Expanders:
    assert isinstance(description.sensors, Expanders)
    return description.sensors
