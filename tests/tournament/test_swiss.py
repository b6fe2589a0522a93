"""Test Swiss and McMahon pairing: whatever happened before, no absolute rule is broken."""

import re
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import settings as tried
from hypothesis import strategies as st

from gnomon.tournament.errors import NoPairingError, TournamentError
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import (
    ByeGranted,
    EntrantRegistered,
    EntrantWithdrew,
    Event,
    PairingProhibited,
    ResultEntered,
    RoundPublished,
    TournamentOpened,
)
from gnomon.tournament.pairing._preferences import ABSOLUTE, MILD, NONE, STRONG, Preference, compatible, moves_first
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.pairing.players import players
from gnomon.tournament.pairing.swiss import swiss
from gnomon.tournament.pairing.validator import faults_of
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import GameResult
from gnomon.tournament.state.round_history import histories, score
from gnomon.tournament.state.rounds import Pairing, Round, at_boards
from gnomon.tournament.state.settings import Bye, System
from tests.conftest import examples
from tests.tournament._evening import after, by_hand, gathered, opening, pairs, played, published, settings, told

GAMES = st.sampled_from([game for game in GameResult if game is not GameResult.BOTH_WON])  # which is of Go alone


@st.composite
def histories_of_evenings(draw: st.DrawFn) -> Tournament:
    """A tournament in the middle, with everything that happens to one: as far as it could be paired."""
    like = settings(
        draw(st.sampled_from([System.SWISS, System.MCMAHON])),
        rounds=7,
        games=draw(st.sampled_from([1, 1, 2])),
        balance=draw(st.booleans()),
        team_mates_meet=draw(st.booleans()),
        bars=(1990, 1997),
    )
    if like.system is System.SWISS:
        like = replace(like, accelerated=draw(st.booleans()))
    number = draw(st.integers(2, 11))
    tournament = fold(
        [
            TournamentOpened(like),
            *(EntrantRegistered(n, f"E{n}", 2000 - n, draw(st.sampled_from("ab ")), 1) for n in range(1, number + 1)),
        ]
    )
    for _ in range(draw(st.integers(0, 5))):
        tournament = disturbed(draw, tournament)
        try:
            pairings = pair(tournament)
        except NoPairingError:
            return tournament
        tournament = after(tournament, RoundPublished(tournament.next_round, pairings))
        for board in tournament.waiting:
            result = tuple(draw(GAMES) for _ in range(like.games))
            tournament = after(tournament, ResultEntered(len(tournament.rounds), board, result))
    return tournament


def disturbed(draw: st.DrawFn, tournament: Tournament) -> Tournament:
    number = tournament.next_round
    one = draw(st.integers(1, max(tournament.entrants)))
    match draw(st.integers(0, 5)):
        case 0:
            return after(tournament, EntrantWithdrew(one, number))
        case 1 if tournament.plays(one, number):
            return after(tournament, ByeGranted(one, number, draw(st.sampled_from([Bye.ZERO, Bye.HALF, Bye.FULL]))))
        case 2:
            return after(tournament, EntrantRegistered(max(tournament.entrants) + 1, "Late", None, "", number))
        case 3 if one > 1:
            return after(tournament, PairingProhibited(1, one))
        case _:
            return tournament


@tried(max_examples=examples(40))
@given(histories_of_evenings())
def test_any_history_can_be_paired_without_breaking_a_rule_or_it_is_said_why_not(tournament: Tournament) -> None:
    try:
        pairings = swiss(tournament)
    except NoPairingError as refusal:
        sentence = str(refusal)
    else:
        assert faults_of(tournament, tournament.next_round, pairings).all == ()
        return
    assert re.fullmatch(r"round \d cannot be paired: [^;]+; [a-z ,]+", sentence)


