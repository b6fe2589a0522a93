"""Open the hall's database by its address (PostgreSQL or a SQLite file), and migrate its tables."""

from typing import Final

from gnomon.hall.store import _schema as schema
from gnomon.hall.store._sqlite import Sqlite
from gnomon.hall.store.database import Database, StoreError
from gnomon.refusals import statement

POSTGRESQL: Final = ("postgresql://", "postgres://")


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
