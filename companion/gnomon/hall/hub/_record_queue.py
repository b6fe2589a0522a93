"""Hold the records of boards, within bounds, until they are stored, and note the journals that they belong to."""

from collections import Counter, deque
from collections.abc import Iterable
from typing import Final

from gnomon.hall.messaging.messages import Records
from gnomon.hall.store.records import Key

AT_ONCE: Final = 1000
"""Records that are written in one transaction."""
HELD: Final = 50_000
"""Records that wait to be written; beyond them records are let go, to come again."""
HELD_OF_ONE: Final = 5000
"""Those of one board: one that sends without waiting for an answer is not to take the room of all the others."""
JOURNALS: Final = 64
"""Journals of one board."""


class WaitingRecords:
    """The records that are to be written down, oldest first."""

    def __init__(self, journals: Iterable[Key] = ()) -> None:
        """`journals` are those that are there already."""
        self._batches: deque[Records] = deque()
        self._rows_of: Counter[str] = Counter()
        self._epochs: dict[str, set[str]] = {}
        self.rows = 0
        """How many records wait."""
        for board, epoch in journals:
            self._epochs.setdefault(board, set()).add(epoch)

    def has_room(self, batch: Records) -> bool:
        """Whether there is room for more of that board."""
        rows = len(batch.records)
        return self.rows + rows <= HELD and self._rows_of[batch.board] + rows <= HELD_OF_ONE

    def is_journal(self, key: Key) -> bool:
        """Whether a board may have that journal: it has few in its life, and an attacker any number."""
        epochs = self._epochs.setdefault(key.board, set())
        if len(epochs) < JOURNALS:
            epochs.add(key.epoch)
        return key.epoch in epochs

    def add(self, batch: Records) -> None:
        """Hold records."""
        if batch.records:
            self._batches.append(batch)
            self.rows += len(batch.records)
            self._rows_of[batch.board] += len(batch.records)

    def first(self) -> tuple[Records, ...]:
        """Those to be written next, in one transaction; they stay here until `drop`."""
        taken: list[Records] = []
        rows = 0
        for batch in self._batches:
            if rows and rows + len(batch.records) > AT_ONCE:
                break
            taken.append(batch)
            rows += len(batch.records)
        return tuple(taken)

    def drop(self, batches: Iterable[Records]) -> None:
        """The first ones are written."""
        for batch in batches:
            self._batches.popleft()
            self.rows -= len(batch.records)
            self._rows_of[batch.board] -= len(batch.records)
        self._rows_of = +self._rows_of
