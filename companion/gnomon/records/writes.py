"""The only place that knows how what is to be written stands in the journal's tables: statements of one transaction."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from gnomon.records.entries import Entry, GameStart
from gnomon.timekeeping.instants import Instant

_LARGEST: Final = 2**63 - 1  # of SQLite's integers

# A commit that was reported as failed may nevertheless stand in the file: the same number is the same row.
_BEGIN: Final = (
    "INSERT INTO games (board, settings, temperament, started_us, boot, wall, version, game, players, id)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"
)
_APPEND: Final = (
    "INSERT INTO entries (game, kind, at_us, cause, body, boot, wall, seq)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (seq) DO NOTHING"
)
_END: Final = "UPDATE games SET ended_us = ? WHERE id = ?"
_ACKNOWLEDGE: Final = "UPDATE identity SET acknowledged = ?"
_RENEW: Final = "UPDATE identity SET epoch = ?, acknowledged = 0"

Values = tuple[str | int | None, ...]


class Write(NamedTuple):
    """One statement of a transaction; the transaction acknowledges entries up to the last `seq` in it."""

    statement: str
    values: Values
    seq: int = 0


def values_of_start(start: GameStart) -> Values:
    """A game as it stands in its row. Raises ValueError or TypeError for what cannot be written."""
    known = (_text(start.board), _json(start.settings), _text(start.temperament), _integer(start.started))
    return *known, *map(_text, (start.boot, start.wall, start.version, start.game)), _json(start.players)


def values_of_entry(entry: Entry) -> Values:
    """An entry as it stands in its row. Raises ValueError or TypeError for what cannot be written."""
    told = (entry.game, entry.kind.value, _integer(entry.at), entry.cause, _json(entry.body))
    return *told, _text(entry.boot), _text(entry.wall)


def beginning(values: Values, game: int) -> Write:
    """A new game under its number."""
    return Write(_BEGIN, (*values, game))


def appending(values: Values, seq: int) -> Write:
    """A new entry under its number."""
    return Write(_APPEND, (*values, seq), seq)


def ending(game: int, ended: Instant | None, seq: int) -> Write:
    """That a game has ended by entry `seq`, or goes on after all."""
    return Write(_END, (ended, game), seq)


def acknowledging(through: int) -> Write:
    """Up to which entry a hall has everything."""
    return Write(_ACKNOWLEDGE, (through,))


def renewing(epoch: str) -> Write:
    """That the journal is another one from now on. Raises ValueError for halves of characters."""
    return Write(_RENEW, (_text(epoch),))


def commit(connection: sqlite3.Connection, group: Sequence[Write]) -> None:
    """Write it all in one transaction, or nothing of it. Raises sqlite3.Error."""
    connection.execute("BEGIN IMMEDIATE")
    for statement, values, _ in group:
        connection.execute(statement, values)
    connection.execute("COMMIT")


def _json(body: Mapping[str, object]) -> str:
    return json.dumps(body, allow_nan=False, separators=(",", ":"))


def _integer(value: int) -> int:
    if not -_LARGEST <= value <= _LARGEST:
        message = f"{value} is too large for the journal"
        raise ValueError(message)
    return value


def _text(text: str) -> str:
    text.encode()  # raises UnicodeEncodeError, a ValueError, for halves of characters
    return text