@tried(max_examples=examples(30))
@given(histories_of_evenings())
def test_without_a_balance_of_sides_nobody_is_kept_from_anybody_by_them(tournament: Tournament) -> None:
    free = replace(tournament, settings=replace(tournament.settings, balance=False))
    everybody = players(free)
    pairs_of = {frozenset((one.number, other.number)): (one, other) for one, other in combinations(everybody, 2)}
    pairings: tuple[Pairing, ...] = ()
    refused = ""
    try:
        pairings = swiss(free)
    except NoPairingError as refusal:
        refused = str(refusal)
    assert "three times" not in refused
    if not pairings:
        return
    # Who moved first decides nothing: with all sides turned round the same would meet.
    turned = replace(free, rounds=tuple(map(other_way_round, free.rounds)))
    assert {frozenset(p.entrants) for p in swiss(turned)} == {frozenset(p.entrants) for p in pairings}
    assert all(
        other.number not in one.met | one.kept_from
        for p in pairings
        if p.second is not None
        for one, other in [pairs_of[frozenset(p.entrants)]]
    )


def other_way_round(round_: Round) -> Round:
    pairings = tuple(p if p.second is None else Pairing(p.board, p.second, p.first) for p in round_.pairings)
    results = {board: tuple(game.from_other_side for game in result) for board, result in round_.results.items()}
    return Round(round_.number, pairings, results)


@tried(max_examples=examples(20))
@given(histories_of_evenings())
def test_a_round_is_refused_only_when_there_is_really_none(tournament: Tournament) -> None:
    numbers = tournament.players(tournament.next_round)
    assume(len(numbers) <= 6)
    allowed = any(
        not faults_of(tournament, tournament.next_round, at_boards(way)).all for way in ways(numbers) if numbers
    )
    try:
        swiss(tournament)
    except NoPairingError:
        assert not allowed
    else:
        assert allowed


def ways(numbers: tuple[int, ...]) -> list[list[tuple[int, int | None]]]:
    """Every way to pair a few, sides and all."""
    if not numbers:
        return [[]]
    first, *rest = numbers
    found: list[list[tuple[int, int | None]]] = []
    for index, other in enumerate(rest):
        left = (*rest[:index], *rest[index + 1 :])
        found += [[pair, *way] for way in ways(left) for pair in ((first, other), (other, first))]
    if len(numbers) % 2:
        found += [[(first, None), *way] for way in ways(tuple(rest))]
    return found


def test_the_upper_half_meets_the_lower_half_in_the_first_round() -> None:
    assert pairs(pair(gathered(8, settings()))) == [(1, 5), (6, 2), (3, 7), (8, 4)]
    assert pairs(pair(gathered(5, settings(leader_first=False)))) == [(3, 1), (2, 4), (5, None)]


def test_winners_meet_winners_and_sides_change() -> None:
    assert pairs(pair(played(gathered(8, settings()), 1))) == [(4, 1), (2, 3), (5, 8), (7, 6)]


def test_the_bye_goes_to_the_lowest_who_had_none() -> None:
    tournament = played(gathered(5, settings()), 4)
    idle = [p.first for round_ in tournament.rounds for p in round_.pairings if p.second is None]
    assert len(set(idle)) == len(idle) == 4
    assert idle[:2] == [5, 4]


def test_a_forfeited_game_may_be_played_after_all() -> None:
    tournament = by_hand(gathered(2, settings()), [(1, 2, "-/-")])
    assert pairs(pair(tournament)) == [(1, 2)]


def test_mcmahon_begins_with_a_point_for_each_bar() -> None:
    tournament = gathered(8, settings(System.MCMAHON, bars=(1996,)))
    assert pairs(pair(tournament)) == [(1, 3), (4, 2), (5, 7), (8, 6)]


def test_two_games_a_round_leave_no_side_to_balance() -> None:
    tournament = played(gathered(8, settings(games=2)), 3, lambda _: "1-0 1-0")
    assert len({frozenset(p.entrants) for round_ in tournament.rounds for p in round_.pairings}) == 12


def test_points_of_any_size_pair_alike() -> None:
    tournament = played(gathered(6, settings()), 2, lambda p: "½-½" if p.board == 1 else "1-0")
    assert {score(turns).denominator for turns in histories(tournament).values()} == {1, 2}
    assert faults_of(tournament, 3, pair(tournament)).all == ()


