"""Define the interface of the hall's database, and pool its connections.

A database may hold several halls. The program that opens it names one, and `:hall` in a statement stands for it: every
table of a hall has a column `hall`, with which each of its keys begins.
"""

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import lru_cache
from typing import Any, Final, Generic, NamedTuple, Protocol, Self, TypeVar

from gnomon.refusals import Refusal

Value = str | int | float | bytes | None
Row = tuple[Any, ...]

KEPT: Final = 4
"""Idle connections that are kept: the hub's own, and those of the pages' threads."""


_HALL: Final = "hall"
_GAP: Final = re.compile(r"\?|:hall\b")
_SHAPES: Final = 1024
"""Statements whose form is remembered: there are some dozens, some of them with as many values as there are rows."""


class StoreError(Refusal):
    """The database cannot be opened, read or written; the statement names it, and nothing was kept."""


class TakenError(StoreError):
    """A row stands there already that may be there once only, or its owner does not: somebody else was quicker."""


class Insert(NamedTuple):
    """How rows go into a table: its columns, those that hold numbers, and what happens to a row that stands there.

    The hall comes before the columns, and is nobody's to tell.
    """

    table: str
    columns: tuple[str, ...]
    numbers: frozenset[str]
    conflict: str

    @classmethod
    def of(cls, table: str, columns: str, numbers: str, conflict: str) -> Self:
        """The same with the names of the columns written with spaces between."""
        return cls(table, tuple(columns.split()), frozenset(numbers.split()), conflict)

    @property
    def names(self) -> str:
        """The columns as a statement lists them, and the hall before them."""
        return ", ".join((_HALL, *self.columns))


@lru_cache(_SHAPES)
def _shape(statement: str) -> tuple[str, tuple[int, ...]]:
    gaps = _GAP.findall(statement)
    return _GAP.sub("?", statement), tuple(at for at, gap in enumerate(gaps) if gap != "?")


def with_hall(statement: str, values: Sequence["Value"], hall: str) -> tuple[str, Sequence["Value"]]:
    """The statement with a `?` for each `:hall` as well, and its values with the hall among them."""
    plain, places = _shape(statement)
    if not places:
        return plain, values
    filled = list(values)
    for at in places:
        filled.insert(at, hall)
    return plain, filled


class Transaction(Protocol):
    """A transaction in which statements run.

    They are in the common subset of SQLite and PostgreSQL, with `?` for a value and `:hall` for the hall.
    """

    @property
    def hall(self) -> str:
        """The hall that `:hall` stands for; empty for the one that was there before halls had names."""
        ...

    def within(self, hall: str) -> "Transaction":
        """The same transaction, in which `:hall` stands for another hall."""
        ...

    def run(self, statement: str, values: Sequence[Value] = ()) -> int:
        """Run a statement; how many rows it has changed."""
        ...

    def insert(self, into: Insert, rows: Sequence[Sequence[Value]]) -> int:
        """Put rows into a table, quickly; how many were put in or changed."""
        ...

    def rows(self, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        """Run a question; its rows."""
        ...

    def held_rows(self, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        """Run a question about one table; its rows, which no other program changes before the transaction ends."""
        ...

    def free_rows(self, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        """The same without the rows that another program holds just now."""
        ...


class Database(Protocol):
    """Where the hall keeps everything. Every method may be called from any thread."""

    @property
    def name(self) -> str:
        """What to call it in a sentence: a path, or an address without a password."""
        ...

    @property
    def is_server(self) -> bool:
        """Whether it is a server, whose tables may be larger than one file is."""
        ...

    @property
    def hall(self) -> str:
        """The hall whose rows are meant; empty for the one that was there before halls had names."""
        ...

    def within(self, hall: str) -> "Database":
        """The same database with the rows of another hall; it is closed with this one."""
        ...

    def write_transaction(self) -> AbstractContextManager[Transaction]:
        """A transaction that is durable when the block has ended, and undone when it fails. Raises StoreError."""
        ...

    def read_transaction(self) -> AbstractContextManager[Transaction]:
        """A transaction that only reads. Raises StoreError."""
        ...

    def close(self) -> None:
        """Let the connections go."""
        ...


class _Connection(Protocol):
    """What both drivers' connections can do."""

    def commit(self) -> None: ...

    def rollback(self) -> None: ...

    def close(self) -> None: ...


ConnectionT = TypeVar("ConnectionT", bound=_Connection)


class Pool(Generic[ConnectionT]):
    """Connections that are opened when they are needed, kept when they are idle, and let go when they have failed.

    What a connection knows after an error is not to be trusted: the next transaction opens another. A server that was
    started again has cut all of them, so where one has failed none of the idle ones is trusted either.
    """

    def __init__(
        self, connect: Callable[[], ConnectionT], check: Callable[[ConnectionT], object] | None = None
    ) -> None:
        """`check` raises for a connection that was cut while it was idle, None: none can be."""
        self._connect = connect
        self._check = check
        self._lock = threading.Lock()
        self._idle: list[ConnectionT] = []
        self._closed = False

    @contextmanager
    def borrow(self) -> Iterator[ConnectionT]:
        """A connection for one transaction, which is committed at the end and undone when the block raises."""
        connection = self._alive() or self._connect()
        try:
            yield connection
            connection.commit()
        except BaseException:
            with suppress(Exception):  # it has failed already, and is let go whatever it says
                connection.rollback()
            self._let_go(connection)
            raise
        self._give_back(connection)

    def close(self) -> None:
        """Let the idle connections go, and the others when they are given back."""
        with self._lock:
            self._closed = True
        self._let_idle_go()

    def _alive(self) -> ConnectionT | None:
        """An idle connection that works, None where there is none."""
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        if connection is not None and self._check is not None:
            try:
                self._check(connection)
            except Exception:  # noqa: BLE001 - whatever it is, a new connection says it again
                self._let_go(connection)
                self._let_idle_go()
                return None
        return connection

    def _let_idle_go(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            self._let_go(connection)

    def _give_back(self, connection: ConnectionT) -> None:
        with self._lock:
            if not self._closed and len(self._idle) < KEPT:
                self._idle.append(connection)
                return
        self._let_go(connection)

    def _let_go(self, connection: ConnectionT) -> None:
        with suppress(Exception):  # a broken connection may refuse even that
            connection.close()
