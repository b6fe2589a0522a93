"""Damage in a journal from before there were links: it is chained from where it stands, and known to a hundred."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gnomon.records.journal.entries import Entry, EntryKind
from gnomon.records.journal.rescue import open_or_rescue
from gnomon.records.journal.writer import Journal
from gnomon.timekeeping.instants import Instant
from tests.records.old_journals import old
from tests.records.test_damage import NOW


def test_an_older_journal_is_chained_from_where_it_stands(path: Path) -> None:
    old(path)
    with Journal.open(path) as journal:
        assert [record.entry.body["number"] for record in journal.read(1)] == list(range(250))
        assert journal.games()[0].ended == 249
        journal.append(Entry(1, EntryKind.NOTE, Instant(300), {}, "b", "w"))
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT seq FROM marks").fetchall() == [(100,), (200,), (250,)]
        assert connection.execute("SELECT seq FROM entries WHERE link IS NOT NULL").fetchall() == [(251,)]
    Journal.open(path).close()


@pytest.mark.parametrize(("entry", "among"), [(7, (1, 100)), (150, (101, 200)), (250, (201, 250))])
def test_in_what_is_older_than_the_links_the_place_is_known_to_a_hundred(
    path: Path, entry: int, among: tuple[int, int]
) -> None:
    old(path)
    Journal.open(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE entries SET at_us = at_us + 1 WHERE seq = ?", (entry,))
        connection.commit()
    journal, rescued = open_or_rescue(path, NOW)
    with journal:
        assert rescued is not None
        assert f"one of the entries {among[0]} to {among[1]} is not what was written" in rescued.statement.message
        assert journal.durable_seq == among[0] - 1


@pytest.mark.parametrize("page", range(2, 7))
def test_a_damaged_journal_of_an_older_version_goes_on_too(path: Path, page: int) -> None:
    old(path)
    data = bytearray(path.read_bytes())
    data[page * 4096 : page * 4096 + 200] = b"\xa5" * 200
    path.write_bytes(data)
    journal, rescued = open_or_rescue(path, NOW)
    with journal:
        assert rescued is not None
        assert [record.entry.body["number"] for record in journal.read(1)] == list(range(journal.durable_seq))
