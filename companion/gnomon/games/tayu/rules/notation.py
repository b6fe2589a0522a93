"""Parse and write Tayu moves in canonical notation."""

import re
from collections.abc import Mapping
from typing import Final, assert_never

from gnomon.boards.squares import SquareBoard
from gnomon.games.tayu.rules.position import Move
from gnomon.games.tayu.rules.tiles import DIRECTIONS, KINDS, NAME_OF_TURNED, TILE
from gnomon.refusals import statement
from gnomon.rules.protocol import NotationError

PICKS: Final[Mapping[str, Move]] = {
    "pick:ring": Move("pick", pick="ring"),
    "pick:plain": Move("pick", pick="plain"),
    "pick:left": Move("pick", pick="left"),
    "pick:right": Move("pick", pick="right"),
}
DRAWS: Final = tuple(Move("draw", tile) for tile in range(len(KINDS)))
_MOVE: Final = re.compile(
    r"(?P<laid>[0-7]{3})@(?P<square>[a-z][1-9][0-9]?)/(?P<direction>[ESWN])"
    r"|draw:(?P<drawn>[0-7]{3})"
    r"|bid:(?P<bid>0|[1-9][0-9]{0,3})"
)
_LONGEST_QUOTE: Final = 60


def write(board: SquareBoard, move: Move) -> str:
    """The canonical text of a move."""
    kind = move.kind
    match kind:
        case "lay":
            return f"{KINDS[move.tile]}@{board.names[move.square]}/{DIRECTIONS[move.direction]}"
        case "draw":
            return f"draw:{KINDS[move.tile]}"
        case "pick":
            return f"pick:{move.pick}"
        case "bid":
            return f"bid:{move.bid}"
        case _:
            assert_never(kind)


def read(board: SquareBoard, text: str) -> Move:
    """The move that a text means on a board. Raises NotationError for anything that is no move on it."""
    if text in PICKS:
        return PICKS[text]
    match = _MOVE.fullmatch(text)
    if match is None:
        shown = text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}…"
        raise NotationError(statement("told.tayu.notation", text=shown))
    if match["bid"]:
        return Move("bid", bid=int(match["bid"]))
    if match["drawn"]:
        return DRAWS[_tile(match["drawn"])]
    if match["square"] not in board.index:
        raise NotationError(statement("told.tayu.squares", text=text, last=board.names[max(board.names)]))
    direction = DIRECTIONS.index(match["direction"])
    return Move("lay", _tile(match["laid"]), board.index[match["square"]], direction)


def _tile(name: str) -> int:
    if name not in TILE:
        other = NAME_OF_TURNED.get(name)
        if other:
            raise NotationError(statement("told.tayu.no_kind.turned", tile=name, other=other))
        raise NotationError(statement("told.tayu.no_kind", tile=name))
    return TILE[name]
