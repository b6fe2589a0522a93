"""The tests of the journal on a disk that fails: nothing acknowledged that is not there, nothing queued dropped."""

import resource
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from typing import cast

import pytest

from gnomon.records.journal import store
from gnomon.records.journal.entries import Entry, GameStart
from gnomon.records.journal.writer import Journal, JournalError
from gnomon.refusals import Statement

Note = Callable[..., Entry]
PATIENCE = 60.0  # seconds; a bound for a machine in trouble, never waited for


class FailingConnection:
    """A connection whose commits fail, before or after they were done."""

    def __init__(self, connection: sqlite3.Connection, commits: list[str]) -> None:
        self.connection = connection
        self.commits = commits
        self.closed = False

    def execute(self, statement: str, values: tuple[object, ...] = ()) -> sqlite3.Cursor:
        fate = self.commits.pop(0) if statement == "COMMIT" and self.commits else "done"
        if fate == "fails":
            self.connection.execute("ROLLBACK")
        cursor = self.connection.execute("SELECT 1" if fate == "fails" else statement, values)
        if fate != "done":
            message = "disk I/O error"
            raise sqlite3.OperationalError(message)
        return cursor

    def close(self) -> None:
        self.closed = True
        self.connection.close()


class FailingDisk:
    """Opens connections that share one list of what becomes of the next commits: `fails`, `done but fails`."""

    def __init__(self) -> None:
        self.commits: list[str] = []
        self.opened: list[FailingConnection] = []

    def connect(self, path: Path) -> sqlite3.Connection:
        self.opened.append(FailingConnection(store.connect(path), self.commits))
        return cast("sqlite3.Connection", self.opened[-1])


@pytest.fixture
def disk() -> FailingDisk:
    return FailingDisk()


def begun(journal: Journal, start: GameStart, note: Note) -> Queue[Statement | None]:
    """A game whose first entry is durable, and what the journal says of failures from now on."""
    journal.begin(start)
    assert journal.wait_durable(journal.append(note("first")), PATIENCE)
    said: Queue[Statement | None] = Queue()
    journal.on_failed(said.put)
    return said


def numbers(journal: Journal) -> list[object]:
    return [record.entry.body["number"] for record in journal.read(1)]


@pytest.mark.parametrize("fate", ["fails", "done but fails"])
def test_a_commit_that_fails_is_not_acknowledged_and_done_once_when_the_disk_works_again(
    path: Path, start: GameStart, note: Note, disk: FailingDisk, fate: str
) -> None:
    with Journal.open(path, connect=disk.connect, retry_after=None) as journal:
        said = begun(journal, start, note)
        disk.commits.append(fate)
        seq = journal.append(note("second"))
        sentence = said.get(timeout=PATIENCE)
        assert sentence is not None
        assert str(path) in str(sentence)
        assert (journal.failed, journal.durable_seq, journal.queued) == (sentence, 1, 1)
        journal.append(note("third"))
        journal.retry()
        assert journal.wait_durable(seq + 1, PATIENCE)
        assert said.get(timeout=PATIENCE) is None
        assert (journal.failed, numbers(journal)) == (None, ["first", "second", "third"])


def test_every_attempt_opens_the_file_anew(path: Path, start: GameStart, note: Note, disk: FailingDisk) -> None:
    with Journal.open(path, connect=disk.connect, retry_after=0) as journal:
        begun(journal, start, note)
        disk.commits += ["fails"] * 3
        assert journal.wait_durable(journal.append(note("second")), PATIENCE)
    assert [connection.closed for connection in disk.opened] == [True] * 4


def test_the_journal_tries_again_by_itself(path: Path, start: GameStart, note: Note, disk: FailingDisk) -> None:
    with Journal.open(path, connect=disk.connect, retry_after=0.001) as journal:
        said = begun(journal, start, note)
        disk.commits += ["fails"]
        journal.append(note("second"))
        assert [said.get(timeout=PATIENCE) is None for _ in range(2)] == [False, True]


