"""Test check-in at the door, late arrivals, and payments."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import (
    CheckInWithdrawn,
    EntrantCheckedIn,
    EntrantRegistered,
    EntrantWithdrew,
    PaymentNoted,
    RoundChanged,
    TeamPaymentNoted,
)
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.standings import standings
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.payments import NO_PAYMENT, Payment, Till, amount_text, parse_amount, till
from gnomon.tournament.state.round_history import RoundKind, histories
from gnomon.tournament.state.rounds import at_boards
from gnomon.tournament.state.settings import System, TournamentSettings
from gnomon.tournament.teams.matches import all_payments
from tests.tournament import _teams
from tests.tournament._evening import after, gathered, pairs, played, published, settings, stronger_wins, told

FIVE = gathered(5, settings(rounds=4, check_in=True))
THREE_HERE = after(FIVE, *(EntrantCheckedIn(number) for number in (1, 2, 4)))


def test_who_is_not_checked_in_is_not_paired() -> None:
    assert FIVE.missing == (1, 2, 3, 4, 5)
    assert FIVE.players(1) == ()
    assert THREE_HERE.missing == (3, 5)
    assert {one for pairing in pair(THREE_HERE) for one in pairing.entrants} == {1, 2, 4}


def test_without_check_in_everybody_is_paired() -> None:
    assert gathered(5, settings()).missing == ()
    assert len(gathered(5, settings()).players(1)) == 5


def test_who_comes_late_plays_from_the_next_round_on() -> None:
    late = after(published(THREE_HERE), EntrantCheckedIn(3, 2))
    assert not late.plays(3, 1)
    assert late.plays(3, 2)
    second = played(told(late, stronger_wins), 1)
    assert [turn.kind for turn in histories(second)[3]] == [RoundKind.ZERO_BYE, RoundKind.PLAYED]
    assert [turn.kind for turn in histories(second)[5]] == [RoundKind.ZERO_BYE] * 2


def test_who_comes_while_round_one_is_played_may_be_seated_by_hand() -> None:
    late = after(published(THREE_HERE), EntrantCheckedIn(3, 1))
    assert pairs(late.rounds[0].pairings) == [(1, 2), (4, None)]
    seated = after(late, RoundChanged(1, at_boards([(1, 2), (4, 3)]), "Cleo came after all"))
    assert seated.waiting == (1, 2)


def test_who_never_came_is_not_ranked() -> None:
    assert {one.number for one in standings(played(THREE_HERE, 2))} == {1, 2, 4}


def test_who_enters_after_round_one_stands_at_the_door() -> None:
    entered = after(published(THREE_HERE), EntrantRegistered(6, "Finn", since=2))
    assert entered.plays(6, 2)
    assert entered.missing == (3, 5)


def test_a_withdrawn_entrant_is_not_missed() -> None:
    assert after(THREE_HERE, EntrantWithdrew(3, 1)).missing == (5,)


def test_a_bracket_has_those_who_are_there() -> None:
    cup = gathered(5, settings(System.KNOCKOUT, rounds=3, tie_breaks=(), check_in=True))
    here = after(cup, *(EntrantCheckedIn(number) for number in (1, 2, 3, 4)))
    assert {one for pairing in pair(here) for one in pairing.entrants} == {1, 2, 3, 4}
    assert [one.number for one in standings(played(here, 2))][:2] == [1, 2]


@pytest.mark.parametrize(
    "like", [settings(System.ROUND_ROBIN, check_in=True), settings(System.KNOCKOUT, lives=2, check_in=True)]
)
def test_a_table_needs_everybody(like: TournamentSettings) -> None:
    tournament = gathered(4, like)
    here = after(tournament, *(EntrantCheckedIn(number) for number in (1, 2, 3)))
    with pytest.raises(TournamentError, match=r"not everybody is checked in: .* check in or withdraw 4 Dov"):
        published(here)
    assert len(published(after(here, EntrantCheckedIn(4))).rounds) == 1


@pytest.mark.parametrize(
    ("before", "event", "sentence"),
    [
        (THREE_HERE, EntrantCheckedIn(1), "1 Ada is checked in already"),
        (THREE_HERE, EntrantCheckedIn(9), "there is no entrant 9"),
        (THREE_HERE, EntrantCheckedIn(3, 2), "3 Cleo cannot be checked in from round 2 on: take one of 1"),
        (after(THREE_HERE, EntrantWithdrew(3, 1)), EntrantCheckedIn(3), "3 Cleo has withdrawn: let them return first"),
        (played(THREE_HERE, 1), EntrantCheckedIn(3), "take one of 2"),
        (published(THREE_HERE), EntrantCheckedIn(3, 3), "take one of 1, 2"),
        (THREE_HERE, CheckInWithdrawn(3), "3 Cleo is not checked in"),
        (published(THREE_HERE), CheckInWithdrawn(1), "1 Ada has been paired already: withdraw them instead"),
        (THREE_HERE, PaymentNoted(9, Payment(1)), "there is no entrant 9"),
    ],
)
def test_what_cannot_be_at_the_door_is_refused(
    before: Tournament, event: EntrantCheckedIn | CheckInWithdrawn | PaymentNoted, sentence: str
) -> None:
    with pytest.raises(TournamentError, match=re.escape(sentence)):
        after(before, event)


def test_one_checked_in_by_mistake_is_missing_again() -> None:
    assert after(THREE_HERE, CheckInWithdrawn(1)).missing == (1, 3, 5)


@given(st.sets(st.integers(1, 5)))
def test_just_those_who_are_there_are_paired(here: set[int]) -> None:
    tournament = after(FIVE, *(EntrantCheckedIn(number) for number in sorted(here)))
    assert set(tournament.players(1)) == here
    assert set(tournament.missing) == {1, 2, 3, 4, 5} - here


@given(st.integers(0, 999_999_999))
def test_an_amount_is_read_as_it_is_written(amount: int) -> None:
    assert parse_amount(amount_text(amount)) == amount


def test_amounts_are_written_in_several_ways() -> None:
    assert [parse_amount(text) for text in ("12", "12.5", "12,50", " 0.05 ")] == [1200, 1250, 1250, 5]
    assert amount_text(-250) == "-2.50"
    for text in ("", "-1", "1.234", "ten"):
        with pytest.raises(TournamentError, match=r"is not an amount: write it as 12 or 12\.50"):
            parse_amount(text)


def test_the_till_adds_up_what_is_owed_and_change_settles_nobody_elses_debt() -> None:
    noted = after(FIVE, PaymentNoted(1, Payment(1500, 2000)), PaymentNoted(2, Payment(1500, 500, "member")))
    assert till(noted.payments.values()) == Till(3000, 2500, 1000)
    assert (noted.payment(2).due, noted.payment(3)) == (1000, NO_PAYMENT)
    assert after(noted, PaymentNoted(1, NO_PAYMENT)).payments == {2: Payment(1500, 500, "member")}
    with pytest.raises(TournamentError, match="nobody owes or pays less than nothing"):
        Payment(-1)


def test_payments_are_in_nothing_for_the_public() -> None:
    assert after(FIVE, PaymentNoted(1, Payment(1500))).in_public().payments == {}


def test_a_team_pays_beside_its_players() -> None:
    teams = after(
        _teams.gathered(2), TeamPaymentNoted(1, Payment(6000, 1000, "cash")), PaymentNoted(11, Payment(500, 500))
    )
    assert till(all_payments(teams)) == (6500, 1500, 5000)
    assert all_payments(after(teams, TeamPaymentNoted(1, NO_PAYMENT))) == (Payment(500, 500),)
    assert all_payments(teams.in_public()) == ()
    assert all_payments(_teams.published(teams)) == all_payments(teams)
    with pytest.raises(TournamentError, match="there is no entrant 9"):
        after(teams, TeamPaymentNoted(9, Payment(1)))
    with pytest.raises(TournamentError, match="no teams play in"):
        after(FIVE, TeamPaymentNoted(1, Payment(1)))
