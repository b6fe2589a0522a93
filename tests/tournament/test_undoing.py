"""Test how later events undo earlier ones, and how results are taken back."""

import re
from dataclasses import replace
from typing import get_args

import pytest

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.codec import LoggedEvent
from gnomon.tournament.event_log.reducer import fold, step
from gnomon.tournament.event_log.undo import undo_event, undo_events
from gnomon.tournament.events import (
    ByeGranted,
    ByeWithdrawn,
    CheckInWithdrawn,
    DeadlineSet,
    EntrantCheckedIn,
    EntrantCorrected,
    EntrantRegistered,
    EntrantReturned,
    EntrantsSeeded,
    EntrantWithdrew,
    Event,
    HeadingTold,
    LineupTold,
    LotDrawn,
    OrderDecided,
    PairingAllowed,
    PairingProhibited,
    PaymentNoted,
    PersonTold,
    PlacesEntered,
    PrizesAnnounced,
    ResultCorrected,
    ResultEntered,
    ResultWithdrawn,
    RoundChanged,
    RoundPublished,
    RoundRevoked,
    SettingsChanged,
    TablesChanged,
    TablesSeated,
    TeamPaymentNoted,
    TeamPlayChanged,
    TeamPlayTold,
    TeamReturned,
    TeamsSeeded,
    TeamTold,
    TeamWithdrew,
)
from gnomon.tournament.state import Amendment, Entrant, Tournament
from gnomon.tournament.state.particulars import Heading, PersonalData
from gnomon.tournament.state.payments import Payment
from gnomon.tournament.state.prizes import Prize, PrizeList
from gnomon.tournament.state.results import GameResult, Points, parse_result
from gnomon.tournament.state.rounds import Table, at_boards
from gnomon.tournament.state.seeds import StageSeed
from gnomon.tournament.state.settings import Bye, System
from gnomon.tournament.state.team_play import TeamPlay
from tests.tournament import _teams
from tests.tournament._evening import opening, settings

WON, LOST = parse_result("1-0"), parse_result("0-1")
FOUR = opening(4, settings(rounds=3))
ROUND = RoundPublished(1, at_boards([(1, 3), (4, 2)]))
BEGUN: list[Event] = [*FOUR, ROUND, ResultEntered(1, 1, WON)]
SECOND: list[Event] = [*BEGUN, ResultEntered(1, 2, WON), RoundPublished(2, at_boards([(4, 1), (2, 3)]))]

TEAMS = _teams.opening(2)


def told(events: list[Event]) -> list[LoggedEvent]:
    return [LoggedEvent(number, "", "Ada", "", event) for number, event in enumerate(events, start=1)]


def undo(events: list[Event], number: int = 0) -> Event:
    return undo_event(told(events), number or len(events), "a mistake")


