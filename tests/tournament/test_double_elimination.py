"""Test double elimination: nobody is out before their second loss, and one is left in the end."""

import re

import pytest
from hypothesis import given
from hypothesis import settings as tried
from hypothesis import strategies as st

from gnomon.tournament.errors import NoPairingError, TournamentError
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import EntrantWithdrew
from gnomon.tournament.pairing.double_elimination import losses, still_in
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.pairing.validator import faults_of
from gnomon.tournament.standings import standings
from gnomon.tournament.standings.crosstables import bracket_of
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import format_result
from gnomon.tournament.state.round_history import winner
from gnomon.tournament.state.rounds import Pairing, at_boards
from gnomon.tournament.state.settings import System, TournamentSettings
from tests.conftest import examples
from tests.tournament._evening import Teller, after, by_hand, gathered, opening, pairs, published, settings, told

MOST = 20


def twice(**others: object) -> TournamentSettings:
    return settings(System.KNOCKOUT, rounds=MOST, lives=2, tie_breaks=(), **others)


def to_the_end(tournament: Tournament, teller: Teller) -> Tournament:
    while True:
        try:
            tournament = told(published(tournament), teller)
        except NoPairingError:
            return tournament


def places(tournament: Tournament) -> list[tuple[int, int]]:
    return [(one.place, one.number) for one in standings(tournament)]


def test_eight_play_to_the_end_and_who_never_loses_waits_for_the_final() -> None:
    cup = to_the_end(gathered(8, twice()), lambda p: "1-0" if p.first < (p.second or 0) else "0-1")
    assert [pairs(round_.pairings) for round_ in cup.rounds] == [
        [(1, 8), (4, 5), (2, 7), (3, 6)],
        [(1, 4), (2, 3), (5, 7), (6, 8)],
        [(1, 2), (3, 5), (4, 6)],
        [(2, None), (3, 4)],
        [(2, 3)],
        [(1, 2)],
    ]
    assert places(cup) == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (5, 6), (7, 7), (7, 8)]
    with pytest.raises(NoPairingError, match="round 7 cannot be paired: 1 Ada has won"):
        pair(cup)


def test_who_loses_only_the_final_gets_another_chance() -> None:
    cup = by_hand(gathered(2, twice()), [(1, 2, "1-0")], [(2, 1, "1-0")])
    assert losses(cup) == {1: 1, 2: 1}
    assert pairs(pair(cup)) == [(1, 2)]
    assert places(by_hand(cup, [(1, 2, "0-1")])) == [(1, 2), (2, 1)]


def test_nobody_goes_on_alone_twice_running_where_another_can() -> None:
    cup = by_hand(
        gathered(5, twice()),
        [(1, None, ""), (4, 5, "1-0"), (2, None, ""), (3, None, "")],
        [(1, 4, "1-0"), (2, 3, "0-1"), (5, None, "")],
        [(3, 1, "0-1"), (5, 2, "1-0"), (4, None, "")],
    )
    assert pairs(pair(cup)) == [(3, 4), (5, None)]


def test_while_it_goes_on_who_has_not_lost_stands_above_who_has() -> None:
    cup = by_hand(gathered(4, twice()), [(1, 4, "1-0"), (2, 3, "1-0")])
    assert places(cup) == [(1, 1), (1, 2), (3, 3), (3, 4)]
    assert losses(published(cup)) == {1: 0, 2: 0, 3: 1, 4: 1}


def test_nobody_is_there_or_all_are_gone() -> None:
    with pytest.raises(NoPairingError, match="nobody is left to play"):
        pair(fold(opening(0, twice())))
    gone = by_hand(gathered(2, twice()), [(1, 2, "-/-")], [(1, 2, "-/-")])
    with pytest.raises(NoPairingError, match="nobody is left to play"):
        pair(gone)
    left = after(gathered(3, twice()), EntrantWithdrew(3, 1))
    assert places(to_the_end(left, lambda _: "1-0"))[-1] == (2, 2)


