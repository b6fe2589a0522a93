"""Test how tournament events are described, in every language."""

from dataclasses import fields, replace
from fractions import Fraction

import pytest

from gnomon.refusals import clause
from gnomon.tournament.event_log.descriptions import describe_event, describe_heading, describe_match
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
    TournamentOpened,
)
from gnomon.tournament.state.particulars import NOBODY_KNOWN, NOTHING_TOLD, Heading, PersonalData, Virtual
from gnomon.tournament.state.payments import Payment
from gnomon.tournament.state.prizes import Prize, PrizeList
from gnomon.tournament.state.results import GameResult
from gnomon.tournament.state.rounds import Pairing, Table, at_boards
from gnomon.tournament.state.seeds import StageSeed
from gnomon.tournament.state.settings import Bye
from gnomon.tournament.state.team_play import TeamPlay
from gnomon.words import LANGUAGES, words
from tests.tournament import _teams
from tests.tournament._evening import after, gathered, settings

BOARDS = at_boards([(1, 2), (3, None)])
PAIRED = after(gathered(3, settings(rounds=3)), RoundPublished(1, BOARDS))
THREE = replace(PAIRED, rounds=(replace(PAIRED.rounds[0], tables=(Table(1, (1, 2, 3)),)),))
ANN, BEN = THREE.label_of(1), THREE.label_of(2)
MANY = tuple(Pairing(board, 2 * board - 1, 2 * board) for board in range(1, 14))
WON = (GameResult.FIRST_WON,)
POINT = Virtual(Fraction(1), 1, 2, 1, 4)
LENT = Heading(city="Bad Ems", starts="2026/11/20", deputies=("Kay", "Lee"), virtual=(POINT,))
ADA = PersonalData(sex="w", title="WGM", born="1815", club="Rooks")

DESCRIBED: tuple[tuple[Event, str], ...] = (
    (TournamentOpened(replace(THREE.settings, name="Cup")), "Cup was opened: swiss, rounds: 3"),
    (
        SettingsChanged(THREE.settings, replace(THREE.settings, rounds=4, name="Cup"), "more time"),
        "the settings were changed: name Cup (was Club evening); rounds 4 (was 3): more time",
    ),
    (EntrantRegistered(4, "Dov"), "4 Dov entered"),
    (EntrantRegistered(4, "Dov", 1500, "North", 3), "4 Dov entered (1500, North, from round 3)"),
    (EntrantCorrected(4, "Dov"), "entrant 4 was corrected to Dov"),
    (EntrantCorrected(4, "Dov", 0, "West"), "entrant 4 was corrected to Dov (0, West)"),
    (HeadingTold(NOTHING_TOLD), "the event: nothing was entered"),
    (HeadingTold(LENT), "the event: city Bad Ems; starts 2026-11-20; deputies Kay, Lee; points lent for pairing"),
    (PersonTold(1, NOBODY_KNOWN), f"{ANN}: nothing was entered"),
    (PersonTold(1, ADA), f"{ANN}: title WGM, club Rooks, sex noted, date of birth noted"),
    (EntrantWithdrew(1, 2), f"{ANN} withdrew from round 2 on"),
    (EntrantReturned(1), f"{ANN} returned"),
    (EntrantsSeeded((StageSeed(1, 2), StageSeed(2, 1))), f"seeds were set: {BEN}, {ANN}"),
    (EntrantsSeeded(()), "seeds go by rating again"),
    (EntrantCheckedIn(1), f"{ANN} is checked in"),
    (EntrantCheckedIn(1, 2), f"{ANN} is checked in from round 2 on"),
    (CheckInWithdrawn(1), f"{ANN} is not there, after all"),
    (PaymentNoted(1, Payment(1500, 500, "member")), f"{ANN}: payment noted"),
    (PrizesAnnounced(PrizeList(prizes=(Prize("", 1, 30_000),))), "prizes were announced: 1"),
    (ByeGranted(1, 2, Bye.HALF), f"{ANN} has a half-point bye in round 2"),
    (ByeWithdrawn(1, 2), f"{ANN} gave up the bye in round 2"),
    (PairingProhibited(1, 2), f"{ANN} and {BEN} are kept apart"),
    (PairingAllowed(1, 2), f"{ANN} and {BEN} may meet"),
    (RoundPublished(1, BOARDS), "round 1 was published (1:1-2 2:3-bye)"),
    (RoundPublished(1, MANY, "so"), "round 1 was published against the rules (13 boards): so"),
    (RoundChanged(1, BOARDS, "swap"), "round 1 was changed (1:1-2 2:3-bye): swap"),
    (RoundChanged(1, BOARDS, "swap", override=True), "round 1 was changed against the rules (1:1-2 2:3-bye): swap"),
    (RoundRevoked(1, "again"), "round 1 was revoked: again"),
    (DeadlineSet(1, "2026-12-01 20:00"), "results of round 1 may come in until 2026-12-01 20:00"),
    (DeadlineSet(1, ""), "round 1 has no deadline"),
    (TablesSeated(1, (Table(1, (1, 2, 3)),)), "round 1 was published (1:1-2-3)"),
    (TablesChanged(1, (Table(1, (3, 1, 2)),), "1 came late"), "round 1 was changed (1:3-1-2): 1 came late"),
    (TablesSeated(2, tuple(Table(at, (1, 2, 3)) for at in range(1, 14))), "round 2 was published (13 boards)"),
    (PlacesEntered(1, 1, (1, 2, 2)), "round 1, table 1: 1 2=3"),
    (PlacesEntered(1, 1, (), "slip"), "round 1, table 1: places taken back: slip"),
    (ResultEntered(1, 1, WON), f"round 1, board 1: {ANN} – {BEN}  1-0"),
    (ResultCorrected(1, 1, WON, "slip"), f"round 1, board 1: {ANN} – {BEN}  corrected to 1-0: slip"),
    (ResultWithdrawn(1, 1, "slip"), f"round 1, board 1: {ANN} – {BEN}  result taken back: slip"),
    (LotDrawn((2, 1)), f"the lot put {BEN} before {ANN}"),
    (OrderDecided((2, 1), "so"), f"the director put {BEN} before {ANN}: so"),
)


