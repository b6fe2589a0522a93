"""Word the prompts of a walk for terminal and display, and say where each place is seen.

Positions are those that a person at the board sees, from 0 to 1 on both axes.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from gnomon.games.tamsk.rules import BOARD
from gnomon.games.tamsk.sensing.inputs import TIMER
from gnomon_pi.config.description import TAMSK, TAYU, BoardDescription
from gnomon_pi.tools.walk.steps import Do
from gnomon_pi.tools.walk.wires import bits_of, where
from gnomon_pi.tools.walk.wiring_inference import Walk, WalkPhase

_KEYS: Final = "Enter: yes, or done though nothing happens · n: no, or skip · a: again · b: back · q: stop"
_BUTTONS: Final = "the red button: Enter, black: n, arbiter: b"
_TABLE_BUTTONS: Final = "the button enter: Enter, next: n, back: a, previous: b, arbiter: q"
_CLOCK_BUTTONS: Final = "the button left: Enter, right: n, arbiter: q"
Point = tuple[float, float]
"""From the left and from the top."""

_SQUARE: Final = re.compile(r"([a-z]+)([0-9]+)")
_HIGH: Final = 13  # lines of the map for a terminal: a hexagon of 7 columns stands on 13 half rows
_STRETCH: Final = 2  # letters are twice as high as they are wide


class Prompt(NamedTuple):
    """What a person is asked: the place, one sentence, and the same in a few words."""

    place: str
    sentence: str
    brief: str


def prompt(walk: Walk) -> Prompt:
    """What is to be done now."""
    match walk.phase:
        case WalkPhase.REST:
            return Prompt("", "Take everything off the board and hands off: it is watched for a moment.", "Hands off")
        case WalkPhase.REST_LIT:
            return Prompt("", "Hands off the tubes: the emitters are tried for a moment.", "Hands off the tubes")
        case WalkPhase.OVER:
            return Prompt("", "The walk is stopped." if walk.is_stopped else "The walk is over.", "Done")
        case WalkPhase.CLEAR:
            place = walk.step.place
            return Prompt(place, f"Take everything off {place_name(place)}.", "Take all off")
        case WalkPhase.DOUBT:
            return _doubt_prompt(walk)
        case _:
            return _ask_prompt(walk)


def keys(board: BoardDescription) -> str:
    """Which keys and buttons answer."""
    if board.board == TAMSK:
        return f"{_KEYS} ({_BUTTONS})"
    picks = any(button.name == "button.enter" for button in board.buttons)
    return f"{_KEYS} ({_TABLE_BUTTONS if picks else _CLOCK_BUTTONS})"


def place_name(place: str) -> str:
    """A place as a sentence calls it."""
    return "the stand of the 15-second glass" if place == TIMER else place


def title(place: str) -> str:
    """A place in big letters."""
    return {TIMER: "15 s", "lights": "Light", "buzzer": "Sound"}.get(place, place.removeprefix("button."))


def button(name: str) -> str:
    """A button as a sentence calls it."""
    return f"the {name.removeprefix('button.').replace('_', ' ')} button"


def bit_named(board: BoardDescription, bit: int) -> str:
    """The input that is described on a bit, or that there is none, and where to look for it."""
    assert board.sensors is not None  # noqa: S101 - there are bits
    names = {number: name for name, number in bits_of(board.sensors).items()}
    return f"{names.get(bit, f'spare bit {bit}')} ({where(board.sensors, bit)})"


def _doubt_prompt(walk: Walk) -> Prompt:
    place = walk.step.place
    if walk.doubted_button:
        asked, heard = button(walk.now_do.name), button(walk.doubted_button)
        sentence = f"{heard[0].upper()}{heard[1:]} answered: if you did press {asked}, press it again."
        return Prompt(place, sentence, f"Was it {title(place)}? Press it again")
    heard = " and ".join(bit_named(walk.board, bit) for bit in walk.doubted)
    sentence = f"{heard} answered: is it really {place_name(place)} where you did that?"
    return Prompt(place, sentence, f"Really on {title(place)}?")


def _ask_prompt(walk: Walk) -> Prompt:
    place, act = walk.step.place, walk.now_do
    where_ = place_name(place)
    height = act.name.rpartition("ring")[2]
    sentence, brief = {
        Do.PRESS: (f"Press {button(act.name)}.", "Press it"),
        Do.NORTH_UP: (f"Put a glass on {where_}, its north end up.", "Glass on it, north up"),
        Do.TURN: (f"Turn the glass on {where_} over.", "Turn it over"),
        Do.PUT_GLASS: (f"Put a glass on {where_}.", "Glass on it"),
        Do.PUT_TILE: (f"Lay a tile on {where_} alone.", "Tile on it"),
        Do.DROP_RING: (f"Drop ring {height} into the tube of {where_}.", f"Drop ring {height}"),
        Do.TAKE: (f"Take everything off {where_}.", "Take it away"),
        Do.SEE_LIGHT: (
            "Is the first light of the strip lit, and no other?",
            "Is it lit, and no other?",
        ),
        Do.HEAR_HIGH: ("Do you hear the buzzer now?", "Do you hear it now?"),
        Do.HEAR_LOW: ("And now: do you hear the buzzer?", "And now?"),
        Do.HEAR_TONE: ("Do you hear a tone?", "Do you hear a tone?"),
        Do.KNOW_SWITCH: (
            "Is the buzzer switched on by a low level, as by a PNP transistor or a module that says so?",
            "On by a low level (PNP)?",
        ),
    }[act.do]
    return Prompt(place, sentence, brief)


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
