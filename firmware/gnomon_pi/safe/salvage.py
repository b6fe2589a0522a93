"""The only place that touches a journal which may be damaged: it is read, or moved aside whole, and never deleted."""

import fcntl
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from gnomon.records import store
from gnomon.records.entries import StoredGame
from gnomon.records.store import JournalError

_COMPANIONS: Final = ("-wal", "-shm")
"""What SQLite keeps beside a database; what is in `-wal` is not yet in the file itself."""

_DAMAGED: Final = ("SQLITE_CORRUPT", "SQLITE_NOTADB")


@dataclass(frozen=True, slots=True)
class Found:
    """A journal as safe mode leaves it: where it is now, the games that can be read, and what is the matter with it.

    `remark` is empty when it is whole.
    """

    path: Path
    games: Sequence[StoredGame]
    remark: str = ""


class _DamagedError(Exception):
    """The file is damaged; the message says how."""


def journals(folder: Path) -> Sequence[Path]:
    """The journals in a folder of state, by name; those that were moved aside are not among them."""
    return sorted(folder.glob("*.journal"))


def look_at(path: Path, now: datetime) -> Found:
    """Read the games of a journal without writing to it; one that is damaged is moved aside, named by `now`."""
    with _lock(path) as is_ours:
        if not is_ours:
            return Found(path, (), f"{path} is open in another process and was left alone.")
        try:
            return Found(path, _read(path))
        except _DamagedError as error:
            return _put_aside(path, now, str(error))
        except JournalError as error:
            return Found(path, (), f"{error}.")
        except sqlite3.Error as error:
            return Found(path, (), f"{store.explain(path, error)}.")


def _read(path: Path) -> Sequence[StoredGame]:
    """The games of a whole journal. Raises _DamagedError, and JournalError or sqlite3.Error for what is no damage."""
    if path.stat().st_size == 0:  # a new journal whose tables were not yet written
        return ()
    try:
        with closing(store.connect_for_reading(path)) as connection:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            if application != store.APPLICATION:
                message = f"{path} is a database of another program, not a journal, and was left alone"
                raise JournalError(message)
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if found != "ok":
                raise _DamagedError(" ".join(found.split()))
            return store.games(connection)
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorname", "").startswith(_DAMAGED):
            raise _DamagedError(str(error)) from error
        raise


def _put_aside(path: Path, now: datetime, why: str) -> Found:
    aside = _free_name(path, now)
    try:
        _move(path, aside)
    except OSError as error:
        return Found(path, (), f"{path} is damaged ({why}) and cannot be moved aside: {error.strerror}.")
    with suppress(sqlite3.Error):
        with closing(store.connect_for_reading(aside)) as connection:
            games = store.games(connection)
        return Found(aside, games, f"{path.name} is damaged ({why}); it was moved aside, whole, to {aside}.")
    return Found(aside, (), f"{path.name} is damaged ({why}); it was moved aside, unread, to {aside}.")


def _free_name(path: Path, now: datetime) -> Path:
    name = f"{path.name}.damaged-{now:%Y%m%d-%H%M%S}"
    count = 1
    aside = path.with_name(name)
    while aside.exists():
        count += 1
        aside = path.with_name(f"{name}-{count}")
    return aside


def _move(path: Path, aside: Path) -> None:
    """Move a journal with what belongs to it. Raises OSError.

    All parts get their new names before any loses its old one: cut off at any moment, nothing is lost. Where a file
    cannot have two names (FAT, or another owner's file) they are renamed, the journal itself last.
    """
    parts = [(path.with_name(path.name + end), aside.with_name(aside.name + end)) for end in (*_COMPANIONS, "")]
    parts = [(old, new) for old, new in parts if old.exists()]
    try:
        for old, new in parts:
            os.link(old, new)
        _sync(path.parent)
        for old, _ in parts:
            old.unlink()
    except PermissionError:
        for old, new in parts:
            new.unlink(missing_ok=True)  # a second name of the same file: renaming onto it would do nothing
            old.rename(new)
    _sync(path.parent)


def _sync(folder: Path) -> None:
    directory = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


@contextmanager
def _lock(path: Path) -> Iterator[bool]:
    """Hold the lock that a daemon's journal holds, and say whether it is to be had; where none can be made, go on."""
    try:
        file = path.with_name(path.name + "-lock").open("ab")
    except OSError:
        yield True
        return
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
