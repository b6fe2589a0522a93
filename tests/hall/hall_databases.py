"""Provide the tests of the hall with an empty database of either kind, and one behind a pool of connections."""

from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from gnomon.hall.store import backend
from gnomon.hall.store.database import Database
from tests.hall.servers import PostgreSql

Reopen = Callable[[], Database]
"""Opens the same database once more, as another program would."""


@pytest.fixture(scope="session")
def shared_url(postgresql: PostgreSql) -> str:
    """A database of the server that one test after another empties for itself."""
    return postgresql.new_database()


@pytest.fixture(params=["sqlite", "postgresql", "pgbouncer"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Reopen]:
    """An empty database that may be opened several times."""
    if request.param == "sqlite":
        where = str(tmp_path / "hall.db")
    else:
        where = request.getfixturevalue("shared_url")
        if request.param == "pgbouncer":
            where = request.getfixturevalue("pgbouncer").url(where)
        # To make a new database takes several times as long.
        with psycopg.connect(where, autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
    opened: list[Database] = []

    def open_again() -> Database:
        opened.append(backend.open_database(where))
        return opened[-1]

    yield open_again
    for database in opened:
        database.close()


@pytest.fixture
def database(reopen: Reopen) -> Database:
    """An empty database."""
    return reopen()
