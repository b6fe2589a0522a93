"""Parse and write Tabik moves in canonical notation."""

import re
from typing import Final

from gnomon.boards.squares import SquareBoard
from gnomon.games.protocol import NotationError
from gnomon.games.tabik.rules.position import PIE, Move

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
        message = f"{text!r} is not a Tabik move such as a1b1 (black a1, white b1), a1~b1 (swap) or pie"
        raise NotationError(message)
    first, swap, second = match.groups()
    for name in (first, second):
        if name not in board.index:
            message = f"{text!r}: there is no square {name} on a board of {board.columns} x {board.rows}"
            raise NotationError(message)
    if swap and board.index[first] > board.index[second]:
        message = f"{text!r}: a swap names the lower square first, by row and then by column: {second}~{first}"
        raise NotationError(message)
    return Move("swap" if swap else "place", board.index[first], board.index[second])
