"""Keep people, sessions, devices and tokens in a small SQLite file that no other user of the machine can read.

The tables may lie elsewhere (`AccountTables`): a hall with several processes keeps them in its database.

Only the hash of a session or a token is stored, so that a copy of the file opens nothing. Their secrets have 256
random bits, which nobody guesses: a fast hash is enough. Times are seconds of account time, close to those since
1970.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple, Protocol, Self

from gnomon.refusals import Refusal, statement
from gnomon.web.access._roles import Role

MODE: Final = 0o600
PATIENCE: Final = 2.0  # seconds for another process (`gnomond access`) to finish its writing
VERSION: Final = 1

_SCHEMA: Final = """
CREATE TABLE person (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, folded TEXT NOT NULL UNIQUE, role TEXT NOT NULL,
    secret TEXT NOT NULL, made REAL NOT NULL, seen REAL
) STRICT;
CREATE TABLE session (
    digest BLOB PRIMARY KEY, id TEXT NOT NULL UNIQUE,
    person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
    made REAL NOT NULL, seen REAL NOT NULL, browser TEXT NOT NULL
) STRICT;
CREATE TABLE token (
    digest BLOB PRIMARY KEY, id TEXT NOT NULL UNIQUE,
    person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
    label TEXT NOT NULL, role TEXT NOT NULL, made REAL NOT NULL, expires REAL NOT NULL, seen REAL
) STRICT;
CREATE INDEX session_of ON session (person);
CREATE INDEX token_of ON token (person);
"""

_LATER: Final = """
CREATE TABLE IF NOT EXISTS time (
    one INTEGER PRIMARY KEY CHECK (one = 1), seconds REAL NOT NULL, begun REAL NOT NULL,
    boot TEXT NOT NULL, now INTEGER NOT NULL, wall REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS device (
    digest BLOB PRIMARY KEY, person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE, made REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS attempt (
    digest BLOB PRIMARY KEY, kind TEXT NOT NULL, times INTEGER NOT NULL, failed INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS code (
    digest BLOB PRIMARY KEY, role TEXT NOT NULL, expires INTEGER NOT NULL, tries INTEGER NOT NULL
) STRICT;
"""
"""Tables that a program from before does not miss: a file that has them can be used by it after a rollback."""


_COPIED: Final = {
    "person": ("id", "name", "folded", "role", "secret", "made", "seen"),
    "session": ("digest", "id", "person", "made", "seen", "browser"),
    "token": ("digest", "id", "person", "label", "role", "made", "expires", "seen"),
    "device": ("digest", "person", "made"),
    "time": ("one", "seconds", "begun", "boot", "now", "wall"),
}
"""What a store is made of, those first that others refer to."""


def table_definitions(*, only_later: bool = False) -> Sequence[str]:
    """The statements that make the tables, in SQLite's words; `only_later` for those that may be there or not."""
    statements = _LATER.split(";") if only_later else (*_SCHEMA.split(";"), *_LATER.split(";"))
    return [each.strip() for each in statements if each.strip()]


class AccountStoreError(Refusal):
    """The file of people cannot be used."""


class _NewerError(Refusal, sqlite3.DatabaseError):
    """A newer version of the program wrote the file."""


class NameTakenError(ValueError):
    """Somebody has this name already."""


class LastAdminError(ValueError):
    """Without this person nobody could say any more who may do what."""


class AccountConflictError(Exception):
    """A row stands there already that may be there once only, or belongs to somebody who is not there any more."""


class AccountsAwayError(Refusal):
    """The tables cannot be reached just now: nobody is known until they can."""


class AccountTransaction(Protocol):
    """A transaction on the tables, in SQL that SQLite and PostgreSQL share, with `?`."""

    def run(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Run a statement; how many rows it has changed. Raises AccountConflictError."""
        ...

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement that has rows. Raises AccountConflictError."""
        ...


class AccountTables(Protocol):
    """Where the tables are. Any thread may call."""

    def transaction(self) -> AbstractContextManager[AccountTransaction]:
        """A transaction: all of it or nothing. Raises AccountsAwayError."""
        ...

    def question(self) -> AbstractContextManager[AccountTransaction]:
        """The same for a question."""
        ...

    def close(self) -> None:
        """Let them go."""
        ...


class WebAccount(NamedTuple):
    """An account. `secret` is a hash; it is empty for a device, which is known by its session alone."""

    id: int
    name: str
    role: Role
    secret: str
    made: float
    seen: float | None

    @property
    def is_device(self) -> bool:
        """Whether it is a device that was paired at the board, without a PIN."""
        return not self.secret


class BrowserSession(NamedTuple):
    """A browser in which somebody has signed in; `id` names it to people and opens nothing."""

    id: str
    person: int
    made: float
    seen: float
    browser: str


class Token(NamedTuple):
    """The right of a program to act for a person, as far as `role`, until it expires."""

    id: str
    person: int
    label: str
    role: Role
    made: float
    expires: float
    seen: float | None


class SavedTime(NamedTuple):
    """Where account time stood, when the machine started, and what the clocks of that boot said then.

    `seconds`, `begun` and `wall` are seconds since about 1970, `now` are microseconds of the monotonic clock.
    """

    seconds: float
    begun: float
    boot: str
    now: int
    wall: float


DEVICES: Final = 20
"""Of a person that are remembered; the one that signed in longest ago is forgotten first."""

_PERSON: Final = "SELECT id, name, role, secret, made, seen FROM person"
_SESSION: Final = "SELECT id, person, made, seen, browser FROM session"
_TOKEN: Final = "SELECT id, person, label, role, made, expires, seen FROM token"  # noqa: S105 - a question, no secret


class _FileTables:
    """The tables in a file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._lock = Lock()

    @contextmanager
    def transaction(self) -> Iterator[AccountTransaction]:
        """All of it or nothing, when nobody else writes."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield _InFile(self._connection)
            except sqlite3.IntegrityError as error:
                self._connection.execute("ROLLBACK")
                raise AccountConflictError(str(error)) from error
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    @contextmanager
    def question(self) -> Iterator[AccountTransaction]:
        """One question, which waits for nobody."""
        with self._lock:
            yield _InFile(self._connection)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()


class _InFile:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def run(self, statement: str, values: Sequence[Any] = ()) -> int:
        return self._connection.execute(statement, values).rowcount

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._connection.execute(statement, values).fetchall()


class AccountStore:
    """The people of a board or a hall. Any thread may call, and other processes may write at the same time."""

    def __init__(self, tables: AccountTables) -> None:
        self.tables: Final = tables

    @classmethod
    def open(cls, path: Path) -> Self:
        """The file, made when it is missing. Raises AccountStoreError."""
        try:
            # SQLite gives the files beside it (-wal, -shm) the rights of the file itself.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, MODE))
            if path.stat().st_mode & 0o077:
                path.chmod(MODE)
            return cls._connect(str(path))
        except (OSError, sqlite3.Error) as error:
            detail = error.statement if isinstance(error, _NewerError) else str(error)
            raise AccountStoreError(statement("access.store", file=str(path), detail=detail)) from error

    @classmethod
    def in_memory(cls) -> Self:
        """A store that is forgotten in the end."""
        return cls._connect(":memory:")

    @classmethod
    def _connect(cls, path: str) -> Self:
        connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        try:
            # Readers do not wait for a writer (WAL); what was acknowledged survives a power cut (FULL).
            connection.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;")
            file = _FileTables(connection)
            with file.transaction() as session:
                _make_tables(session)
        except BaseException:
            connection.close()
            raise
        return cls(file)

    def _run(self, order: str, *values: object) -> None:
        """One order, in a transaction of its own."""
        with self.tables.transaction() as session:
            session.run(order, values)

    def _rows(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        with self.tables.question() as session:
            return session.rows(question, values)

    def close(self) -> None:
        """Let the tables go."""
        self.tables.close()

    def copy_from(self, other: "AccountStore") -> None:
        """Take over everybody and everything of another store, where nobody is known here."""
        with self.tables.transaction() as session, other.tables.question() as before:
            if session.rows("SELECT 1 FROM person LIMIT 1"):
                return
            for table, columns in _COPIED.items():
                names, marks = ", ".join(columns), ", ".join("?" * len(columns))
                for row in before.rows(f"SELECT {names} FROM {table}"):  # noqa: S608 - constants
                    session.run(f"INSERT INTO {table} ({names}) VALUES ({marks})", row)  # noqa: S608 - constants

    # People

    def people(self) -> Sequence[WebAccount]:
        """Everyone, by name."""
        return [_person(row) for row in self._rows(f"{_PERSON} ORDER BY folded")]

    def person(self, number: int) -> WebAccount | None:
        """The person of that number."""
        return next((_person(row) for row in self._rows(f"{_PERSON} WHERE id = ?", number)), None)

    def by_name(self, folded: str) -> WebAccount | None:
        """The person of that name, folded."""
        return next((_person(row) for row in self._rows(f"{_PERSON} WHERE folded = ?", folded)), None)

    def has_admin(self) -> bool:
        """Whether anybody may say who may do what."""
        return bool(self._rows("SELECT 1 FROM person WHERE role = ? LIMIT 1", Role.ADMIN))

    def add_person(self, name: str, folded: str, role: Role, secret: str, now: float) -> WebAccount:
        """A new account; without a secret (a hash) that of a device. Raises NameTakenError."""
        try:
            with self.tables.transaction() as session:
                ((number,),) = session.rows(
                    "INSERT INTO person (id, name, folded, role, secret, made)"
                    " SELECT coalesce(max(id), 0) + 1, ?, ?, ?, ?, ? FROM person RETURNING id",
                    (name, folded, role, secret, now),
                )
        except AccountConflictError as error:
            raise NameTakenError(name) from error
        return WebAccount(number, name, role, secret, now, None)

    def change_secret(self, number: int, secret: str, keep: bytes = b"") -> None:
        """Another hash, and the end of all that the old one opened but the session `keep` (a digest)."""
        with self.tables.transaction() as session:
            session.run("UPDATE person SET secret = ? WHERE id = ?", (secret, number))
            session.run("DELETE FROM session WHERE person = ? AND digest != ?", (number, keep))
            session.run("DELETE FROM device WHERE person = ?", (number,))
            session.run("DELETE FROM token WHERE person = ?", (number,))

    def refresh_secret(self, number: int, old: str, secret: str) -> None:
        """The hash of the same secret with other parameters; sessions go on."""
        self._run("UPDATE person SET secret = ? WHERE id = ? AND secret = ?", secret, number, old)

    def change_role(self, number: int, role: Role) -> None:
        """Another role, from the next request on. Raises LastAdminError."""
        with self.tables.transaction() as session:
            session.run("UPDATE person SET role = ? WHERE id = ?", (role, number))
            if role is not Role.ADMIN:
                _keep_an_admin(session)

    def remove_person(self, number: int) -> None:
        """The end of an account, of its sessions and of its tokens. Raises LastAdminError."""
        with self.tables.transaction() as session:
            was = session.rows("DELETE FROM person WHERE id = ? RETURNING role", (number,))
            if was and was[0][0] == Role.ADMIN:
                _keep_an_admin(session)

    def forget_everyone(self) -> None:
        """As at the first start: nobody is known."""
        self._run("DELETE FROM person")

    # Sessions

    def add_session(self, digest: bytes, begun: BrowserSession, instead_of: bytes = b"") -> None:
        """A new session of a person; the one that it takes the place of ends."""
        with self.tables.transaction() as session:
            session.run("DELETE FROM session WHERE digest = ?", (instead_of,))
            session.run("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)", (digest, *begun))
            session.run("UPDATE person SET seen = ? WHERE id = ?", (begun.made, begun.person))

    def session(self, digest: bytes) -> tuple[BrowserSession, WebAccount] | None:
        """The session of that digest, and whose it is."""
        rows = self._rows(f"{_SESSION} WHERE digest = ?", digest)
        session = next((_session(row) for row in rows), None)
        person = None if session is None else self.person(session.person)
        return None if session is None or person is None else (session, person)

    def sessions(self) -> Sequence[BrowserSession]:
        """All sessions, the one that was used last first."""
        return [_session(row) for row in self._rows(f"{_SESSION} ORDER BY seen DESC, id")]

    def session_seen(self, digest: bytes, now: float) -> None:
        """It is still used."""
        self._run("UPDATE session SET seen = ? WHERE digest = ?", now, digest)

    def end_session(self, digest: bytes) -> None:
        """The end of a session that signed out."""
        self._run("DELETE FROM session WHERE digest = ?", digest)

    def revoke_session(self, name: str) -> None:
        """The end of a session by its name for people."""
        self._run("DELETE FROM session WHERE id = ?", name)

    def sweep(self, seen_before: float, made_before: float, now: float) -> None:
        """Forget the sessions and tokens that have expired."""
        with self.tables.transaction() as session:
            session.run("DELETE FROM session WHERE seen < ? OR made < ?", (seen_before, made_before))
            session.run("DELETE FROM token WHERE expires < ?", (now,))

    # Tokens

    def add_token(self, digest: bytes, token: Token) -> None:
        """A new token of a person."""
        self._run("INSERT INTO token VALUES (?, ?, ?, ?, ?, ?, ?, ?)", digest, *token)

    def token(self, digest: bytes) -> tuple[Token, WebAccount] | None:
        """The token of that digest, and whose it is."""
        rows = self._rows(f"{_TOKEN} WHERE digest = ?", digest)
        token = next((_token(row) for row in rows), None)
        person = None if token is None else self.person(token.person)
        return None if token is None or person is None else (token, person)

    def tokens(self) -> Sequence[Token]:
        """All tokens, the newest first."""
        return [_token(row) for row in self._rows(f"{_TOKEN} ORDER BY made DESC, id")]

    def token_seen(self, digest: bytes, now: float) -> None:
        """It was used."""
        self._run("UPDATE token SET seen = ? WHERE digest = ?", now, digest)

    def revoke_token(self, name: str) -> None:
        """The end of a token by its name for people."""
        self._run("DELETE FROM token WHERE id = ?", name)

    # Devices

    def add_device(self, digest: bytes, person: int, now: float) -> None:
        """A browser in which a person has signed in by a PIN; those before it are forgotten when they are too many."""
        with self.tables.transaction() as session:
            session.run("INSERT INTO device VALUES (?, ?, ?)", (digest, person, now))
            session.run(
                "DELETE FROM device WHERE person = ? AND digest NOT IN "
                "(SELECT digest FROM device WHERE person = ? ORDER BY made DESC LIMIT ?)",
                (person, person, DEVICES),
            )

    def device(self, digest: bytes) -> int | None:
        """The number of the person who signed in from that device."""
        rows = self._rows("SELECT person FROM device WHERE digest = ?", digest)
        return next((int(str(number)) for (number,) in rows), None)

    def forget_device(self, digest: bytes) -> None:
        """The end of what a device may more than others."""
        self._run("DELETE FROM device WHERE digest = ?", digest)

    # Account time

    def time(self) -> SavedTime | None:
        """Where account time stood when it was kept last."""
        rows = self._rows("SELECT seconds, begun, boot, now, wall FROM time")
        return next((SavedTime(*row) for row in rows), None)

    def save_time(self, time: SavedTime) -> None:
        """Keep where account time stands."""
        with self.tables.transaction() as session:
            session.run(
                "INSERT INTO time VALUES (1, ?, ?, ?, ?, ?) ON CONFLICT (one) DO UPDATE SET"
                " seconds = excluded.seconds, begun = excluded.begun, boot = excluded.boot, now = excluded.now,"
                " wall = excluded.wall",
                time,
            )

    def newest(self) -> float:
        """The latest time of anything that is kept; 0 without anything."""
        tables = (
            "SELECT made FROM person",
            "SELECT seen FROM session",
            "SELECT CASE WHEN seen > made THEN seen ELSE made END FROM token",
        )
        rows = self._rows(f"SELECT max(made) FROM ({' UNION ALL '.join(tables)}) AS kept")  # noqa: S608 - no value in it
        return next((float(str(newest)) for (newest,) in rows if newest is not None), 0.0)

    def age(self, before: float, by: float) -> None:
        """Let sessions and tokens that have not been used since be so many seconds older."""
        with self.tables.transaction() as session:
            session.run("UPDATE session SET made = made - ?, seen = seen - ? WHERE seen < ?", (by, by, before))
            session.run(
                "UPDATE token SET made = made - ?, expires = expires - ? WHERE made < ? AND (seen IS NULL OR seen < ?)",
                (by, by, before, before),
            )


def _make_tables(session: AccountTransaction) -> None:
    ((found,),) = session.rows("PRAGMA user_version")
    if found > VERSION:
        raise _NewerError(statement("access.store.newer", version=found, known=VERSION))
    if found == 0:
        for table in filter(str.strip, _SCHEMA.split(";")):
            session.run(table)
        session.run(f"PRAGMA user_version = {VERSION}")
    for table in filter(str.strip, _LATER.split(";")):
        session.run(table)


def _keep_an_admin(session: AccountTransaction) -> None:
    """Raise LastAdminError when none is left: the transaction is taken back."""
    if not session.rows("SELECT 1 FROM person WHERE role = ? LIMIT 1", (Role.ADMIN,)):
        raise LastAdminError


def _person(row: tuple[Any, ...]) -> WebAccount:
    number, name, role, secret, made, seen = row
    return WebAccount(number, name, Role(role), secret, made, seen)


def _session(row: tuple[Any, ...]) -> BrowserSession:
    return BrowserSession(*row)


def _token(row: tuple[Any, ...]) -> Token:
    name, person, label, role, *rest = row
    return Token(name, person, label, Role(role), *rest)
