"""Open, migrate and query the SQLite file of a journal, and explain its errors.

It uses `synchronous=FULL` in WAL mode, so that a commit that has returned survives a power cut. NORMAL would lose
every commit since the last checkpoint (SQLite: "WAL mode does not guarantee durability with synchronous=NORMAL").
"""

import json
import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from gnomon.records._objects import read_object
from gnomon.records.journal import chain
from gnomon.records.journal.entries import CUT, FIRST_GAME, Entry, EntryKind, Excerpt, GameStart, Record, StoredGame
from gnomon.refusals import Refusal, Statement, statement
from gnomon.timekeeping.instants import Instant
from gnomon.whole_files import sync

APPLICATION: Final = 0x476E6F6D  # "Gnom": tells our databases from others (PRAGMA application_id)

# Each step leads from the version of its index to the next and is never edited once released; add another.
MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    (
        """
        CREATE TABLE games (
          id INTEGER PRIMARY KEY,
          board TEXT NOT NULL,
          settings TEXT NOT NULL,
          temperament TEXT NOT NULL,
          started_us INTEGER NOT NULL,
          boot TEXT NOT NULL,
          wall TEXT NOT NULL,
          version TEXT NOT NULL,
          ended_us INTEGER
        )
        """,
        """
        CREATE TABLE entries (
          seq INTEGER PRIMARY KEY,
          game INTEGER NOT NULL REFERENCES games (id),
          kind TEXT NOT NULL CHECK (kind IN ('raw', 'event', 'ruling', 'note')),
          at_us INTEGER NOT NULL,
          cause INTEGER REFERENCES entries (seq),
          body TEXT NOT NULL,
          boot TEXT NOT NULL,
          wall TEXT NOT NULL
        )
        """,
        "CREATE INDEX entries_of_a_game ON entries (game, seq)",
    ),
    # The first journals knew one game only.
    (f"ALTER TABLE games ADD COLUMN game TEXT NOT NULL DEFAULT '{FIRST_GAME}'",),
    # Nor did they know who played.
    ("ALTER TABLE games ADD COLUMN players TEXT NOT NULL DEFAULT '{}'",),
    # Nor which journal it was: a card that is written again numbers its entries from 1 again, under another epoch.
    (
        "CREATE TABLE identity (epoch TEXT NOT NULL, acknowledged INTEGER NOT NULL)",
        "INSERT INTO identity VALUES (lower(hex(randomblob(8))), 0)",
    ),
    # Nor could they say what they had lost: `marks` chain what was written before entries had links.
    (
        "ALTER TABLE entries ADD COLUMN ends INTEGER",
        "ALTER TABLE entries ADD COLUMN link BLOB",
        "CREATE TABLE marks (seq INTEGER PRIMARY KEY, link BLOB NOT NULL)",
        "ALTER TABLE identity ADD COLUMN seal BLOB",
        """
        UPDATE entries SET ends = 1 WHERE seq IN (
          SELECT max(e.seq) FROM entries AS e JOIN games AS g ON g.id = e.game AND g.ended_us = e.at_us GROUP BY g.id
        )
        """,
    ),
)

_GAMES: Final = (
    "SELECT id, board, settings, temperament, started_us, boot, wall, version, game, players, ended_us FROM games"
)
_ENTRIES: Final = (
    "SELECT seq, game, kind, at_us, body, boot, wall, cause, link, ends,"
    " (SELECT link FROM entries AS before WHERE before.seq = entries.seq - 1) FROM entries"
)
_OF_A_GAME: Final = f"{_ENTRIES} WHERE game = ? ORDER BY seq"
_AFTER: Final = f"{_ENTRIES} WHERE seq > ? ORDER BY seq LIMIT ?"
# The text is what `json.dumps` makes without blanks, as below.
_NOTES: Final = f"{_ENTRIES} WHERE seq > ? AND kind = 'note' AND instr(body, ?) ORDER BY seq"
# The text is what `json.dumps` makes without blanks: to read every ruling of a thousand games takes seconds.
_ENDINGS: Final = (
    "SELECT game, body FROM entries WHERE kind = 'ruling' AND game >= ? AND seq <= ?"
    """ AND instr(body, '"ruling":"over"') ORDER BY seq"""
)

# Only games with another board are looked through: others name everybody when they begin. The texts are as above.
_GUESTS: Final = """
    SELECT game, body FROM entries
    WHERE game IN (SELECT id FROM games WHERE instr(settings, '"opponent":"another-board"'))
      AND kind = 'event' AND instr(body, '"event":"player_named"') ORDER BY seq
"""

# Nothing of a game is left, or nobody has resumed it since it was paused for that; the texts are as above.
_CUT: Final = """
    SELECT g.id FROM games AS g LEFT JOIN entries AS e ON e.seq = (
      SELECT max(seq) FROM entries WHERE game = g.id AND kind = 'event'
        AND (instr(body, '"event":"paused"') OR instr(body, '"event":"resumed"'))
    )
    WHERE g.ended_us IS NULL
      AND (instr(e.body, ?) OR instr(e.body, ?) OR NOT EXISTS (SELECT 1 FROM entries WHERE game = g.id))
"""