NOBODY = fold([TournamentOpened(settings())])
GONE = after(gathered(1, settings()), EntrantWithdrew(1, 1))
TWO_MET = by_hand(gathered(2, settings()), [(1, 2, "1-0")])
APART = after(gathered(2, settings()), PairingProhibited(1, 2))
IDLE = by_hand(gathered(1, settings()), [(1, None, "")])
MIXED = after(TWO_MET, PairingProhibited(1, 2))
# Four who have all moved first twice: nobody may be first again, and every pair needs somebody to be.
FIRSTS = by_hand(
    gathered(8, settings()),
    [(1, 5, "1-0"), (2, 6, "1-0"), (3, 7, "1-0"), (4, 8, "1-0")],
    [(1, 6, "1-0"), (2, 5, "1-0"), (3, 8, "1-0"), (4, 7, "1-0")],
)
ONE_SIDED = after(FIRSTS, *(EntrantWithdrew(number, 3) for number in (5, 6, 7, 8)))


@pytest.mark.parametrize(
    ("tournament", "why"),
    [
        (NOBODY, "nobody has entered yet; register entrants first"),
        (GONE, "nobody is there to play; register entrants, or check in those who are"),
        (gathered(1, settings()), "only one entrant is there to play; register entrants, or check in those who are"),
        (TWO_MET, "two entrants would have to meet again; grant byes, lift a prohibition, or end the tournament"),
        (APART, "two entrants who are kept apart would have to meet"),
        (IDLE, "the bye would go to somebody who already had a round without a game"),
        (ONE_SIDED, "somebody would move first, or second, three times running or three times more often"),
        (MIXED, "several absolute rules together rule out every pairing"),
    ],
)
def test_a_round_without_a_pairing_says_which_rule_stands_in_the_way(tournament: Tournament, why: str) -> None:
    with pytest.raises(NoPairingError, match=re.escape(f"round {tournament.next_round} cannot be paired: {why}")):
        pair(tournament)


FIVE = by_hand(gathered(5, settings()), [(1, 2, "1-0"), (3, 4, "-/+"), (5, None, "")])
FOUR_GAMES = by_hand(gathered(4, settings()), [(1, 2, "1-0"), (3, 4, "1-0")], [(1, 3, "1-0"), (2, 4, "1-0")])


@pytest.mark.parametrize(
    ("tournament", "pairings", "fault"),
    [
        (FIVE, (), "nobody is paired"),
        (FIVE, at_boards([(1, 9), (2, 3), (4, 5)]), "there is no entrant 9"),
        (FIVE, at_boards([(1, 3), (2, 3), (4, 5)]), "entrant 3 sits in 2 places"),
        (FIVE, (Pairing(1, 1, 3), Pairing(1, 2, 4), Pairing(2, 5)), "board 1 is named 2 times"),
        (FIVE, (Pairing(0, 1, 3), Pairing(1, 2, 4), Pairing(2, 5)), "there is no board 0"),
        (FIVE, at_boards([(1, 3), (2, 4)]), "5 Eva plays in this round but is not paired"),
        (
            after(FIVE, ByeGranted(5, 2, Bye.HALF)),
            at_boards([(1, 3), (2, 4), (5, None)]),
            "5 Eva is paired but does not",
        ),
        (FIVE, at_boards([(1, 3), (2, None), (4, None), (5, None)]), "3 entrants have a bye, but only one"),
        (
            FIVE,
            at_boards([(1, 3), (2, 4), (5, None)]),
            "5 Eva has already won a round without playing and gets no bye",
        ),
        (
            FIVE,
            at_boards([(1, 3), (2, 5), (4, None)]),
            "4 Dov has already won a round without playing and gets no bye",
        ),
        (FIVE, at_boards([(2, 1), (3, 5), (4, None)]), "2 Ben and 1 Ada have met before"),
        (
            after(FIVE, PairingProhibited(1, 3)),
            at_boards([(1, 3), (4, 5), (2, None)]),
            "1 Ada and 3 Cleo are kept apart",
        ),
        (FOUR_GAMES, at_boards([(1, 4), (2, 3)]), "1 Ada would move first for the third time running"),
        (FOUR_GAMES, at_boards([(1, 4), (2, 3)]), "1 Ada would have moved first three times more often"),
        (FOUR_GAMES, at_boards([(1, 4), (2, 3)]), "4 Dov would move second for the third time running"),
    ],
)
def test_the_validator_refuses_what_breaks_an_absolute_rule(
    tournament: Tournament, pairings: tuple[Pairing, ...], fault: str
) -> None:
    with pytest.raises(TournamentError, match=re.escape(fault)):
        pair(tournament, lambda _: pairings)


