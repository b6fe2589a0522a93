"""Decide whether a Tayu move is legal, and name the rule that forbids it."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from gnomon.games.tayu.rules.board import TayuBoard
from gnomon.games.tayu.rules.position import NOTHING, Kind, Move, Pick, Position
from gnomon.games.tayu.rules.settings import HIGHEST_NUMBER
from gnomon.games.tayu.rules.tiles import DIRECTIONS, EDGES, KINDS, OUTFLOWS, PLAIN, RINGED, SIDES, turned


class Illegality(NamedTuple):
    """Why a move is not allowed: a short fixed word for programs, and one sentence that names the rule."""

    code: str
    message: str


OVER: Final = Illegality("over", "the game is over")
NO_PASS: Final = Illegality("no_pass", "rule 10: nobody passes; a bid is lower than the one before it, or equal to it")
_NO_SUCH_MOVE: Final = Illegality("no_such_move", "there is no such move in Tayu")
_DUE: Final[Mapping[Kind, Illegality]] = {
    "bid": Illegality("must_bid", "rule 10: the role of the saboteur is bid for before anything else"),
    "pick": Illegality("must_pick", "rule 2: where the next tile comes from must be picked now"),
    "draw": Illegality("must_draw", "rule 2: a tile must be drawn now"),
}
# The kinds of which a tile may turn up, by what was picked; the back of a stacked tile is not known.
BACKS: Final[Mapping[Pick, int]] = {
    "": RINGED | PLAIN,
    "ring": RINGED,
    "plain": PLAIN,
    "left": RINGED | PLAIN,
    "right": RINGED | PLAIN,
}
# What may be picked, by the setting `draw`.
PICKS: Final[Mapping[str, tuple[Pick, ...]]] = {"bag": (), "backs": ("ring", "plain"), "stacks": ("left", "right")}
_SIDE_NAMES: Final = ("north", "east", "south", "west")


def why_not(board: TayuBoard, draw: str, position: Position, move: Move) -> Illegality | None:
    """Why a move is illegal now, or None when it is legal; `draw` is the setting."""
    kind, tile, square, direction, pick, bid = move
    if position.ending is not None:
        return OVER
    if kind != position.due:
        return _why_not_due(position)
    if kind == "lay":
        # The common case is settled here.
        if (
            tile == position.tile
            and 0 <= direction < len(DIRECTIONS)
            and 0 <= square < board.lane
            and not pick
            and bid == NOTHING
            and position.placements >> direction * board.lane + square & 1
        ):
            return None
        return _why_not_lay(board, position, move)
    if kind == "draw":
        return _why_not_draw(position, move)
    return _why_not_pick(draw, position, move) if kind == "pick" else _why_not_bid(position, move)


def may_be_picked(draw: str, position: Position, pick: Pick) -> bool:
    """Whether a tile is left with such a back, or on such a stack."""
    return bool(position.stacks[pick == "right"] if draw == "stacks" else position.kinds & BACKS[pick])


def _why_not_due(position: Position) -> Illegality:
    if position.due == "lay":
        return Illegality("must_lay", f"rule 2: the tile drawn, {KINDS[position.tile]}, must be laid now")
    return _DUE[position.due]


def _why_not_bid(position: Position, move: Move) -> Illegality | None:
    if move != Move("bid", bid=move.bid) or not 0 <= move.bid <= HIGHEST_NUMBER:
        return _NO_SUCH_MOVE
    if position.bids and move.bid > position.bids[-1]:
        return Illegality("too_high", f"rule 10: a bid is at most {position.bids[-1]}, the bid before it")
    return None


def _why_not_pick(draw: str, position: Position, move: Move) -> Illegality | None:
    pick = move.pick
    if move != Move("pick", pick=pick) or not any(pick in picks for picks in PICKS.values()):
        return _NO_SUCH_MOVE
    if pick not in PICKS[draw]:
        return Illegality("no_such_pick", f"rule 2: with draw={draw} one picks {' or '.join(PICKS[draw])}, not {pick}")
    if not may_be_picked(draw, position, pick):
        return Illegality("none_left", f"rule 2: there is no tile left to pick: {pick}")
    return None


def _why_not_draw(position: Position, move: Move) -> Illegality | None:
    tile = move.tile
    if move != Move("draw", tile) or not 0 <= tile < len(KINDS):
        return _NO_SUCH_MOVE
    if not position.kinds >> tile & 1:
        return Illegality("none_left", f"rule 2: no tile {KINDS[tile]} is left")
    if not BACKS[position.pick] >> tile & 1:
        return Illegality("other_back", f"rule 2: the tile {KINDS[tile]} has not the back that was picked")
    return None


def _why_not_lay(board: TayuBoard, position: Position, move: Move) -> Illegality:
    """Why a tile may not lie where it does not fit."""
    tile, square, direction, names = move.tile, move.square, move.direction, board.squares.names
    whole = move == Move("lay", tile, square, direction) and 0 <= tile < len(KINDS) and square in names
    if not whole or not 0 <= direction < len(DIRECTIONS):
        return _NO_SUCH_MOVE
    if tile != position.tile:
        return Illegality("other_tile", f"rule 2: the tile drawn is {KINDS[position.tile]}, not {KINDS[tile]}")
    cells = board.cells(square, direction)
    for cell in cells:
        if cell not in names:
            here = f"{names[square]} to the {_direction_name(direction)}"
            return Illegality("outside", f"rule 4: a tile from {here} leaves the board")
        if position.occupied >> cell & 1:
            return Illegality("occupied", f"rule 4: a tile lies on {names[cell]} already")
    if not position.occupied:
        return Illegality("off_centre", "rule 3: the first tile must cover the centre of the board")
    return _why_not_beside(board, position, move)


def _why_not_beside(board: TayuBoard, position: Position, move: Move) -> Illegality:
    """Why a tile may not lie on empty squares beside those that are laid."""
    names, cells = board.squares.names, board.cells(move.square, move.direction)
    flows = turned(OUTFLOWS[move.tile], move.direction)
    for edge in turned(EDGES, move.direction):
        neighbour = cells[edge.cell] + board.neighbours[edge.side]
        if neighbour not in names or not position.occupied >> neighbour & 1:
            continue
        opposite = (edge.side + 2) % len(SIDES)
        flows_back = bool(position.outflows[opposite] >> neighbour & 1)
        here, there, side = names[cells[edge.cell]], names[neighbour], _SIDE_NAMES[edge.side]
        if edge in flows and not flows_back:
            message = f"rule 4: the outflow of {here} to the {side} meets a blank side of {there}"
            return Illegality("meets_blank", message)
        if flows_back and edge not in flows:
            message = f"rule 4: the blank side of {here} to the {side} blocks an outflow of {there}"
            return Illegality("blocks_outflow", message)
    return Illegality("not_joined", "rule 4: none of the tile's outflows meets an outflow of a tile on the board")


def _direction_name(direction: int) -> str:
    return _SIDE_NAMES["NESW".index(DIRECTIONS[direction])]
