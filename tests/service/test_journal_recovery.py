"""A journal that may be damaged, as safe mode reads it: never written to, and what is wrong with it is said."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from gnomon.records.journal.entries import Entry, EntryKind, GameStart
from gnomon.records.journal.writer import Journal
from gnomon.timekeeping.instants import Instant
from gnomon_pi.tools.safe_mode import journal_recovery
from tests.records.test_damage import files

ASIDE = "tamsk.journal.damaged-20261120-093000"


def write(path: Path, games: int = 1) -> Path:
    """A whole journal with so many games."""
    with Journal.open(path) as journal:
        for number in range(1, games + 1):
            journal.begin(GameStart("tamsk", {"level": 1}, "assistant", Instant(0), "boot", "2026-11-20", "1", "tamsk"))
            journal.append(
                Entry(number, EntryKind.NOTE, Instant(0), {"note": "begun", "origin": 0}, "boot", "2026-11-20")
            )
    return path


def scratch(path: Path) -> bytes:
    """Damage a page of a database; what is in it then."""
    data = bytearray(path.read_bytes())
    data[4096:8192] = b"\xa5" * 4096
    path.write_bytes(data)
    return bytes(data)


def test_a_whole_journal_is_read_and_left_where_it_is(tmp_path: Path) -> None:
    path = write(tmp_path / "tamsk.journal", games=2)
    before = files(tmp_path)
    found = journal_recovery.look_at(path)
    assert (found.path, [game.id for game in found.games], found.remark) == (path, [1, 2], None)
    assert {name: data for name, data in files(tmp_path).items() if name in before} == before


def test_a_damaged_journal_is_left_where_it_is_and_what_is_wrong_is_said(tmp_path: Path) -> None:
    path = write(tmp_path / "tamsk.journal")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE entries SET at_us = 7")
        connection.commit()
    before = files(tmp_path)
    found = journal_recovery.look_at(path)
    assert found.path == path
    assert len(found.games) == 1
    assert str(found.remark) == (
        "The journal tamsk.journal is damaged: entry 1 is not what was written. "
        "When gnomond starts, it sets the file aside and uses everything before the damage."
    )
    assert {name: data for name, data in files(tmp_path).items() if name in before} == before


def test_what_never_was_a_journal_is_left_too(tmp_path: Path) -> None:
    path = tmp_path / "tamsk.journal"
    path.write_bytes(b"no database " * 100)
    found = journal_recovery.look_at(path)
    assert (found.path.read_bytes(), found.games) == (b"no database " * 100, ())
    assert "nothing in it can be read (file is not a database)" in str(found.remark)


def test_a_journal_that_has_gone_is_missed(tmp_path: Path) -> None:
    path = write(tmp_path / "tamsk.journal")
    path.unlink()
    assert journal_recovery.journals(tmp_path) == [path]
    assert "entry 1 is missing" in str(journal_recovery.look_at(path).remark)


def test_a_journal_in_use_is_left_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "tamsk.journal")
    with Journal.open(path):
        found = journal_recovery.look_at(path)
    assert (found.path, found.games) == (path, ())
    assert "is open in another process and was left alone" in str(found.remark)


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "tamsk.journal"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE shopping (what TEXT)")
    found = journal_recovery.look_at(path)
    assert (found.path, found.games) == (path, ())
    assert "is a database of another program" in str(found.remark)


def test_a_new_journal_without_tables_is_no_damage(tmp_path: Path) -> None:
    path = tmp_path / "tamsk.journal"
    path.touch()
    assert journal_recovery.look_at(path) == journal_recovery.FoundJournal(path, ())


def test_the_journals_of_a_folder_are_found_without_those_aside(tmp_path: Path) -> None:
    names: Sequence[str] = ("tayu.journal", "tamsk.journal", "tamsk.journal-wal", ASIDE)
    for name in names:
        (tmp_path / name).touch()
    assert journal_recovery.journals(tmp_path) == [tmp_path / "tamsk.journal", tmp_path / "tayu.journal"]
    assert journal_recovery.journals(tmp_path / "none") == []
