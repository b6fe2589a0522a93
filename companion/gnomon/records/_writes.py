"""Build and run the SQL statements that write games and entries to the journal's tables in one transaction."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from gnomon.records.chain import NOTHING, Head, link, seal
from gnomon.records.entries import Entry, GameStart
from gnomon.timekeeping.instants import Instant

_LARGEST: Final = 2**63 - 1  # of SQLite's integers

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

Values = tuple[str | int | None, ...]


class Write(NamedTuple):
    """One statement of a transaction; the transaction acknowledges entries up to the last `head` in it."""

    statement: str
    values: tuple[str | bytes | int | None, ...]
    head: Head = NOTHING


def values_of_start(start: GameStart) -> Values:
    """A game as it stands in its row. Raises ValueError or TypeError for what cannot be written."""
    known = (_text(start.board), _json(start.settings), _text(start.temperament), _integer(start.started))
    return *known, *map(_text, (start.boot, start.wall, start.version, start.game)), _json(start.players)


def values_of_entry(entry: Entry) -> Values:
    """An entry as it stands in its row. Raises ValueError or TypeError for what cannot be written."""
    told = (entry.game, entry.kind.value, _integer(entry.at), entry.cause, _json(entry.body))
    return *told, _text(entry.boot), _text(entry.wall)


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
    return Write(_IDENTIFY, (_text(epoch), acknowledged, seal(epoch, acknowledged)))


def commit(connection: sqlite3.Connection, group: Sequence[Write]) -> None:
    """Write it all in one transaction, or nothing of it. Raises sqlite3.Error."""
    connection.execute("BEGIN IMMEDIATE")
    for each in group:
        write(connection, each)
    connection.execute("COMMIT")


def write(connection: sqlite3.Connection, one: Write) -> None:
    """Carry out one statement. Raises sqlite3.Error."""
    connection.execute(one.statement, one.values)


def _json(body: Mapping[str, object]) -> str:
    return json.dumps(body, allow_nan=False, separators=(",", ":"))


def _integer(value: int) -> int:
    if not -_LARGEST <= value <= _LARGEST:
        message = f"{value} is too large for the journal"
        raise ValueError(message)
    return value


def _text(text: str) -> str:
    text.encode()  # raises UnicodeEncodeError, a ValueError, for halves of characters
    if "\0" in text:
        message = "a text in the journal holds no NUL"
        raise ValueError(message)
    return text
