"""List the legal answers to a throw in Tau (Twenty Squares), and name the rule that forbids any other move."""

from collections.abc import Callable
from typing import Final, NamedTuple

from gnomon.boards.bitsets import Chooser
from gnomon.games.twenty_squares.rules.position import (
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
from gnomon.games.twenty_squares.rules.table import Table


class Illegality(NamedTuple):
    """Why a move is not allowed: a short fixed word for programs, and one sentence that names the rule."""

    code: str
    message: str


OVER: Final = Illegality("over", "the game is over")
_NO_SUCH_MOVE: Final = Illegality("no_such_move", "there is no such move in Tau (Twenty Squares)")
_THROW_FIRST: Final = Illegality("throw_due", "rule 2: a throw is due before anything is moved")
_NO_CHAIN: Final = Illegality("no_chain", "rule 4: this is the entry throw already, and it is not converted again")
_ENTRY_THROW: Final = Illegality("entry_throw", "rule 4: the entry throw enters a counter, and moves none on the board")
_EMPTY_HAND: Final = Illegality("empty_hand", "rule 1: no counter is in hand any more")
_NO_GATE: Final = Illegality("no_gate", "rule 4: every throw enters a counter in this game, and none is converted")
_NO_ENTRY: Final = Illegality("no_entry", "rule 4: a counter enters only after a throw of 1 or 5, by a second throw")
_CONVERT_FIRST: Final = Illegality(
    "convert_first", "rule 4: a counter enters by a second throw: convert this one first"
)
_MUST_CONVERT: Final = Illegality(
    "must_convert", "rule 4: with entry=auto this throw is converted, and moves no counter"
)
_NOTHING: Final = Illegality("nothing_thrown", "ruleset aseb: a throw of none loses the turn")
_MUST_MOVE: Final = Illegality("must_move", "rule 6: a legal move must be made, and there is one")


def choices(table: Table, position: Position, number: int) -> int:
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
        ends &= ~table.walled(player, piles)
    else:
        ends = 0  # A throw of none moves nothing.
    return found | ends >> shift or FORFEIT_DUE


def answers(table: Table, throw: int) -> Callable[[int], tuple[Move, ...]]:
    """A function from `Position.choices` to the moves that they mean after a throw."""
    counters = ((Move("move", throw, end - throw),) for end in range(1, table.last + 2))
    chooser = Chooser([(CONVERT,), *counters])
    throws = tuple(Move("throw", number) for number in table.throws)
    others = {NOTHING: (), FORFEIT_DUE: (FORFEIT,), THROW_DUE: throws}
    return lambda due: others[due] if due in others else chooser.chosen(due)


def refusal(table: Table, position: Position, move: Move) -> Illegality:
    """Why a move that is not legal now is illegal."""
    if not position.choices:
        return OVER
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


def _is_written(table: Table, move: Move) -> bool:
    """Whether a player's move means something on this board."""
    return move in (CONVERT, FORFEIT) or (move.kind == "move" and move.number > 0 and HAND <= move.start <= table.last)


def _why_not_throw(table: Table, position: Position, move: Move) -> Illegality:
    """Why the dice cannot show a number now."""
    if move != Move("throw", move.number) or move.number not in table.throws:
        numbers = ", ".join(map(str, table.throws))
        return Illegality("no_such_throw", f"rule 2: the throws of this game are {numbers}, not {move.number}")
    return Illegality("answer_due", f"rule 3: the throw of {position.throw} is to be answered first")


def _why_not_convert(table: Table, position: Position) -> Illegality:
    """Why a throw does not become an entry throw (rule 4)."""
    if not table.entry_throws:
        return _NO_GATE
    if position.entering:
        return _NO_CHAIN
    if position.throw not in table.entry_throws:
        return Illegality("not_convertible", f"rule 4: a throw of 1 or 5 is converted, not one of {position.throw}")
    return _EMPTY_HAND


def _why_not_now(table: Table, position: Position, move: Move) -> Illegality | None:
    """Why nothing of this length is moved now, whoever stands where."""
    if not position.throw:
        return _NOTHING
    if move.number != position.throw:
        message = f"rule 3: a counter moves by the whole throw, and that is {position.throw}, not {move.number}"
        return Illegality("not_the_throw", message)
    return _MUST_CONVERT if table.auto and position.choices == CONVERSION and move.start != HAND else None


def _why_not_from(table: Table, position: Position, move: Move) -> Illegality | None:
    """Why no counter can leave a step."""
    player, places = position.player, position.places
    if move.start != HAND:
        if position.entering:
            return _ENTRY_THROW
        if places & table.packing.units[player][move.start]:
            return None
        square = table.board.square(player, move.start)
        return Illegality("no_counter", f"rule 3: no counter of {table.players[player]} stands on {square}")
    if not table.packing.in_hand(places, player):
        return _EMPTY_HAND
    if position.entering or not table.entry_throws:
        return None
    return _CONVERT_FIRST if position.throw in table.entry_throws else _NO_ENTRY


def _why_not_to(table: Table, position: Position, move: Move) -> Illegality:
    """Why a counter that may leave cannot land where the throw takes it."""
    player, places = position.player, position.places
    end = move.start + move.number
    if end > table.last:
        needed = table.last + 1 - move.start
        square = table.board.square(player, move.start)
        return Illegality("beyond", f"rule 8: from {square} a counter is borne off by a throw of {needed} exactly")
    square = table.board.square(player, end)
    barring = table.barring(player, end, places)
    if not barring:
        return Illegality("stack", f"stacking=invincible: an enemy does not land on the stack on {square}")
    owner, _ = table.packing.owner(barring)
    if owner == player:
        return Illegality("own_counter", f"rule 5: an own counter stands on {square}")
    if owner in table.team(player):
        return Illegality("partner", f"rule 3: a counter of the partner {table.players[owner]} stands on {square}")
    return Illegality("safe", f"rule 5: the counter of {table.players[owner]} on {square} is safe on the rosette")
