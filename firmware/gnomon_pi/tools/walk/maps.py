"""Compute the position of each place as seen by a person at the board, from 0 to 1 on both axes."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from gnomon.games.tamsk.rules import BOARD
from gnomon.referee.tamsk_inputs import TIMER
from gnomon_pi.config.description import TAMSK, TAYU, BoardDescription

Point = tuple[float, float]
"""From the left and from the top."""

_SQUARE: Final = re.compile(r"([a-z]+)([0-9]+)")
_HIGH: Final = 13  # lines of the map for a terminal: a hexagon of 7 columns stands on 13 half rows
_STRETCH: Final = 2  # letters are twice as high as they are wide


def points(board: BoardDescription) -> Mapping[str, Point]:
    """Where each place lies; the stand of the 15-second glass is drawn beside the board."""
    if board.board == TAMSK:
        centres = {name: BOARD.centre(space) for space, name in enumerate(BOARD.names)}
        return {**_fitted(centres), TIMER: (1.0, 1.0)}
    if board.board == TAYU:
        places = {name.rpartition(".")[0] for name in board.inputs}
        found = {place: match for place in places if (match := _SQUARE.fullmatch(place))}
        return _fitted({place: (float(_column(match[1])), -float(match[2])) for place, match in found.items()})
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


def _fitted(raw: Mapping[str, Point]) -> Mapping[str, Point]:
    """The same points, moved and stretched to fill the map."""
    if not raw:
        return {}
    xs, ys = [x for x, _ in raw.values()], [y for _, y in raw.values()]
    left, top = min(xs), min(ys)
    wide, high = max(xs) - left or 1.0, max(ys) - top or 1.0
    return {name: ((x - left) / wide, (y - top) / high) for name, (x, y) in raw.items()}
