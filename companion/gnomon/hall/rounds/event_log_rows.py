"""Keep a tournament's event log as rows of the hall's database."""

from collections.abc import Sequence
from typing import Final

from gnomon.hall.clock import Wall, timestamp
from gnomon.hall.rounds.event_log import (
    Book,
    BookAwayError,
    BookError,
    Leaf,
    Telling,
)
from gnomon.hall.store.database import Database, StoreError, TakenError, Transaction
from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.codec import LoggedEvent, told_of, told_text
from gnomon.tournament.events import Event

_ADD: Final = "INSERT INTO hall_tournament_events (hall, tournament, number, told) VALUES (:hall, ?, ?, ?)"
_SINCE: Final = (
    "SELECT told FROM hall_tournament_events WHERE hall = :hall AND tournament = ? AND number > ? ORDER BY number"
)


class SqlBook(Book):
    """A tournament's events as rows of a database; several programs may use it at once, and threads too."""

    def __init__(self, database: Database, tournament: str, wall: Wall) -> None:
        """`tournament` is its name in the database."""
        self.database = database
        self.name = tournament
        self._wall = wall
        self._leaf = Leaf()

    def extend(self, events: Sequence[Event], who: str, why: str = "", *, after: int) -> Sequence[LoggedEvent]:
        """Keep several events, or none of them. Raises BookError, StaleError and TournamentError."""
        telling = Telling(self.name, timestamp(self._wall()), who, why)
        for last in (False, True):
            try:
                leaf = self._write(events, telling, after)
            except TakenError as error:
                # Somebody else was quicker by a moment: what they told stands there now, and makes this one stale.
                if last:
                    raise BookError(error) from error
            except StoreError as error:
                raise BookAwayError(error) from error
            else:
                self._leaf = leaf
                return leaf.told[after:]
        raise AssertionError

    def _write(self, events: Sequence[Event], telling: Telling, after: int) -> Leaf:
        with self.database.write_transaction() as session:
            leaf = self._read_on(session).told_more(events, telling, after)
            for told in leaf.told[after:]:
                session.run(_ADD, (self.name, told.number, told_text(told)))
        return leaf

    def _read(self) -> Leaf:
        try:
            with self.database.read_transaction() as session:
                leaf = self._leaf = self._read_on(session)
        except StoreError as error:
            raise BookAwayError(error) from error
        return leaf

    def _read_on(self, session: Transaction) -> Leaf:
        """What the database holds, of which only what is new is read."""
        leaf = self._leaf
        rows = session.rows(_SINCE, (self.name, leaf.last))
        try:
            return leaf.read_on([told_of(text) for (text,) in rows]) if rows else leaf
        except TournamentError as error:
            raise BookError(statement("hall.book.wrong", file=self.name, cause=error.statement)) from error
