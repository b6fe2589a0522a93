"""Who played is written down with the game, and on every sheet that is made of it."""

import sqlite3
from contextlib import closing
from pathlib import Path

from gnomon.records.bundles import bundle, read_bundle
from gnomon.records.formats.sgf_sheets import read_sgf, sgf_text
from gnomon.records.imports import import_trace
from gnomon.records.journal import store
from gnomon.records.journal.entries import Entry, EntryKind, GameStart
from gnomon.records.journal.writer import Journal
from gnomon.records.transcripts import transcript
from gnomon.timekeeping.instants import Instant
from gnomon_pi.runtime.recovery import fold

NAMES = {"red": "Ada Lovelace", "black": "Грейс"}
START = GameStart("tamsk", {}, "silent", Instant(0), "boot", "2026-11-20T10:00:00+00:00", "1", players=NAMES)
BEGUN = Entry(1, EntryKind.NOTE, Instant(0), {"note": "begun", "origin_us": 0}, "boot", "then")


def test_people_are_read_back_from_journal_bundle_and_sheets(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal") as journal:
        number = journal.begin(START)
        assert journal.wait_durable(journal.append(BEGUN), 5)
        (stored,) = journal.games()
        records = journal.read(number)
    assert stored.start == START
    assert dict(fold(stored, records).live_game.game.people) == NAMES
    made = bundle(stored, records)
    sheet = transcript(made.trace)
    assert dict(sheet.players) == NAMES
    assert dict(read_sgf(sgf_text(sheet).encode())[0].players) == NAMES
    again = read_bundle(line.encode() for line in made.lines())
    with Journal.open(tmp_path / "other") as journal:
        import_trace(again.trace, journal)
        journal.wait_durable(1, 5)
        assert journal.games()[0].start.players == NAMES


def test_a_journal_from_before_there_were_names_has_games_of_nobody(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        for statement in (*store.MIGRATIONS[0], *store.MIGRATIONS[1]):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {store.APPLICATION}")
        connection.execute("PRAGMA user_version = 2")
        connection.execute("INSERT INTO games VALUES (1, 'table', '{}', 'silent', 7, 'b', 'w', '1', NULL, 'tabik')")
    with Journal.open(path) as journal:
        (stored,) = journal.games()
    assert (stored.start.game, stored.start.players, stored.ended) == ("tabik", {}, None)
