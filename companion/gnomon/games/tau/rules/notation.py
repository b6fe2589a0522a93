"""Parse and write TAU moves in canonical notation, and name rows and columns."""

import re
from functools import cache
from string import ascii_lowercase
from typing import Final, assert_never

from gnomon.games.tau.rules.position import PASS, Move
from gnomon.refusals import statement
from gnomon.rules.bids import digits, number
from gnomon.rules.protocol import NotationError

_LETTERS: Final = len(ascii_lowercase)
_MOVE: Final = re.compile(r"r(?P<row>[1-9][0-9]{0,2})|c(?P<column>[a-z]{1,3})|bid:(?P<bid>0|[1-9][0-9]*)")


@cache
def letters(column: int) -> str:
    """The letters of a column counted from 0: a to z, then aa, ab … [D]: the rules name no more than 26."""
    before, last = divmod(column, _LETTERS)
    return (letters(before - 1) if before else "") + ascii_lowercase[last]


def write(move: Move) -> str:
    """The canonical text of a move."""
    kind = move.kind
    match kind:
        case "row":
            return f"r{move.number + 1}"
        case "column":
            return f"c{letters(move.number)}"
        case "bid":
            return f"bid:{digits(move.number)}"
        case "pass":
            return "pass"
        case _:
            assert_never(kind)


def read(text: str, rows: int, columns: int) -> Move:
    """The move that a text means on a grid. Raises NotationError for anything that is no move on it."""
    if text == "pass":
        return PASS
    match = _MOVE.fullmatch(text)
    if match is None:
        raise NotationError(statement("told.tau.notation", text=_shorten(text)))
    if match["bid"]:
        return Move("bid", number(match["bid"]))
    if match["row"]:
        row = int(match["row"]) - 1
        if row >= rows:
            raise NotationError(statement("told.tau.rows", text=text, rows=rows))
        return Move("row", row)
    column = _column(match["column"])
    if column >= columns:
        raise NotationError(statement("told.tau.columns", text=text, columns=columns, last=letters(columns - 1)))
    return Move("column", column)


def _column(name: str) -> int:
    """The column that letters name, counted from 0."""
    value = 0
    for letter in name:
        value = value * _LETTERS + ascii_lowercase.index(letter) + 1
    return value - 1


def _shorten(text: str, longest: int = 60) -> str:
    return text if len(text) <= longest else f"{text[:longest]}…"
