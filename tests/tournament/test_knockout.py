"""Test knockouts: brackets, byes, who goes on, and the match for third place."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.tournament.errors import NoPairingError, TournamentError
from gnomon.tournament.events import EntrantWithdrew, ResultEntered, RoundChanged, RoundPublished
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.pairing.knockout import bracket, champion
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import parse_result
from gnomon.tournament.state.rounds import Pairing, at_boards
from gnomon.tournament.state.settings import System
from tests.tournament._evening import after, gathered, pairs, played, published, settings, told


def cup(number: int, rounds: int = 7, **others: object) -> Tournament:
    return gathered(number, settings(System.KNOCKOUT, rounds, **others))


def test_a_bracket_keeps_the_best_apart_as_long_as_it_can() -> None:
    assert bracket(8) == (1, 8, 4, 5, 2, 7, 3, 6)
    assert bracket(5) == (1, None, 4, 5, 2, None, 3, None)


@given(st.integers(2, 130))
def test_byes_fill_a_bracket_to_a_power_of_two_and_go_to_the_best(number: int) -> None:
    seeds = bracket(number)
    size = len(seeds)
    assert size & (size - 1) == 0
    assert sorted(seed for seed in seeds if seed is not None) == list(range(1, number + 1))
    met = [(one, other) for one, other in zip(seeds[::2], seeds[1::2], strict=True)]
    idle = {one or other for one, other in met if one is None or other is None}
    assert idle == set(range(1, size - number + 1))


@given(st.integers(2, 20), st.booleans())
def test_the_best_wins_when_the_stronger_always_does(number: int, third_place: bool) -> None:
    rounds = (number - 1).bit_length()
    tournament = played(cup(number, third_place=third_place), rounds)
    assert champion(tournament) == 1
    assert 2 in tournament.rounds[-1].at(1).entrants
    with pytest.raises(NoPairingError, match=f"round {rounds + 1} cannot be paired: 1 Ada has won"):
        pair(tournament)


def test_a_match_that_is_level_is_decided_by_games_added() -> None:
    tournament = published(cup(2, games=2))
    won = after(tournament, ResultEntered(1, 1, parse_result("1-0 0-1 ½-½ 0-1")))
    assert champion(tournament) is None
    assert champion(won) == 2
    assert champion(cup(2)) is None


def test_the_one_who_has_moved_first_less_often_moves_first() -> None:
    tournament = published(played(cup(8, leader_first=False), 1))
    assert pairs(tournament.rounds[0].pairings) == [(8, 1), (5, 4), (7, 2), (6, 3)]
    assert pairs(tournament.rounds[1].pairings) == [(4, 1), (3, 2)]
    uneven = published(played(cup(3), 1))
    assert pairs(uneven.rounds[1].pairings) == [(1, 2)]
    weaker = published(told(published(cup(3, leader_first=False)), lambda _: "0-1"))
    assert pairs(weaker.rounds[1].pairings) == [(2, 1)]


def test_who_forfeits_both_leave_their_place_empty() -> None:
    tournament = told(published(cup(4)), lambda p: "-/-" if p.board == 1 else "1-0")
    assert pair(tournament) == (Pairing(1, 2),)
    nobody = told(published(cup(4)), lambda _: "-/-")
    with pytest.raises(NoPairingError, match="round 2 cannot be paired: nobody is left to play"):
        pair(nobody)
    with pytest.raises(NoPairingError, match="round 2 cannot be paired: nobody is left to play"):
        pair(told(published(cup(2)), lambda _: "-/-"))
    with pytest.raises(NoPairingError, match="round 1 cannot be paired: nobody has entered yet"):
        pair(cup(0))


def test_an_empty_place_stays_empty_in_a_larger_bracket() -> None:
    tournament = told(published(cup(8)), lambda p: "-/-" if p.board in {1, 2} else "1-0")
    assert [p.board for p in pair(tournament)] == [2]
    assert pairs(pair(told(published(tournament), lambda _: "1-0"))) == [(2, None)]


def test_who_withdraws_leaves_the_way_to_the_next() -> None:
    tournament = after(played(cup(4, third_place=True), 1), EntrantWithdrew(1, 2), EntrantWithdrew(4, 2))
    assert pair(tournament) == (Pairing(1, 2), Pairing(2, 3))


def test_the_losers_of_the_semifinals_play_for_the_third_place() -> None:
    assert pairs(pair(played(cup(4, third_place=True), 1))) == [(1, 2), (3, 4)]
    assert pairs(pair(played(cup(3, third_place=True), 1))) == [(1, 2), (3, None)]
    assert pairs(pair(cup(2, third_place=True))) == [(1, 2)]


def test_a_bracket_changed_by_hand_goes_on_from_there() -> None:
    swapped = after(published(cup(4)), RoundChanged(1, at_boards([(1, 3), (2, 4)]), "1 and 4 live together"))
    assert pairs(pair(told(swapped, lambda _: "1-0"))) == [(1, 2)]


@pytest.mark.parametrize(
    ("tournament", "pairings", "fault"),
    [
        (cup(3), at_boards([(1, 2)]), "3 Cleo is not in the bracket"),
        (after(cup(3), EntrantWithdrew(3, 1)), at_boards([(1, 2), (3, None)]), "3 Cleo has withdrawn"),
        (played(cup(4), 1), at_boards([(1, 3)]), "3 Cleo did not win in the last round"),
        (played(cup(4), 1), at_boards([(1, None)]), "2 Ben won in the last round but is not paired"),
        (played(cup(8), 2), at_boards([(1, 8)]), "8 Hal was out before the last round"),
    ],
)
def test_the_validator_lets_only_winners_go_on(
    tournament: Tournament, pairings: tuple[Pairing, ...], fault: str
) -> None:
    with pytest.raises(TournamentError, match=re.escape(fault)):
        after(tournament, RoundPublished(tournament.next_round, pairings))
