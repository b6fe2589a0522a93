"""Implement the hall's database on SQLite: one file in WAL mode, fully synchronised."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from gnomon.hall.store.database import Insert, Pool, Row, StoreError, TakenError, Transaction, Value, with_hall
from gnomon.records.journal.store import REASONS
from gnomon.refusals import Statement, statement
from gnomon.whole_files import sync

APPLICATION: Final = 0x476E6F48  # "GnoH": tells it from a board's journal and from others (PRAGMA application_id)
PATIENCE: Final = 10.0
"""Seconds that one writer waits for another."""

_REASONS: Final = {**REASONS, "SQLITE_NOTADB": statement("hall.database.none")}
_REFUSED: Final = statement("hall.database.by_sqlite")


class Sqlite:
    """A database in one file."""

    is_server: Final = False

    def __init__(self, path: str, hall: str = "", pool: Pool[sqlite3.Connection] | None = None) -> None:
        """Nothing is opened yet. A `pool` is that of the same file."""
        self._path = Path(path)
        self._pool = pool or Pool(self._connect)
        self.hall = hall

    @property
    def name(self) -> str:
        """The path of the file."""
        return str(self._path)

    def within(self, hall: str) -> "Sqlite":
        """The same file with the rows of another hall."""
        return self if hall == self.hall else Sqlite(str(self._path), hall, self._pool)

    @contextmanager
    def write_transaction(self) -> Iterator[Transaction]:
        """A transaction that is durable when the block has ended. Raises StoreError."""
        with self._transaction("BEGIN IMMEDIATE") as session:
            yield session

    @contextmanager
    def read_transaction(self) -> Iterator[Transaction]:
        """A transaction that only reads. Raises StoreError."""
        with self._transaction("BEGIN") as session:
            yield session

    def close(self) -> None:
        """Let the file go."""
        self._pool.close()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Transaction]:
        try:
            with self._pool.borrow() as connection:
                connection.execute(begin)
                yield _SqliteSession(connection, self.hall)
        except sqlite3.IntegrityError as error:
            raise TakenError(self._explanation(error)) from error
        except (sqlite3.Error, OSError) as error:
            raise StoreError(self._explanation(error)) from error

    def _explanation(self, error: sqlite3.Error | OSError) -> Statement:
        if isinstance(error, OSError):
            return statement("hall.database.away", database=str(self._path), text=str(error.strerror))
        code = getattr(error, "sqlite_errorname", "")
        cause = next((why for prefix, why in _REASONS.items() if code.startswith(prefix)), _REFUSED)
        return statement("hall.database.refused", database=str(self._path), cause=cause, text=str(error))

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        try:
            self._refuse_strangers(connection)
            self._write_ahead(connection)
            # NORMAL would lose what was acknowledged since the last checkpoint in a power cut.
            connection.execute("PRAGMA synchronous = FULL")
            sync(self._path.absolute().parent)
        except BaseException:
            connection.close()
            raise
        return connection

    def _write_ahead(self, connection: sqlite3.Connection) -> None:
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            raise StoreError(statement("hall.database.no_shared_memory", database=str(self._path)))

    def _refuse_strangers(self, connection: sqlite3.Connection) -> None:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables and application != APPLICATION:
            raise StoreError(statement("hall.database.foreign", database=str(self._path)))
        if not tables:
            connection.execute(f"PRAGMA application_id = {APPLICATION}")


class _SqliteSession:
    def __init__(self, connection: sqlite3.Connection, hall: str) -> None:
        self._connection = connection
        self.hall = hall

    def within(self, hall: str) -> "_SqliteSession":
        return _SqliteSession(self._connection, hall)

    def run(self, statement: str, values: Sequence[Value] = ()) -> int:
        return self._connection.execute(*with_hall(statement, values, self.hall)).rowcount

    def insert(self, into: Insert, rows: Sequence[Sequence[Value]]) -> int:
        return self._connection.executemany(_insert_statement(into), [(self.hall, *row) for row in rows]).rowcount

    def rows(self, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        return self._connection.execute(*with_hall(statement, values, self.hall)).fetchall()

    def held_rows(self, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        return self.rows(statement, values)  # there is one writer at a time

    def free_rows(self, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        return self.rows(statement, values)


@cache
def _insert_statement(into: Insert) -> str:
    values = ", ".join("?" * (1 + len(into.columns)))
    return f"INSERT INTO {into.table} ({into.names}) VALUES ({values}) {into.conflict}"  # noqa: S608 - constants, all