_CUT_BEFORE: Final = "the journal lost what came after this"
"""What stood there in version 0.1.0."""

REASONS: Final[Mapping[str, Statement]] = {
    "SQLITE_FULL": statement("cause.full"),
    "SQLITE_READONLY": statement("cause.read_only"),
    "SQLITE_CANTOPEN": statement("cause.not_opened"),
    "SQLITE_BUSY": statement("cause.busy"),
    "SQLITE_CORRUPT": statement("cause.damaged"),
    "SQLITE_NOTADB": statement("cause.no_journal"),
    "SQLITE_IOERR": statement("cause.refused"),
}
"""Why SQLite refuses, by the beginnings of its codes."""


UNREADABLE: Final = (ValueError, TypeError, RecursionError)
"""What is raised for content that nobody wrote so."""


class JournalError(Refusal):
    """The journal cannot be opened, read or written; why names the file."""


class EntryError(JournalError):
    """An entry of the journal, or the row of a game, is nothing that Gnomon writes; all others can be read."""


class JournalInUseError(JournalError):
    """Another process has the journal open; only one may write it."""


def explain(path: Path, error: sqlite3.Error | OSError) -> Statement:
    """What is wrong with the journal at `path`."""
    if isinstance(error, OSError):
        return statement("told.journal", file=str(path), cause=str(error.strerror))
    name = getattr(error, "sqlite_errorname", "")
    known = [why for prefix, why in REASONS.items() if name.startswith(prefix)]
    cause = known[0] if known else statement("cause.sqlite")
    return statement("told.journal.why", file=str(path), cause=cause, detail=str(error))


def connect(path: Path, synchronous: str = "FULL") -> sqlite3.Connection:
    """Open the journal for writing; a new file gets its tables, an older one the new ones.

    `synchronous` is for the proof that nothing less than FULL will do. Raises JournalError, sqlite3.Error, OSError.
    """
    settle(path)
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        _refuse_strangers(connection, path)
        _write_ahead(connection, path)
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA wal_autocheckpoint = 0")  # the journal says when: other writers are noticed
        _migrate(connection)
        sync(path.parent)
    except BaseException:
        connection.close()
        raise
    return connection


def connect_for_reading(path: Path) -> sqlite3.Connection:
    """Open the journal to read what is durable in it. Raises sqlite3.Error."""
    return sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True, isolation_level=None)


def last_game_number(connection: sqlite3.Connection) -> int:
    """The highest number of a game, 0 when there is none."""
    (game,) = connection.execute("SELECT coalesce(max(id), 0) FROM games").fetchone()
    return int(game)


def link_of(connection: sqlite3.Connection, seq: int) -> bytes:
    """The link of an entry; empty where there is none."""
    row = connection.execute("SELECT link FROM entries WHERE seq = ?", (seq,)).fetchone()
    return b"" if row is None else row[0] or b""


def checkpoint(connection: sqlite3.Connection, mode: str) -> None:
    """Copy what stands in the log into the file itself. Raises sqlite3.Error."""
    connection.execute(f"PRAGMA wal_checkpoint({mode})").fetchall()


def strange_commits(connection: sqlite3.Connection) -> int:
    """A number that changes whenever another connection has written to the file. Raises sqlite3.Error."""
    (version,) = connection.execute("PRAGMA data_version").fetchone()
    return int(version)


def games(connection: sqlite3.Connection) -> list[StoredGame]:
    """Every game, in the order of their beginning."""
    return [read_game(row) for row in connection.execute(f"{_GAMES} ORDER BY id")]


def guests(connection: sqlite3.Connection) -> Mapping[int, Mapping[str, str]]:
    """Who came from another board to each game that had begun, by the players of the rules."""
    found: dict[int, dict[str, str]] = {}
    for game, body in connection.execute(_GUESTS):
        with suppress(*UNREADABLE):  # a reader of the whole game is told
            found.setdefault(game, {}).update(name_in(read_object(body)))
    return found


def name_in(body: Mapping[str, object]) -> dict[str, str]:
    """Whom an entry names as a player, who has come from another board; empty where nobody has said it."""
    player, name = body.get("player"), body.get("name")
    return {player: name} if isinstance(player, str) and isinstance(name, str) and name else {}


def last_game(connection: sqlite3.Connection) -> StoredGame | None:
    """The game that was written about last: one that was put away and taken up again is before one begun meanwhile."""
    last = "id = (SELECT game FROM entries ORDER BY seq DESC LIMIT 1)"
    row = connection.execute(f"{_GAMES} ORDER BY {last} DESC, id DESC LIMIT 1").fetchone()
    return None if row is None else read_game(row)


