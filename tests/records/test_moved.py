"""A journal whose file is deleted, replaced or written to while it is open: it is noticed, and nothing is lost."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gnomon.records.journal._durable_file import DurableFile
from gnomon.records.journal.entries import Entry, GameStart
from gnomon.records.journal.writer import Journal, JournalError
from gnomon.refusals import Statement

NOW = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)
Note = Callable[..., Entry]
PATIENCE = 60.0  # seconds; a bound for a machine in trouble, never waited for


@pytest.fixture
def journal(path: Path, start: GameStart, note: Note) -> Iterator[Journal]:
    opened = Journal.open(path, retry_after=None)
    opened.begin(start)
    for number in range(3):
        assert opened.wait_durable(opened.append(note(number)), PATIENCE)
    yield opened
    with suppress(JournalError):
        opened.close()


def numbers(journal: Journal) -> list[object]:
    return [record.entry.body["number"] for record in journal.read(1)]


def noticed(journal: Journal, note: Note, between: int = 0) -> str:
    """What is said after a look, and after another entry, which waits for what the look has led to.

    `between` are entries of a game that goes on, after what has happened to the file and before the look.
    """
    for number in range(3, 3 + between):
        assert journal.wait_durable(journal.append(note(number)), PATIENCE)
    journal.look(NOW)
    assert journal.wait_durable(journal.append(note("after")), PATIENCE)
    assert numbers(journal) == [*range(3 + between), "after"]
    return str(journal.look(NOW) or "")


def test_a_journal_in_its_place_is_looked_at_in_silence(journal: Journal, note: Note) -> None:
    assert noticed(journal, note) == ""
    assert list(journal._path.parent.glob("*damaged*")) == []


@pytest.mark.parametrize("between", [0, 1, 450])
@pytest.mark.parametrize("names", [[""], ["-wal"], ["", "-wal", "-shm", "-witness"]])
def test_a_deleted_journal_is_written_anew(
    journal: Journal, path: Path, note: Note, names: list[str], between: int
) -> None:
    for name in names:
        path.with_name(path.name + name).unlink()
    said = noticed(journal, note, between)
    assert "while the board ran: all its entries are in a new file in its place" in said
    journal.close()
    assert not list(path.parent.glob("*-new*"))
    with Journal.open(path) as again:
        assert numbers(again) == [*range(3 + between), "after"]


def test_a_replaced_journal_is_kept_aside_and_written_anew(
    journal: Journal, path: Path, start: GameStart, note: Note, tmp_path: Path
) -> None:
    with Journal.open(tmp_path / "other") as other:
        other.begin(start)
        other.append(note("other"))
    content = (tmp_path / "other").read_bytes()
    (tmp_path / "other").replace(path)
    said = noticed(journal, note)
    (aside,) = (name for name in tmp_path.glob("journal.db.damaged-*") if name.suffix.count("-") == 2)
    assert said == (
        f"The journal {path} was replaced while the board ran: all its entries are in a new file in its place, "
        f"and the file that was put there is kept as {aside.name}."
    )
    assert aside.read_bytes() == content
    journal.close()
    with Journal.open(path) as again:
        assert numbers(again) == [0, 1, 2, "after"]


def test_what_the_journal_itself_writes_is_not_looked_at(
    journal: Journal, path: Path, note: Note, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(DurableFile, "_trust_or_refuse", fail)
    monkeypatch.setattr(DurableFile, "_write_anew", fail)
    modified = path.stat().st_mtime_ns
    for number in range(900):
        last = journal.append(note(number))
        if number % 3 == 0:
            assert journal.wait_durable(last, PATIENCE)
            journal.look(NOW)
    assert journal.wait_durable(journal.append(note("last")), PATIENCE)
    assert path.stat().st_mtime_ns > modified  # the log was brought into the file meanwhile


def test_a_journal_that_was_only_touched_goes_on(journal: Journal, path: Path, note: Note) -> None:
    path.touch()
    assert noticed(journal, note) == ""
    assert journal.failed is None


def wait_until_it_fails(journal: Journal) -> None:
    """Let the journal's thread find out what has happened to the file."""
    end = time.monotonic() + PATIENCE
    while journal.failed is None and time.monotonic() < end:
        time.sleep(0.01)


@pytest.mark.parametrize("between", [0, 1])
def test_a_journal_that_was_overwritten_is_not_written_to(
    journal: Journal, path: Path, note: Note, between: int
) -> None:
    path.write_bytes(b"sand " * 5000)
    for number in range(between):
        assert journal.wait_durable(journal.append(note(number)), PATIENCE)
    journal.look(NOW)
    seq = journal.append(note("after"))
    said: list[Statement | None] = []
    journal.on_failed(said.append)
    journal.retry()
    wait_until_it_fails(journal)
    assert str(journal.failed) == f"the journal {path} is no longer the file that was opened: restart gnomond"
    assert not journal.wait_durable(seq, 0)
    with pytest.raises(JournalError, match="1 writes are lost"):
        journal.close()


def test_an_overwritten_journal_that_is_taken_away_is_not_begun_anew_in_silence(
    journal: Journal, path: Path, start: GameStart, note: Note
) -> None:
    path.write_bytes(b"sand " * 5000)
    journal.look(NOW)
    journal.append(note("after"))
    wait_until_it_fails(journal)
    path.unlink()
    journal.begin(start)  # with which a new file would take everything that follows
    journal.retry()
    with pytest.raises(JournalError, match=r"2 writes are lost: .* is no longer the file that was opened"):
        journal.close()
    assert not path.exists()


def test_a_journal_that_goes_while_the_disk_fails_is_not_begun_anew_in_silence(
    journal: Journal, path: Path, note: Note, tmp_path: Path
) -> None:
    journal._file.let_go()
    shutil.move(path, tmp_path / "away")
    journal.append(note("after"))
    journal.retry()
    with pytest.raises(JournalError, match=r"1 writes are lost: .* is no longer the file that was opened"):
        journal.close()
    assert not path.exists()
