"""Read journals that may be damaged, without writing to them, for safe mode."""

import fcntl
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gnomon.records.journal import store
from gnomon.records.journal.entries import StoredGame
from gnomon.records.journal.inspection import inspect
from gnomon.records.journal.store import JournalError
from gnomon.refusals import Statement, statement

_WITNESS: Final = "-witness"


@dataclass(frozen=True, slots=True)
class FoundJournal:
    """A journal as safe mode leaves it: where it is now, the games that can be read, and what is the matter with it.

    `remark` is None when it is whole.
    """

    path: Path
    games: Sequence[StoredGame]
    remark: Statement | None = None


def journals(folder: Path) -> Sequence[Path]:
    """The journals in a folder of state, by name, and those that have gone; those moved aside are not among them."""
    gone = (path.with_name(path.name.removesuffix(_WITNESS)) for path in folder.glob(f"*.journal{_WITNESS}"))
    return sorted({*folder.glob("*.journal"), *gone})


def look_at(path: Path) -> FoundJournal:
    """Read the games of a journal without writing to it, and say what is wrong with it."""
    with _lock(path) as is_ours:
        if not is_ours:
            return FoundJournal(path, (), statement("safe.journal.busy", file=str(path)))
        try:
            found = inspect(path)
            if found.damage is None:
                return FoundJournal(path, _games(path))
        except JournalError as error:
            return FoundJournal(path, (), statement("safe.journal", told=error.statement))
        except sqlite3.Error as error:
            return FoundJournal(path, (), statement("safe.journal", told=store.explain(path, error)))
        games: Sequence[StoredGame] = ()
        with suppress(JournalError, sqlite3.Error, UnicodeDecodeError):
            games = _games(path)
        remark = statement("safe.journal.damaged", file=path.name, told=found.damage.statement)
        return FoundJournal(path, games, remark)


def _games(path: Path) -> Sequence[StoredGame]:
    """The games of a journal as far as they can be read. Raises JournalError and sqlite3.Error."""
    if not path.exists() or path.stat().st_size == 0:  # a new journal whose tables were not yet written
        return ()
    with closing(store.connect_for_reading(path)) as connection:
        return store.games(connection)


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
