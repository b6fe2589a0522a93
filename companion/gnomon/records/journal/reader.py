"""Query the games and entries of a journal file, for every kind of reader."""

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from gnomon.records.journal import store
from gnomon.records.journal.entries import Excerpt, Record, StoredGame

_LAST: Final = 2**63 - 1  # the greatest number of an entry

AnswerT = TypeVar("AnswerT")
Question = Callable[[sqlite3.Connection], AnswerT]


class JournalReader(ABC):
    """What can be asked of a journal. Only what is durable is told; every method raises JournalError."""

    @abstractmethod
    def ask(self, question: Question[AnswerT]) -> AnswerT:
        """Answer a question with the file open for reading. Raises JournalError."""

    def games(self) -> Sequence[StoredGame]:
        """Every game, in the order of their beginning."""
        games, guests = self.ask(lambda connection: (store.games(connection), store.guests(connection)))
        return [replace(game, guests=guests[game.id]) if game.id in guests else game for game in games]

    def last_game(self) -> StoredGame | None:
        """The game that was written about last."""
        return self.ask(store.last_game)

    def read(self, game: int) -> Sequence[Record]:
        """Every entry of the game, in order."""
        return self.ask(lambda connection: store.entries(connection, game))

    def endings(self, first: int = 1, last: int | None = None) -> Mapping[int, Mapping[str, object]]:
        """How each game from number `first` on was ruled to have ended last, up to `last`; empty: it is unreadable."""
        return self.ask(lambda connection: store.endings(connection, first, _LAST if last is None else last))

    def cut_off(self) -> frozenset[int]:
        """The games that have not ended, and of which a damaged journal lost the end."""
        return self.ask(store.cut_off)

    def records_after(self, seq: int, limit: int) -> Excerpt:
        """The first entries after number `seq`, at most `limit`, with their games."""
        return self.ask(lambda connection: store.entries_after(connection, seq, limit))

    def notes(self, key: str, value: str, seq: int) -> Sequence[Record]:
        """The remarks after entry `seq` that say `value` under `key`, in order."""
        return self.ask(lambda connection: store.notes(connection, key, value, seq))