def test_closing_while_the_disk_fails_tries_once_more_and_says_what_is_lost(
    path: Path, start: GameStart, note: Note, disk: FailingDisk
) -> None:
    journal = Journal.open(path, connect=disk.connect, retry_after=None)
    said = begun(journal, start, note)
    disk.commits += ["fails"] * 2
    journal.append(note("second"))
    journal.append(note("third"))
    said.get(timeout=PATIENCE)
    with pytest.raises(JournalError, match=r"2 writes are lost: the journal .* cannot be used"):
        journal.close()
    assert len(disk.opened) == 2
    with Journal.open(path) as again:
        assert numbers(again) == ["first"]


def test_closing_after_a_failure_writes_what_has_gathered(
    path: Path, start: GameStart, note: Note, disk: FailingDisk
) -> None:
    with Journal.open(path, connect=disk.connect, retry_after=None) as journal:
        said = begun(journal, start, note)
        disk.commits += ["fails"]
        journal.append(note("second"))
        said.get(timeout=PATIENCE)
    with Journal.open(path) as again:
        assert numbers(again) == ["first", "second"]


def test_a_file_that_is_no_journal_any_more_is_not_written_to(
    path: Path, start: GameStart, note: Note, disk: FailingDisk
) -> None:
    journal = Journal.open(path, connect=disk.connect, retry_after=None)
    said = begun(journal, start, note)
    disk.opened[0].connection.execute("PRAGMA user_version = 99")
    disk.commits += ["fails"]
    journal.append(note("second"))
    said.get(timeout=PATIENCE)
    with pytest.raises(JournalError, match=r"1 writes are lost: .* has version 99"):
        journal.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_callback_that_raises_stops_the_journal_and_it_says_so(path: Path, start: GameStart, note: Note) -> None:
    journal = Journal.open(path)
    journal.on_durable(lambda _: 1 // 0)
    journal.begin(start)
    journal._writer.join(PATIENCE)
    assert str(journal.failed) == f"the journal {path} is no longer written: its thread has ended"
    journal.append(note())
    with pytest.raises(JournalError, match=r"1 writes are lost: .* is no longer written"):
        journal.close()


def outlasts(journal: Journal, start: GameStart, note: Note, fill: Callable[[], None], free: Callable[[], None]) -> str:
    """Fill the disk, write, see that nothing is acknowledged, free it, and see that nothing was dropped."""
    said = begun(journal, start, note)
    fill()
    large = ["sand " * 20_000 for _ in range(4)]
    for text in large:
        journal.append(note(text))
    sentence = said.get(timeout=PATIENCE)
    assert sentence is not None
    assert (numbers(journal), journal.durable_seq) == (["first"], 1)
    free()
    journal.retry()
    assert journal.wait_durable(5, PATIENCE)
    assert said.get(timeout=PATIENCE) is None
    assert numbers(journal) == ["first", *large]
    return str(sentence)


def test_a_file_that_may_not_grow_is_outlasted(path: Path, start: GameStart, note: Note) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Journal.open(path, retry_after=None) as journal:
        try:
            sentence = outlasts(
                journal,
                start,
                note,
                fill=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard)),
                free=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard)),
            )
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "the disk refuses it" in sentence


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 2 MB; needs the right to mount one, without which the test above says almost the same."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], check=False, capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"no small disk may be mounted here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_full_disk_is_outlasted(small_disk: Path, start: GameStart, note: Note) -> None:
    ballast = small_disk / "ballast"

    def fill() -> None:
        with ballast.open("wb", buffering=0) as file:
            while file.write(bytes(2**16)) == 2**16:
                pass

    with Journal.open(small_disk / "journal.db", retry_after=None) as journal:
        assert "the disk is full" in outlasts(journal, start, note, fill, ballast.unlink)
