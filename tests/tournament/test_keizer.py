"""Test Keizer's system: values, points, and who meets whom."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.tournament.errors import NoPairingError, TournamentError
from gnomon.tournament.events import (
    ByeGranted,
    EntrantRegistered,
    EntrantWithdrew,
    PairingProhibited,
    RoundPublished,
)
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.scoring.keizer import keizer_points, keizer_values
from gnomon.tournament.standings import standings
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import Points
from gnomon.tournament.state.rounds import Pairing, at_boards
from gnomon.tournament.state.settings import Bye, System
from tests.tournament._evening import after, by_hand, gathered, pairs, played, published, settings

CLUB = settings(System.KEIZER, rounds=9, tie_breaks=())
FOUR = gathered(4, CLUB)


def met(tournament: Tournament) -> list[set[int | None]]:
    return [set(each) for each in pairs(pair(tournament))]


def test_the_first_has_one_and_a_half_times_as_many_as_there_are_players() -> None:
    # Forty players: 60 for the first, as Voorster Schaakclub explains it.
    values = keizer_values(range(1, 41))
    assert [values[1], values[2], values[40]] == [60, 59, 21]
    assert keizer_values([7, 3, 5]) == {7: 5, 3: 4, 5: 3}


def test_before_a_game_everybody_has_their_own_value() -> None:
    assert {one.number: one.points for one in standings(FOUR)} == {1: 6, 2: 5, 3: 4, 4: 3}


def test_a_win_brings_the_value_of_the_opponent_and_a_draw_half_of_it() -> None:
    told = by_hand(FOUR, [(1, 2, "1-0"), (3, 4, "½-½")])
    # Ada 6 + 5, Cleo 5 + 3/2, Dov 4 + 5/2 (Ben has fallen behind them), or the like: the ranking settles it.
    assert keizer_points(told) == {1: 6 + 3, 3: 5 + 2, 4: 4 + Points(5, 2), 2: 3}
    assert [one.number for one in standings(told)] == [1, 3, 4, 2]


def test_a_bye_brings_two_thirds_and_an_absence_a_third_of_ones_own_value() -> None:
    five = after(gathered(5, CLUB), ByeGranted(1, 1, Bye.ZERO), EntrantWithdrew(5, 1))
    told = by_hand(five, [(2, 3, "1-0"), (4, None, "")])
    points = keizer_points(told)
    order = [one.number for one in standings(told)]
    own = keizer_values(order)
    assert points[1] == own[1] * Points(4, 3)
    assert points[4] == own[4] * Points(5, 3)
    assert 5 not in order


def test_who_has_left_gets_nothing_for_later_rounds() -> None:
    left = after(by_hand(FOUR, [(1, 2, "1-0"), (3, 4, "1-0")]), EntrantWithdrew(1, 2))
    again = by_hand(left, [(2, 3, "1-0"), (4, None, "")])
    assert (
        keizer_points(again)[1]
        == 0
        + keizer_values([one.number for one in standings(again)])[1]
        + (keizer_values([one.number for one in standings(again)])[2])
    )


def test_neighbours_of_the_table_meet() -> None:
    assert met(FOUR) == [{1, 2}, {3, 4}]
    assert met(gathered(5, CLUB)) == [{1, 2}, {3, 4}, {5, None}]


def test_nobody_meets_again_soon_where_others_are_there() -> None:
    told = played(gathered(8, CLUB), 3)
    games = [frozenset(each.entrants) for round_ in told.rounds for each in round_.pairings]
    assert len(set(games)) == len(games)


def test_two_may_meet_again_where_nobody_else_is_left() -> None:
    assert met(played(gathered(2, CLUB), 3)) == [{1, 2}]


def test_the_bye_goes_round() -> None:
    told = played(gathered(3, CLUB), 3)
    idle = [each.first for round_ in told.rounds for each in round_.pairings if each.second is None]
    assert sorted(idle) == [1, 2, 3]


def test_nobody_is_paired_alone() -> None:
    with pytest.raises(NoPairingError, match="only one entrant is there to play"):
        pair(gathered(1, CLUB))


def test_sides_are_taken_in_turn() -> None:
    told = played(gathered(2, CLUB), 4)
    firsts = [round_.pairings[0].first for round_ in told.rounds]
    assert firsts in ([1, 2, 1, 2], [2, 1, 2, 1])


def test_who_is_kept_apart_does_not_meet() -> None:
    assert {1, 2} not in met(after(FOUR, PairingProhibited(1, 2)))
    with pytest.raises(NoPairingError, match="kept apart would have to meet"):
        pair(after(gathered(2, CLUB), PairingProhibited(1, 2)))
    with pytest.raises(NoPairingError, match="nobody is there"):
        pair(after(gathered(1, CLUB), EntrantWithdrew(1, 1)))
    with pytest.raises(NoPairingError, match="nobody has entered yet"):
        pair(gathered(0, CLUB))


def test_a_round_by_hand_is_looked_over() -> None:
    apart = after(FOUR, PairingProhibited(1, 2))
    with pytest.raises(TournamentError, match="1 Ada and 2 Ben are kept apart"):
        after(apart, RoundPublished(1, at_boards([(1, 2), (3, 4)])))
    with pytest.raises(TournamentError, match="3 Cleo plays in this round but is not paired"):
        after(FOUR, RoundPublished(1, at_boards([(1, 2), (4, None)])))
    assert len(after(apart, RoundPublished(1, at_boards([(1, 2), (3, 4)]), "they insist")).rounds) == 1


def test_late_entrants_take_part_from_their_round_on() -> None:
    late = after(played(FOUR, 1), EntrantRegistered(5, "Eva", 3000, since=2))
    assert 5 in {number for each in pair(late) for number in each.entrants}


def _always(result: str, _: Pairing) -> str:
    return result


@given(st.integers(2, 9), st.lists(st.integers(0, 2), min_size=6, max_size=6))
def test_the_ranking_is_one_of_its_own_values(count: int, outcomes: list[int]) -> None:
    tournament = gathered(count, CLUB)
    for outcome in outcomes[:3]:
        result = ("1-0", "0-1", "½-½")[outcome]
        tournament = played(tournament, 1, partial(_always, result))
    points = keizer_points(tournament)
    assert set(points) == set(range(1, count + 1))
    assert min(points.values()) >= 0
    assert published(tournament).rounds[-1].pairings
