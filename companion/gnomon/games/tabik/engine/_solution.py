"""Solve Tabik on small boards from the first turn on: who wins after each legal turn if both play perfectly.

The board looks the same from its four sides and in the mirror. Early positions are therefore searched as the first of
their eight views, and of turns that are alike one is searched. The player who may swap sides (rule 8) takes the better
one: with the pie every first turn loses, because there are no draws.
"""

import ctypes
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Self

from gnomon.boards.squares import SquareBoard
from gnomon.engines.solutions import SolvedTurns
from gnomon.games.tabik.engine._compiled import CompiledEndings
from gnomon.games.tabik.engine._endings import Endings
from gnomon.games.tabik.rules import BLACK, PIE, Move, Position, Tabik

LARGEST: Final = 4
"""Larger boards have too many positions."""
_EARLY: Final = 7  # rods: what has more is seldom met again from another side, and to turn it round takes time
_BITS: Final = 8  # of a set that are turned round at once
_VALUES: Final = 1 << _BITS

_Chunks = Sequence[Sequence[int]]


class _TurnedBoard(NamedTuple):
    """How the board looks from one side: sets of squares and of edges by pieces of eight bits."""

    squares: _Chunks
    edges: _Chunks


class _SeenPosition(NamedTuple):
    """Black and white stones, rods, and edges where stones may be placed, as sets."""

    black: int
    white: int
    rods: int
    placements: int


class TabikSolver:
    """What proves results on a board of at most `LARGEST`; see `gnomon.engines.solutions.ExactSolver`."""

    core: Final = "gnomon.games.tabik.engine:core.c"
    """What `gnomon.engines.cores` compiles; without it the search takes some thirty times as long."""

    def __init__(self, rules: Tabik, library: ctypes.CDLL | None = None) -> None:
        self._rules = rules
        self._views = tuple(_turned_boards(rules.board))
        self._library = library
        self._endings: _SeenEndings | CompiledEndings | None = None

    def with_library(self, library: ctypes.CDLL | None) -> Self:
        """The solver with its compiled core; None: without."""
        return type(self)(self._rules, library)

    @property
    def positions(self) -> int:
        """How many were looked at so far."""
        return 0 if self._endings is None else self._endings.positions

    def kinds(self, position: Position) -> Sequence[Sequence[Move]]:
        """The legal turns, in groups of those that lead to the same board seen from some side."""
        alike: dict[object, list[Move]] = {}
        for move in self._rules.legal_moves(position):
            key = PIE if move == PIE else _first_view(self._views, _sets_of(self._rules.play(position, move)))
            alike.setdefault(key, []).append(move)
        return tuple(alike.values())

    def solve(self, position: Position, stopped: Callable[[], bool]) -> Iterator[SolvedTurns]:
        """Prove one kind of turn after the other; the pie comes last."""
        kinds = self.kinds(position)
        if self._rules.settings.pie and not position.rods:
            yield from (SolvedTurns(kind, wins=False) for kind in kinds)
            return
        if self._endings is None:
            self._endings = self._begin(position)
        any_wins = False
        for kind in sorted(kinds, key=lambda kind: kind[0] == PIE):
            if kind[0] == PIE:
                yield SolvedTurns(kind, wins=not any_wins)  # a player who swaps gets what the opponent would have had
                return
            won = self._endings.wins_black(self._rules.play(position, kind[0]), stopped)
            if won is None:
                return
            wins = won is (position.mover == BLACK)
            any_wins |= wins
            yield SolvedTurns(kind, wins)

    def _begin(self, position: Position) -> "_SeenEndings | CompiledEndings":
        board = self._rules.board
        if self._library is None:
            return _SeenEndings(board, position, self._views)
        return CompiledEndings(self._library, board, tuple(_views(board)))


class _SeenEndings(Endings):
    """The exact search, in which early positions are searched as the first of their views."""

    __slots__ = ("_views",)

    def __init__(self, board: SquareBoard, position: Position, views: Sequence[_TurnedBoard]) -> None:
        super().__init__(board, position)
        self._views = views

    def wins_black(self, position: Position, stopped: Callable[[], bool]) -> bool | None:
        """Whether Black wins; None once it was stopped."""
        return self.look_up(position, sys.maxsize, stopped)

    def _wins_black(self, mover: int, black: int, white: int, rods: int, placements: int) -> bool:
        if rods.bit_count() <= _EARLY:
            black, white, rods, placements = _first_view(self._views, _SeenPosition(black, white, rods, placements))
        return super()._wins_black(mover, black, white, rods, placements)


def _sets_of(position: Position) -> _SeenPosition:
    return _SeenPosition(position.black, position.white, position.rods, position.placements)


def _first_view(views: Sequence[_TurnedBoard], seen: _SeenPosition) -> _SeenPosition:
    """The view of a position that comes first, whichever one it is seen from."""
    return min(seen, *(_turn_round(view, seen) for view in views))


def _turn_round(view: _TurnedBoard, seen: _SeenPosition) -> _SeenPosition:
    squares, edges = view
    black, white, rods, placements = seen
    return _SeenPosition(_map(squares, black), _map(squares, white), _map(edges, rods), _map(edges, placements))


def _map(chunks: _Chunks, members: int) -> int:
    """A set as it is seen from another side."""
    mapped = 0
    for chunk in chunks:
        mapped |= chunk[members & _VALUES - 1]
        members >>= _BITS
    return mapped


def _turned_boards(board: SquareBoard) -> Iterator[_TurnedBoard]:
    """The views of a square board as sets are turned round for them."""
    edges = {frozenset((lower, higher)): number for number, lower, higher in board.edges}
    for squares in _views(board):
        turned = {number: edges[frozenset((squares[lower], squares[higher]))] for number, lower, higher in board.edges}
        yield _TurnedBoard(_chunks(squares), _chunks(turned))


def _views(board: SquareBoard) -> Iterator[Mapping[int, int]]:
    """Where each square is seen from the sides of a square board but the first, from which all is as it is."""
    size = board.columns
    places = {square: divmod(number, size) for number, square in enumerate(board.names)}
    at = {place: square for square, place in places.items()}
    for turns in range(1, 8):
        squares = {}
        for square, (row, column) in places.items():
            seen = (row, size - 1 - column) if turns & 4 else (row, column)
            for _ in range(turns & 3):
                seen = seen[1], size - 1 - seen[0]
            squares[square] = at[seen]
        yield squares


def _chunks(mapped: Mapping[int, int]) -> _Chunks:
    """What each piece of eight members of a set becomes."""
    chunks = []
    for first in range(0, max(mapped) + 1, _BITS):
        bits = [1 << mapped[first + bit] if first + bit in mapped else 0 for bit in range(_BITS)]
        chunk = [0] * _VALUES
        for value in range(1, _VALUES):
            low = value & -value
            chunk[value] = chunk[value ^ low] | bits[low.bit_length() - 1]
        chunks.append(chunk)
    return chunks
