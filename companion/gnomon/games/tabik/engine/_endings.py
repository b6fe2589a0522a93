"""Solve the end of a Tabik game exactly: who wins if both play perfectly.

There are no draws (rule 7), so a position is won by the one or by the other, and one winning turn is enough to know.
A table remembers what was found, and turns that have won elsewhere are tried first.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, NamedTuple

from gnomon.boards.squares import SquareBoard
from gnomon.games.tabik.rules import BLACK, PIE, Move, Position

_KINDS: Final = 3  # of turns on an edge: two placements and a swap
_ASK: Final = 1024  # positions between two questions whether to stop
_KNOWN: Final = 1_000_000  # positions in a generation of the table: about 170 MB


class _EndingTurn(NamedTuple):
    """What a turn changes, as sets of squares and edges."""

    number: int
    rod: int
    black: int
    white: int
    elsewhere: int  # the edges on which stones may be placed after it, if they could before
    move: Move


class _BudgetSpentError(Exception):
    """As many positions were looked at as was allowed."""


class Endings:
    """What is known of all that can follow a position. Each search goes on where the last one ended.

    `positions` says how many were looked at.
    """

    __slots__ = (
        "_board",
        "_bound",
        "_elder",
        "_known",
        "_placing",
        "_position",
        "_stopped",
        "_success",
        "_swapping",
        "_width",
        "positions",
    )

    def __init__(self, board: SquareBoard, position: Position) -> None:
        self._board = board
        self._position = position
        self._width = board.edge_stride  # of a set of squares in a key
        self._placing, self._swapping = _turns_on(board)
        self._known: dict[int, bool] = {}
        self._elder: dict[int, bool] = {}
        turns = _KINDS * 2 * board.edge_stride
        self._success = ([0] * turns, [0] * turns)  # by the colour on turn
        self._bound = 0
        self._stopped: Callable[[], bool] = bool
        self.positions = 0

    def solve(
        self, positions: int, stopped: Callable[[], bool], asked: Collection[Move] = ()
    ) -> Mapping[Move, bool] | None:
        """Whether the colour on turn wins by each move, or None if more than so many positions must be looked at.

        If one move wins, not all the others are known, but those that are asked for are. The pie is left out.
        """
        mover, black, white, rods, placements, *_ = self._position
        self._bound = self.positions + positions
        self._stopped = stopped
        turns = self._turns(mover, black, white, rods, placements)
        turns.sort(key=lambda turn: turn.move not in asked)
        wanted = sum(turn.move in asked for turn in turns)
        found: dict[Move, bool] = {}
        try:
            for turn in turns:
                after = black ^ turn.black, white ^ turn.white, rods | turn.rod, placements & turn.elsewhere
                found[turn.move] = self._wins_black(1 - mover, *after) is (mover == BLACK)
                if len(found) >= wanted and (any(found.values()) or (asked and PIE not in asked)):
                    break
        except _BudgetSpentError:
            return None
        for turn in turns[len(found) :]:
            known = self._recall(self._key(black ^ turn.black, white ^ turn.white, rods | turn.rod))
            if known is not None:
                found[turn.move] = known is (mover == BLACK)
        return found

    def look_up(self, position: Position, positions: int, stopped: Callable[[], bool]) -> bool | None:
        """Whether Black wins a position, or None if more than so many must be looked at."""
        mover, black, white, rods, placements, *_ = position
        self._bound = self.positions + positions
        self._stopped = stopped
        try:
            return self._wins_black(mover, black, white, rods, placements)
        except _BudgetSpentError:
            return None

    # Inside

    def _wins_black(self, mover: int, black: int, white: int, rods: int, placements: int) -> bool:
        """Whether Black wins a position in which a colour is on turn."""
        width, known = self._width, self._known
        key = black | (white | rods << width) << width
        before = self._recall(key)
        if before is not None:
            return before
        self.positions += 1
        if self.positions > self._bound or (not self.positions % _ASK and self._stopped()):
            raise _BudgetSpentError
        turns = self._turns(mover, black, white, rods, placements)
        wanted = mover == BLACK
        won = not wanted
        if turns:
            recall = known.get
            for _, rod, of_black, of_white, _, _ in turns:
                if recall(black ^ of_black | (white ^ of_white | (rods | rod) << width) << width) is wanted:
                    won = wanted
                    break
            else:
                for number, rod, of_black, of_white, elsewhere, _ in turns:
                    after = black ^ of_black, white ^ of_white, rods | rod, placements & elsewhere
                    if self._wins_black(1 - mover, *after) is wanted:
                        won = wanted
                        self._success[mover][number] += 1
                        break
        else:
            won = self._has_won_black(mover, black, white)
        self._remember(key, won)
        return won

    def _turns(self, mover: int, black: int, white: int, rods: int, placements: int) -> list[_EndingTurn]:
        """Every turn but the pie, the most successful one first."""
        turns: list[_EndingTurn] = []
        left, placing = placements, self._placing
        while left:
            rod = left & -left
            left ^= rod
            turns += placing[rod]
        left, swapping = self._board.edges_between(black, white) & ~rods, self._swapping
        while left:
            rod = left & -left
            left ^= rod
            turns.append(swapping[rod])
        success = self._success[mover]
        turns.sort(key=lambda turn: success[turn.number], reverse=True)
        return turns

    def _has_won_black(self, mover: int, black: int, white: int) -> bool:
        """Whether Black has won where no turn is left, and it would be a colour's turn (rule 7)."""
        groups = self._board.groups
        of_black = sorted((group.bit_count() for group in groups(black)), reverse=True)
        of_white = sorted((group.bit_count() for group in groups(white)), reverse=True)
        return mover == BLACK if of_black == of_white else of_black > of_white

    def _key(self, black: int, white: int, rods: int) -> int:
        return black | (white | rods << self._width) << self._width

    def _recall(self, key: int) -> bool | None:
        known = self._known.get(key)
        return known if known is not None else self._elder.get(key)

    def _remember(self, key: int, won: bool) -> None:  # noqa: FBT001 - a result is what is remembered
        if len(self._known) >= _KNOWN:
            self._elder, self._known = self._known, {}
        self._known[key] = won


def _turns_on(board: SquareBoard) -> tuple[Mapping[int, Sequence[_EndingTurn]], Mapping[int, _EndingTurn]]:
    """The two placements and the swap on each edge, by its rod."""
    touching = dict.fromkeys(board.names, 0)
    for number, lower, higher in board.edges:
        touching[lower] |= 1 << number
        touching[higher] |= 1 << number
    placing: dict[int, Sequence[_EndingTurn]] = {}
    swapping: dict[int, _EndingTurn] = {}
    for edge, lower, higher in board.edges:
        rod, low, high, number = 1 << edge, 1 << lower, 1 << higher, _KINDS * edge
        elsewhere = ~(touching[lower] | touching[higher])
        placing[rod] = (
            _EndingTurn(number, rod, low, high, elsewhere, Move("place", lower, higher)),
            _EndingTurn(number + 1, rod, high, low, elsewhere, Move("place", higher, lower)),
        )
        swapping[rod] = _EndingTurn(number + 2, rod, low | high, low | high, -1, Move("swap", lower, higher))
    return placing, swapping