LONGER = SettingsChanged(settings(rounds=3), settings(rounds=5), "more time")
LOUDER = SettingsChanged(LONGER.now, replace(LONGER.now, tie_breaks=("SB",), match_score=True), "announced so")
WINNER = PrizeList(prizes=(Prize("", 1, 30_000),))
SEATED: list[Event] = [
    *opening(4, settings(System.TABLES, rounds=3)),
    TablesSeated(1, (Table(1, (1, 2, 3, 4)),)),
    PlacesEntered(1, 1, (1, 2, 3, 4)),
    PlacesEntered(1, 1, (2, 1, 3, 4)),
]
UNDOABLE: list[list[Event]] = [
    [*FOUR, LONGER],
    [*FOUR, LONGER, LOUDER],
    [*FOUR, EntrantCorrected(2, "Benjamin", None, "North")],
    [*FOUR, HeadingTold(Heading("Bonn"))],
    [*FOUR, HeadingTold(Heading("Bonn")), HeadingTold(Heading("Ely"))],
    [*FOUR, PersonTold(2, PersonalData(title="FM"))],
    [*FOUR, PersonTold(2, PersonalData(title="FM")), PersonTold(2, PersonalData(club="Rooks"))],
    [*FOUR, PersonTold(2, PersonalData(title="FM")), PersonTold(2, PersonalData())],
    [*FOUR, EntrantWithdrew(2, 1)],
    [*FOUR, EntrantWithdrew(2, 1), EntrantReturned(2)],
    [*FOUR, ByeGranted(2, 2, Bye.HALF)],
    [*FOUR, ByeGranted(2, 2, Bye.HALF), ByeGranted(2, 2, Bye.ZERO)],
    [*FOUR, ByeGranted(2, 2, Bye.HALF), ByeWithdrawn(2, 2)],
    [*FOUR, EntrantsSeeded((StageSeed(2, 1, Points(1), "A 1"),))],
    [*FOUR, EntrantsSeeded((StageSeed(2, 1),)), EntrantsSeeded((StageSeed(3, 1),))],
    [*SEATED[:-2]],
    [*SEATED[:-1]],
    SEATED,
    [*SEATED, PlacesEntered(1, 1, (), "still playing")],
    [*SEATED[:-2], TablesChanged(1, (Table(1, (3, 1, 2, 4)),), "wrong seats")],
    [*SEATED[:-2], RoundRevoked(1, "wrong")],
    [*FOUR, DeadlineSet(1, "2026-12-01")],
    [*FOUR, DeadlineSet(1, "2026-12-01"), DeadlineSet(1, "")],
    [*FOUR, EntrantCheckedIn(2)],
    [*FOUR, EntrantCheckedIn(2), CheckInWithdrawn(2)],
    [*FOUR, PaymentNoted(2, Payment(1500, 500))],
    [*FOUR, PaymentNoted(2, Payment(1500, 500)), PaymentNoted(2, Payment(1500, 1500))],
    [*FOUR, PrizesAnnounced(WINNER)],
    [*FOUR, PairingProhibited(2, 3)],
    [*FOUR, PairingProhibited(2, 3), PairingAllowed(2, 3)],
    [*FOUR, ROUND],
    [*FOUR, ROUND, RoundRevoked(1, "wrong")],
    [*FOUR, ROUND, RoundChanged(1, at_boards([(1, 4), (3, 2)]), "wrong")],
    BEGUN,
    [*BEGUN, ResultEntered(1, 1, LOST)],
    [*BEGUN, ResultCorrected(1, 1, LOST, "slips")],
    [*BEGUN, ResultWithdrawn(1, 1, "still playing")],
    [*SECOND, ResultCorrected(1, 1, LOST, "slips")],
    [*TEAMS, TeamTold(1, "The North", (12, 11), "Ada")],
    [*TEAMS, TeamWithdrew(1, 1)],
    [*TEAMS, TeamWithdrew(1, 1), TeamReturned(1)],
    [*TEAMS, TeamPlayChanged(TeamPlay(2), TeamPlay(2, games_first=True), "as voted")],
    [*TEAMS, TeamsSeeded((StageSeed(2, 1, Points(1), "A 1"),))],
    [*TEAMS, TeamsSeeded((StageSeed(2, 1),)), TeamsSeeded((StageSeed(1, 1),))],
    [*TEAMS, TeamPaymentNoted(1, Payment(6000))],
    [*TEAMS, TeamPaymentNoted(1, Payment(6000)), TeamPaymentNoted(1, Payment(6000, 6000, "cash"))],
    [*TEAMS, LineupTold(1, 1, (12, 13))],
    [*TEAMS, LineupTold(1, 1, (12, 13)), LineupTold(1, 1, (11, 13))],
    [*TEAMS, ByeGranted(2, 2, Bye.HALF)],
    [*TEAMS, RoundPublished(1, at_boards([(1, 2)]))],
    [*TEAMS, RoundPublished(1, at_boards([(1, 2)])), RoundChanged(1, at_boards([(2, 1)]), "wrong")],
    [*TEAMS, RoundPublished(1, at_boards([(1, 2)])), RoundRevoked(1, "wrong")],
    [*TEAMS, RoundPublished(1, at_boards([(1, 2)])), ResultEntered(1, 1, LOST)],
]


def facts(tournament: Tournament) -> Tournament:
    """What counts: without the list of what was changed on the way there."""
    return replace(tournament, corrections=())


@pytest.mark.parametrize("events", UNDOABLE, ids=lambda events: type(events[-1]).__name__)
def test_after_an_event_is_undone_everything_is_as_it_was_before(events: list[Event]) -> None:
    before, now = fold(events[:-1]), fold(events)
    assert facts(step(now, undo(events))) == facts(before) != facts(now)


@pytest.mark.parametrize("events", UNDOABLE, ids=lambda events: type(events[-1]).__name__)
def test_what_undoes_can_be_undone(events: list[Event]) -> None:
    again = [*events, undo(events)]
    assert facts(step(fold(again), undo(again))) == facts(fold(events))


def test_settings_that_were_changed_since_stay_as_they_are_when_an_earlier_change_is_undone() -> None:
    events: list[Event] = [*FOUR, LONGER, LOUDER]
    now = step(fold(events), undo(events, len(FOUR) + 1)).settings
    assert now == replace(LOUDER.now, rounds=3)


def test_one_who_was_registered_by_mistake_is_withdrawn_and_keeps_the_number() -> None:
    events: list[Event] = [*FOUR, EntrantRegistered(5, "Nobody")]
    assert undo(events) == EntrantWithdrew(5, 1)
    assert not step(fold(events), undo(events)).plays(5, 1)


