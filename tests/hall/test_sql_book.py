"""The tests of a tournament's book in the hall's database."""

import pytest

from gnomon.hall.clock import wall
from gnomon.hall.rounds.event_log import Book, BookError
from gnomon.hall.rounds.event_log_rows import SqlBook
from tests.hall.book_contract import EVENTS, BookContract, OpenBook
from tests.hall.hall_databases import Reopen


class TestSqlBook(BookContract):
    @pytest.fixture
    def opened(self, reopen: Reopen) -> OpenBook:
        return lambda: SqlBook(reopen(), "evening", wall)

    def test_each_tournament_has_its_own_events(self, reopen: Reopen) -> None:
        book: Book = SqlBook(reopen(), "one", wall)
        book.extend(EVENTS, "Ada", after=0)
        assert SqlBook(reopen(), "other", wall).read() == ()

    def test_a_database_that_fails_is_named(self, reopen_alone: Reopen) -> None:
        database = reopen_alone()
        book = SqlBook(database, "one", wall)
        with database.write_transaction() as session:
            session.run("DROP TABLE hall_tournament_events")
        for act in (book.read, lambda: book.append(EVENTS[0], "Ada", after=0)):
            with pytest.raises(BookError, match=r"the database .* cannot be used"):
                act()
