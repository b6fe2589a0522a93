"""Implement the hall's database on SQLite: one file in WAL mode, fully synchronised."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from gnomon.hall.store.database import Insert, Pool, Row, StoreError, TakenError, Transaction, Value

APPLICATION: Final = 0x476E6F48  # "GnoH": tells it from a board's journal and from others (PRAGMA application_id)
PATIENCE: Final = 10.0
"""Seconds that one writer waits for another."""

_REASONS: Final = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_READONLY": "it may only be read",
    "SQLITE_CANTOPEN": "it cannot be opened",
    "SQLITE_BUSY": "another program holds it",
    "SQLITE_CORRUPT": "it is damaged",
    "SQLITE_NOTADB": "it is no database, or damaged",
    "SQLITE_IOERR": "the disk refuses it",
}


class Sqlite:
    """A database in one file."""

    def __init__(self, path: str) -> None:
        """Nothing is opened yet."""
        self._path = Path(path)
        self._pool = Pool(self._connect)

    @property
    def name(self) -> str:
        """The path of the file."""
        return str(self._path)

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        """A transaction that is durable when the block has ended. Raises StoreError."""
        with self._transaction("BEGIN IMMEDIATE") as session:
            yield session

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """A transaction that only reads. Raises StoreError."""
        with self._transaction("BEGIN") as session:
            yield session

    def close(self) -> None:
        """Let the file go."""
        self._pool.close()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Transaction]:
        try:
            with self._pool.taken() as connection:
                connection.execute(begin)
                yield _SqliteSession(connection)
        except sqlite3.IntegrityError as error:
            raise TakenError(self._explained(error)) from error
        except (sqlite3.Error, OSError) as error:
            raise StoreError(self._explained(error)) from error

    def _explained(self, error: sqlite3.Error | OSError) -> str:
        if isinstance(error, OSError):
            return f"the database {self._path} cannot be used: {error.strerror}"
        code = getattr(error, "sqlite_errorname", "")
        known = [words for prefix, words in _REASONS.items() if code.startswith(prefix)]
        return f"the database {self._path} cannot be used: {known[0] if known else 'SQLite refuses it'} ({error})"

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        try:
            self._refuse_strangers(connection)
            self._write_ahead(connection)
            # NORMAL would lose what was acknowledged since the last checkpoint in a power cut.
            connection.execute("PRAGMA synchronous = FULL")
            _sync_folder(self._path)
        except BaseException:
            connection.close()
            raise
        return connection

    def _write_ahead(self, connection: sqlite3.Connection) -> None:
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            message = f"the database {self._path} stands on a file system without shared memory: move it"
            raise StoreError(message)

    def _refuse_strangers(self, connection: sqlite3.Connection) -> None:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables and application != APPLICATION:
            message = f"{self._path} is a database of another program, not a hall's: name another file"
            raise StoreError(message)
        if not tables:
            connection.execute(f"PRAGMA application_id = {APPLICATION}")


class _SqliteSession:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def run(self, statement: str, values: Sequence[Value] = ()) -> int:
        return self._connection.execute(statement, values).rowcount

    def insert(self, into: Insert, rows: Sequence[Sequence[Value]]) -> int:
        return self._connection.executemany(_inserting(into), rows).rowcount

    def rows(self, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        return self._connection.execute(statement, values).fetchall()


@cache
def _inserting(into: Insert) -> str:
    columns, values = ", ".join(into.columns), ", ".join("?" * len(into.columns))
    return f"INSERT INTO {into.table} ({columns}) VALUES ({values}) {into.conflict}"  # noqa: S608 - constants, all


def _sync_folder(path: Path) -> None:
    # A new file is lost in a power cut until its folder is written, too (man 2 fsync).
    folder = os.open(path.absolute().parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
