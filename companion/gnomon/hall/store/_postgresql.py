"""Implement the hall's database on PostgreSQL through psycopg.

No other module imports psycopg. PgBouncer may stand between, which gives each transaction another session of the
server: so nothing is set for a session, and nothing is prepared in one.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, Final, LiteralString
from urllib.parse import urlsplit

import psycopg

from gnomon.hall.store.database import Insert, Pool, Row, StoreError, TakenError, Transaction, Value, with_hall
from gnomon.refusals import Statement, statement

# Seconds until a server that does not answer counts as gone: a process that waits acknowledges nothing meanwhile.
_CONNECTING: Final = 5
_KEEPALIVE: Final[dict[str, Any]] = {
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
_BEGIN: Final = "SELECT set_config('statement_timeout', '30000', true), set_config('synchronous_commit', 'on', true)"
"""Said at the beginning of each transaction, and true until its end."""


class PostgreSql:
    """A database of a PostgreSQL server; the tables are the hall's own, all called `hall_…`."""

    is_server: Final = True

    def __init__(self, url: str, hall: str = "", pool: "Pool[psycopg.Connection[Row]] | None" = None) -> None:
        """Nothing is connected yet. A `pool` is that of the same database."""
        self._url = url
        self._pool = pool or Pool(self._connect, _begin)
        self.hall = hall

    @property
    def name(self) -> str:
        """The address without user and password."""
        parts = urlsplit(self._url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"

    def within(self, hall: str) -> "PostgreSql":
        """The same database with the rows of another hall."""
        return self if hall == self.hall else PostgreSql(self._url, hall, self._pool)

    @contextmanager
    def write_transaction(self) -> Iterator[Transaction]:
        """A transaction that is durable when the block has ended. Raises StoreError."""
        try:
            with self._pool.borrow() as connection:
                yield _PostgreSqlSession(connection, self.hall)
        except psycopg.IntegrityError as error:
            raise TakenError(self._explanation(error)) from error
        except (psycopg.Error, OSError) as error:
            raise StoreError(self._explanation(error)) from error

    @contextmanager
    def read_transaction(self) -> Iterator[Transaction]:
        """A transaction that only reads. Raises StoreError."""
        with self.write_transaction() as session:
            yield session

    def close(self) -> None:
        """Let the connections go."""
        self._pool.close()

    def _explanation(self, error: Exception) -> Statement:
        said = str(error).strip().partition("\n")[0]
        return statement("hall.database.away", database=self.name, text=said)

    def _connect(self) -> "psycopg.Connection[Row]":
        connection = psycopg.connect(self._url, connect_timeout=_CONNECTING, prepare_threshold=None, **_KEEPALIVE)
        # A process that has waited for a row then sees what was committed meanwhile.
        connection.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
        try:
            _begin(connection)
        except BaseException:
            connection.close()
            raise
        return connection


def _begin(connection: "psycopg.Connection[Row]") -> None:
    connection.execute(_BEGIN)  # which begins the transaction as well, and fails on a connection that was cut


class _PostgreSqlSession:
    def __init__(self, connection: "psycopg.Connection[Row]", hall: str) -> None:
        self._connection = connection
        self.hall = hall

    def within(self, hall: str) -> "_PostgreSqlSession":
        return _PostgreSqlSession(self._connection, hall)

    def run(self, statement: str, values: Sequence[Value] = ()) -> int:
        return self._execute(statement, values).rowcount

    def insert(self, into: Insert, rows: Sequence[Sequence[Value]]) -> int:
        if not rows:
            return 0
        columns = [list(column) for column in zip(*rows, strict=True)]
        return self._connection.execute(_insert_statement(into), [self.hall, *columns]).rowcount

    def rows(self, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        return self._execute(statement, values).fetchall()

    def held_rows(self, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        return self.rows(f"{statement} FOR UPDATE", values)

    def free_rows(self, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        return self.rows(f"{statement} FOR UPDATE SKIP LOCKED", values)

    def _execute(self, statement: str, values: Sequence[Value]) -> "psycopg.Cursor[Row]":
        plain, filled = with_hall(statement, values, self.hall)
        return self._connection.execute(_with_placeholders(plain), filled)


@cache
def _insert_statement(into: Insert) -> LiteralString:
    # One array a column: a list of VALUES with a placeholder for each takes client and server several times as long.
    arrays = ", ".join(f"?::{'bigint' if name in into.numbers else 'text'}[]" for name in into.columns)
    return _with_placeholders(
        f"INSERT INTO {into.table} ({into.names}) SELECT ?, u.* FROM unnest({arrays}) u {into.conflict}"  # noqa: S608 - constants, all
    )


@cache
def _with_placeholders(statement: str) -> LiteralString:
    # Every statement is a constant of the hall's own modules; values are never written into it.
    placed: Any = statement.replace("?", "%s")
    return placed  # type: ignore[no-any-return]  # see above
