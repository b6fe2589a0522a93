"""Rows that SQLite cannot find any more: what stands in the pages goes on, whichever of them is damaged."""

import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gnomon.records.journal._raw_rows import recover
from gnomon.records.journal.entries import Entry, EntryKind, GameStart
from gnomon.records.journal.rescue import Rescue, open_or_rescue
from gnomon.records.journal.store import JournalError
from gnomon.records.journal.writer import Journal
from gnomon.timekeeping.instants import Instant
from tests.records.old_journals import old

NOW = datetime(2026, 11, 23, 9, 30, tzinfo=UTC)
PAGE = 4096
ENTRIES = 300
LEAF = 13
"""The kind of a page that has rows of a table."""

Bodies = Mapping[int, object]


def body(number: int) -> dict[str, object]:
    """One of every hundred is longer than a page, and one longer than two."""
    return {"number": number, "text": "é" * {40: 1700, 90: 3000}.get(number % 100, number % 7)}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of three games, the first of which is from before there were links."""
    path = tmp_path_factory.mktemp("written") / "journal.db"
    old(path, 130)
    with Journal.open(path) as journal:
        for game in (2, 3):
            journal.begin(GameStart("tabik", {"level": game}, "silent", Instant(-5), "boot", "then", "1", players={}))
        for number in range(130, ENTRIES):
            journal.append(Entry(2 + number % 2, EntryKind.RAW, Instant(number << 20), body(number), "boot", "then"))
        journal.wait_durable(
            journal.end(Entry(2, EntryKind.RULING, Instant(9), body(ENTRIES), "boot", "then", ENTRIES))
        )
        journal.acknowledge(17)
    return path


def marks_of(path: Path) -> list[bytes]:
    with closing(sqlite3.connect(path)) as connection:
        return [link for (link,) in connection.execute("SELECT link FROM marks ORDER BY seq DESC")]


def numbers(journal: Journal) -> list[object]:
    records = journal.records_after(0, 1000).records
    assert [record.seq for record in records] == list(range(1, len(records) + 1))
    return [record.entry.body["number"] for record in records]


def without(path: Path, page: int, folder: Path) -> tuple[list[object], Rescue]:
    """What goes on when a page is lost."""
    shutil.copytree(path.parent, folder)
    with (folder / path.name).open("r+b") as file:
        file.seek(page * PAGE)
        file.write(bytes(PAGE))
    journal, rescued = open_or_rescue(folder / path.name, NOW)
    with journal:
        assert rescued is not None
        return numbers(journal), rescued


def test_no_page_but_those_with_rows_takes_anything_away(written: Path, tmp_path: Path) -> None:
    data = written.read_bytes()
    beside = [at // PAGE for at in range(PAGE, len(data), PAGE) if data[at] in {2, 5, 10}]
    beside += [data.index(found) // PAGE for found in marks_of(written)[:1]]
    assert len(beside) > 2  # what leads to the leaves, the index, and the marks
    for page in (0, *beside):
        kept, rescued = without(written, page, tmp_path / f"without-{page}")
        assert kept == list(range(ENTRIES + 1)), page
        assert rescued.statement.message.startswith(
            f"The journal {rescued.path} is damaged: every entry is there, but some of the data beside them is not"
        )
        assert "; nothing is lost, and the damaged file is kept as journal.db.damaged-" in rescued.statement.message


def test_the_first_page_is_not_needed_for_what_a_hall_knows(written: Path, tmp_path: Path) -> None:
    with Journal.open(shutil.copytree(written.parent, tmp_path / "whole") / written.name) as journal:
        before = (journal.epoch, journal.acknowledged, journal.games())
    without(written, 0, tmp_path / "harmed")
    with Journal.open(tmp_path / "harmed" / written.name) as journal:
        assert (journal.epoch, journal.acknowledged, journal.games()) == before


def test_a_page_with_rows_takes_away_what_stands_behind_it(written: Path, tmp_path: Path) -> None:
    data = written.read_bytes()
    leaves = {at // PAGE: data[at : at + PAGE].split(b'"number":')[1:] for at in range(0, len(data), PAGE)}
    pages = {page: rows for page, rows in leaves.items() if rows and data[page * PAGE] == LEAF}
    assert len(pages) > 5
    for page, rows in pages.items():
        first = min(int(row.replace(b"}", b",").split(b",")[0]) for row in rows)
        kept, rescued = without(written, page, tmp_path / f"without-{page}")
        assert kept == list(range(first - first % 100 if first < 130 else first)), page
        assert len(kept) < rescued.damage.first <= first + 1


def test_a_disk_that_has_no_room_for_a_rescue_is_left_as_it_was(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(*_: object) -> int:
        message = "database or disk is full"
        raise sqlite3.OperationalError(message)

    shutil.copytree(written.parent, tmp_path / "harmed")
    path = tmp_path / "harmed" / written.name
    path.write_bytes(bytes(PAGE) + path.read_bytes()[PAGE:])
    before = {each.name: each.read_bytes() for each in path.parent.iterdir()}
    monkeypatch.setattr("gnomon.records.journal.rescue._copy", fill)
    with pytest.raises(JournalError, match="database or disk is full"):
        open_or_rescue(path, NOW)
    after = {each.name: each.read_bytes() for each in path.parent.iterdir()}
    assert {name: content for name, content in after.items() if not name.endswith("-shm")} == before
    monkeypatch.undo()
    journal, rescued = open_or_rescue(path, NOW)
    with journal:
        assert rescued is not None
        assert rescued.is_complete


def test_nothing_is_made_of_a_file_without_rows(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(bytes(range(256)) * 64)
    assert recover(tmp_path / "journal.db", tmp_path / "new") == 0
    assert not (tmp_path / "new").exists()


def test_a_row_that_was_altered_is_not_taken_for_one_that_was_written(written: Path, tmp_path: Path) -> None:
    data = bytearray(written.read_bytes())
    data[0:16] = bytes(16)
    place = data.index(b'"number":215')
    data[place + 9] = ord("3")
    (tmp_path / "journal.db").write_bytes(data)
    assert recover(tmp_path / "journal.db", tmp_path / "new") == 215