def test_a_full_point_bye_leaves_no_other_to_hope_for() -> None:
    tournament = by_hand(after(gathered(3, settings()), ByeGranted(3, 1, Bye.FULL)), [(1, 2, "1-0")])
    assert pairs(pair(tournament)) == [(3, 1), (2, None)]
    with pytest.raises(TournamentError, match="3 Cleo has already won a round without playing"):
        pair(tournament, lambda _: at_boards([(2, 1), (3, None)]))


def test_team_mates_can_be_kept_apart() -> None:
    events: list[Event] = [
        TournamentOpened(settings(team_mates_meet=False)),
        *(EntrantRegistered(n, f"E{n}", 2000 - n, "a" if n in {1, 3} else "") for n in range(1, 5)),
    ]
    assert (1, 3) not in pairs(pair(fold(events)))
    with pytest.raises(TournamentError, match="1 E1 and 3 E3 are kept apart"):
        pair(fold(events), lambda _: at_boards([(1, 3), (2, 4)]))


def test_a_replay_pairs_the_same() -> None:
    tournament = played(gathered(20, settings()), 4)
    again = told(
        published(played(fold(opening(20, settings())), 3)), lambda p: "1-0" if p.first < (p.second or 0) else "0-1"
    )
    assert again == tournament
    assert pair(again) == pair(tournament)


@pytest.mark.parametrize(
    ("sides", "first", "strength"),
    [
        ("", True, NONE),
        ("f", False, STRONG),
        ("fs", True, MILD),
        ("sf", False, MILD),
        ("ff", False, ABSOLUTE),
        ("fsf", False, STRONG),
        ("sffsf", False, STRONG),
        ("fsffsf", False, ABSOLUTE),
        ("ssfsff", False, ABSOLUTE),
    ],
)
def test_the_side_that_is_due_follows_from_those_had(sides: str, first: bool, strength: int) -> None:
    assert Preference.of([side == "f" for side in sides])[:2] == (first, strength)


SIDES = st.lists(st.booleans(), max_size=8)


@given(SIDES, SIDES, st.booleans())
def test_two_who_can_meet_get_sides_that_they_may_have(one: list[bool], other: list[bool], lot: bool) -> None:
    higher, lower = Preference.of(one), Preference.of(other)
    assume(compatible(higher, lower))
    first = moves_first(higher, lower, lot=lot)
    assert higher.may_first if first else higher.may_second
    assert lower.may_second if first else lower.may_first


@pytest.mark.parametrize(
    ("higher", "lower", "first"),
    [
        ("f", "s", False),
        ("f", "fs", False),
        ("fs", "f", True),
        ("f", "f", False),
        ("fs", "ffss", False),
        ("sf", "fsf", True),
        ("fssf", "sfsf", True),
    ],
)
def test_the_stronger_wish_is_met_then_the_last_difference_turned_round(higher: str, lower: str, first: bool) -> None:
    one, other = (Preference.of([side == "f" for side in sides]) for sides in (higher, lower))
    assert moves_first(one, other, lot=True) == first


def test_points_are_exact() -> None:
    assert score(histories(FIVE)[4]) == Fraction(1)
