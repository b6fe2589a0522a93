"""Open the hall's database by its address (PostgreSQL or a SQLite file), and migrate its tables."""

from pathlib import Path
from typing import Final

from gnomon.hall.messaging.hall_names import HallName
from gnomon.hall.messaging.hall_topics import checked_hall
from gnomon.hall.messaging.messages import MessageError
from gnomon.hall.store import _schema as schema
from gnomon.hall.store._sqlite import APPLICATION, Sqlite
from gnomon.hall.store.database import Database, StoreError
from gnomon.refusals import statement

POSTGRESQL: Final = ("postgresql://", "postgres://")
OF_HALL: Final = "#"
"""What stands in an address before the name of a hall, where a database holds several."""
_MARK: Final = 68  # where an SQLite file says whose it is (Database File Format, 1.3)
_HEADER: Final = 72


def split_address(where: str) -> HallName:
    """The address of a database without the hall that it may name, and that hall: `postgresql://…/gnomon#north`.

    Raises StoreError for a hall that is none.
    """
    address, mark, hall = where.rpartition(OF_HALL)
    if not mark or "/" in hall:  # of a folder in the path
        return HallName(where, "")
    try:
        return HallName(address, checked_hall(hall))
    except MessageError as error:
        raise StoreError(error.statement) from error


def file_of(where: str) -> Path | None:
    """The file of an address, None for a server's. Raises StoreError as `split_address` does."""
    address = split_address(where).name
    return None if address.startswith(POSTGRESQL) else Path(address)


def is_database(where: Path | str) -> bool:
    """Whether a file is a hall's database, by its first bytes."""
    try:
        path = file_of(str(where))
    except StoreError:
        return False
    try:
        with (path or Path()).open("rb") as file:
            return file.read(_HEADER)[_MARK:_HEADER] == APPLICATION.to_bytes(_HEADER - _MARK, "big")
    except OSError:
        return False


def open_database(where: str) -> Database:
    """The database of an address `postgresql://…`, or else of a file, and the hall that it names. Raises StoreError."""
    address, hall = split_address(where)
    database = _postgresql(address, hall) if address.startswith(POSTGRESQL) else Sqlite(address, hall)
    try:
        schema.migrate(database)
    except BaseException:
        database.close()
        raise
    return database


def name_hall(where: str) -> int:
    """Give the hall of a database that has no name the one of the address; how many boards it has. Raises StoreError.

    Nobody may use the hall meanwhile.
    """
    database = open_database(where)
    try:
        return schema.name_hall(database)
    finally:
        database.close()


def _postgresql(where: str, hall: str) -> Database:
    try:
        from gnomon.hall.store._postgresql import PostgreSql  # noqa: PLC0415 - psycopg is of the extra `hall`
    except ImportError as error:
        raise StoreError(statement("hall.database.psycopg")) from error
    return PostgreSql(where, hall)
