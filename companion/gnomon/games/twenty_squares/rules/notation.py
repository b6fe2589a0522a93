"""Parse and write the moves and throws of Tau (Twenty Squares) in canonical notation."""

import re
from typing import Final

from gnomon.games.protocol import GameOverError, IllegalMoveError, NotationError
from gnomon.games.twenty_squares.rules.legality import OVER
from gnomon.games.twenty_squares.rules.position import CONVERT, FORFEIT, HAND, Move, Position
from gnomon.games.twenty_squares.rules.table import Table

# Codes of texts that are no move for this player, beside those of `Illegality`.
_BACKWARDS: Final = "backwards"
_OFF_ROUTE: Final = "off_route"

_IN: Final = "in"
_OFF: Final = "off"
_WORDS: Final = {"convert": CONVERT, "forfeit": FORFEIT}
_THROW: Final = re.compile(r"throw:([0-9])")
_SQUARE: Final = "[a-z][1-9]"
_MOVE: Final = re.compile(rf"(?!in-off)(in|{_SQUARE})-(off|{_SQUARE})")


def write(table: Table, player: int, move: Move) -> str:
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


def read(table: Table, position: Position, text: str) -> Move:
    """The move that a text means for the player on turn.

    Raises NotationError for anything that is not a move in this game, GameOverError, and IllegalMoveError for squares
    that his counters do not come to, or not in this order.
    """
    if text in _WORDS:
        return _WORDS[text]
    throw = _THROW.fullmatch(text)
    if throw is not None:
        return _thrown(table, text, int(throw[1]))
    match = _MOVE.fullmatch(text)
    if match is None:
        message = (
            f"{text!r} is not a move such as d1-a2 (from square to square), in-b1 (from the hand), i2-off (borne off), "
            "convert, forfeit or throw:4"
        )
        raise NotationError(message)
    for name in match.groups():
        if name not in (_IN, _OFF, *table.board.squares):
            message = f"{text!r}: there is no square {name} on board={table.settings.board}"
            raise NotationError(message)
    if not position.choices:
        raise GameOverError(OVER.message)
    start, end = (_step(table, position.player, name) for name in match.groups())
    if end <= start:
        message = f"rule 3: counters move forward, and {match[1]} does not come before {match[2]}"
        raise IllegalMoveError(_BACKWARDS, message)
    return Move("move", end - start, start)


def _thrown(table: Table, text: str, number: int) -> Move:
    if number not in table.throws:
        message = f"{text!r}: the throws of this game are {', '.join(map(str, table.throws))}"
        raise NotationError(message)
    return Move("throw", number)


def _step(table: Table, player: int, name: str) -> int:
    """The step of a player's route that a name means."""
    if name in (_IN, _OFF):
        return HAND if name == _IN else table.last + 1
    step = table.board.step(player, name)
    if step is None:
        message = f"rule 3: {name} is not on the route of {table.players[player]}"
        raise IllegalMoveError(_OFF_ROUTE, message)
    return step
