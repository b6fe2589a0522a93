"""The tests of opening a hall's database: of its version, of another program, of another machine."""

import sqlite3
import sys
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import pytest
from click.testing import CliRunner

from gnomon.cli.hall_commands.hall import hall as hall_command
from gnomon.hall.messaging.messages import Status
from gnomon.hall.store import _schema as schema
from gnomon.hall.store import backend
from gnomon.hall.store.archive import BoardArchive
from gnomon.hall.store.database import Database, StoreError, TakenError, with_hall
from gnomon.hall.store.records import Key, RecordStore, WriteBatch
from gnomon.hall.store.requests import open_requests
from gnomon.records.journal.writer import Journal
from tests.hall.hall_databases import Reopen
from tests.hall.servers import PostgreSql
from tests.hall.test_store import WISH
from tests.hall.told import span

HERE = Status("t01", online=True, epoch="e1", session="s1", boot="boot", kind="tamsk", games=("tamsk",))


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


def columns(database: Database) -> dict[str, list[tuple[str, bool]]]:
    """The columns of every table of a hall, each with whether it holds numbers."""
    with database.read_transaction() as session:
        if not database.is_server:
            names = [name for (name,) in session.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
            return {
                name: [(row[1], row[2] == "BIGINT") for row in session.rows(f"PRAGMA table_info({name})")]
                for name in names
            }
        found: dict[str, list[tuple[str, bool]]] = {}
        for table, column, kind in session.rows(
            "SELECT table_name, column_name, data_type FROM information_schema.columns"
            " WHERE table_schema = 'public' ORDER BY table_name, ordinal_position"
        ):
            found.setdefault(table, []).append((column, kind == "bigint"))
    return {table: told for table, told in found.items() if not table.startswith("hall_records_")}


def keys(database: Database) -> dict[str, tuple[str, ...]]:
    """The columns of the primary key of every table, in order; there is no other unique key."""
    with database.read_transaction() as session:
        if not database.is_server:
            return {
                table: tuple(
                    row[1] for row in sorted(session.rows(f"PRAGMA table_info({table})"), key=itemgetter(5)) if row[5]
                )
                for table in columns(database)
            }
        rows = session.rows(
            "SELECT indrelid::regclass::text, pg_get_indexdef(indexrelid, at, true)"
            " FROM pg_index, generate_series(1, indnkeyatts) at"
            " WHERE indisunique AND starts_with(indrelid::regclass::text, 'hall_') ORDER BY 1, at"
        )
    return {table: tuple(column for _, column in each) for table, each in groupby(rows, key=itemgetter(0))}


def fill(database: Database, table: str, told: list[tuple[str, bool]]) -> tuple[object, ...]:
    """A row of values that stand nowhere else."""
    row = tuple(at if is_number else f"{table}-{name}" for at, (name, is_number) in enumerate(told, start=7))
    names = ", ".join(name for name, _ in told)
    with database.write_transaction() as session:
        session.run(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608 - names of the schema
    return row


@pytest.mark.parametrize("version", [1, 3, 5])
def test_everything_of_an_existing_hall_is_there_in_the_next_version(
    reopen_alone: Reopen, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:version])
        before = reopen_alone()
        tables = {table: told for table, told in columns(before).items() if table != "hall_schema"}
        rows = {table: fill(before, table, told) for table, told in tables.items()}
    database = reopen_alone()
    assert len(tables) >= 11
    with database.read_transaction() as session:
        for table, told in tables.items():
            names = ", ".join(name for name, _ in told)
            there = session.rows(f"SELECT {names}, hall FROM {table}")  # noqa: S608 - names of the schema
            assert there == [(*rows[table], "")], table
    assert columns(database).keys() > tables.keys()
    assert {kept.board for kept in map(Key._make, RecordStore(database).marks())} == {"hall_epochs-board"}


def test_the_records_of_an_existing_hall_are_parted_and_none_is_lost(
    postgresql: PostgreSql, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = postgresql.new_database()
    with monkeypatch.context() as earlier:
        earlier.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:3])
        before = backend.open_database(where)
        add = (
            "INSERT INTO hall_records (board, epoch, seq, game, kind, at_us, cause, body, boot, wall, what)"
            " VALUES (?, 'e1', ?, 1, 'raw', 0, NULL, '{}', 'boot', '', '')"
        )
        with before.write_transaction() as session:
            for number in range(800):
                session.run(add, (f"t{number % 40:02}", number // 40 + 1))
        before.close()
    database = backend.open_database(where)
    with database.read_transaction() as session:
        parts = session.rows("SELECT tableoid::regclass::text, count(*) FROM hall_records GROUP BY 1")
    assert (len(parts) > 10, sum(count for _, count in parts)) == (True, 800)
    database.close()


def test_every_key_begins_with_the_hall_and_in_a_boards_table_goes_on_with_the_board(reopen: Reopen) -> None:
    """So that rows can be kept apart by hall or by board: in partitions, or on machines (Citus)."""
    database = reopen()
    told = keys(database)
    of_halls = {table: key for table, key in told.items() if table != "hall_schema"}
    assert len(of_halls) >= 15
    assert {key[0] for key in of_halls.values()} == {"hall"}
    of_boards = {table for table, told in columns(database).items() if "board" in dict(told)}
    assert {"hall_records", "hall_requests", "hall_epochs"} <= of_boards
    assert {of_halls[table][1] for table in of_boards} == {"board"}


def test_halls_of_one_database_see_nothing_of_each_other(tmp_path: Path, hall_url: str) -> None:
    for where in (str(tmp_path / "hall.db"), hall_url):
        one = backend.open_database(where)
        other = one.within("other")
        RecordStore(one).save(WriteBatch((span("t01", 1, 20),), boards=(HERE,), wishes=(WISH,), refused={"crowd": 2}))
        told = RecordStore(other).save(WriteBatch((span("t01", 1, 3),), refused={"crowd": 5}))
        assert (told.added, told.conflicts, told.marks) == (3, (), {Key("t01", "e1"): 3})
        for database, last, refused in ((one, 20, 2), (other, 3, 5)):
            assert RecordStore(database).marks() == {Key("t01", "e1"): last}
            assert len(BoardArchive(database, "t01").read(1)) == last
            assert RecordStore(database).refusal_counts()["crowd"] == refused
        assert (RecordStore(one).boards(), RecordStore(other).boards()) == (["t01"], [])
        assert (len(open_requests(one)), open_requests(other)) == (1, [])
        assert BoardArchive(one, "t01@other").read(1) == BoardArchive(other, "t01").read(1)
        one.close()


def test_an_address_may_name_a_hall_of_its_database(tmp_path: Path) -> None:
    assert backend.split_address("postgresql://localhost/gnomon#north") == ("postgresql://localhost/gnomon", "north")
    assert backend.split_address(f"{tmp_path}/#1/hall.db") == (f"{tmp_path}/#1/hall.db", "")
    database = backend.open_database(f"{tmp_path}/hall.db#north")
    assert (database.hall, database.name) == ("north", f"{tmp_path}/hall.db")
    database.close()
    with pytest.raises(StoreError, match="North"):
        backend.open_database(f"{tmp_path}/hall.db#North")


def test_the_hall_of_a_database_may_be_given_a_name(reopen_alone: Reopen) -> None:
    before = reopen_alone().within("")
    RecordStore(before).save(WriteBatch((span("t01", 1, 5),), boards=(HERE,), wishes=(WISH,)))
    named = before.within("north")
    assert schema.name_hall(named) == 1
    assert RecordStore(before).marks() == {}
    assert RecordStore(named).marks() == {Key("t01", "e1"): 5}
    assert open_requests(named) == [WISH], "and its tournaments are still its own"
    RecordStore(before).save(WriteBatch((span("t02", 1, 5),)))
    with pytest.raises(StoreError, match="north has something in this database already"):
        schema.name_hall(named)
    with pytest.raises(StoreError, match="names no hall"):
        schema.name_hall(before)


def test_a_command_gives_it_the_name(tmp_path: Path) -> None:
    where = f"{tmp_path}/hall.db"
    before = backend.open_database(where)
    RecordStore(before).save(WriteBatch(boards=(HERE,)))
    before.close()
    told = CliRunner().invoke(hall_command, ["name", f"{where}#north"])
    assert (told.exit_code, told.output.count(f"{where}#north")) == (0, 1)
    assert "north now, and 1 board is in it" in told.output
    for address in (f"{where}#north", f"{where}#North", where, f"{tmp_path}/other.db#north"):
        assert CliRunner().invoke(hall_command, ["name", address]).exit_code


def test_everything_that_a_hall_keeps_is_named_with_it(database: Database) -> None:
    of_halls = {table for table, told in columns(database).items() if "hall" in dict(told)}
    assert of_halls == set(schema.HALLS_TABLES)


def test_a_statement_has_the_hall_wherever_it_names_it() -> None:
    plain, values = with_hall("a = :hall AND b = ? AND c = :hall AND d = :halls", (1,), "north")
    assert (plain, values) == ("a = ? AND b = ? AND c = ? AND d = :halls", ["north", 1, "north"])


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


def test_a_database_of_a_later_version_is_refused(reopen_alone: Reopen) -> None:
    with reopen_alone().write_transaction() as session:
        session.run("INSERT INTO hall_schema (version) VALUES (99)")
    with pytest.raises(StoreError, match=r"has version 99 and this Gnomon knows up to \d+: update Gnomon"):
        reopen_alone()


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
    add = "INSERT INTO hall_tournaments (hall, id, number, plan) VALUES (:hall, 'one', 1, '{}')"
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
        with pytest.raises(StoreError, match="another program is using it"), database.write_transaction():
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
