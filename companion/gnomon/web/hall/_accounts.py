"""Keep people, sessions, tokens and codes of a hall in its database, so that all processes with pages share them.

A person who signs in at one process is known to all, and all know it when they sign out or are removed. The tables are
those of `gnomon.web.access.store`, in a schema of their own for each hall; each transaction names it for itself, since
a pool may stand between. Only hashes of sessions and tokens are kept there, too.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from gnomon.hall.clock import monotonic_now
from gnomon.hall.store.database import Database, StoreError, TakenError, Transaction
from gnomon.refusals import Statement, statement
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from gnomon.web.access.store import (
    VERSION,
    AccountConflictError,
    AccountsAwayError,
    AccountStore,
    AccountTransaction,
    table_definitions,
)

_TYPES: Final = ((" STRICT", ""), ("INTEGER", "BIGINT"), ("BLOB", "BYTEA"), ("REAL", "DOUBLE PRECISION"))
"""SQLite's words, and the server's."""
AWAY: Final = Duration(2 * SECOND)
"""For so long nobody waits for a database again that has not answered: every page waits with who asks."""


def open_accounts(database: Database, now: Callable[[], Instant] = monotonic_now) -> AccountStore:
    """The people of a hall in the database of a server. Raises StoreError."""
    schema = f"gnomon-people-{database.hall}" if database.hall else "gnomon-people"
    for last in (False, True):
        try:
            with database.write_transaction() as session:
                session.run(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
                _enter(session, schema)
                _make_tables(session)
        except TakenError:
            if last:  # or another process did the same a moment earlier
                raise
        else:
            break
    return AccountStore(_SchemaTables(database, schema, now))


def _enter(session: Transaction, schema: str) -> None:
    session.rows("SELECT set_config('search_path', ?, true)", (f'"{schema}"',))


def _make_tables(session: Transaction) -> None:
    session.run("CREATE TABLE IF NOT EXISTS version (number BIGINT PRIMARY KEY)")
    ((found,),) = session.rows("SELECT coalesce(max(number), 0) FROM version")
    if found > VERSION:
        raise StoreError(statement("access.store.newer", version=found, known=VERSION))
    for definition in table_definitions(only_later=found == VERSION):
        for ours, theirs in _TYPES:
            definition = definition.replace(ours, theirs)  # noqa: PLW2901 - one word after the other
        session.run(definition)
    if found != VERSION:
        session.run("INSERT INTO version (number) VALUES (?)", (VERSION,))


class _SchemaTables:
    """The tables in a schema of the database."""

    def __init__(self, database: Database, schema: str, now: Callable[[], Instant]) -> None:
        self._database = database
        self._schema = schema
        self._now = now
        self._failed: tuple[Instant, Statement] | None = None

    @contextmanager
    def transaction(self) -> Iterator[AccountTransaction]:
        """All of it or nothing, when nobody else writes."""
        with self.question() as session:
            session.run("LOCK TABLE person IN EXCLUSIVE MODE")
            yield session

    @contextmanager
    def question(self) -> Iterator[AccountTransaction]:
        """One question, which waits for nobody."""
        if self._failed is not None and self._now() - self._failed[0] < AWAY:
            raise AccountsAwayError(self._failed[1])
        try:
            with self._database.write_transaction() as session:
                _enter(session, self._schema)
                yield session
        except TakenError as error:
            raise AccountConflictError(str(error)) from error
        except StoreError as error:
            self._failed = self._now(), error.statement
            raise AccountsAwayError(error) from error
        self._failed = None

    def close(self) -> None:
        """The database is the hall's to close."""
