"""Connections to the hall's database: kept while they are good, and none of them after the server was started again."""

from contextlib import ExitStack

import psycopg
import pytest

from gnomon.hall.store._postgresql import PostgreSql
from gnomon.hall.store.database import KEPT, Pool, StoreError
from tests.hall.servers import PostgreSql as Server

_CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> %s"


class Wire:
    """A connection that can be cut."""

    is_cut = False
    is_closed = False

    def commit(self) -> None:
        self.check()

    def rollback(self) -> None:
        self.check()

    def close(self) -> None:
        self.is_closed = True

    def check(self) -> None:
        if self.is_cut:
            message = "the server has gone"
            raise OSError(message)


def taken_at_once(pool: Pool[Wire], count: int) -> list[Wire]:
    with ExitStack() as stack:
        return [stack.enter_context(pool.borrow()) for _ in range(count)]


def test_connections_that_were_cut_while_nobody_used_them_fail_nobody() -> None:
    pool = Pool(Wire, Wire.check)
    before = taken_at_once(pool, KEPT)
    for wire in before:
        wire.is_cut = True
    after = taken_at_once(pool, KEPT)
    assert not set(before) & set(after)
    assert all(wire.is_closed for wire in before)
    assert set(taken_at_once(pool, KEPT)) == set(after)


def test_a_server_that_was_started_anew_is_used_at_once(postgresql: Server) -> None:
    url = postgresql.new_database()
    database = PostgreSql(url)
    with ExitStack() as stack:
        for _ in range(KEPT):
            stack.enter_context(database.read_transaction()).rows("SELECT 1")
    with psycopg.connect(url) as other:
        other.execute(_CUT, (other.info.backend_pid,))
    for _ in range(KEPT):
        with database.read_transaction() as session:
            assert session.rows("SELECT 2") == [(2,)]
    with pytest.raises(StoreError), database.write_transaction() as session:
        session.run("SELECT nonsense")
    database.close()
