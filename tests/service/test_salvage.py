"""A journal that may be damaged: read when it is whole, moved aside whole when it is not, never deleted."""

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gnomon.records.entries import Entry, GameStart, Kind
from gnomon.records.journal import Journal
from gnomon.timekeeping.instants import Instant
from gnomon_pi.safe import salvage

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
ASIDE = "tamsk.journal.damaged-20261120-093000"


def write(path: Path, games: int = 1) -> Path:
    """A whole journal with so many games."""
    with Journal.open(path) as journal:
        for number in range(1, games + 1):
            journal.begin(GameStart("tamsk", {"level": 1}, "assistant", Instant(0), "boot", "2026-11-20", "1", "tamsk"))
            journal.append(Entry(number, Kind.NOTE, Instant(0), {"note": "begun", "origin": 0}, "boot", "2026-11-20"))
    return path


def files(folder: Path) -> dict[str, bytes]:
    """Everything in a folder but locks and what SQLite shares between its readers."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith(("-lock", "-shm"))}


def scratch(path: Path) -> bytes:
    """Damage a page of a database; what is in it then."""
    data = bytearray(path.read_bytes())
    data[4096:8192] = b"\xa5" * 4096
    path.write_bytes(data)
    return bytes(data)


def test_a_whole_journal_is_read_and_left_where_it_is(tmp_path: Path) -> None:
    path = write(tmp_path / "tamsk.journal", games=2)
    before = files(tmp_path)
    found = salvage.look_at(path, NOW)
    assert (found.path, [game.id for game in found.games], found.remark) == (path, [1, 2], "")
    assert {name: data for name, data in files(tmp_path).items() if name in before} == before


def test_a_damaged_journal_is_moved_aside_with_all_that_belongs_to_it(tmp_path: Path) -> None:
    path = write(tmp_path / "tamsk.journal")
    damaged = scratch(path)
    (tmp_path / "tamsk.journal-wal").write_bytes(b"what was not yet in the file")
    found = salvage.look_at(path, NOW)
    assert found.path == tmp_path / ASIDE
    assert "it was moved aside" in found.remark
    there = files(tmp_path)
    assert (there[ASIDE], there[f"{ASIDE}-wal"]) == (damaged, b"what was not yet in the file")
    assert not path.exists()
    with Journal.open(path) as fresh:
        assert fresh.games() == []


def test_what_never_was_a_journal_is_kept_too(tmp_path: Path) -> None:
    path = tmp_path / "tamsk.journal"
    path.write_bytes(b"no database " * 100)
    found = salvage.look_at(path, NOW)
    assert (found.path.read_bytes(), found.games) == (b"no database " * 100, ())
    assert "it was moved aside, unread, to" in found.remark


def test_a_second_one_in_the_same_second_gets_a_name_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "tamsk.journal"
    for content in (b"first " * 200, b"second " * 200):
        path.write_bytes(content)
        salvage.look_at(path, NOW)
    assert files(tmp_path) == {ASIDE: b"first " * 200, f"{ASIDE}-2": b"second " * 200}


@pytest.mark.parametrize("allowed", [0, 1])
def test_where_files_cannot_have_two_names_they_are_renamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, allowed: int
) -> None:
    path = tmp_path / "tamsk.journal"
    path.write_bytes(b"no database " * 100)
    (tmp_path / "tamsk.journal-wal").write_bytes(b"log")
    link, calls = os.link, iter(range(9))

    def refuse(old: Path, new: Path) -> None:
        if next(calls) >= allowed:
            raise PermissionError(1, "Operation not permitted")
        link(old, new)

    monkeypatch.setattr(os, "link", refuse)
    salvage.look_at(path, NOW)
    assert files(tmp_path) == {ASIDE: b"no database " * 100, f"{ASIDE}-wal": b"log"}


def test_one_that_cannot_be_moved_stays_and_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_names: Path) -> None:
        raise OSError(30, "Read-only file system")

    path = tmp_path / "tamsk.journal"
    path.write_bytes(b"no database " * 100)
    monkeypatch.setattr(os, "link", refuse)
    found = salvage.look_at(path, NOW)
    assert found.remark.endswith("cannot be moved aside: Read-only file system.")
    assert path.exists()


def test_a_journal_in_use_is_left_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "tamsk.journal")
    with Journal.open(path):
        found = salvage.look_at(path, NOW)
    assert (found.path, found.games) == (path, ())
    assert "is open in another process and was left alone" in found.remark


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "tamsk.journal"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE shopping (what TEXT)")
    found = salvage.look_at(path, NOW)
    assert (found.path, found.games) == (path, ())
    assert "is a database of another program" in found.remark


def test_a_new_journal_without_tables_is_no_damage(tmp_path: Path) -> None:
    path = tmp_path / "tamsk.journal"
    path.touch()
    assert salvage.look_at(path, NOW) == salvage.Found(path, ())


def test_the_journals_of_a_folder_are_found_without_those_aside(tmp_path: Path) -> None:
    names: Sequence[str] = ("tayu.journal", "tamsk.journal", "tamsk.journal-wal", ASIDE)
    for name in names:
        (tmp_path / name).touch()
    assert salvage.journals(tmp_path) == [tmp_path / "tamsk.journal", tmp_path / "tayu.journal"]
    assert salvage.journals(tmp_path / "none") == []
