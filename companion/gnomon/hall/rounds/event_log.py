"""Define the interface of a tournament's event log (a book), its errors and its in-memory state."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from gnomon.refusals import Refusal, statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.codec import LoggedEvent
from gnomon.tournament.event_log.reducer import fold, open_tournament, step
from gnomon.tournament.events import Event
from gnomon.tournament.state import Tournament


class BookError(Refusal):
    """A book that cannot be read or written; the statement names it, and says what to do."""


class BookAwayError(BookError):
    """What the book is kept in cannot be reached now: nothing is wrong with the book itself."""


class StaleError(BookError):
    """Somebody else has told the book something since it was read: read it again, look, and tell it then."""


class Book(ABC):
    """A tournament's events kept somewhere, numbered from 1 up without a gap.

    `append` and `extend` take `after`, the number of the last event that the teller had read (0 for none): who decided
    on an older state is refused with StaleError. What the tournament itself refuses raises TournamentError, and nothing
    is kept. What has returned is kept, whatever happens to the machine.
    """

    def read(self) -> Sequence[LoggedEvent]:
        """Every event so far, none for a tournament that is not open yet. Raises BookError."""
        return self._read().told

    def append(self, event: Event, who: str, why: str = "", *, after: int) -> LoggedEvent:
        """Keep an event, with who told it and why. Raises BookError, StaleError and TournamentError."""
        (told,) = self.extend([event], who, why, after=after)
        return told

    @abstractmethod
    def extend(self, events: Sequence[Event], who: str, why: str = "", *, after: int) -> Sequence[LoggedEvent]:
        """Keep several events, or none of them where one is refused. Raises as `append` does."""

    def tournament(self) -> Tournament:
        """The tournament as of the last event. Raises BookError, and TournamentError when it is not open yet."""
        return self._read().tournament_state()

    @abstractmethod
    def _read(self) -> "Leaf":
        """Every event, and what they make."""


class Telling(NamedTuple):
    """Who tells a book something, when by the wall clock, and why; `book` is its name in a sentence."""

    book: str
    at_wall: str
    who: str
    why: str


class Leaf(NamedTuple):
    """What has been read of a book: its events, and the tournament that they make, None before its opening."""

    told: tuple[LoggedEvent, ...] = ()
    tournament: Tournament | None = None

    @property
    def last(self) -> int:
        """The number of the last event, 0 before the first."""
        return len(self.told)

    def tournament_state(self) -> Tournament:
        """The tournament. Raises TournamentError when it is not open yet."""
        return fold(()) if self.tournament is None else self.tournament

    def read_on(self, told: Sequence[LoggedEvent]) -> "Leaf":
        """The leaf with further events. Raises TournamentError at the first that cannot be, with its number."""
        tournament = self.tournament
        for each in told:
            try:
                tournament = open_tournament(each.event) if tournament is None else step(tournament, each.event)
            except TournamentError as error:
                raise TournamentError(
                    statement(
                        "hall.book.impossible", number=each.number, who=each.who, at=each.at_wall, cause=error.statement
                    )
                ) from error
        return Leaf((*self.told, *told), tournament)

    def told_more(self, events: Sequence[Event], telling: Telling, after: int) -> "Leaf":
        """The leaf with events that somebody tells who had read up to `after`.

        Raises StaleError when there are others since, and TournamentError for an event that cannot be.
        """
        if after != self.last:
            if after < self.last:
                raise StaleError(
                    statement(
                        "hall.book.told_since", book=telling.book, count=self.last, seen=after, who=self.told[-1].who
                    )
                )
            raise StaleError(statement("hall.book.stale", book=telling.book, count=self.last, seen=after))
        tournament = self.tournament
        for event in events:
            tournament = open_tournament(event) if tournament is None else step(tournament, event)
        numbered = enumerate(events, start=after + 1)
        more = [LoggedEvent(number, telling.at_wall, telling.who, telling.why, event) for number, event in numbered]
        return Leaf((*self.told, *more), tournament)
