"""The tests of opening a hall's database: of its version, of another program, of another machine."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from gnomon.hall.store import _schema as schema
from gnomon.hall.store import backend
from gnomon.hall.store.database import Database, StoreError, TakenError
from gnomon.hall.store.records import RecordStore
from gnomon.records.journal import Journal
from tests.hall.hall_databases import Reopen


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
