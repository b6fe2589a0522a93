"""Find the event that reverses an earlier event.

Nothing is ever erased: the reversing event is kept in the history as well.
"""

from collections.abc import Sequence
from typing import assert_never

from gnomon.refusals import statement
from gnomon.tournament.codec import LoggedEvent
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import (
    ByeGranted,
    ByeWithdrawn,
    EntrantCorrected,
    EntrantRegistered,
    EntrantReturned,
    EntrantWithdrew,
    Event,
    HeadingTold,
    LotDrawn,
    OrderDecided,
    PairingAllowed,
    PairingProhibited,
    PersonTold,
    ResultCorrected,
    ResultEntered,
    ResultWithdrawn,
    RoundChanged,
    RoundPublished,
    RoundRevoked,
    TournamentOpened,
)
from gnomon.tournament.reducer import fold
from gnomon.tournament.state import Tournament


def undo_event(told: Sequence[LoggedEvent], number: int, reason: str) -> Event:
    """The event that makes good the one of a number, as things are now.

    Raises TournamentError when there is none such, or nothing can make it good; the tournament itself may still
    refuse what this proposes.
    """
    if not 1 <= number <= len(told):
        raise TournamentError(statement("tournament.undo.none", number=number, count=len(told)))
    now = fold(each.event for each in told)
    event = told[number - 1].event
    if number == 1:
        raise TournamentError(statement("tournament.undo.opening"))
    before = fold(each.event for each in told[: number - 1])
    found = _opposite(before, now, event, reason)
    if found is None:
        raise TournamentError(statement("tournament.undo.impossible", number=number, event=type(event).__name__))
    return found


def _opposite(before: Tournament, now: Tournament, event: Event, reason: str) -> Event | None:  # noqa: C901, PLR0911, PLR0912 - a case each
    """What brings back that of which an event has changed; None where nothing does."""
    match event:
        case EntrantRegistered(number) | EntrantReturned(number):
            return EntrantWithdrew(number, now.next_round)
        case EntrantCorrected(number):
            was = before.entrants[number]
            return EntrantCorrected(number, was.name, was.rating, was.team)
        case HeadingTold():
            return HeadingTold(before.heading)
        case PersonTold(number):
            return PersonTold(number, before.person(number))
        case EntrantWithdrew(number):
            return EntrantReturned(number)
        case ByeGranted(number, in_round):
            bye = before.byes.get((number, in_round))
            return ByeWithdrawn(number, in_round) if bye is None else ByeGranted(number, in_round, bye)
        case ByeWithdrawn(number, in_round):
            return ByeGranted(number, in_round, before.byes[number, in_round])
        case PairingProhibited(one, other):
            return PairingAllowed(one, other)
        case PairingAllowed(one, other):
            return PairingProhibited(one, other)
        case RoundPublished(in_round):
            return RoundRevoked(in_round, reason)
        case RoundRevoked(in_round):
            round_ = before.round(in_round)
            return RoundPublished(in_round, round_.pairings, round_.override, round_.paired_by)
        case RoundChanged(in_round):
            round_ = before.round(in_round)
            return RoundChanged(in_round, round_.pairings, reason, bool(round_.override))
        case ResultEntered() | ResultWithdrawn() | ResultCorrected():
            return _result_before(before, now, event, reason)
        case TournamentOpened() | LotDrawn() | OrderDecided():
            return None
        case _:
            assert_never(event)


def _result_before(
    before: Tournament, now: Tournament, event: ResultEntered | ResultWithdrawn | ResultCorrected, reason: str
) -> Event:
    was = before.round(event.round).results.get(event.board)
    if was is None:
        return ResultWithdrawn(event.round, event.board, reason)
    if event.round == len(now.rounds) and not isinstance(event, ResultCorrected):
        return ResultEntered(event.round, event.board, was)
    return ResultCorrected(event.round, event.board, was, reason)
