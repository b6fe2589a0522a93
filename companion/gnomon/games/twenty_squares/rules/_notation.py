"""Parse and write the moves and throws of Tau (Twenty Squares) in canonical notation."""

import re
from typing import Final

from gnomon.games.twenty_squares.rules._position import CONVERT, FORFEIT, HAND, Move, Position
from gnomon.games.twenty_squares.rules._table import TwentySquaresBoard
from gnomon.refusals import statement
from gnomon.rules.protocol import GAME_OVER, GameOverError, IllegalMoveError, NotationError

_IN: Final = "in"
_OFF: Final = "off"
_WORDS: Final = {"convert": CONVERT, "forfeit": FORFEIT}
_THROW: Final = re.compile(r"throw:([0-9])")
_SQUARE: Final = "[a-z][1-9]"
_MOVE: Final = re.compile(rf"(?!in-off)(in|{_SQUARE})-(off|{_SQUARE})")


def write(table: TwentySquaresBoard, player: int, move: Move) -> str:
    """The canonical text of a throw, or of a player's move."""
    kind, number, start = move
    if kind == "throw":
        return f"throw:{number}"
    if kind != "move":
        return kind
    end = start + number
    left = _IN if start == HAND else table.board.square(player, start)
    entered = table.board.square(player, end) if end <= table.last else _OFF
    return f"{left}-{entered}"


def read(table: TwentySquaresBoard, position: Position, text: str) -> Move:
    """The move that a text means for the player on turn.

    Raises NotationError for anything that is not a move in this game, GameOverError, and IllegalMoveError for squares
    that their counters do not come to, or not in this order.
    """
    if text in _WORDS:
        return _WORDS[text]
    throw = _THROW.fullmatch(text)
    if throw is not None:
        return _throw(table, text, int(throw[1]))
    match = _MOVE.fullmatch(text)
    if match is None:
        raise NotationError(statement("told.twenty-squares.notation", text=text))
    for name in match.groups():
        if name not in (_IN, _OFF, *table.board.squares):
            raise NotationError(
                statement("told.twenty-squares.no_square", text=text, square=name, board=table.settings.board)
            )
    if not position.choices:
        raise GameOverError(GAME_OVER)
    start, end = (_step(table, position.player, name) for name in match.groups())
    if end <= start:
        raise IllegalMoveError(statement("told.twenty-squares.backwards", rules=(3,), first=match[1], second=match[2]))
    return Move("move", end - start, start)


def _throw(table: TwentySquaresBoard, text: str, number: int) -> Move:
    if number not in table.throws:
        raise NotationError(statement("told.twenty-squares.throws", text=text, numbers=table.throws))
    return Move("throw", number)


def _step(table: TwentySquaresBoard, player: int, name: str) -> int:
    """The step of a player's route that a name means."""
    if name in (_IN, _OFF):
        return HAND if name == _IN else table.last + 1
    step = table.board.step(player, name)
    if step is None:
        raise IllegalMoveError(
            statement("told.twenty-squares.off_route", rules=(3,), square=name, player=table.players[player])
        )
    return step
