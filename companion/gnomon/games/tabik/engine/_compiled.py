"""Call the compiled core of the exact search: `core.c`, which does what `_endings.py` does."""

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from gnomon.boards.squares import SquareBoard
from gnomon.games.tabik.rules import Position

_BITS: Final = 21  # of the numbers of the table's buckets: 64 MiB
_Stopped = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64)


class CompiledEndings:
    """The exact search in C. `views` are the other sides from which the board looks the same, by square."""

    def __init__(self, library: ctypes.CDLL, board: SquareBoard, views: Sequence[Mapping[int, int]]) -> None:
        """Begin to search. Raises MemoryError."""
        begin = library.gnomon_tabik_begin
        begin.restype, begin.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_int64]
        self._wins, self._seen, self._end = (
            library.gnomon_tabik_wins,
            library.gnomon_tabik_seen,
            library.gnomon_tabik_end,
        )
        self._wins.restype = self._seen.restype = ctypes.c_int64
        self._wins.argtypes = [ctypes.c_void_p, *[ctypes.c_int64] * 4, _Stopped]
        self._seen.argtypes = self._end.argtypes = [ctypes.c_void_p]
        self._squares = {square: number for number, square in enumerate(board.names)}
        self._edges = {edge.number: number for number, edge in enumerate(board.edges)}
        shape = self._shape(board, views)
        self._search = begin((ctypes.c_int64 * len(shape))(*shape), _BITS)
        if not self._search:
            raise MemoryError

    def __del__(self) -> None:
        """Give the table back."""
        if getattr(self, "_search", None):
            self._end(self._search)

    @property
    def positions(self) -> int:
        """How many were looked at."""
        seen: int = self._seen(self._search)
        return seen

    def wins_black(self, position: Position, stopped: Callable[[], bool]) -> bool | None:
        """Whether Black wins; None once it was stopped."""
        sets = (position.black, self._squares), (position.white, self._squares), (position.rods, self._edges)
        asked = _Stopped(lambda _seen: stopped())
        won: int = self._wins(
            self._search, position.mover, *(_renumber(each, numbers) for each, numbers in sets), asked
        )
        return None if won < 0 else bool(won)

    def _shape(self, board: SquareBoard, views: Sequence[Mapping[int, int]]) -> list[int]:
        at = {frozenset((edge.lower, edge.higher)): self._edges[edge.number] for edge in board.edges}
        shape = [len(self._squares), len(self._edges), len(views)]
        for edge in board.edges:
            shape += [self._squares[edge.lower], self._squares[edge.higher]]
        for view in views:
            shape += [self._squares[view[square]] for square in self._squares]
            shape += [at[frozenset((view[edge.lower], view[edge.higher]))] for edge in board.edges]
        return shape


def _renumber(members: int, numbers: Mapping[int, int]) -> int:
    return sum(1 << number for member, number in numbers.items() if members >> member & 1)
