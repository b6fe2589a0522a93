"""Test round robins against the tables that FIDE prints, and for what every table must satisfy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.tournament.errors import NoPairingError, TournamentError
from gnomon.tournament.events import RoundPublished
from gnomon.tournament.pairing.berger import table
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.state.rounds import at_boards
from gnomon.tournament.state.settings import System
from tests.tournament._evening import after, gathered, played, settings

# FIDE Handbook C.05, annex 1: Berger tables, for 5 or 6 and for 7 or 8 players.
SIX = """
1-6 2-5 3-4
6-4 5-3 1-2
2-6 3-1 4-5
6-5 1-4 2-3
3-6 4-2 5-1
"""
EIGHT = """
1-8 2-7 3-6 4-5
8-5 6-4 7-3 1-2
2-8 3-1 4-7 5-6
8-6 7-5 1-4 2-3
3-8 4-2 5-1 6-7
8-7 1-6 2-5 3-4
4-8 5-3 6-2 7-1
"""


@pytest.mark.parametrize(("printed", "number"), [(SIX, 6), (EIGHT, 8)])
def test_the_tables_are_those_of_the_handbook(printed: str, number: int) -> None:
    assert [" ".join(f"{one}-{other}" for one, other in pairs) for pairs in table(number)] == printed.split("\n")[1:-1]


@given(st.integers(2, 40))
def test_everybody_meets_everybody_once_and_has_both_sides_alike(number: int) -> None:
    rounds = table(number)
    games = [pair for pairs in rounds for pair in pairs]
    assert sorted(sorted(pair) for pair in games) == [
        [a, b] for a in range(1, number + 1) for b in range(a + 1, number + 1)
    ]
    assert all(len({one for pair in pairs for one in pair}) == 2 * len(pairs) for pairs in rounds)
    firsts = [sum(first == one for first, _ in games) for one in range(1, number + 1)]
    assert max(firsts) - min(firsts) <= 1


@pytest.mark.parametrize("number", [3, 4, 5, 6, 8])
def test_two_cycles_change_sides_and_nobody_has_one_three_times_running(number: int) -> None:
    rounds = 2 * (number - 1 + number % 2)
    tournament = played(gathered(number, settings(System.ROUND_ROBIN, rounds=rounds, cycles=2)), rounds)
    games = [(p.first, p.second) for round_ in tournament.rounds for p in round_.pairings]
    assert len(set(games)) == len(games) == number * (number - 1)
    for one in range(1, number + 1):
        sides = "".join(
            "ab"[p.first == one] for round_ in tournament.rounds for p in round_.pairings if one in p.entrants
        )
        assert "aaa" not in sides
        assert "bbb" not in sides


def test_a_table_ends_when_all_have_met() -> None:
    with pytest.raises(NoPairingError, match="round 4 cannot be paired: 4 entrants who meet once play 3 rounds"):
        pair(played(gathered(4, settings(System.ROUND_ROBIN)), 3))
    with pytest.raises(NoPairingError, match="round 1 cannot be paired: 1 entrants who meet twice play 0 rounds"):
        pair(gathered(1, settings(System.ROUND_ROBIN, cycles=2)))


def test_a_round_changed_by_hand_lets_nobody_meet_too_often() -> None:
    tournament = played(gathered(4, settings(System.ROUND_ROBIN)), 1)
    with pytest.raises(TournamentError, match="4 Dov and 1 Ada meet only once, and already have"):
        after(tournament, RoundPublished(2, at_boards([(4, 1), (2, 3)])))
    with pytest.raises(
        TournamentError, match="2 Ben has a bye: the table leaves this entrant free, and a free entrant is not paired"
    ):
        after(tournament, RoundPublished(2, at_boards([(4, 3), (2, None)])))
