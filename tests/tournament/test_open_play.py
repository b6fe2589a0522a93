"""Test open play: arenas, ladders, several open rounds, and deadlines."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.tournament.errors import NoPairingError, TournamentError
from gnomon.tournament.events import (
    DeadlineSet,
    EntrantRegistered,
    EntrantWithdrew,
    Event,
    PairingProhibited,
    ResultCorrected,
    ResultEntered,
    ResultWithdrawn,
    RoundPublished,
)
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.scoring.arena import arena_points, free_boards, free_players
from gnomon.tournament.scoring.ladder import ladder_order, rungs
from gnomon.tournament.standings import standings
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.deadlines import Deadline, deadline_of, open_deadlines
from gnomon.tournament.state.results import Points, parse_result
from gnomon.tournament.state.rounds import Pairing, at_boards
from gnomon.tournament.state.settings import Scoring, System
from tests.tournament._evening import after, by_hand, gathered, pairs, played, published, settings

WON, LOST, DRAWN = map(parse_result, ("1-0", "0-1", "½-½"))
LICHESS = Scoring(Points(2), Points(1), Points(0), Points(0))
ARENA = settings(System.ARENA, rounds=99, tie_breaks=(), scoring=LICHESS)
OPEN = gathered(6, ARENA)
LADDER = gathered(5, settings(System.LADDER, rounds=99, tie_breaks=()))


# Arena


def test_players_who_are_free_are_paired_and_the_others_play_on() -> None:
    one = published(OPEN)
    assert [set(each) for each in pairs(one.rounds[0].pairings)] == [{1, 2}, {3, 4}, {5, 6}]
    assert free_players(one) == ()
    two = after(one, ResultEntered(1, 1, WON), ResultEntered(1, 3, WON))
    assert len(free_players(two)) == 4
    next_games = pair(two)
    assert sorted(each.board for each in next_games) == [1, 3]
    assert free_boards(two, 2) == (1, 3)
    both = after(two, RoundPublished(2, next_games), ResultEntered(1, 2, LOST))
    assert [round_.number for round_ in both.open_rounds] == [2]
    assert both.rounds[0].waiting == ()


def test_one_who_is_left_over_waits_and_nobody_alone_plays() -> None:
    five = gathered(5, ARENA)
    assert len(pair(five)) == 2
    with pytest.raises(NoPairingError, match="fewer than two are free"):
        pair(gathered(1, ARENA))
    with pytest.raises(NoPairingError, match="nobody is there"):
        pair(published(gathered(4, ARENA)))


def test_nobody_meets_twice_running_while_others_are_free() -> None:
    told = played(OPEN, 3)
    games = [frozenset(each.entrants) for round_ in told.rounds for each in round_.pairings]
    assert len(set(games)) == len(games)


# Two wins followed by a draw are 2 + 2 + 2 x 1 points (the arenas of Lichess).
@pytest.mark.parametrize(
    ("results", "points"),
    [
        (["1-0", "1-0", "½-½"], 6),
        (["1-0", "1-0", "1-0", "1-0"], 12),
        (["1-0", "1-0", "0-1", "1-0"], 6),
        (["1-0", "½-½", "1-0"], 5),
        (["1-0", "1-0", "½-½", "1-0"], 8),
    ],
)
def test_points_count_twice_after_two_wins_in_a_row(results: list[str], points: int) -> None:
    like = settings(System.ARENA, rounds=99, tie_breaks=(), scoring=LICHESS, streak=True)
    told = by_hand(gathered(2, like), *[[(1, 2, result)] for result in results])
    assert arena_points(told)[1] == points
    plain = by_hand(gathered(2, ARENA), *[[(1, 2, result)] for result in results])
    assert arena_points(plain)[1] == sum({"1-0": 2, "½-½": 1, "0-1": 0}[result] for result in results)
    assert standings(told)[0].points == points


def test_a_game_that_is_still_played_neither_breaks_nor_makes_a_streak() -> None:
    like = settings(System.ARENA, rounds=99, tie_breaks=(), scoring=LICHESS, streak=True)
    told = by_hand(gathered(3, like), [(1, 2, "1-0")], [(2, 3, "1-0")], [(1, 2, "1-0")])
    pending = after(told, RoundPublished(4, at_boards([(1, 3)])))
    assert arena_points(pending)[1] == 4
    assert arena_points(after(pending, ResultEntered(4, 1, WON)))[1] == 8


# Ladder


def test_who_beats_somebody_above_takes_that_rung_and_those_between_move_down() -> None:
    assert ladder_order(LADDER) == (1, 2, 3, 4, 5)
    won = by_hand(LADDER, [(5, 2, "1-0"), (1, 3, "0-0")])
    assert ladder_order(won) == (1, 5, 2, 3, 4)
    assert ladder_order(won, 1) == (1, 2, 3, 4, 5)
    assert ladder_order(by_hand(LADDER, [(2, 5, "1-0")])) == (1, 2, 3, 4, 5)
    assert {one.number: one.points for one in standings(won)} == {1: 5, 5: 4, 2: 3, 3: 2, 4: 1}


def test_newcomers_stand_at_the_foot_and_who_has_left_is_on_no_rung() -> None:
    late = after(by_hand(LADDER, [(5, 2, "1-0")]), EntrantRegistered(6, "Finn", 3000, since=2))
    assert ladder_order(late) == (1, 5, 2, 3, 4, 6)
    assert ladder_order(by_hand(late, [(6, 4, "1-0")])) == (1, 5, 2, 3, 6, 4)
    gone = after(late, EntrantWithdrew(1, 2))
    assert [rungs(gone)[1], rungs(gone)[5]] == [0, 5]


def test_neighbours_play_in_turn() -> None:
    assert [set(each) for each in pairs(pair(LADDER))] == [{1, 2}, {3, 4}]
    assert [set(each) for each in pairs(pair(played(LADDER, 1, lambda _: "½-½")))] == [{2, 3}, {4, 5}]
    two = gathered(2, LADDER.settings)
    assert [set(each) for each in pairs(pair(played(two, 1)))] == [{1, 2}]
    with pytest.raises(NoPairingError, match="fewer than two are free who may meet"):
        pair(after(two, PairingProhibited(1, 2)))


def test_those_who_are_free_are_paired_within_the_reach_of_a_challenge() -> None:
    """Nine on the ladder: in round 1 eight play at boards 1 to 4, and 9 is free."""
    nine = gathered(9, LADDER.settings)
    playing = after(nine, RoundPublished(1, pair(nine)))
    with pytest.raises(NoPairingError, match="fewer than two are free who may meet"):
        pair(playing)
    assert [set(each.entrants) for each in playing.rounds[0].pairings] == [{1, 2}, {3, 4}, {5, 6}, {7, 8}]
    top = after(playing, ResultEntered(1, 1, DRAWN))
    assert [(one.board, set(one.entrants)) for one in pair(top)] == [(1, {1, 2})], "9 is too far below"
    middle = after(playing, ResultEntered(1, 3, DRAWN))
    assert [(one.board, set(one.entrants)) for one in pair(middle)] == [(3, {6, 9})], "2 and 3 of those who are free"
    more = after(top, ResultEntered(1, 4, DRAWN))
    assert [set(one.entrants) for one in pair(more)] == [{1, 2}, {7, 8}], "rather than 8 and 9 alone"
    both = after(middle, ResultEntered(1, 4, DRAWN))
    assert [set(one.entrants) for one in pair(both)] == [{6, 7}, {8, 9}]
    after(both, RoundPublished(2, pair(both)))


def test_a_challenge_reaches_so_far() -> None:
    with pytest.raises(TournamentError, match="5 Eva and 1 Ada are 4 rungs apart, and a challenge reaches 3"):
        after(LADDER, RoundPublished(1, at_boards([(5, 1)])))
    allowed = after(LADDER, RoundPublished(1, at_boards([(5, 1)]), "a bet"))
    assert ladder_order(after(allowed, ResultEntered(1, 1, WON))) == (5, 1, 2, 3, 4)


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5), st.booleans()), max_size=12))
def test_a_ladder_always_has_everybody_once(games: list[tuple[int, int, bool]]) -> None:
    tournament = LADDER
    for one, other, won in games:
        if one != other:
            order = ladder_order(tournament)
            number = tournament.next_round
            event: Event = RoundPublished(number, at_boards([(one, other)]), "so")
            tournament = after(tournament, event, ResultEntered(number, 1, WON if won else LOST))
            winner, loser = (one, other) if won else (other, one)
            now = ladder_order(tournament)
            assert now.index(winner) < now.index(loser)
            assert now.index(winner) == min(order.index(winner), order.index(loser))
    assert sorted(ladder_order(tournament)) == [1, 2, 3, 4, 5]


BUSY = after(LADDER, RoundPublished(1, at_boards([(1, 2)])))


@pytest.mark.parametrize(
    ("before", "pairings", "sentence"),
    [
        (BUSY, at_boards([(3, 4)]), "at board 1 round 1 is still being played"),
        (BUSY, (Pairing(2, 2, 3),), "2 Ben still plays in round 1"),
        (LADDER, at_boards([(1, 2), (3, None)]), "3 Cleo has a bye"),
        (after(LADDER, EntrantWithdrew(2, 1)), at_boards([(1, 2)]), "2 Ben is paired but does not play"),
        (after(LADDER, PairingProhibited(1, 2)), at_boards([(1, 2)]), "1 Ada and 2 Ben are kept apart"),
        (published(OPEN), (Pairing(7, 1, 2),), "1 Ada still plays in round 1"),
    ],
)
def test_who_cannot_play_now_is_named(before: Tournament, pairings: tuple[Pairing, ...], sentence: str) -> None:
    with pytest.raises(TournamentError, match=re.escape(sentence)):
        after(before, RoundPublished(before.next_round, pairings))


# Several open rounds

DISTANCE = gathered(4, settings(System.ROUND_ROBIN, rounds=3, open_rounds=2))
TWO_OPEN = published(published(DISTANCE))


def test_so_many_rounds_may_be_open_at_once() -> None:
    assert [round_.number for round_ in TWO_OPEN.open_rounds] == [1, 2]
    assert (DISTANCE.has_room, published(DISTANCE).has_room, TWO_OPEN.has_room) == (True, True, False)
    with pytest.raises(TournamentError, match="round 3 must wait: round 1 has no result yet at board 1, 2"):
        published(TWO_OPEN)
    ready = after(TWO_OPEN, ResultEntered(1, 1, WON), ResultEntered(1, 2, WON))
    assert len(published(ready).rounds) == 3


def test_a_result_of_an_open_round_is_entered_once_and_then_corrected() -> None:
    told = after(TWO_OPEN, ResultEntered(1, 1, WON))
    assert told.rounds[0].results == {1: WON}
    with pytest.raises(TournamentError, match="round 1, board 1 is settled: correct it"):
        after(told, ResultEntered(1, 1, LOST))
    assert after(told, ResultCorrected(1, 1, LOST, "slip")).rounds[0].results == {1: LOST}
    assert after(told, ResultWithdrawn(1, 1, "still playing")).rounds[0].waiting == (1, 2)
    with pytest.raises(TournamentError, match="round 1 cannot be changed without a reason"):
        after(told, ResultWithdrawn(1, 1, " "))


def test_a_knockout_has_one_round_open() -> None:
    with pytest.raises(TournamentError, match="a knockout cannot have several rounds open"):
        settings(System.KNOCKOUT, rounds=3, open_rounds=2)


# Deadlines


def test_a_deadline_is_a_day_or_a_day_and_a_time() -> None:
    assert [deadline_of(text) for text in ("2026-12-01", " 2026-12-01 20:00 ", "2026-12-01T20:00")] == [
        "2026-12-01",
        "2026-12-01 20:00",
        "2026-12-01 20:00",
    ]
    for text in ("", "tomorrow", "2026-13-01", "2026-12-01 25:00", "2026-12-01 8pm"):
        with pytest.raises(TournamentError, match="is no deadline: write a day"):
            deadline_of(text)


def test_what_is_overdue_is_what_has_no_result_after_its_time() -> None:
    told = after(TWO_OPEN, DeadlineSet(1, "2026-12-01"), DeadlineSet(3, "2026-12-08 20:00"))
    assert open_deadlines(told, "2026-12-01 23:59") == (
        Deadline(1, "2026-12-01", (1, 2), is_overdue=False),
        Deadline(2, "", (1, 2), is_overdue=False),
        Deadline(3, "2026-12-08 20:00", (), is_overdue=False),
    )
    assert [one.is_overdue for one in open_deadlines(told, "2026-12-02 00:00")] == [True, False, False]
    done = after(told, ResultEntered(1, 1, WON), ResultEntered(1, 2, WON), DeadlineSet(3, ""))
    assert [one.is_overdue for one in open_deadlines(done, "2026-12-09 00:00")] == [False, False]
    with pytest.raises(TournamentError, match="round 9 has no deadline: there are rounds 1 to 3"):
        after(TWO_OPEN, DeadlineSet(9, "2026-12-01"))
