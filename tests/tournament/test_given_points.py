"""Test points that nobody scored: the Baku acceleration, by the examples that come with its rules."""

import re

import pytest

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import EntrantRegistered, TournamentOpened
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.settings import Scoring, System
from gnomon.tournament.strength.given_points import lent_points
from tests.tournament._evening import gathered, pairs, played, settings


@pytest.mark.parametrize(("entrants", "stronger"), [(161, 82), (160, 80), (162, 82), (4, 2), (2, 2), (1, 1)])
def test_the_stronger_half_is_rounded_up_to_an_even_number(entrants: int, stronger: int) -> None:
    # C.04.5.1, 2: with 161 players the first group has 82, twice a quarter of them rounded up.
    lent = lent_points(gathered(entrants, settings(accelerated=True)), 1)
    assert sorted(lent) == list(range(1, stronger + 1))


def test_points_are_lent_in_the_first_half_of_the_rounds_and_half_of_them_in_its_second() -> None:
    # C.04.5.1, 5: of nine rounds five are accelerated, three by a point and two by half of one.
    tournament = gathered(4, settings(accelerated=True))
    assert [str(lent_points(tournament, number).get(1, "-")) for number in range(10)] == list("-111") + ["1/2"] * 2 + [
        "-"
    ] * 4
    assert lent_points(gathered(4, settings()), 1) == {}


def test_what_is_lent_goes_by_what_a_round_is_worth() -> None:
    scoring = Scoring(*map(Scoring().win.__class__, (3, 1, 0, 3)))
    doubled = gathered(4, settings(accelerated=True, games=2, scoring=scoring))
    assert [int(lent_points(doubled, number)[1]) for number in (1, 5)] == [6, 2]


def late(since: dict[int, int]) -> Tournament:
    entrants = (EntrantRegistered(number, f"E{number}", 2000 - number, "", one) for number, one in since.items())
    return fold([TournamentOpened(settings(accelerated=True)), *entrants])


def test_who_comes_late_does_not_move_the_last_of_the_stronger_half() -> None:
    assert sorted(lent_points(late({1: 1, 3: 2, 5: 1, 6: 2, 7: 1, 8: 1}), 2)) == [1, 3, 5]
    assert lent_points(late({1: 2}), 2) == {}


def test_the_stronger_half_meets_its_own_first() -> None:
    tournament = gathered(16, settings(accelerated=True))
    assert pairs(pair(tournament)) == [(1, 5), (6, 2), (3, 7), (8, 4), (9, 13), (14, 10), (11, 15), (16, 12)]
    # In the second round who lost above, 0 and 1 lent, meets who won below, 1 and none lent.
    second = {frozenset(pairing.entrants) for pairing in pair(played(tournament, 1))}
    assert all(len(met & {5, 6, 7, 8}) == len(met & {9, 10, 11, 12}) for met in second)


def test_only_a_swiss_is_accelerated() -> None:
    with pytest.raises(TournamentError, match=re.escape("a knockout cannot be accelerated: only a Swiss can")):
        settings(System.KNOCKOUT, accelerated=True)
