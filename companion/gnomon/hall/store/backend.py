"""Open the hall's database by its address (PostgreSQL or a SQLite file), and migrate its tables."""

from pathlib import Path
from typing import Final

from gnomon.hall.store import _schema as schema
from gnomon.hall.store._sqlite import APPLICATION, Sqlite
from gnomon.hall.store.database import Database, StoreError
from gnomon.refusals import statement

POSTGRESQL: Final = ("postgresql://", "postgres://")
_MARK: Final = 68  # where an SQLite file says whose it is (Database File Format, 1.3)
_HEADER: Final = 72


def is_database(path: Path) -> bool:
    """Whether a file is a hall's database, by its first bytes."""
    try:
        with path.open("rb") as file:
            return file.read(_HEADER)[_MARK:_HEADER] == APPLICATION.to_bytes(_HEADER - _MARK, "big")
    except OSError:
        return False


def open_database(where: str) -> Database:
    """The database of an address `postgresql://…`, or else of a file. Raises StoreError."""
    database = _postgresql(where) if where.startswith(POSTGRESQL) else Sqlite(where)
    try:
        schema.migrate(database)
    except BaseException:
        database.close()
        raise
    return database


def _postgresql(where: str) -> Database:
    try:
        from gnomon.hall.store._postgresql import PostgreSql  # noqa: PLC0415 - psycopg is of the extra `hall`
    except ImportError as error:
        raise StoreError(statement("hall.database.psycopg")) from error
    return PostgreSql(where)