def test_what_was_written_of_an_entrant_is_put_right() -> None:
    tournament = fold([*BEGUN, EntrantCorrected(2, " Benjamin ", 2100, " North ")])
    assert tournament.entrants[2] == Entrant(2, "Benjamin", 2100, "North")
    assert tournament.seeds == (2, 1, 3, 4)
    with pytest.raises(TournamentError, match="entrant 2 Ben needs a name"):
        fold([*BEGUN, EntrantCorrected(2, " ")])
    with pytest.raises(TournamentError, match="there is no entrant 9"):
        fold([*BEGUN, EntrantCorrected(9, "Ben")])


def test_a_result_of_an_earlier_round_is_corrected_and_never_taken_back() -> None:
    assert undo([*SECOND], len(BEGUN)) == ResultWithdrawn(1, 1, "a mistake")
    with pytest.raises(TournamentError, match="round 1 cannot be changed: round 2 is being played"):
        step(fold(SECOND), undo([*SECOND], len(BEGUN)))
    twice: list[Event] = [*BEGUN, ResultEntered(1, 1, LOST), *SECOND[len(BEGUN) :]]
    assert undo(twice, len(BEGUN) + 1) == ResultCorrected(1, 1, WON, "a mistake")


def test_a_team_that_was_entered_by_mistake_withdraws_and_how_teams_play_stays() -> None:
    assert undo(TEAMS) == TeamWithdrew(2, 1)
    with pytest.raises(TournamentError, match=re.escape("event 2 (TeamPlayTold) cannot be undone")):
        undo(TEAMS, 2)


def test_what_opened_the_tournament_stays() -> None:
    with pytest.raises(TournamentError, match="event 1 opened the tournament and cannot be undone"):
        undo(BEGUN, 1)
    with pytest.raises(TournamentError, match="there is no event 8: there have been 7"):
        undo(BEGUN, 8)


@pytest.mark.parametrize("event", [LotDrawn((1, 2)), OrderDecided((1, 2), "so it is")])
def test_what_nothing_makes_good_is_said_so(event: Event) -> None:
    with pytest.raises(TournamentError, match=re.escape(f"event 6 ({type(event).__name__}) cannot be undone")):
        undo([*FOUR, event])


def test_every_kind_of_event_is_tried() -> None:
    tried = {type(event) for events in UNDOABLE for event in events} - {TeamPlayTold}
    assert tried | {LotDrawn, OrderDecided, TeamPlayTold} == set(get_args(Event))


def test_a_result_that_is_taken_back_is_waited_for_again_and_kept_as_a_correction() -> None:
    tournament = fold([*BEGUN, ResultWithdrawn(1, 1, " the board still plays ")])
    assert tournament.waiting == (1, 2)
    assert tournament.corrections == (Amendment(1, 1, "1-0", "", "the board still plays"),)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (ResultWithdrawn(1, 2, "why"), "round 1, board 2 has no result to take back"),
        (ResultWithdrawn(1, 1, " "), "round 1 cannot be changed without a reason"),
        (ResultWithdrawn(1, 3, "why"), "round 1, board 3 does not exist"),
        (ResultWithdrawn(2, 1, "why"), "round 2 is not published"),
    ],
)
def test_a_result_that_is_not_there_cannot_be_taken_back(event: Event, sentence: str) -> None:
    with pytest.raises(TournamentError, match=re.escape(sentence)):
        step(fold(BEGUN), event)


def test_a_forfeit_of_one_who_has_left_is_corrected_not_taken_back() -> None:
    table = opening(4, settings(System.ROUND_ROBIN, rounds=3))
    gone = fold([*table, EntrantWithdrew(1, 1), RoundPublished(1, at_boards([(1, 4), (2, 3)]))])
    assert gone.rounds[0].results == {1: (GameResult.SECOND_BY_FORFEIT,)}
    with pytest.raises(TournamentError, match="round 1, board 1 was forfeited by somebody who has left: correct it"):
        step(gone, ResultWithdrawn(1, 1, "why"))


@pytest.mark.parametrize(
    ("events", "number"),
    [
        ([*FOUR, ByeGranted(2, 2, Bye.HALF), ByeGranted(3, 2, Bye.HALF), ByeGranted(2, 1, Bye.ZERO)], 2),
        ([*TEAMS, ByeGranted(1, 2, Bye.HALF), ByeGranted(2, 2, Bye.HALF), ByeGranted(1, 1, Bye.ZERO)], 1),
    ],
)
def test_the_byes_that_went_with_a_withdrawal_come_back(events: list[Event], number: int) -> None:
    withdrew = TeamWithdrew(number, 2) if events[: len(TEAMS)] == TEAMS else EntrantWithdrew(number, 2)
    gone = [*events, withdrew]
    again = undo_events(told(gone), len(gone), "a mistake")
    assert again[1:] == (ByeGranted(number, 2, Bye.HALF),)
    assert facts(fold([*gone, *again])) == facts(fold(events))


def test_other_events_are_undone_by_one() -> None:
    events = [*FOUR, ByeGranted(2, 2, Bye.HALF)]
    assert undo_events(told(events), len(events), "a mistake") == (ByeWithdrawn(2, 2),)
