"""Append games to a journal file in a thread of its own, acknowledging only what survives a power cut.

`append` never waits. The journal's thread takes all that is queued in one transaction, commits it, and only then
acknowledges it. When the disk fails, nothing is acknowledged and nothing dropped: the journal reports why, reopens
its file from time to time, and writes what has accumulated as soon as it can.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from gnomon.records.journal import _writes as writes
from gnomon.records.journal import chain, store
from gnomon.records.journal._durable_file import Connect, DurableFile, inspect_and_migrate, take_lock
from gnomon.records.journal._writes import Write
from gnomon.records.journal.entries import Entry, GameStart, values_of_entry, values_of_start
from gnomon.records.journal.inspection import Inspected
from gnomon.records.journal.reader import AnswerT, JournalReader, Question
from gnomon.records.journal.store import JournalError, JournalInUseError
from gnomon.refusals import Statement, statement
from gnomon.timekeeping.instants import Instant

__all__ = ["RETRY_AFTER", "Journal", "JournalError", "JournalInUseError"]

RETRY_AFTER: Final = 1.0
"""Seconds between two attempts to write while the disk fails."""


@dataclass(slots=True)
class _Queue:
    """What the writer has to do; guarded by the condition."""

    changed: threading.Condition = field(default_factory=threading.Condition)
    writes: list[Write] = field(default_factory=list)
    closing: bool = False
    retry: bool = False
    suspect: datetime | None = None  # when the file under the journal's name was perhaps not the one that is written
    acknowledged: int | None = None  # what a hall has acknowledged since the last commit


class Journal(JournalReader):
    """The journal of one board, open for this process only. Every method may be called from any thread.

    Callbacks are called in the journal's own thread and must return at once.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what `open` has found
        self,
        path: Path,
        lock: IO[bytes],
        connect: Connect,
        retry_after: float | None,
        found: Inspected,
        witnesses: Sequence[Path],
    ) -> None:
        self._path = path
        self._lock = lock
        self._retry_after = retry_after
        self._queue = _Queue()
        self._durable_callbacks: list[Callable[[int], object]] = []
        self._failed_callbacks: list[Callable[[Statement | None], object]] = []
        self._failed: Statement | None = None
        self._file = DurableFile(path, connect, found, witnesses)
        self._head, self._games, self._last_game = found.head, dict(found.games), self._file.last_game
        self._durable_seq = self._head.seq
        self._epoch, self._acknowledged = self._file.epoch, self._file.acknowledged
        self._writer = threading.Thread(target=self._run, name="journal", daemon=True)
        self._writer.start()

    @property
    def path(self) -> Path:
        """Where it is."""
        return self._path

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        retry_after: float | None = RETRY_AFTER,
        connect: Connect = store.connect,
        witnesses: Sequence[Path] = (),
    ) -> Self:
        """Open the journal, making it when there is none.

        `retry_after`: seconds between attempts while the disk fails, or None to wait for `retry`. `witnesses` are
        files, on a stick perhaps, which keep what was written last besides the one beside the journal. Raises
        DamagedJournalError when it is not what was written, before anything is written to it, and JournalError when
        another process has it open, it is of a newer version, or no journal.
        """
        lock = take_lock(path)
        try:
            return cls(path, lock, connect, retry_after, inspect_and_migrate(path, witnesses), witnesses)
        except (sqlite3.Error, OSError) as error:
            lock.close()
            raise JournalError(store.explain(path, error)) from error
        except BaseException:
            lock.close()
            raise

    # Writing

    def begin(self, start: GameStart) -> int:
        """Write down a new game and give its number; it is durable as soon as its first entry is.

        Raises JournalError when the journal is closed, and ValueError or TypeError for what cannot be written.
        """
        values = values_of_start(start)
        with self._queue.changed:
            self._refuse_when_closed()
            self._last_game += 1
            row = (self._last_game, *values)
            self._games[self._last_game] = chain.digest(row)
            self._put(writes.insert_game(row))
            return self._last_game

    def append(self, entry: Entry) -> int:
        """Queue the entry and give its number; it is durable once `durable_seq` has come to it.

        Raises JournalError when the journal is closed, and ValueError or TypeError for what cannot be written.
        """
        return self._append(entry)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Commit what is queued meanwhile by this thread in one transaction: all of it is durable, or nothing."""
        with self._queue.changed:  # the writer takes what is queued under this lock, which one thread may take twice
            yield

    def end(self, entry: Entry) -> int:
        """Queue the entry with which its game ends. Raises as `append` does."""
        return self._append_and_mark(entry, entry.at)

    def reopen(self, entry: Entry) -> int:
        """Queue the entry with which its game goes on after all. Raises as `append` does."""
        return self._append_and_mark(entry, None)

    # What has become of it

    @property
    def durable_seq(self) -> int:
        """The number of the last entry that survives a kill and a power cut, as do all before it."""
        return self._durable_seq

    @property
    def failed(self) -> Statement | None:
        """Why nothing can be written just now, or None."""
        return self._failed

    @property
    def witness_failed(self) -> str | None:
        """Why a witness does not hear of the last entry just now, in one sentence, or None; the games go on."""
        return self._file.witness_failed

    def look(self, now: datetime) -> Statement | None:
        """Look whether the file is still the one that is written, and give what has been found since the start.

        To be called once a second: it costs a few microseconds. A journal that was deleted or replaced meanwhile is
        written again, in its own thread, with everything that it holds; what was put there is kept aside, named by
        `now`.
        """
        with self._queue.changed:
            if not self._queue.closing and self._file.is_elsewhere():
                self._queue.suspect = now
                self._queue.changed.notify_all()
        return self._file.moved

    @property
    def queued(self) -> int:
        """How many writes have not been acknowledged."""
        with self._queue.changed:
            return len(self._queue.writes)

    def on_durable(self, callback: Callable[[int], object]) -> None:
        """From now on call `callback(durable_seq)` after every commit."""
        self._durable_callbacks.append(callback)

    def on_failed(self, callback: Callable[[Statement | None], object]) -> None:
        """From now on call `callback(failed)` when writing fails, and with None when it works again."""
        self._failed_callbacks.append(callback)

    def wait_durable(self, seq: int, timeout: float | None = None) -> bool:
        """Wait, at most `timeout` seconds, until entry `seq` is durable, and say whether it is."""
        with self._queue.changed:
            return self._queue.changed.wait_for(lambda: self._durable_seq >= seq, timeout)

    def retry(self) -> None:
        """Try again at once to write what has gathered while the disk failed."""
        with self._queue.changed:
            self._queue.retry = True
            self._queue.changed.notify_all()

    def ask(self, question: Question[AnswerT]) -> AnswerT:
        """Answer a question about what is durable. Raises JournalError."""
        return self._file.read(question)

    # What a hall has of it

    @property
    def epoch(self) -> str:
        """What tells this journal from another of the same board: made by chance when its file was."""
        return self._epoch

    @property
    def acknowledged(self) -> int:
        """The entry up to which a hall has said that it has everything of this epoch."""
        return self._acknowledged

    def acknowledge(self, seq: int) -> None:
        """Remember what a hall has; it is written along with the next entry, for it alone wears no card out."""
        with self._queue.changed:
            self._acknowledged = self._queue.acknowledged = seq

    def renew(self, epoch: str) -> None:
        """Queue that this is another journal from now on, of which a hall has acknowledged nothing.

        So it is when a hall knows more entries of it than there are: the card was written again from an old copy.
        Raises JournalError when the journal is closed.
        """
        with self._queue.changed:
            self._refuse_when_closed()
            self._put(writes.set_identity(epoch, 0))
            self._epoch, self._acknowledged, self._queue.acknowledged = epoch, 0, None

    # Closing

    def close(self) -> None:
        """Write what is queued and let the file go. Raises JournalError when that cannot be written."""
        with self._queue.changed:
            self._queue.closing = True
            self._queue.changed.notify_all()
        self._writer.join()
        self._lock.close()
        if self._queue.writes:
            raise JournalError(statement("told.journal.lost", number=len(self._queue.writes), cause=self._failed or ""))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Private

    def _append(self, entry: Entry, *, ends: bool | None = None) -> int:
        values = values_of_entry(entry)
        with self._queue.changed:
            self._refuse_when_closed()
            self._check_references(entry)
            write = writes.insert_entry(values, self._head, self._games[entry.game], ends=ends)
            self._head = write.head
            self._put(write)
            return self._head.seq

    def _append_and_mark(self, entry: Entry, ended: Instant | None) -> int:
        with self._queue.changed:  # the condition's lock may be taken twice by one thread: both go in together
            seq = self._append(entry, ends=ended is not None)
            self._put(writes.mark_end(entry.game, ended))
            return seq

    def _put(self, write: Write) -> None:
        self._queue.writes.append(write)
        self._queue.changed.notify_all()

    def _refuse_when_closed(self) -> None:
        if self._queue.closing:
            raise JournalError(statement("told.journal.closed", file=str(self._path)))

    def _check_references(self, entry: Entry) -> None:
        if not 1 <= entry.game <= self._last_game:
            message = f"there is no game {entry.game} in the journal"
            raise ValueError(message)
        if entry.cause is not None and not 1 <= entry.cause <= self._head.seq:
            message = f"there is no entry {entry.cause} in the journal that could be a cause"
            raise ValueError(message)

    def _run(self) -> None:
        try:
            while True:
                group, last, suspect = self._next_group()
                if suspect is not None:
                    self._look_again(suspect)
                if group:
                    self._attempt(group)
                if last and (self._failed is not None or not group):
                    break
        finally:
            self._file.close()
            if not self._queue.closing:  # a callback or this class is at fault; those who wait must not wait for ever
                self._failed = statement("told.journal.ended", file=str(self._path))

    def _next_group(self) -> tuple[Sequence[Write], bool, datetime | None]:
        """Wait for something to do: what to write, whether this is the last attempt, and when to look at the file.

        The last attempt it is when the journal is being closed.
        """
        queue = self._queue
        with queue.changed:
            if self._failed is not None:
                queue.changed.wait_for(lambda: queue.retry or queue.closing, self._retry_after)
            queue.changed.wait_for(lambda: queue.writes or queue.closing or queue.suspect is not None)
            queue.retry, suspect, queue.suspect = False, queue.suspect, None
            return tuple(queue.writes), queue.closing, suspect

    def _look_again(self, now: datetime) -> None:
        try:
            self._file.look_again(now, self._durable_seq)
        except JournalError as error:
            self._report(error.statement)

    def _attempt(self, group: Sequence[Write]) -> None:
        try:
            self._file.open_again()
            self._file.commit(self._with_what_a_hall_has(group))
        except JournalError as error:
            self._report(error.statement)
        else:
            self._acknowledge(group)
            self._report(None)
            self._file.check_point_after(group)

    def _with_what_a_hall_has(self, group: Sequence[Write]) -> Sequence[Write]:
        with self._queue.changed:
            acknowledged, self._queue.acknowledged = self._queue.acknowledged, None
        # Should this commit fail, the next acknowledgement says it again.
        return group if acknowledged is None else (*group, writes.set_identity(self._epoch, acknowledged))

    def _acknowledge(self, group: Sequence[Write]) -> None:
        head = max((write.head for write in group), key=lambda head: head.seq)
        if head.seq > self._durable_seq:
            self._file.witness(head)
        with self._queue.changed:
            del self._queue.writes[: len(group)]
            self._durable_seq = max(self._durable_seq, head.seq)
            self._queue.changed.notify_all()
        for callback in self._durable_callbacks:
            callback(self._durable_seq)

    def _report(self, failed: Statement | None) -> None:
        if failed == self._failed:
            return
        with self._queue.changed:
            self._failed = failed
            self._queue.changed.notify_all()
        for callback in self._failed_callbacks:
            callback(failed)
