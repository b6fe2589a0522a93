"""Draw Tabik positions as text, and parse such drawings."""

from collections.abc import Iterable, Mapping, Sequence

from gnomon.boards.squares import SquareBoard
from gnomon.games.tabik.rules._position import Position
from gnomon.refusals import statement
from gnomon.rules.protocol import RulesError

_STONES = "BW."


def draw(board: SquareBoard, position: Position) -> Sequence[str]:
    """The rows from the uppermost down, each square as `B`, `W` or `.`."""
    marks = [
        "B" if position.black >> square & 1 else "W" if position.white >> square & 1 else "." for square in board.names
    ]
    rows = ["".join(marks[first : first + board.columns]) for first in range(0, len(marks), board.columns)]
    return rows[::-1]


def rods_named(board: SquareBoard, rods: int) -> Sequence[str]:
    """The edges with a rod as their two squares, the lower one first, in the order of the squares."""
    laid = sorted((edge.lower, edge.higher) for edge in board.edges if rods >> edge.number & 1)
    return [board.names[lower] + board.names[higher] for lower, higher in laid]


def stones_read(board: SquareBoard, rows: Sequence[str]) -> tuple[int, int]:
    """The squares with black and with white stones in a drawing. Raises RulesError if it is not of this board."""
    if [len(row) for row in rows] != [board.columns] * board.rows or not set("".join(rows)) <= set(_STONES):
        raise RulesError(statement("told.tabik.drawing", rows=board.rows, columns=board.columns))
    marks = dict(zip(board.names, "".join(reversed(rows)), strict=True))
    black, white = (sum(1 << square for square, mark in marks.items() if mark == stone) for stone in "BW")
    return black, white


def rods_read(board: SquareBoard, names: Iterable[str], stones: int) -> int:
    """The set of edges with rods. Raises RulesError for one that does not lie between two stones."""
    possible: Mapping[str, int] = {
        board.names[lower] + board.names[higher]: number
        for number, lower, higher in board.edges
        if stones >> lower & stones >> higher & 1
    }
    rods = 0
    for name in names:
        if name not in possible:
            raise RulesError(statement("told.tabik.no_rod", text=name))
        rods |= 1 << possible[name]
    return rods
