"""Test what every book of a tournament must do, whatever it is stored in: derive from `BookContract`."""

from collections.abc import Callable

import pytest

from gnomon.hall.rounds.event_log import Book, StaleError
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import EntrantRegistered, Event, ResultEntered, RoundPublished, TournamentOpened
from gnomon.tournament.state.results import parse_result
from gnomon.tournament.state.rounds import at_boards
from gnomon.tournament.state.settings import System, TournamentSettings

OPENING = TournamentOpened(TournamentSettings("Club evening", System.SWISS, 3, tie_breaks=("BH",)))
ADA, BEN = EntrantRegistered(1, "Ada Ångström", 2000, "North"), EntrantRegistered(2, "Ben")
PUBLISHED = RoundPublished(1, at_boards([(2, 1)]))
EVENTS: tuple[Event, ...] = (OPENING, ADA, BEN, PUBLISHED, ResultEntered(1, 1, parse_result("½-½")))

OpenBook = Callable[[], Book]
"""Opens the same book once more, as another program would."""


class BookContract:
    """Give it the fixture `opened`: an `OpenBook` of a book that is empty at first."""

    @pytest.fixture
    def book(self, opened: OpenBook) -> Book:
        return opened()

    @pytest.fixture
    def other(self, opened: OpenBook) -> Book:
        return opened()

    def test_a_new_book_is_empty_and_tells_of_no_tournament(self, book: Book) -> None:
        assert list(book.read()) == []
        with pytest.raises(TournamentError, match="begins with its opening"):
            book.tournament()

    def test_what_was_told_is_kept_with_who_and_why_and_when(self, book: Book, other: Book) -> None:
        for after, event in enumerate(EVENTS):
            told = book.append(event, "Ada", f"reason {after}", after=after)
            assert (told.number, told.who, told.why, told.event) == (after + 1, "Ada", f"reason {after}", event)
            assert told.at_wall
            assert list(other.read())[-1] == told
        assert [told.event for told in other.read()] == list(EVENTS)
        assert other.tournament() == book.tournament() == fold(EVENTS)

    def test_who_decided_on_an_older_state_is_refused(self, book: Book, other: Book) -> None:
        book.append(OPENING, "Ada", after=0)
        seen = len(book.read())
        other.append(BEN, "Cleo", after=seen)
        with pytest.raises(StaleError, match=r"2 events, but you have seen 1: Cleo has recorded something since"):
            book.append(ADA, "Ada", after=seen)
        assert [told.event for told in book.read()] == [OPENING, BEN]
        book.append(ADA, "Ada", after=2)
        assert sorted(other.tournament().entrants) == [1, 2]

    def test_who_looked_at_what_is_not_there_is_refused(self, book: Book) -> None:
        with pytest.raises(StaleError, match=r"0 events, but you have seen 1: look again"):
            book.append(OPENING, "Ada", after=1)

    def test_what_the_tournament_refuses_is_not_kept(self, book: Book, other: Book) -> None:
        book.append(OPENING, "Ada", after=0)
        with pytest.raises(TournamentError, match="there is no entrant"):
            book.append(PUBLISHED, "Ada", after=1)
        with pytest.raises(TournamentError, match="cannot be shown"):
            book.append(EntrantRegistered(3, "A\nda"), "Ada", after=1)
        assert [told.event for told in book.read()] == [told.event for told in other.read()] == [OPENING]

    def test_a_book_begins_with_an_opening(self, book: Book) -> None:
        with pytest.raises(TournamentError, match="begins with its opening"):
            book.append(ADA, "Ada", after=0)
        assert list(book.read()) == []

    def test_several_events_are_kept_together_or_not_at_all(self, book: Book, other: Book) -> None:
        with pytest.raises(TournamentError, match="is taken"):
            book.extend([OPENING, ADA, ADA], "Ada", after=0)
        assert list(other.read()) == []
        told = book.extend(EVENTS, "Ada", "an evening", after=0)
        assert [each.number for each in told] == [1, 2, 3, 4, 5]
        assert list(other.read()) == list(told)
        assert list(book.extend([], "Ada", after=5)) == []
        assert other.tournament() == fold(EVENTS)

    def test_a_tournament_that_others_went_on_with_is_seen_as_it_is_now(self, book: Book, other: Book) -> None:
        book.extend(EVENTS[:3], "Ada", after=0)
        assert other.tournament().rounds == ()
        book.append(PUBLISHED, "Ada", after=3)
        assert len(other.tournament().rounds) == 1
