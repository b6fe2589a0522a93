"""List the legal answers to a throw in Tau (Twenty Squares), and name the rule that forbids any other move."""

from collections.abc import Callable
from typing import Final

from gnomon.boards.bitsets import BitGroups
from gnomon.games.twenty_squares.rules._position import (
    CONVERSION,
    CONVERT,
    FORFEIT,
    FORFEIT_DUE,
    HAND,
    NOTHING,
    THROW_DUE,
    Move,
    Position,
)
from gnomon.games.twenty_squares.rules._table import TwentySquaresBoard
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import GAME_OVER

_NO_SUCH_MOVE: Final = statement("told.twenty-squares.no_such_move")
_THROW_FIRST: Final = statement("told.twenty-squares.throw_due", rules=(2,))
_NO_CHAIN: Final = statement("told.twenty-squares.no_chain", rules=(4,))
_ENTRY_THROW: Final = statement("told.twenty-squares.entry_throw", rules=(4,))
_EMPTY_HAND: Final = statement("told.twenty-squares.empty_hand", rules=(1,))
_NO_GATE: Final = statement("told.twenty-squares.no_gate", rules=(4,))
_NO_ENTRY: Final = statement("told.twenty-squares.no_entry", rules=(4,))
_CONVERT_FIRST: Final = statement("told.twenty-squares.convert_first", rules=(4,))
_MUST_CONVERT: Final = statement("told.twenty-squares.must_convert", rules=(4,))
_NOTHING: Final = statement("told.twenty-squares.nothing_thrown")
_MUST_MOVE: Final = statement("told.twenty-squares.must_move", rules=(6,))


def choices(table: TwentySquaresBoard, position: Position, number: int) -> int:
    """What may be answered to a throw, as `Position.choices` has it."""
    player, _, entering, _, places, piles = position
    route, hand, entry, others, free, shift = table.sides[player]
    own, found = places & route, 0
    starts = own
    if places & hand:
        if entering:
            starts = entry  # Rule 4: this throw enters a counter and does nothing else.
        elif not table.entry_throws:
            starts |= entry
        elif number in table.entry_throws:
            if table.auto:
                return CONVERSION
            found = CONVERSION
    ends = starts << number & free[places & others]
    if not table.stacks:
        ends &= ~own  # Rules 3 and 5: an own counter bars the way.
    elif number:
        ends &= ~table.walls(player, piles)
    else:
        ends = 0  # A throw of none moves nothing.
    return found | ends >> shift or FORFEIT_DUE


def answers(table: TwentySquaresBoard, throw: int) -> Callable[[int], tuple[Move, ...]]:
    """A function from `Position.choices` to the moves that they mean after a throw."""
    counters = ((Move("move", throw, end - throw),) for end in range(1, table.last + 2))
    chooser = BitGroups([(CONVERT,), *counters])
    throws = tuple(Move("throw", number) for number in table.throws)
    others = {NOTHING: (), FORFEIT_DUE: (FORFEIT,), THROW_DUE: throws}
    return lambda due: others[due] if due in others else chooser.members(due)


def why_not(table: TwentySquaresBoard, position: Position, move: Move) -> Statement:
    """Why a move that is not legal now is illegal."""
    if not position.choices:
        return GAME_OVER
    if move.kind == "throw":
        return _why_not_throw(table, position, move)
    if not _is_written(table, move):
        return _NO_SUCH_MOVE
    if position.choices == THROW_DUE:
        return _THROW_FIRST
    if move.kind == "convert":
        return _why_not_convert(table, position)
    if move.kind == "forfeit":
        return _MUST_MOVE
    return (
        _why_not_now(table, position, move)
        or _why_not_from(table, position, move)
        or _why_not_to(table, position, move)
    )


def _is_written(table: TwentySquaresBoard, move: Move) -> bool:
    """Whether a player's move means something on this board."""
    return move in (CONVERT, FORFEIT) or (move.kind == "move" and move.number > 0 and HAND <= move.start <= table.last)


def _why_not_throw(table: TwentySquaresBoard, position: Position, move: Move) -> Statement:
    """Why the dice cannot show a number now."""
    if move != Move("throw", move.number) or move.number not in table.throws:
        return statement("told.twenty-squares.no_such_throw", rules=(2,), numbers=table.throws, number=move.number)
    return statement("told.twenty-squares.answer_due", rules=(3,), throw=position.throw)


def _why_not_convert(table: TwentySquaresBoard, position: Position) -> Statement:
    """Why a throw does not become an entry throw (rule 4)."""
    if not table.entry_throws:
        return _NO_GATE
    if position.entering:
        return _NO_CHAIN
    if position.throw not in table.entry_throws:
        return statement("told.twenty-squares.not_convertible", rules=(4,), throw=position.throw)
    return _EMPTY_HAND


def _why_not_now(table: TwentySquaresBoard, position: Position, move: Move) -> Statement | None:
    """Why no move of this length can be made now, wherever the counters stand."""
    if not position.throw:
        return _NOTHING
    if move.number != position.throw:
        return statement("told.twenty-squares.not_the_throw", rules=(3,), throw=position.throw, number=move.number)
    return _MUST_CONVERT if table.auto and position.choices == CONVERSION and move.start != HAND else None


def _why_not_from(table: TwentySquaresBoard, position: Position, move: Move) -> Statement | None:
    """Why no counter can leave a step."""
    player, places = position.player, position.places
    if move.start != HAND:
        if position.entering:
            return _ENTRY_THROW
        if places & table.packing.units[player][move.start]:
            return None
        square = table.board.square(player, move.start)
        return statement("told.twenty-squares.no_counter", rules=(3,), player=table.players[player], square=square)
    if not table.packing.in_hand(places, player):
        return _EMPTY_HAND
    if position.entering or not table.entry_throws:
        return None
    return _CONVERT_FIRST if position.throw in table.entry_throws else _NO_ENTRY


def _why_not_to(table: TwentySquaresBoard, position: Position, move: Move) -> Statement:
    """Why a counter that may leave cannot land where the throw takes it."""
    player, places = position.player, position.places
    end = move.start + move.number
    if end > table.last:
        needed = table.last + 1 - move.start
        square = table.board.square(player, move.start)
        return statement("told.twenty-squares.beyond", rules=(8,), square=square, needed=needed)
    square = table.board.square(player, end)
    barring = table.obstacles(player, end, places)
    if not barring:
        return statement("told.twenty-squares.stack", square=square)
    owner, _ = table.packing.owner(barring)
    if owner == player:
        return statement("told.twenty-squares.own_counter", rules=(5,), square=square)
    if owner in table.team(player):
        return statement("told.twenty-squares.partner", rules=(3,), player=table.players[owner], square=square)
    return statement("told.twenty-squares.safe", rules=(5,), player=table.players[owner], square=square)
