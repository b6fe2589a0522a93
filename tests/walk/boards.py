"""Provide the tests of the walk with boards as their makers described them, and with walks over them."""

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import NamedTuple

from gnomon_pi import config
from gnomon_pi.config.description import BoardDescription, Sensors
from gnomon_pi.simulated.miswired import Followed, Miswiring, miswire, walk_by_hands
from gnomon_pi.tools.walk.conclusions import Conclusion, conclude
from gnomon_pi.tools.walk.wiring_inference import begin_walk


class Written(NamedTuple):
    """A description, and its text."""

    board: BoardDescription
    text: str


@lru_cache
def bundled(board: str, variant: str = "", *, unknown: bool = False) -> Written:
    """A bundled description; `unknown`: with an active buzzer, and no word on which levels switch things on."""
    name, text = config.bundled_text(board, None, variant)
    if unknown:
        text = text.replace("emitters = 17", 'emitters_on = "unknown"\nemitters = 17')
        text = text.replace('kind = "passive"', 'on = "unknown"\nkind = "active"')
    return Written(config.parse_board(text, name), text)


@lru_cache
def small_tayu() -> Written:
    """A board of Tayu with four squares a side, and eight spare bits."""
    text = bundled("tayu").text
    head, rest = text.split("[sensors]", 1)
    _, others = rest.split("[buttons]", 1)
    places = ", ".join(f'"{column}{row}"' for row in range(1, 5) for column in "abcd")
    sensors = f"""[sensors]
kind = "hc165"
spi_port = 0
spi_device = 0
clock_hz = 1_000_000
registers = 4
canary = 0xB1
latch = 25
active = "low"
scan_hz = 100

[[sensors.bits]]
places = [{places}]
inputs = ["tile"]

"""
    text = head.replace("size = 17", "size = 4") + f"{sensors}[buttons]{others}"
    return Written(config.parse_board(text, "tayu4.toml"), text)


def sensors_of(board: BoardDescription) -> Sensors:
    """The sensors of a board that has some."""
    assert board.sensors is not None
    return board.sensors


def bits(board: BoardDescription) -> dict[str, int]:
    """The bit of each input."""
    sensors = sensors_of(board)
    return dict(zip(sensors.inputs, sensors.bits, strict=True))


def with_bits(board: BoardDescription, **moved: int) -> BoardDescription:
    """The board with some inputs elsewhere; `D4_north` stands for `D4.north`."""
    there = bits(board) | {name.replace("_", "."): bit for name, bit in moved.items()}
    return replace(board, sensors=replace(sensors_of(board), bits=tuple(there.values())))


def follow(
    board: BoardDescription, miswiring: Miswiring, *, quick: bool = False, only: Collection[str] = ()
) -> tuple[Followed, Conclusion]:
    """A walk by hands over a whole board, or over some places, and what it came to."""
    walk = begin_walk(board, quick=quick)
    if only:
        walk = replace(walk, steps=tuple(step for step in walk.steps if step.place in only))
    followed = walk_by_hands(walk, miswiring, Random(1))
    return followed, conclude(followed.walk)


def at_random(board: BoardDescription, seed: int) -> Miswiring:
    """A board wired wrongly by chance."""
    return miswire(board, Random(seed))
