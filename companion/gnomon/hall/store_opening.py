"""The only place that chooses the hall's database by its address, and opens it with all its tables."""

from typing import Final

from gnomon.hall import store_schema
from gnomon.hall.store_database import Database, StoreError
from gnomon.hall.store_sqlite import Sqlite

POSTGRESQL: Final = ("postgresql://", "postgres://")


def opened(where: str) -> Database:
    """The database of an address `postgresql://…`, or else of a file. Raises StoreError."""
    database = _postgresql(where) if where.startswith(POSTGRESQL) else Sqlite(where)
    try:
        store_schema.migrate(database)
    except BaseException:
        database.close()
        raise
    return database


def _postgresql(where: str) -> Database:
    try:
        from gnomon.hall.store_postgresql import PostgreSql  # noqa: PLC0415 - psycopg is of the extra `hall`
    except ImportError as error:
        message = "a hall on PostgreSQL needs psycopg: install Gnomon with its extra, gnomon[hall]"
        raise StoreError(message) from error
    return PostgreSql(where)