@st.composite
def cups(draw: st.DrawFn) -> Tournament:
    """Played to the end, with double forfeits and entrants who leave."""
    number = draw(st.integers(2, 12))
    cup = gathered(number, twice())
    while True:
        if cup.rounds and not draw(st.integers(0, 5)):
            cup = after(cup, EntrantWithdrew(draw(st.integers(1, number)), cup.next_round))
        try:
            cup = told(published(cup), lambda _: draw(st.sampled_from(["1-0", "0-1", "0-1", "-/+", "-/-"])))
        except NoPairingError:
            return cup


@pytest.mark.untraced
@tried(max_examples=examples(40))
@given(cups())
def test_a_second_loss_ends_it_and_one_is_left(cup: Tournament) -> None:
    lost = losses(cup)
    left = [number for number in lost if lost[number] < 2 and not cup.has_left(number, cup.next_round)]
    assert max(lost.values()) <= 2
    assert len(left) <= 1
    if left:
        assert places(cup)[0] == (1, left[0])
    # Twice the rounds of a plain knockout, and one for the other chance.
    assert len(cup.rounds) <= 2 * (len(lost) - 1).bit_length() + 1


@pytest.mark.untraced
@tried(max_examples=examples(40))
@given(cups())
def test_the_brackets_show_every_match_once_and_as_it_ended(cup: Tournament) -> None:
    drawn = bracket_of(cup)
    matches = [match for matches in (*drawn.rounds, *drawn.lower, drawn.finals) for match in matches]
    shown = {(match.round, match.board): match for match in matches if any(slot.number for slot in match.slots)}
    published = {(round_.number, pairing.board): pairing for round_ in cup.rounds for pairing in round_.pairings}
    assert shown.keys() >= published.keys()
    assert len(drawn.finals) <= 2
    for (in_round, board), pairing in published.items():
        match = shown[in_round, board]
        assert [slot.number for slot in match.slots] == [pairing.first, pairing.second]
        result = cup.round(in_round).results.get(board, ())
        won = pairing.first if pairing.second is None else winner(pairing, result)
        assert {slot.number for slot in match.slots if slot.won} == ({won} if won else set())
        assert match.told == format_result(result)
    assert sum((match.round, match.board) in published for match in matches) == len(published)
    assert drawn.waiting == () or len(still_in(cup)) > 1


FOUR = by_hand(gathered(4, twice()), [(1, 4, "1-0"), (2, 3, "1-0")])
THREE = by_hand(FOUR, [(1, 2, "1-0"), (3, 4, "1-0")])


@pytest.mark.parametrize(
    ("cup", "pairings", "fault"),
    [
        (FOUR, at_boards([(1, 2)]), "3 Cleo is still in but is not paired"),
        (FOUR, at_boards([(1, 3), (2, 4)]), "1 Ada and 3 Cleo meet, but only one of them has lost"),
        (THREE, at_boards([(2, 3), (1, 4)]), "4 Dov is out"),
        (THREE, at_boards([(1, 2), (3, None)]), "1 Ada and 2 Ben meet, but only one of them has lost"),
    ],
)
def test_the_validator_refuses_what_no_double_elimination_has(
    cup: Tournament, pairings: tuple[Pairing, ...], fault: str
) -> None:
    with pytest.raises(TournamentError, match=re.escape(fault)):
        pair(cup, lambda _: pairings)
    assert faults_of(THREE, 3, at_boards([(2, 3)])).all == ()


@pytest.mark.parametrize("what", [{"system": System.SWISS}, {"third_place": True}])
def test_only_a_knockout_without_a_third_place_has_two_lives(what: dict[str, object]) -> None:
    with pytest.raises(TournamentError, match="a knockout with two lives has no match for third place"):
        settings(**{"system": System.KNOCKOUT, "lives": 2} | what)  # type: ignore[arg-type]  # settings by their names
