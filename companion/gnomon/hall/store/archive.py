"""Read a board's records from the hall's database as a journal, for pages that show recorded games.

Only what lies up to the journal's mark is shown: above it something may be missing.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from gnomon.hall.messaging.hall_names import split_hall
from gnomon.hall.store.database import Database, Row, StoreError, Transaction
from gnomon.hall.store.records import OVER, Key
from gnomon.records.journal.entries import Entry, EntryKind, GameStart, Record, StoredGame
from gnomon.records.journal.store import JournalError, name_in
from gnomon.referee.game import ANOTHER_BOARD
from gnomon.referee.opponents import OPPONENT
from gnomon.timekeeping.instants import Instant

_GAMES: Final = (
    "SELECT g.game, g.kind, g.settings, g.temperament, g.started_us, g.boot, g.wall, g.version, g.name, g.players,"
    # How it ended is told as of a record that may still be on its way.
    " CASE WHEN g.as_of <= e.through THEN g.ended_us END, g.as_of"
    " FROM hall_games g JOIN hall_epochs e ON e.hall = g.hall AND e.board = g.board AND e.epoch = g.epoch"
    " WHERE g.hall = :hall AND g.board = ? AND g.epoch = ? AND EXISTS (SELECT 1 FROM hall_records r"
    " WHERE r.hall = :hall AND r.board = g.board AND r.epoch = g.epoch AND r.game = g.game AND r.seq <= ?)"
)
_RECORDS: Final = (
    "SELECT r.seq, r.game, r.kind, r.at_us, r.body, r.boot, r.wall, r.cause"
    " FROM hall_records r JOIN hall_epochs e ON e.hall = r.hall AND e.board = r.board AND e.epoch = r.epoch"
    " WHERE r.hall = :hall AND r.board = ? AND r.epoch = ? AND r.seq <= e.through"
)
_LARGEST: Final = 2**63 - 1


def epochs(database: Database, board: str) -> Sequence[str]:
    """The journals of a board, the newest last. Raises StoreError."""
    plain, hall = split_hall(board, database.hall)
    with database.within(hall).read_transaction() as session:
        rows = session.rows("SELECT epoch FROM hall_epochs WHERE hall = :hall AND board = ? ORDER BY number", (plain,))
    return [epoch for (epoch,) in rows]


def journals(database: Database) -> Sequence[Key]:
    """Every journal of every board, by board, the newest last. Raises StoreError."""
    with database.read_transaction() as session:
        rows = session.rows("SELECT board, epoch FROM hall_epochs WHERE hall = :hall ORDER BY board, number")
    return [Key(board, epoch) for board, epoch in rows]


class BoardArchive:
    """The games of a board, as `gnomon.records.journal.entries.Archive` wants them: all those of one journal.

    Numbers are the journal's own. Raises JournalError where the database fails, as a journal does.
    """

    def __init__(self, database: Database, board: str, epoch: str | None = None, last: int | None = None) -> None:
        """`epoch` names the journal, None the newest: a card that was changed begins a new one.

        `last` is the record up to which it is shown, as it was when nothing stood behind that; None for all there are.
        """
        self._board, hall = split_hall(board, database.hall)
        self._database = database.within(hall)
        self._epoch = epoch
        self._last = _LARGEST if last is None else last

    @property
    def last(self) -> int:
        """The record up to which it is shown; what has not come yet does not count."""
        return self._last

    def games(self) -> Sequence[StoredGame]:
        """Every game, oldest first."""
        games = [self._game(row) for row in self._rows(f"{_GAMES} ORDER BY g.game", self._last)]
        return [replace(game, guests=self._guests(game.id)) if _is_distant(game) else game for game in games]

    def last_game(self) -> StoredGame | None:
        """The game that was written about last."""
        last = self._rows(f"{_RECORDS} AND r.seq <= ? ORDER BY r.seq DESC LIMIT 1", self._last)
        rows = self._rows(f"{_GAMES} AND g.game = ?", self._last, last[0][1]) if last else []
        return self._game(rows[0]) if rows else None

    def read(self, game: int) -> Sequence[Record]:
        """The records of one game, in order."""
        rows = self._rows(f"{_RECORDS} AND r.game = ? AND r.seq <= ? ORDER BY r.seq", game, self._last)
        return [_record(row) for row in rows]

    def endings(self, first: int = 1, last: int | None = None) -> Mapping[int, Mapping[str, object]]:
        """How each game from number `first` on was ruled to have ended last, up to entry `last`."""
        rows = self._rows(
            f"{_RECORDS} AND r.what = ? AND r.game >= ? AND r.seq <= ? ORDER BY r.seq",
            OVER,
            first,
            self._last if last is None else min(self._last, last),
        )
        return {row[1]: json.loads(row[4]) for row in rows}

    def cut_off(self) -> Collection[int]:
        """None: a hall keeps what it was told."""
        return ()

    def _game(self, row: Row) -> StoredGame:
        number, board, settings, temperament, started, boot, wall, version, name, players, ended, as_of = row
        labels = (boot, wall, version, name, json.loads(players))
        start = GameStart(board, json.loads(settings), temperament, Instant(started), *labels)
        return StoredGame(number, start, None if ended is None or as_of > self._last else Instant(ended))

    def _guests(self, game: int) -> Mapping[str, str]:
        """Who came from another board to a game that had begun."""
        said = f"{_RECORDS} AND r.game = ? AND r.seq <= ? AND r.kind = ? AND r.body LIKE ? ORDER BY r.seq"
        rows = self._rows(said, game, self._last, EntryKind.EVENT.value, '%"player_named"%')
        return {player: name for row in rows for player, name in name_in(json.loads(row[4])).items()}

    def _rows(self, statement: str, *values: str | int) -> list[Row]:
        try:
            with self._database.read_transaction() as session:
                key = self._key(session)
                return [] if key is None else session.rows(statement, (*key, *values))
        except StoreError as error:
            raise JournalError(str(error)) from error

    def _key(self, session: Transaction) -> Key | None:
        if self._epoch is not None:
            return Key(self._board, self._epoch)
        newest = session.rows(
            "SELECT epoch FROM hall_epochs WHERE hall = :hall AND board = ? ORDER BY number DESC LIMIT 1",
            (self._board,),
        )
        return Key(self._board, newest[0][0]) if newest else None


def _is_distant(game: StoredGame) -> bool:
    return game.start.settings.get(OPPONENT) == ANOTHER_BOARD


def _record(row: Row) -> Record:
    seq, game, kind, at, body, boot, wall, cause = row
    return Record(seq, Entry(game, EntryKind(kind), Instant(at), json.loads(body), boot, wall, cause))
