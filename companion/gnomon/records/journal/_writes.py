"""Build and run the SQL statements that write games and entries to the journal's tables in one transaction."""

import sqlite3
from collections.abc import Sequence
from typing import Final, NamedTuple

from gnomon.records.journal.chain import NOTHING, Head, link, seal
from gnomon.records.journal.entries import Values, text_value
from gnomon.timekeeping.instants import Instant

# A commit that was reported as failed may nevertheless stand in the file: the same number is the same row.
_BEGIN: Final = (
    "INSERT INTO games (id, board, settings, temperament, started_us, boot, wall, version, game, players)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"
)
_APPEND: Final = (
    "INSERT INTO entries (seq, game, kind, at_us, cause, body, boot, wall, ends, link)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (seq) DO NOTHING"
)
END: Final = "UPDATE games SET ended_us = ? WHERE id = ?"
_IDENTIFY: Final = "UPDATE identity SET epoch = ?, acknowledged = ?, seal = ?"


class Write(NamedTuple):
    """One statement of a transaction; the transaction acknowledges entries up to the last `head` in it."""

    statement: str
    values: tuple[str | bytes | int | None, ...]
    head: Head = NOTHING


def insert_game(values: Values) -> Write:
    """A new game: its number, and what `values_of_start` gave."""
    return Write(_BEGIN, values)


def insert_entry(values: Values, head: Head, game: bytes, *, ends: bool | None = None) -> Write:
    """A new entry after the last one, of the game with this digest; `ends` as in `Record`."""
    columns = (head.seq + 1, *values, None if ends is None else int(ends))
    new = Head(head.seq + 1, link(head.link, game, columns))
    return Write(_APPEND, (*columns, new.link), new)


def mark_end(game: int, ended: Instant | None) -> Write:
    """That a game has ended, or goes on after all."""
    return Write(END, (ended, game))


def set_identity(epoch: str, acknowledged: int) -> Write:
    """Which journal this is, and up to which entry a hall has everything of it.

    Raises ValueError for halves of characters.
    """
    return Write(_IDENTIFY, (text_value(epoch), acknowledged, seal(epoch, acknowledged)))


def commit(connection: sqlite3.Connection, group: Sequence[Write]) -> None:
    """Write it all in one transaction, or nothing of it. Raises sqlite3.Error."""
    connection.execute("BEGIN IMMEDIATE")
    for each in group:
        write(connection, each)
    connection.execute("COMMIT")


def write(connection: sqlite3.Connection, one: Write) -> None:
    """Carry out one statement. Raises sqlite3.Error."""
    connection.execute(one.statement, one.values)
