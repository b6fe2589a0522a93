"""Decide whether a Tayu move is legal, and name the rule that forbids it."""

from collections.abc import Mapping
from typing import Final

from gnomon.games.tayu.rules._board import TayuGeometry
from gnomon.games.tayu.rules.position import NOTHING, Kind, Move, Pick, Position
from gnomon.games.tayu.rules.settings import HIGHEST_NUMBER
from gnomon.games.tayu.rules.tiles import DIRECTIONS, EDGES, KINDS, OUTFLOWS, PLAIN, RINGED, SIDES, turn
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import GAME_OVER

NO_PASS: Final = statement("told.tayu.no_pass", rules=(10,))
_NO_SUCH_MOVE: Final = statement("told.tayu.no_such_move")
_DUE: Final[Mapping[Kind, Statement]] = {
    "bid": statement("told.tayu.must_bid", rules=(10,)),
    "pick": statement("told.tayu.must_pick", rules=(2,)),
    "draw": statement("told.tayu.must_draw", rules=(2,)),
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


def why_not(board: TayuGeometry, draw: str, position: Position, move: Move) -> Statement | None:
    """Why a move is illegal now, or None when it is legal; `draw` is the setting."""
    kind, tile, square, direction, pick, bid = move
    if position.ending is not None:
        return GAME_OVER
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


def _why_not_due(position: Position) -> Statement:
    if position.due == "lay":
        return statement("told.tayu.must_lay", rules=(2,), tile=KINDS[position.tile])
    return _DUE[position.due]


def _why_not_bid(position: Position, move: Move) -> Statement | None:
    if move != Move("bid", bid=move.bid) or not 0 <= move.bid <= HIGHEST_NUMBER:
        return _NO_SUCH_MOVE
    if position.bids and move.bid > position.bids[-1]:
        return statement("told.tayu.too_high", rules=(10,), most=position.bids[-1])
    return None


def _why_not_pick(draw: str, position: Position, move: Move) -> Statement | None:
    pick = move.pick
    if move != Move("pick", pick=pick) or not any(pick in picks for picks in PICKS.values()):
        return _NO_SUCH_MOVE
    if pick not in PICKS[draw]:
        if draw == "stacks":
            return statement("told.tayu.no_such_pick.stacks", rules=(2,), short="no_such_pick", pick=pick)
        return statement("told.tayu.no_such_pick.backs", rules=(2,), short="no_such_pick", pick=pick)
    if not may_be_picked(draw, position, pick):
        return statement("told.tayu.none_to_pick", rules=(2,), short="none_left", pick=pick)
    return None


def _why_not_draw(position: Position, move: Move) -> Statement | None:
    tile = move.tile
    if move != Move("draw", tile) or not 0 <= tile < len(KINDS):
        return _NO_SUCH_MOVE
    if not position.kinds >> tile & 1:
        return statement("told.tayu.none_left", rules=(2,), tile=KINDS[tile])
    if not BACKS[position.pick] >> tile & 1:
        return statement("told.tayu.other_back", rules=(2,), tile=KINDS[tile])
    return None


def _why_not_lay(board: TayuGeometry, position: Position, move: Move) -> Statement:
    """Why a tile may not lie where it does not fit."""
    tile, square, direction, names = move.tile, move.square, move.direction, board.squares.names
    whole = move == Move("lay", tile, square, direction) and 0 <= tile < len(KINDS) and square in names
    if not whole or not 0 <= direction < len(DIRECTIONS):
        return _NO_SUCH_MOVE
    if tile != position.tile:
        return statement("told.tayu.other_tile", rules=(2,), tile=KINDS[position.tile], other=KINDS[tile])
    cells = board.cells(square, direction)
    for cell in cells:
        if cell not in names:
            return statement("told.tayu.outside", rules=(4,), square=names[square], side=_direction_name(direction))
        if position.occupied >> cell & 1:
            return statement("told.tayu.occupied", rules=(4,), square=names[cell])
    if not position.occupied:
        return statement("told.tayu.off_centre", rules=(3,))
    return _why_not_beside(board, position, move)


def _why_not_beside(board: TayuGeometry, position: Position, move: Move) -> Statement:
    """Why a tile may not lie on empty squares beside those that are laid."""
    names, cells = board.squares.names, board.cells(move.square, move.direction)
    flows = turn(OUTFLOWS[move.tile], move.direction)
    for edge in turn(EDGES, move.direction):
        neighbour = cells[edge.cell] + board.neighbours[edge.side]
        if neighbour not in names or not position.occupied >> neighbour & 1:
            continue
        opposite = (edge.side + 2) % len(SIDES)
        flows_back = bool(position.outflows[opposite] >> neighbour & 1)
        here, there, side = names[cells[edge.cell]], names[neighbour], _SIDE_NAMES[edge.side]
        if edge in flows and not flows_back:
            return statement("told.tayu.meets_blank", rules=(4,), here=here, side=side, there=there)
        if flows_back and edge not in flows:
            return statement("told.tayu.blocks_outflow", rules=(4,), here=here, side=side, there=there)
    return statement("told.tayu.not_joined", rules=(4,))


def _direction_name(direction: int) -> str:
    return _SIDE_NAMES["NESW".index(DIRECTIONS[direction])]
