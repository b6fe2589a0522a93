"""Commit writes to the file of a journal, tell its witnesses, and notice when it is no longer the file that was opened.

A journal that was deleted or replaced meanwhile is written again from the handle that still reads it, and what was put
in its place is kept aside. One that somebody else wrote to is trusted if it is still whole.
"""

import fcntl
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import IO, Final

from gnomon.records.journal import _writes as writes
from gnomon.records.journal import store
from gnomon.records.journal._page_sums import PageSums
from gnomon.records.journal._witness import Witness, WitnessedEntry
from gnomon.records.journal._writes import Write
from gnomon.records.journal.chain import Head
from gnomon.records.journal.folders import JournalFiles, keep_aside
from gnomon.records.journal.inspection import DamagedJournalError, Inspected, inspect
from gnomon.records.journal.reader import AnswerT, Question
from gnomon.records.journal.store import JournalError, JournalInUseError
from gnomon.refusals import Statement, statement
from gnomon.whole_files import sync

_CHECKPOINT: Final = 400
"""Writes after which the log is brought into the file: they are some 4 MB in it, SQLite's own measure."""

Connect = Callable[[Path], sqlite3.Connection]


class DurableFile:
    """The file of a journal, open for writing by the journal's own thread.

    Only `read`, `is_elsewhere` and the two attributes may be used in another thread.
    """

    def __init__(self, path: Path, connect: Connect, found: Inspected, witnesses: Sequence[Path]) -> None:
        """Raises sqlite3.Error and OSError."""
        self._path = path
        self._connect = connect
        self._readers = threading.Lock()  # held while a reader has the file open, and while it is opened again
        self._connection: sqlite3.Connection | None = connect(path)
        try:
            self.last_game = store.last_game_number(self._connection)
            self.epoch, self.acknowledged = store.identity(self._connection)
            store.checkpoint(self._connection, "TRUNCATE")
            self._pages = found.pages or PageSums.read(path)
            self._strange_commits = store.strange_commits(self._connection)
        except BaseException:
            self._connection.close()
            raise
        self._witnesses = (Witness.beside(path), *map(Witness, witnesses))
        self.witness(found.head)
        self.moved: Statement | None = None
        """What was found under its name since it was opened, and what was done."""
        self._place = JournalFiles.of(path)
        self._in_log = 0

    @property
    def witness_failed(self) -> str | None:
        """Why a witness does not hear of the last entry just now, in one sentence, or None."""
        return next((witness.failed for witness in self._witnesses if witness.failed is not None), None)

    def is_elsewhere(self) -> bool:
        """Whether another file seems to stand under its name, or something was written to it."""
        return JournalFiles.of(self._path) != self._place

    def read(self, question: Question[AnswerT]) -> AnswerT:
        """Ask what is durable. Raises JournalError."""
        try:
            with self._readers, closing(store.connect_for_reading(self._path)) as connection:
                return question(connection)
        except sqlite3.Error as error:
            raise JournalError(store.explain(self._path, error)) from error

    # Writing

    def open_again(self) -> None:
        """Open the file again if a commit has failed. Raises JournalError, also when it is another one now."""
        if self._connection is not None:
            return
        # None where the file was damaged meanwhile: no other one is ours, and none is made where it was taken away.
        if self._place.file is None or self._place.file != JournalFiles.of(self._path).file:
            raise JournalError(_not_ours(self._path))
        try:
            with self._readers:
                self._connection = self._connect(self._path)
        except (sqlite3.Error, OSError) as error:
            raise JournalError(store.explain(self._path, error)) from error
        self._place = JournalFiles.of(self._path)

    def commit(self, group: Sequence[Write]) -> None:
        """Make a group of writes durable: all of it, or nothing and JournalError is raised."""
        assert self._connection is not None, "it was opened again"  # noqa: S101 - as every caller sees to it
        try:
            writes.commit(self._connection, group)
            self._sum_up(self._connection)
        except (sqlite3.Error, OSError) as error:
            self.let_go()
            raise JournalError(store.explain(self._path, error)) from error
        place = JournalFiles.of(self._path)
        if place.is_same_file(self._place) and place.written == self._place.written:
            self._place = place  # its log has come into being; anything else is for the next look

    def witness(self, head: Head) -> None:
        """Tell the witnesses of the last entry."""
        pages = b"" if self._pages is None else self._pages.total
        for witness in self._witnesses:
            witness.write(WitnessedEntry(head.seq, head.link, len(store.MIGRATIONS), pages))

    def check_point_after(self, group: Sequence[Write]) -> None:
        """Bring a whole game into the file itself once it ends, so that the evening does not stand in its log alone."""
        self._in_log += len(group)
        if self._in_log >= _CHECKPOINT or any(write.statement == writes.END for write in group):
            self._check_point()

    def let_go(self) -> None:
        """Close the handle: what it knows after an I/O error is not to be trusted."""
        connection, self._connection, self._pages = self._connection, None, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

    def close(self) -> None:
        """Let the file and its witnesses go."""
        if self._connection is not None:
            self._connection.close()
        for witness in self._witnesses:
            witness.sync()
            witness.close()

    def _sum_up(self, connection: sqlite3.Connection) -> None:
        """Take in the pages of the last commit; once somebody else has written, they are not what was written here."""
        try:
            if self._pages is not None:
                self._pages.follow()
        except OSError:
            self._pages = None
        if store.strange_commits(connection) != self._strange_commits:
            self._pages = None

    def _check_point(self) -> None:
        """Nothing else here writes to the file: written otherwise, or another one, it is found at the next look."""
        if self._connection is None:
            return
        is_ours = not self.is_elsewhere()
        try:
            store.checkpoint(self._connection, "PASSIVE")
        except (sqlite3.Error, OSError):  # it stands in the log: the next commit says what is wrong with the disk
            self.let_go()
        self._in_log = 0
        if is_ours:
            self._place = JournalFiles.of(self._path)
        for witness in self._witnesses:
            witness.sync()

    # When another file stands under its name

    def look_again(self, now: datetime, durable_seq: int) -> None:
        """Go on with the file, or write it again, when it is not as it was left; entries up to `durable_seq` are in it.

        What another thread saw may have been a commit of this one; what is seen here was not. Raises JournalError.
        """
        place = JournalFiles.of(self._path)
        if place == self._place or self._connection is None:
            return
        try:
            if place.is_same_file(self._place):
                self._trust_or_refuse(durable_seq)
            else:
                self._write_anew(self._connection, now, durable_seq, is_there=place.file is not None)
        except (sqlite3.Error, OSError) as error:
            raise JournalError(store.explain(self._path, error)) from error

    def _trust_or_refuse(self, durable_seq: int) -> None:
        """Somebody else has written to the file, or only touched it. Raises JournalError when it is damaged now."""
        found = inspect(self._path)
        if found.damage is not None or found.head.seq < durable_seq:
            self.let_go()
            self._place = JournalFiles()
            raise JournalError(_not_ours(self._path))
        self._place = JournalFiles.of(self._path)

    def _write_anew(self, connection: sqlite3.Connection, now: datetime, durable_seq: int, *, is_there: bool) -> None:
        """Write everything into a new file, and keep aside what is in its place: this handle still reads the old one.

        Raises JournalError, sqlite3.Error and OSError.
        """
        new = self._path.with_name(self._path.name + "-new")
        new.unlink(missing_ok=True)
        beside = [new.with_name(new.name + end) for end in ("-wal", "-shm")]
        with closing(sqlite3.connect(new)) as target:
            connection.backup(target)
        found = inspect(new)
        if found.damage is not None or found.head.seq < durable_seq:
            raise JournalError(_not_ours(self._path))
        with self._readers:
            self.let_go()  # SQLite takes the old log away by its name
            for witness in self._witnesses:
                witness.close()
            aside = keep_aside(self._path, now) if is_there else None
            for name in (*beside, *(self._path.with_name(self._path.name + end) for end in ("-wal", "-shm"))):
                name.unlink(missing_ok=True)
            new.rename(self._path)
            sync(self._path.parent)
            self._connection = self._connect(self._path)
            self._place = JournalFiles.of(self._path)
            self._pages = PageSums.read(self._path)
            self._strange_commits = store.strange_commits(self._connection)
        self.witness(found.head)
        if aside is None:
            self.moved = statement("health.journal.deleted", file=str(self._path))
        else:
            self.moved = statement("health.journal.replaced", file=str(self._path), aside=aside.name)


def _not_ours(path: Path) -> Statement:
    return statement("told.journal.moved", file=str(path))


# Before it is opened


def take_lock(path: Path) -> IO[bytes]:
    """Keep every other process from a journal until what is given back is closed. Raises JournalError."""
    try:
        lock = path.with_name(path.name + "-lock").open("ab")
    except OSError as error:
        raise JournalError(store.explain(path, error)) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lock.close()
        raise JournalInUseError(statement("told.journal.in_use", file=str(path))) from error
    return lock


def inspect_and_migrate(path: Path, witnesses: Sequence[Path]) -> Inspected:
    """What the journal is, before anything is written to it but what brings it up to date. Raises JournalError."""
    if path.with_name(path.name + "-journal").exists():
        # Cut off while it was made: SQLite takes back what was half done, and needs to write for it.
        store.connect(path).close()
    found = inspect(path, witnesses)
    if found.damage is None and 0 < found.version < len(store.MIGRATIONS):
        store.connect(path).close()
        found = inspect(path, witnesses)  # now it has links
    if found.damage is not None:
        raise DamagedJournalError(path, found)
    return found
