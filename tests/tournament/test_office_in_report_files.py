"""Test that a report file says what of the office it does not hold: payments, prizes, check-in, deadlines, seeds."""

import pytest

from gnomon.tournament.events import (
    DeadlineSet,
    EntrantCheckedIn,
    EntrantsSeeded,
    Event,
    PaymentNoted,
    PrizesAnnounced,
    TeamPaymentNoted,
    TeamsSeeded,
)
from gnomon.tournament.formats.trf import write_trf
from gnomon.tournament.state.payments import Payment
from gnomon.tournament.state.prizes import Prize, PrizeList
from gnomon.tournament.state.seeds import StageSeed
from tests.tournament import _teams
from tests.tournament._evening import after, gathered, played, settings

FOUR = gathered(4, settings(rounds=3))


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (EntrantCheckedIn(1), "the file does not say who was checked in"),
        (PaymentNoted(1, Payment(1500)), "the file does not have payments"),
        (PrizesAnnounced(PrizeList(prizes=(Prize("", 1, 500),))), "the file does not have prizes"),
        (DeadlineSet(1, "2026-12-01"), "the file does not have deadlines"),
        (EntrantsSeeded((StageSeed(4, 1),)), "the file does not say who was seeded otherwise than by rating"),
    ],
)
def test_what_a_file_does_not_hold_is_said(event: Event, sentence: str) -> None:
    assert [one for one in write_trf(played(FOUR, 1)).left_out if sentence in one.statement.message] == []
    left_out = write_trf(played(after(FOUR, event), 1)).left_out
    assert [one for one in left_out if sentence in one.statement.message] != []


def test_payments_and_prizes_are_in_no_file_for_the_public() -> None:
    told = after(
        FOUR, PaymentNoted(1, Payment(1500, note="member")), PrizesAnnounced(PrizeList(prizes=(Prize("", 1, 500),)))
    )
    public = write_trf(played(told, 1).in_public())
    assert [one.statement.code for one in public.left_out if one.statement.code in {"payments", "prizes"}] == []


def test_payments_of_teams_are_said_to_be_left_out() -> None:
    teams = _teams.told(_teams.published(_teams.gathered(2)), lambda _: "1-0")
    seeded = after(_teams.gathered(2), TeamsSeeded((StageSeed(2, 1),)))
    played_on = _teams.told(_teams.published(seeded), lambda _: "1-0")
    left_out = [one.statement.message for one in write_trf(played_on).left_out]
    assert "the file does not say who was seeded otherwise than by rating, nor from which stage" in left_out
    paid = after(teams, TeamPaymentNoted(1, Payment(6000)))
    sentence = "the file does not have payments of teams"
    said = [[one.statement.message for one in write_trf(each).left_out] for each in (teams, paid)]
    assert [sentence in messages for messages in said] == [False, True]
