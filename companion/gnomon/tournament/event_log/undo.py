"""Find the event that reverses an earlier event.

Nothing is ever erased: the reversing event is kept in the history as well.
"""

from collections.abc import Iterator, Sequence
from typing import assert_never

from gnomon.refusals import statement
from gnomon.tournament import events
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.codec import LoggedEvent
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.settings.changes import settings_without
from gnomon.tournament.settings.team_play_changes import play_without
from gnomon.tournament.state import Tournament
from gnomon.tournament.teams.matches import book_of, team_view


def undo_event(told: Sequence[LoggedEvent], number: int, reason: str) -> events.Event:
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
    if isinstance(event, events.CommonEvent) and isinstance(event, events.NUMBERING_TEAMS) and now.teams is not None:
        before, now = team_view(before), team_view(now)
    found = _opposite(before, now, event, reason)
    if found is None:
        raise TournamentError(statement("tournament.undo.impossible", number=number, event=type(event).__name__))
    return found


def undo_events(told: Sequence[LoggedEvent], number: int, reason: str) -> tuple[events.Event, ...]:
    """The event that `undo_event` finds, and the byes of later rounds that went with a withdrawal.

    Raises TournamentError as that does.
    """
    return undo_event(told, number, reason), *_byes_again(told, number)


def _byes_again(told: Sequence[LoggedEvent], number: int) -> Iterator[events.Event]:
    """The byes that are gone since a withdrawal, of rounds that are still to come."""
    event = told[number - 1].event
    if not isinstance(event, events.EntrantWithdrew | events.TeamWithdrew):
        return
    before, now = (fold(each.event for each in part) for part in (told[: number - 1], told))
    if isinstance(event, events.TeamWithdrew):
        before, now = book_of(before).matches, book_of(now).matches
    coming = len(now.rounds) + 1
    for (one, in_round), bye in before.byes.items():
        if one == event.number and in_round >= max(event.since, coming):
            yield events.ByeGranted(one, in_round, bye)


def _opposite(before: Tournament, now: Tournament, event: events.Event, reason: str) -> events.Event | None:  # noqa: C901, PLR0911, PLR0912 - a case each
    """What brings back that of which an event has changed; None where nothing does."""
    match event:
        case events.SettingsChanged():
            return events.SettingsChanged(now.settings, settings_without(now.settings, event), reason)
        case events.EntrantRegistered(number) | events.EntrantReturned(number):
            return events.EntrantWithdrew(number, now.next_round)
        case events.EntrantCorrected(number):
            was = before.entrants[number]
            return events.EntrantCorrected(number, was.name, was.rating, was.team)
        case events.HeadingTold():
            return events.HeadingTold(before.heading)
        case events.PersonTold(number):
            return events.PersonTold(number, before.person(number))
        case events.EntrantWithdrew(number):
            return events.EntrantReturned(number)
        case events.EntrantsSeeded():
            return events.EntrantsSeeded(tuple(before.stage_seeds.values()))
        case events.EntrantCheckedIn(number):
            return events.CheckInWithdrawn(number)
        case events.CheckInWithdrawn(number):
            return events.EntrantCheckedIn(number, before.checked_in[number])
        case events.PaymentNoted(number):
            return events.PaymentNoted(number, before.payment(number))
        case events.PrizesAnnounced():
            return events.PrizesAnnounced(before.prizes)
        case events.ByeGranted(number, in_round):
            bye = before.byes.get((number, in_round))
            return events.ByeWithdrawn(number, in_round) if bye is None else events.ByeGranted(number, in_round, bye)
        case events.ByeWithdrawn(number, in_round):
            return events.ByeGranted(number, in_round, before.byes[number, in_round])
        case events.PairingProhibited(one, other):
            return events.PairingAllowed(one, other)
        case events.PairingAllowed(one, other):
            return events.PairingProhibited(one, other)
        case events.RoundPublished(in_round):
            return events.RoundRevoked(in_round, reason)
        case events.DeadlineSet(in_round):
            return events.DeadlineSet(in_round, before.deadlines.get(in_round, ""))
        case events.TablesSeated(in_round):
            return events.RoundRevoked(in_round, reason)
        case events.RoundRevoked(in_round):
            round_ = before.round(in_round)
            if round_.tables:
                return events.TablesSeated(in_round, round_.tables)
            return events.RoundPublished(in_round, round_.pairings, round_.override, round_.paired_by)
        case events.RoundChanged(in_round):
            round_ = before.round(in_round)
            return events.RoundChanged(in_round, round_.pairings, reason, bool(round_.override))
        case events.TablesChanged(in_round):
            return events.TablesChanged(in_round, before.round(in_round).tables, reason)
        case events.ResultEntered() | events.ResultWithdrawn() | events.ResultCorrected():
            return _result_before(before, now, event, reason)
        case events.PlacesEntered(in_round, board):
            return events.PlacesEntered(in_round, board, before.round(in_round).places.get(board, ()), reason)
        case events.TeamTold(number):
            return _team_before(before, now, number)
        case events.TeamWithdrew(number):
            return events.TeamReturned(number)
        case events.TeamReturned(number):
            return events.TeamWithdrew(number, now.next_round)
        case events.TeamPlayChanged():
            play = book_of(now).play
            return events.TeamPlayChanged(play, play_without(play, event), reason)
        case events.TeamsSeeded():
            return events.TeamsSeeded(tuple(book_of(before).matches.stage_seeds.values()))
        case events.TeamPaymentNoted(number):
            return events.TeamPaymentNoted(number, book_of(before).matches.payment(number))
        case events.LineupTold(team, in_round):
            told = book_of(before).lineups.get((team, in_round), ())
            return events.LineupTold(team, in_round, told)
        case events.TournamentOpened() | events.LotDrawn() | events.OrderDecided() | events.TeamPlayTold():
            return None
        case _:
            assert_never(event)


def _result_before(
    before: Tournament,
    now: Tournament,
    event: events.ResultEntered | events.ResultWithdrawn | events.ResultCorrected,
    reason: str,
) -> events.Event:
    was = before.round(event.round).results.get(event.board)
    if was is None:
        return events.ResultWithdrawn(event.round, event.board, reason)
    if event.round == len(now.rounds) and not isinstance(event, events.ResultCorrected):
        return events.ResultEntered(event.round, event.board, was)
    return events.ResultCorrected(event.round, event.board, was, reason)


def _team_before(before: Tournament, now: Tournament, number: int) -> events.Event:
    """What a team was; one that had not entered before withdraws."""
    book = book_of(before)
    if number not in book.rosters:
        return events.TeamWithdrew(number, now.next_round)
    team, roster = book.matches.entrants[number], book.rosters[number]
    return events.TeamTold(number, team.name, roster.members, roster.captain, team.since)