def entries(connection: sqlite3.Connection, game: int) -> list[Record]:
    """Every entry of the game, in order."""
    return [read_record(row) for row in connection.execute(_OF_A_GAME, (game,))]


def identity(connection: sqlite3.Connection) -> tuple[str, int]:
    """The epoch of the journal, and the entry up to which a hall has acknowledged it."""
    epoch, acknowledged = connection.execute("SELECT epoch, acknowledged FROM identity").fetchone()
    return epoch, acknowledged


def entries_after(connection: sqlite3.Connection, seq: int, limit: int) -> Excerpt:
    """The first entries after number `seq`, at most `limit`, and the games that they belong to."""
    records = tuple(read_record(row) for row in connection.execute(_AFTER, (seq, limit)))
    numbers = sorted({record.entry.game for record in records})
    rows = (connection.execute(f"{_GAMES} WHERE id = ?", (number,)).fetchone() for number in numbers)
    return Excerpt(tuple(read_game(row) for row in rows), records)


def notes(connection: sqlite3.Connection, key: str, value: str, seq: int) -> list[Record]:
    """The remarks after entry `seq` in whose body the text `value` stands under `key`, in order."""
    said = f"{json.dumps(key)}:{json.dumps(value)}"
    return [read_record(row) for row in connection.execute(_NOTES, (seq, said))]


def endings(connection: sqlite3.Connection, first: int, last: int) -> dict[int, Mapping[str, object]]:
    """How each game from number `first` on was ruled to have ended, the latest ruling up to entry `last`.

    Empty for a game whose latest ruling cannot be read.
    """
    found: dict[int, Mapping[str, object]] = {}
    for game, body in connection.execute(_ENDINGS, (first, last)):
        found[game] = {}
        with suppress(*UNREADABLE):
            found[game] = read_object(body)
    return found


def cut_off(connection: sqlite3.Connection) -> frozenset[int]:
    """The games that have not ended of which a damaged journal lost the end."""
    return frozenset(
        number for (number,) in connection.execute(_CUT, [json.dumps(said) for said in (CUT.key, _CUT_BEFORE)])
    )


def read_record(row: Sequence[Any]) -> Record:
    """An entry as it stands in its row. Raises JournalError for what nobody wrote so."""
    seq, game, kind, at, body, boot, wall, cause, link, ends, before = row
    try:
        entry = Entry(game, EntryKind(kind), Instant(at), read_object(body), boot, wall, cause)
    except UNREADABLE as error:
        raise EntryError(statement("told.journal.entry", entry=seq, detail=str(error))) from error
    if before is None:
        before = chain.START if seq == 1 else b""
    return Record(seq, entry, link or b"", None if ends is None else bool(ends), before)


def read_game(row: Sequence[Any]) -> StoredGame:
    """A game as it stands in its row. Raises JournalError for what nobody wrote so."""
    number, board, settings, temperament, started, boot, wall, version, game, players, ended = row
    try:
        labels = (boot, wall, version, game, {name: str(said) for name, said in read_object(players).items()})
        start = GameStart(board, read_object(settings), temperament, Instant(started), *labels)
    except UNREADABLE as error:
        raise EntryError(statement("told.journal.game", game=number, detail=str(error))) from error
    return StoredGame(number, start, None if ended is None else Instant(ended))


def settle(path: Path) -> None:
    """Write the write-ahead log once more where it stands, and wait for the disk.

    Linux drops pages that it failed to write and reports that failure only once ("PostgreSQL's fsync() surprise",
    LWN 752063, 2018). SQLite would then read from memory what the disk does not hold, and commit on top of it.
    """
    log = path.with_name(path.name + "-wal")
    if not log.exists():
        return
    with log.open("r+b", buffering=0) as file:
        content = file.read()
        file.seek(0)
        file.write(content)
        os.fsync(file.fileno())


def _refuse_strangers(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if (tables or version) and application != APPLICATION:
        raise JournalError(statement("told.journal.strange", file=str(path)))
    if version > len(MIGRATIONS):
        raise JournalError(statement("told.journal.newer", file=str(path), version=version, known=len(MIGRATIONS)))


def _write_ahead(connection: sqlite3.Connection, path: Path) -> None:
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise JournalError(statement("told.journal.remote", file=str(path)))


def _migrate(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    with closing(connection.cursor()) as cursor:
        (version,) = cursor.execute("PRAGMA user_version").fetchone()
        for statements in MIGRATIONS[version:]:
            for statement in statements:
                cursor.execute(statement)
        if version < chain.FIRST_VERSION:
            epoch, acknowledged = identity(connection)
            cursor.execute("UPDATE identity SET seal = ?", (chain.seal(epoch, acknowledged),))
            chain.lay_marks(connection)
        if version < len(MIGRATIONS):
            cursor.execute(f"PRAGMA application_id = {APPLICATION}")
            cursor.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        cursor.execute("COMMIT")
