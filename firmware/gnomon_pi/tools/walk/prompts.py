"""Word the prompts of a walk for terminal and display, and say where each place is seen.

Positions are those that a person at the board sees, from 0 to 1 on both axes.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from gnomon.games.tamsk.rules import BOARD
from gnomon.games.tamsk.sensing.inputs import TIMER
from gnomon.refusals import Statement, join, statement
from gnomon_pi.config.description import TAMSK, TAYU, BoardDescription
from gnomon_pi.tools.walk.steps import QUESTIONS, Do
from gnomon_pi.tools.walk.wires import bits_of, where
from gnomon_pi.tools.walk.wiring_inference import Walk, WalkPhase

Point = tuple[float, float]
"""From the left and from the top."""

_SQUARE: Final = re.compile(r"([a-z]+)([0-9]+)")
_HIGH: Final = 13  # lines of the map for a terminal: a hexagon of 7 columns stands on 13 half rows
_STRETCH: Final = 2  # letters are twice as high as they are wide


class Prompt(NamedTuple):
    """What a person is asked: the place, one sentence, and the same in a few words."""

    place: str
    sentence: Statement
    brief: Statement


def prompt(walk: Walk) -> Prompt:
    """What is to be done now."""
    match walk.phase:
        case WalkPhase.REST:
            return Prompt("", statement("walk.rest"), statement("walk.rest.brief"))
        case WalkPhase.REST_LIT:
            return Prompt("", statement("walk.lit"), statement("walk.lit.brief"))
        case WalkPhase.OVER:
            told = statement("walk.stopped" if walk.is_stopped else "walk.over")
            return Prompt("", told, statement("walk.done"))
        case WalkPhase.CLEAR:
            place = walk.step.place
            return Prompt(place, statement("walk.clear", place=place_name(place)), statement("walk.clear.brief"))
        case WalkPhase.DOUBT:
            return _doubt_prompt(walk)
        case _:
            return _ask_prompt(walk)


def keys(board: BoardDescription) -> Statement:
    """Which keys and buttons answer."""
    if board.board == TAMSK:
        return statement("walk.keys", buttons=statement("walk.keys.tamsk"))
    picks = any(button.name == "button.enter" for button in board.buttons)
    return statement("walk.keys", buttons=statement("walk.keys.table" if picks else "walk.keys.clock"))


def place_name(place: str) -> Statement:
    """A place as a sentence calls it."""
    return statement("walk.timer") if place == TIMER else Statement.plain(place)


def title(place: str) -> Statement:
    """A place in big letters."""
    known = {"lights": statement("walk.title.light"), "buzzer": statement("walk.title.sound")}
    return known.get(place, Statement.plain("15 s" if place == TIMER else place.removeprefix("button.")))


def button(name: str) -> Statement:
    """A button as a sentence calls it."""
    return statement("walk.button", name=name.removeprefix("button.").replace("_", " "))


def bit_named(board: BoardDescription, bit: int) -> Statement:
    """The input that is described on a bit, or that there is none, and where to look for it."""
    assert board.sensors is not None  # noqa: S101 - there are bits
    names = {number: Statement.plain(name) for name, number in bits_of(board.sensors).items()}
    there = where(board.sensors, bit)
    return statement("walk.bit", input=names.get(bit, statement("walk.spare", bit=bit)), where=there)


def _doubt_prompt(walk: Walk) -> Prompt:
    place = walk.step.place
    name = title(place)
    if walk.doubted_button:
        asked, heard = button(walk.now_do.name), button(walk.doubted_button)
        told = statement("walk.doubt.button", heard=heard, asked=asked)
        return Prompt(place, told, statement("walk.doubt.button.brief", name=name))
    told = statement(
        "walk.doubt", heard=join(bit_named(walk.board, bit) for bit in walk.doubted), place=place_name(place)
    )
    return Prompt(place, told, statement("walk.doubt.brief", name=name))


def _ask_prompt(walk: Walk) -> Prompt:
    place, act = walk.step.place, walk.now_do
    key = f"walk.{act.do.value.replace(' ', '_')}"
    height = act.name.rpartition("ring")[2]
    values: dict[str, object] = {"height": height} if act.do is Do.DROP_RING else {}
    if act.do is Do.PRESS:
        return Prompt(place, Statement(key, {"button": button(act.name)}), Statement(f"{key}.brief"))
    if act.do in QUESTIONS:
        return Prompt(place, Statement(key), Statement(f"{key}.brief"))
    return Prompt(place, Statement(key, {**values, "place": place_name(place)}), Statement(f"{key}.brief", values))


# Where the places are


def points(board: BoardDescription) -> Mapping[str, Point]:
    """Where each place lies; the stand of the 15-second glass is drawn beside the board."""
    if board.board == TAMSK:
        centres = {name: BOARD.centre(space) for space, name in enumerate(BOARD.names)}
        return {**_fit(centres), TIMER: (1.0, 1.0)}
    if board.board == TAYU:
        places = {name.rpartition(".")[0] for name in board.inputs}
        found = {place: match for place in places if (match := _SQUARE.fullmatch(place))}
        return _fit({place: (float(_column(match[1])), -float(match[2])) for place, match in found.items()})
    return {}


def lines(board: BoardDescription, place: str) -> Sequence[str]:
    """A map for a terminal with `O` at a place and a dot at the others; none of a place that is not on the map."""
    where = points(board)
    if place not in where:
        return ()
    high = _HIGH if board.board == TAMSK else len({y for _, y in where.values()})
    wide = (high - 1) * _STRETCH
    grid = [[" "] * (wide + 1) for _ in range(high)]
    for name, (x, y) in where.items():
        if name != TIMER or place == TIMER:
            grid[round(y * (high - 1))][round(x * wide)] = "O" if name == place else "."
    return ["".join(row).rstrip() for row in grid]


def _column(letters: str) -> int:
    return sum(26**power * (ord(letter) - 96) for power, letter in enumerate(reversed(letters)))


def _fit(raw: Mapping[str, Point]) -> Mapping[str, Point]:
    """The same points, moved and stretched to fill the map."""
    if not raw:
        return {}
    xs, ys = [x for x, _ in raw.values()], [y for _, y in raw.values()]
    left, top = min(xs), min(ys)
    wide, high = max(xs) - left or 1.0, max(ys) - top or 1.0
    return {name: ((x - left) / wide, (y - top) / high) for name, (x, y) in raw.items()}
