"""Append events to a tournament's book, with optimistic locking by subject.

A page shows a tournament as of some event, and its form names that event. Events appended since then conflict only
where they concern the same thing: two results at two boards do not, another result at the same board does.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from gnomon.hall.hall import Hall
from gnomon.hall.rounds.event_log import StaleError
from gnomon.tournament.event_log.codec import LoggedEvent
from gnomon.tournament.events import (
    ByeGranted,
    ByeWithdrawn,
    CheckInWithdrawn,
    EntrantCheckedIn,
    EntrantCorrected,
    EntrantRegistered,
    EntrantReturned,
    EntrantWithdrew,
    Event,
    HeadingTold,
    LineupTold,
    PaymentNoted,
    PersonTold,
    ResultCorrected,
    ResultEntered,
    ResultWithdrawn,
    RoundChanged,
    RoundPublished,
    RoundRevoked,
    SettingsChanged,
    TablesChanged,
    TeamPaymentNoted,
    TeamPlayChanged,
    TeamReturned,
    TeamTold,
    TeamWithdrew,
)

Concerns = Callable[[Event], bool]
"""Whether what somebody else has told is about the same thing."""

_TRIES: Final = 20
"""Others tell the book something meanwhile; more often than that in a row they do not."""
_OF_ENTRANTS: Final = (
    EntrantRegistered,
    EntrantCorrected,
    EntrantWithdrew,
    EntrantReturned,
    PersonTold,
    ByeGranted,
    ByeWithdrawn,
    EntrantCheckedIn,
    CheckInWithdrawn,
    PaymentNoted,
)
_OF_TEAMS: Final = (TeamTold, TeamWithdrew, TeamReturned, TeamPaymentNoted, ByeGranted, ByeWithdrawn)
_OF_BOARDS: Final = (ResultEntered, ResultCorrected, ResultWithdrawn)
_OF_ROUNDS: Final = (RoundPublished, RoundChanged, RoundRevoked, TablesChanged)


class ClashError(Exception):
    """Somebody else has told something about the same thing since the page was made; nothing was told now."""

    def __init__(self, told: LoggedEvent) -> None:
        super().__init__(f"{told.who} has told event {told.number}")
        self.told = told


class Page(NamedTuple):
    """Who tells something, of which tournament, and the last event that their page had shown."""

    tournament: str
    last: int
    who: str


def tell(hall: Hall, page: Page, events: Sequence[Event], concerns: Concerns, why: str = "") -> None:
    """Tell a book some events, all of them or none.

    Raises ClashError where somebody has told since what concerns them, and BookError and TournamentError as books do.
    """
    book = hall.book(page.tournament)
    for attempt in range(1, _TRIES + 1):
        told = book.read()
        clash = next((each for each in told[page.last :] if concerns(each.event)), None)
        if clash is not None:
            raise ClashError(clash)
        try:
            book.extend(events, page.who, why, after=len(told))
        except StaleError:
            if attempt == _TRIES:
                raise
            continue
        announce(hall, page.tournament)
        return


def announce(hall: Hall, tournament: str) -> None:
    """Let the hall and everybody who looks at a tournament know that something is new."""
    hall.thread.judge_again()
    hall.thread.listeners.tell(tournaments=[tournament])


def conflicts_with_nothing(_event: Event) -> bool:
    """What is told stands beside whatever others tell."""
    return False


def conflicts_with_anything(_event: Event) -> bool:
    """What is told was decided on all there was."""
    return True


def of_entrants(*numbers: int) -> Concerns:
    """What is about some entrants."""
    return lambda event: isinstance(event, _OF_ENTRANTS) and event.number in numbers


def of_team(number: int) -> Concerns:
    """What is about a team."""

    def concerns(event: Event) -> bool:
        if isinstance(event, LineupTold):
            return event.team == number
        return isinstance(event, _OF_TEAMS) and event.number == number

    return concerns


def of_heading(event: Event) -> bool:
    """What is about the event itself."""
    return isinstance(event, HeadingTold)


def of_settings(event: Event) -> bool:
    """What is about the settings."""
    return isinstance(event, SettingsChanged | TeamPlayChanged)


def of_board(in_round: int, board: int) -> Concerns:
    """What is about the result of a board, or seats others there."""

    def concerns(event: Event) -> bool:
        if isinstance(event, _OF_BOARDS):
            return (event.round, event.board) == (in_round, board)
        return isinstance(event, RoundChanged | RoundRevoked) and event.round == in_round

    return concerns


def of_round(in_round: int) -> Concerns:
    """What seats anybody in a round."""
    return lambda event: isinstance(event, _OF_ROUNDS) and event.round == in_round
