"""The only place for the databases that the tests of the hall run on: each of the two, empty."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gnomon.hall import store_opening
from gnomon.hall.store_database import Database
from tests.hall.servers import PostgreSql

Reopen = Callable[[], Database]
"""Opens the same database once more, as another program would."""


@pytest.fixture(params=["sqlite", "postgresql"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Reopen]:
    """An empty database that may be opened several times."""
    if request.param == "sqlite":
        where = str(tmp_path / "hall.db")
    else:
        server: PostgreSql = request.getfixturevalue("postgresql")
        where = server.new_database()
    opened: list[Database] = []

    def open_again() -> Database:
        opened.append(store_opening.opened(where))
        return opened[-1]

    yield open_again
    for database in opened:
        database.close()


@pytest.fixture
def database(reopen: Reopen) -> Database:
    """An empty database."""
    return reopen()
