"""Keep people, sessions, devices and tokens in a small SQLite file that no other user of the machine can read.

Only the hash of a session or a token is stored, so that a copy of the file opens nothing. Their secrets have 256
random bits, which nobody guesses: a fast hash is enough. Times are seconds of account time, close to those since
1970.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple, Self

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
"""
"""Tables that a program from before does not miss: a file that has them can be used by it after a rollback."""


class AccountStoreError(Refusal):
    """The file of people cannot be used."""


class _NewerError(Refusal, sqlite3.DatabaseError):
    """A newer version of the program wrote the file."""


class NameTakenError(ValueError):
    """Somebody has this name already."""


class LastAdminError(ValueError):
    """Without this person nobody could say any more who may do what."""


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


class AccountStore:
    """The people of a board. Any thread may call, and another process may write at the same time."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._lock = Lock()

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
            store = cls(connection)
            store._make_tables()
        except BaseException:
            connection.close()
            raise
        return store

    def _make_tables(self) -> None:
        with self._transaction() as connection:
            found = connection.execute("PRAGMA user_version").fetchone()[0]
            if found > VERSION:
                raise _NewerError(statement("access.store.newer", version=found, known=VERSION))
            if found == 0:
                for table in filter(str.strip, _SCHEMA.split(";")):
                    connection.execute(table)
                connection.execute(f"PRAGMA user_version = {VERSION}")
            for table in filter(str.strip, _LATER.split(";")):
                connection.execute(table)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it or nothing."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def _run(self, order: str, *values: object) -> None:
        """One order, in a transaction of its own."""
        with self._transaction() as connection:
            connection.execute(order, values)

    def _rows(self, question: str, *values: object) -> list[tuple[object, ...]]:
        with self._lock:
            return self._connection.execute(question, values).fetchall()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

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
            with self._transaction() as connection:
                number = connection.execute(
                    "INSERT INTO person (name, folded, role, secret, made) VALUES (?, ?, ?, ?, ?)",
                    (name, folded, role, secret, now),
                ).lastrowid
        except sqlite3.IntegrityError as error:
            raise NameTakenError(name) from error
        return WebAccount(number or 0, name, role, secret, now, None)

    def change_secret(self, number: int, secret: str, keep: bytes = b"") -> None:
        """Another hash, and the end of all that the old one opened but the session `keep` (a digest)."""
        with self._transaction() as connection:
            connection.execute("UPDATE person SET secret = ? WHERE id = ?", (secret, number))
            connection.execute("DELETE FROM session WHERE person = ? AND digest != ?", (number, keep))
            connection.execute("DELETE FROM device WHERE person = ?", (number,))
            connection.execute("DELETE FROM token WHERE person = ?", (number,))

    def refresh_secret(self, number: int, old: str, secret: str) -> None:
        """The hash of the same secret with other parameters; sessions go on."""
        self._run("UPDATE person SET secret = ? WHERE id = ? AND secret = ?", secret, number, old)

    def change_role(self, number: int, role: Role) -> None:
        """Another role, from the next request on. Raises LastAdminError."""
        with self._transaction() as connection:
            connection.execute("UPDATE person SET role = ? WHERE id = ?", (role, number))
            if role is not Role.ADMIN:
                _keep_an_admin(connection)

    def remove_person(self, number: int) -> None:
        """The end of an account, of its sessions and of its tokens. Raises LastAdminError."""
        with self._transaction() as connection:
            was = connection.execute("DELETE FROM person WHERE id = ? RETURNING role", (number,)).fetchall()
            if was and was[0][0] == Role.ADMIN:
                _keep_an_admin(connection)

    def forget_everyone(self) -> None:
        """As at the first start: nobody is known."""
        self._run("DELETE FROM person")

    # Sessions

    def add_session(self, digest: bytes, session: BrowserSession, instead_of: bytes = b"") -> None:
        """A new session of a person; the one that it takes the place of ends."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM session WHERE digest = ?", (instead_of,))
            connection.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)", (digest, *session))
            connection.execute("UPDATE person SET seen = ? WHERE id = ?", (session.made, session.person))

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
        with self._transaction() as connection:
            connection.execute("DELETE FROM session WHERE seen < ? OR made < ?", (seen_before, made_before))
            connection.execute("DELETE FROM token WHERE expires < ?", (now,))

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
        with self._transaction() as connection:
            connection.execute("INSERT INTO device VALUES (?, ?, ?)", (digest, person, now))
            connection.execute(
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
        return next((SavedTime(*row) for row in rows), None)  # type: ignore[arg-type]  # as above

    def save_time(self, time: SavedTime) -> None:
        """Keep where account time stands."""
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO time VALUES (1, ?, ?, ?, ?, ?)", time)

    def newest(self) -> float:
        """The latest time of anything that is kept; 0 without anything."""
        tables = ("SELECT made FROM person", "SELECT seen FROM session", "SELECT max(made, ifnull(seen, 0)) FROM token")
        rows = self._rows(f"SELECT max(made) FROM ({' UNION ALL '.join(tables)})")  # noqa: S608 - no value in it
        return next((float(str(newest)) for (newest,) in rows if newest is not None), 0.0)

    def age(self, before: float, by: float) -> None:
        """Let sessions and tokens that have not been used since be so many seconds older."""
        with self._transaction() as connection:
            connection.execute("UPDATE session SET made = made - ?, seen = seen - ? WHERE seen < ?", (by, by, before))
            connection.execute(
                "UPDATE token SET made = made - ?, expires = expires - ? WHERE made < ? AND (seen IS NULL OR seen < ?)",
                (by, by, before, before),
            )


def _keep_an_admin(connection: sqlite3.Connection) -> None:
    """Raise LastAdminError when none is left: the transaction is taken back."""
    if not connection.execute("SELECT 1 FROM person WHERE role = ? LIMIT 1", (Role.ADMIN,)).fetchall():
        raise LastAdminError


def _person(row: tuple[object, ...]) -> WebAccount:
    number, name, role, secret, made, seen = row
    return WebAccount(number, name, Role(role), secret, made, seen)  # type: ignore[arg-type]  # STRICT tables hold the types


def _session(row: tuple[object, ...]) -> BrowserSession:
    return BrowserSession(*row)  # type: ignore[arg-type]  # as above


def _token(row: tuple[object, ...]) -> Token:
    name, person, label, role, *rest = row
    return Token(name, person, label, Role(role), *rest)  # type: ignore[arg-type]  # as above
