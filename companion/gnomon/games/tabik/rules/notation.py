"""Parse and write Tabik moves in canonical notation."""

import re
from typing import Final

from gnomon.boards.squares import SquareBoard
from gnomon.games.tabik.rules._position import PIE, Move
from gnomon.refusals import statement
from gnomon.rules.protocol import NotationError

_TURN: Final = re.compile(r"([a-z][1-9][0-9]?)(~?)([a-z][1-9][0-9]?)")


def write(board: SquareBoard, move: Move) -> str:
    """The canonical text of a move on a board."""
    if move.kind == "pie":
        return "pie"
    between = "~" if move.kind == "swap" else ""
    return f"{board.names[move.first]}{between}{board.names[move.second]}"


def read(board: SquareBoard, text: str) -> Move:
    """The move that a text means. Raises NotationError for anything that is not a move on this board."""
    if text == "pie":
        return PIE
    match = _TURN.fullmatch(text)
    if match is None:
        raise NotationError(statement("told.tabik.notation", text=text))
    first, swap, second = match.groups()
    for name in (first, second):
        if name not in board.index:
            raise NotationError(
                statement("told.tabik.no_square", text=text, square=name, columns=board.columns, rows=board.rows)
            )
    if swap and board.index[first] > board.index[second]:
        raise NotationError(statement("told.tabik.swap_order", text=text, right=f"{second}~{first}"))
    return Move("swap" if swap else "place", board.index[first], board.index[second])
