"""The tests of opening a hall's database: of its version, of another program, of another machine."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from gnomon.hall.store import _schema as schema
from gnomon.hall.store import backend
from gnomon.hall.store.archive import BoardArchive
from gnomon.hall.store.database import Database, StoreError, TakenError
from gnomon.hall.store.records import Key, RecordStore, WriteBatch
from gnomon.hall.store.requests import open_requests
from gnomon.records.journal import Journal
from tests.hall.hall_databases import Reopen
from tests.hall.servers import PostgreSql
from tests.hall.test_store import WISH
from tests.hall.told import span


def test_an_older_database_gets_what_it_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = str(tmp_path / "hall.db")
    with monkeypatch.context() as earlier:
        earlier.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:1])
        backend.open_database(where).close()
    added = (*schema.MIGRATIONS, ("CREATE TABLE hall_later (number BIGINT)",))
    monkeypatch.setattr(schema, "MIGRATIONS", added)
    for _ in range(2):
        database = backend.open_database(where)
        with database.read_transaction() as session:
            assert session.rows("SELECT count(*) FROM hall_later") == [(0,)]
        database.close()


def test_the_records_of_an_existing_hall_are_parted_and_none_is_lost(
    postgresql: PostgreSql, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = postgresql.new_database()
    with monkeypatch.context() as earlier:
        earlier.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:3])
        before = backend.open_database(where)
        told = [span(f"t{number:02}", 1, 20) for number in range(40)]
        RecordStore(before).save(WriteBatch(tuple(told), wishes=(WISH,)))
        before.close()
    database = backend.open_database(where)
    for each in told:
        assert BoardArchive(database, each.board).read(1) == list(each.records)
    store = RecordStore(database)
    assert store.save(WriteBatch((span("t07", 19, 25),))).marks == {Key("t07", "e1"): 25}
    assert [wish.request.id for wish in open_requests(database)] == [WISH.request.id]
    with database.read_transaction() as session:
        parts = session.rows("SELECT tableoid::regclass::text, count(*) FROM hall_records GROUP BY 1")
    assert (len(parts) > 10, sum(count for _, count in parts)) == (True, 805)
    database.close()


def test_every_unique_key_of_a_boards_table_begins_with_the_board(postgresql: PostgreSql) -> None:
    """So that rows can be kept apart by board: in partitions, or on machines (Citus)."""
    database = backend.open_database(postgresql.new_database())
    with database.read_transaction() as session:
        keys: dict[str, str] = dict(
            session.rows(
                "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid, 1, true) FROM pg_index i"
                " WHERE indisunique AND EXISTS (SELECT 1 FROM pg_attribute a"
                " WHERE a.attrelid = i.indrelid AND a.attname = 'board')"
            )
        )
    database.close()
    assert {"hall_records_pkey", "hall_requests_pkey", "hall_epochs_pkey"} <= set(keys)
    assert set(keys.values()) == {"board"}


def test_nothing_is_said_for_a_session_and_nothing_is_prepared_in_one(postgresql: PostgreSql) -> None:
    database = backend.open_database(postgresql.new_database())
    settings = "SELECT current_setting('statement_timeout'), current_setting('synchronous_commit')"
    for _ in range(12):
        with database.write_transaction() as session:
            assert session.rows(settings) == [("30s", "on")]
    with database.read_transaction() as session:
        assert session.rows("SELECT count(*) FROM pg_prepared_statements") == [(0,)]
        assert session.rows(
            "SELECT DISTINCT source FROM pg_settings WHERE name IN ('statement_timeout', 'synchronous_commit')"
        ) == [("session",)], "set for the transaction"
        assert session.rows("SELECT setting FROM pg_settings WHERE name = 'transaction_isolation'") == [
            ("read committed",)
        ]
    database.close()


def test_a_database_of_a_later_version_is_refused(reopen: Reopen) -> None:
    with reopen().write_transaction() as session:
        session.run("INSERT INTO hall_schema (version) VALUES (99)")
    with pytest.raises(StoreError, match=r"has version 99 and this Gnomon knows up to \d+: update Gnomon"):
        reopen()


def test_two_programs_that_open_a_new_database_at_once_do_no_harm(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals = iter((True, False))

    class Raced:
        """A database in which another program does the same step a moment earlier."""

        name = database.name

        def write_transaction(self) -> object:
            if next(refusals):
                message = "the version stands there already"
                raise TakenError(message)
            return database.write_transaction()

    schema.migrate(Raced())  # type: ignore[arg-type]  # as much of a database as is needed
    monkeypatch.setattr(Raced, "write_transaction", lambda _: (_ for _ in ()).throw(TakenError("always")))
    with pytest.raises(TakenError):
        schema.migrate(Raced())  # type: ignore[arg-type]  # likewise


def test_a_row_that_may_be_there_once_is_taken(database: Database) -> None:
    add = "INSERT INTO hall_tournaments (id, number, plan) VALUES ('one', 1, '{}')"
    with database.write_transaction() as session:
        session.run(add)
    with pytest.raises(TakenError), database.write_transaction() as session:
        session.run(add)
    assert RecordStore(database).marks() == {}


def test_a_journal_is_no_database_of_a_hall(tmp_path: Path) -> None:
    Journal.open(tmp_path / "journal").close()
    with pytest.raises(StoreError, match="is a database of another program, not a hall's: name another file"):
        backend.open_database(str(tmp_path / "journal"))


def test_what_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Anna, " * 100, encoding="utf-8")
    with pytest.raises(StoreError, match=r"letter\.txt cannot be used: it is not a database, or damaged"):
        backend.open_database(str(tmp_path / "letter.txt"))


def test_a_file_that_another_program_holds_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gnomon.hall.store._sqlite.PATIENCE", 0.0)
    where = tmp_path / "hall.db"
    database = backend.open_database(str(where))
    with closing(sqlite3.connect(where, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another program holds it"), database.write_transaction():
            pass
    database.close()


def test_a_server_that_is_not_there_is_named_without_its_password() -> None:
    with pytest.raises(StoreError, match=r"the database postgresql://127\.0\.0\.1:1/hall cannot be used: ") as caught:
        backend.open_database("postgresql://anna:secret@127.0.0.1:1/hall")
    assert "secret" not in str(caught.value)


def test_without_psycopg_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gnomon.hall.store._postgresql", None)
    with pytest.raises(StoreError, match=r"needs psycopg: install Gnomon with its extra, gnomon\[hall\]"):
        backend.open_database("postgres://127.0.0.1/hall")
