"""Provide the tests of the hall with an empty database of either kind, and one behind a pool of connections.

On a server, all of them share one database: each test has a hall of its own in it, and finds nothing of the others'.
"""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Final

import psycopg
import pytest

from gnomon.hall.store import backend
from gnomon.hall.store.database import Database
from tests.hall.servers import PostgreSql

Reopen = Callable[[], Database]
"""Opens the same database once more, as another program would."""

_HALLS: Final = count(1)


@pytest.fixture(scope="session")
def shared_url(postgresql: PostgreSql) -> str:
    """A database of the server with many halls."""
    return postgresql.new_database()


@pytest.fixture
def hall_url(shared_url: str) -> str:
    """A hall of its own in that database."""
    return f"{shared_url}#hall-{next(_HALLS)}"


@pytest.fixture(scope="session")
def lone_url(postgresql: PostgreSql) -> str:
    """A database of the server that one test after another empties for itself."""
    return postgresql.new_database()


def _reopening(where: str) -> Iterator[Reopen]:
    opened: list[Database] = []

    def open_again() -> Database:
        opened.append(backend.open_database(where))
        return opened[-1]

    yield open_again
    for database in opened:
        database.close()


@pytest.fixture(params=["sqlite", "postgresql", "pgbouncer"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Reopen]:
    """An empty hall that may be opened several times."""
    if request.param == "sqlite":
        where = str(tmp_path / "hall.db")
    else:
        where = request.getfixturevalue("hall_url")
        if request.param == "pgbouncer":
            where = request.getfixturevalue("pgbouncer").url(where)
    yield from _reopening(where)


@pytest.fixture(params=["sqlite", "postgresql"])
def reopen_alone(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Reopen]:
    """An empty database that may be opened several times, for tests that do harm to its tables."""
    if request.param == "sqlite":
        where = str(tmp_path / "hall.db")
    else:
        where = request.getfixturevalue("lone_url")
        with psycopg.connect(where, autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
    yield from _reopening(where)


@pytest.fixture
def database(reopen: Reopen) -> Database:
    """An empty database."""
    return reopen()
