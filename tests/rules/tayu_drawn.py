"""Tayu boards as drawings: what a test says of a position at a glance.

`o` is a square under a tile, `.` an empty one; a stroke between squares is an outflow, `=` or `:` joins the squares of
one tile.
"""

from collections.abc import Sequence
from textwrap import dedent

from gnomon.games.tayu.rules import Move, Position, Tayu

_WAYS = {"n": (0, 1, "|"), "e": (1, 0, "-"), "s": (0, -1, "|"), "w": (-1, 0, "-")}


def drawing_of(rules: Tayu, laid: Sequence[Move]) -> str:
    """The drawing of tiles on a board, north at the top."""
    size = rules.settings.size
    marks = {(2 * x + 1, 2 * y + 1): "." for x in range(size) for y in range(size)}
    for move in laid:
        squares = [(2 * (ord(name[0]) - ord("a")) + 1, 2 * int(name[1:]) - 1) for name in rules.squares_of(move)]
        (first_x, first_y), (second_x, second_y), _ = squares
        along = ((second_x - first_x) // 2, (second_y - first_y) // 2)
        marks |= dict.fromkeys(squares, "o")
        for x, y in squares[:2]:
            marks[x + along[0], y + along[1]] = "=" if along[0] else ":"
        for outflow in rules.channels(move).outflows:
            east, north, stroke = _WAYS[outflow.side]
            x, y = 2 * (ord(outflow.square[0]) - ord("a")) + 1, 2 * int(outflow.square[1:]) - 1
            marks[x + east, y + north] = stroke
    lines = ["".join(marks.get((x, y), " ") for x in range(2 * size + 1)) for y in reversed(range(2 * size + 1))]
    return drawn("\n".join(lines))


def drawn(text: str) -> str:
    """A drawing brought to the margin."""
    return "\n".join(line.rstrip() for line in dedent(text).strip("\n").splitlines())


def play(rules: Tayu, position: Position, *texts: str) -> Position:
    """The position after moves in canonical text; a tile that is laid is drawn first, if it is not in the hand."""
    for text in texts:
        if "@" in text and position.due == "draw":
            position = rules.play(position, rules.parse(position, f"draw:{text[:3]}"))
        position = rules.play(position, rules.parse(position, text))
    return position


def in_hand(rules: Tayu, position: Position, kind: str) -> Position:
    """The position after a tile of some kind has been drawn."""
    return play(rules, position, f"draw:{kind}")
