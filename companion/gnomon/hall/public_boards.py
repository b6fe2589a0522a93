"""Provide the boards of a hall as spectators may see them, each with the delay that it declares itself.

Everything shown to the public is made from these boards; what is shown to officials is made from the hall's own.
"""

from collections.abc import Mapping
from typing import Protocol

from gnomon.hall.board_registry import RegisteredBoard, counts, for_wall
from gnomon.hall.store.archive import BoardArchive
from gnomon.timekeeping.instants import Instant


class Boards(Protocol):
    """Boards as pages show them: those of a `Hall` as they are, those of a `PublicBoards` as everybody may see them."""

    def place(self, board: str) -> RegisteredBoard:
        """What is known of a board now; nothing, of one that was never heard of."""
        ...

    def places(self) -> tuple[RegisteredBoard, ...]:
        """What is known of every board, in no order."""
        ...

    def wall(self) -> list[RegisteredBoard]:
        """Every board as a wall shows them: where time is short first."""
        ...

    def archive_now(self, board: str) -> BoardArchive:
        """The written games of a board, as far as they may be read now."""
        ...


class _PublicHall(Boards, Protocol):
    def now(self) -> Instant: ...

    def archive(self, board: str, epoch: str | None = None, last: int | None = None) -> BoardArchive: ...


class PublicBoards:
    """The boards of a hall as everybody may see them. Every method may be called from any thread."""

    def __init__(self, hall: _PublicHall) -> None:
        self._hall = hall

    def place(self, board: str) -> RegisteredBoard:
        """What may be known of a board now."""
        return self._hall.place(board).for_spectators(self._hall.now())

    def places(self) -> tuple[RegisteredBoard, ...]:
        """What may be known of every board, in no order."""
        now = self._hall.now()
        return tuple(place.for_spectators(now) for place in self._hall.places())

    def wall(self) -> list[RegisteredBoard]:
        """Every board as a wall shows them: where time was short then comes first."""
        return for_wall(self.places(), self._hall.now())

    def counts(self) -> Mapping[str, int]:
        """How many boards are in each phase, and `lost`, `gone`, `unheard` and `stale`."""
        return counts(self.places(), self._hall.now())

    def archive_of(self, board: str, epoch: str) -> BoardArchive:
        """The same of one journal of a board; nothing of a journal that the board does not write any more."""
        place = self.place(board)
        return self._hall.archive(board, epoch, place.through if place.epoch == epoch else 0)

    def archive_now(self, board: str) -> BoardArchive:
        """The written games of a board up to what may be seen of them. Its methods raise JournalError."""
        place = self.place(board)
        return self._hall.archive(board, place.epoch or None, place.through)