OF_TEAMS: tuple[tuple[Event, str], ...] = (
    (TeamPlayTold(TeamPlay(2)), "teams play teams at 2 boards"),
    (
        TeamPlayChanged(TeamPlay(2), TeamPlay(2, games_first=True), "as voted"),
        "the settings were changed: what ranks first game-points (was match-points): as voted",
    ),
    (TeamTold(1, "North", (11, 12)), "team 1 North: 11 North 1, 12 North 2"),
    (TeamWithdrew(1, 2), "1 North withdrew from round 2 on"),
    (TeamReturned(1), "1 North returned"),
    (TeamsSeeded((StageSeed(2, 1), StageSeed(1, 2))), "seeds were set: 2 South, 1 North"),
    (TeamPaymentNoted(1, Payment(6000)), "1 North: payment noted"),
    (LineupTold(1, 2, (12, 0)), "1 North plays round 2 with 12 North 2, nobody"),
    (LineupTold(1, 2, ()), "1 North plays round 2 in the order of its roster"),
)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        *OF_TEAMS,
        (ByeGranted(2, 1, Bye.HALF), "2 South has a half-point bye in round 1"),
        (TeamsSeeded(()), "seeds go by rating again"),
    ],
)
def test_what_teams_do_is_described_with_their_names(event: Event, said: str) -> None:
    teams = _teams.gathered(2)
    assert describe_event(event, teams.entrants, teams).message == said
    assert teams.teams is not None
    assert describe_event(event, teams.entrants, teams=teams.teams.matches.entrants).message == said


@pytest.mark.parametrize(("event", "said"), DESCRIBED)
def test_an_event_is_described(event: Event, said: str) -> None:
    assert describe_event(event, THREE.entrants, THREE).message == said


def test_without_the_tournament_a_result_names_its_board_alone() -> None:
    assert describe_event(ResultEntered(7, 9, WON), {}).message == "round 7, board 9:  1-0"
    assert describe_event(PlacesEntered(7, 9, (1, 2, 2)), {}).message == "round 7, table 9: 1 2 2"


def test_a_bye_names_the_one_who_has_it() -> None:
    assert describe_match(BOARDS[1], THREE.entrants).message == f"{THREE.label_of(3)} has the bye"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_has_words_of_its_own_in_every_language(language: str) -> None:
    said = [clause(describe_event(event, THREE.entrants, THREE), words(language)) for event, _ in DESCRIBED]
    teams = _teams.gathered(2)
    said += [clause(describe_event(event, teams.entrants, teams), words(language)) for event, _ in OF_TEAMS]
    english = {text for _, text in (*DESCRIBED, *OF_TEAMS)}
    assert len(set(said)) == len(said)
    assert {type(event) for event, _ in (*DESCRIBED, *OF_TEAMS)} == set(Event.__args__)
    # Names alone are the same in every language.
    assert language == "en" or [text for text in said if text in english] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_of_an_event_has_a_name_in_every_language(language: str) -> None:
    every = Heading("x", "x", "x", "x", "x", "x", ("y", "z"), "x", ("26/11/20",), "x", "x", (POINT,))
    assert len([clause(fact, words(language)) for fact in describe_heading(every)]) == len(fields(Heading))
