import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.games.tau.rules import Move, Position, Tau
from gnomon.games.tau.rules.solver import PerfectPlay, TooLargeError
from tests.rules.tau_oracle import perfect_score


def start(rows: int, columns: int) -> Position:
    return Tau.from_settings({"rows": rows, "columns": columns, "limit": 1}).start()


@pytest.mark.parametrize(("side", "value"), [(5, 16), (6, 54), (7, 576), (8, 512), (10, 177147)])
def test_square_grids_are_worth_what_they_should_be(side: int, value: int) -> None:
    assert PerfectPlay(start(side, side)).value(start(side, side)) == value


@pytest.mark.parametrize(
    ("rows", "columns"), [(1, 2), (1, 7), (7, 1), (2, 2), (2, 5), (3, 3), (3, 4), (4, 4), (4, 5), (3, 8), (5, 5)]
)
def test_values_are_those_of_trying_everything(rows: int, columns: int) -> None:
    assert PerfectPlay(start(rows, columns)).value(start(rows, columns)) == perfect_score(rows, columns)


@pytest.mark.untraced
@given(st.integers(1, 9), st.integers(2, 9), st.randoms(use_true_random=False))
def test_every_value_is_the_best_of_those_that_can_follow(rows: int, columns: int, chance: random.Random) -> None:
    rules = Tau.from_settings({"rows": rows, "columns": columns, "limit": 1})
    position = rules.start()
    analysis = PerfectPlay(position)
    while moves := rules.legal_moves(position):
        values = analysis.values(position)
        assert values == {move: analysis.value(rules.play(position, move)) for move in moves}
        best = max if rules.turn(position) == "high" else min
        assert analysis.value(position) == best(values.values())
        assert set(analysis.best_moves(position)) == {
            move for move in moves if values[move] == analysis.value(position)
        }
        position = rules.play(position, chance.choice(moves))
    assert analysis.value(position) == rules.score(position)["product"]
    assert analysis.values(position) == {}


@given(st.integers(2, 9), st.integers(2, 9), st.integers(0, 3), st.randoms(use_true_random=False))
def test_an_analysis_from_the_middle_of_a_game_finds_the_same(
    rows: int, columns: int, lines: int, chance: random.Random
) -> None:
    rules = Tau.from_settings({"rows": rows, "columns": columns, "limit": 1})
    position = rules.start()
    whole = PerfectPlay(position)
    for _ in range(lines):
        if moves := rules.legal_moves(position):
            position = rules.play(position, chance.choice(moves))
    part = PerfectPlay(position)
    assert part.value(position) == whole.value(position)
    assert part.values(position) == whole.values(position)
    assert part.best_line(position) == whole.best_line(position)


@pytest.mark.parametrize(("rows", "columns"), [(1, 12), (6, 6), (7, 9), (10, 10)])
def test_the_best_line_can_be_played_and_reaches_the_value(rows: int, columns: int) -> None:
    rules = Tau.from_settings({"rows": rows, "columns": columns, "limit": 1})
    position = rules.start()
    analysis = PerfectPlay(position)
    line = analysis.best_line(position)
    assert len(line) == position.turns_left
    value = analysis.value(position)
    for move in line:
        position = rules.play(position, move)
    assert rules.score(position)["product"] == value


def test_the_bid_should_have_been_one_less_than_the_value() -> None:
    analysis = PerfectPlay(start(10, 10))
    assert analysis.best_bid() == 177146
    assert [analysis.value(start(10, 10)) > limit for limit in (177145, 177146, 177147)] == [True, True, False]


@pytest.mark.parametrize(("limit", "winner"), [(575, "high"), (576, "low")])
def test_perfect_players_win_as_the_analysis_says(limit: int, winner: str) -> None:
    rules = Tau.from_settings({"rows": 7, "columns": 7, "limit": limit})
    position = rules.start()
    for move in PerfectPlay(position).best_line(position):
        position = rules.play(position, move)
    outcome = rules.outcome(position)
    assert outcome is not None
    assert outcome.winner == winner


def test_in_the_negotiation_it_is_high_who_will_begin() -> None:
    rules = Tau.from_settings({"rows": 6, "columns": 6})
    bidding = rules.play(rules.start(), Move("bid", 50))
    assert bidding.mover == 1
    assert PerfectPlay(bidding).value(bidding) == PerfectPlay(rules.start()).value(rules.start()) == 54


def test_progress_is_told_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    PerfectPlay(start(12, 12), lambda done, of: told.append((done, of)))
    done, totals = zip(*told, strict=True)
    assert list(done) == sorted(set(done))
    assert set(totals) == {done[-1]}
    assert len(told) > 20


def test_what_progress_raises_ends_the_analysis() -> None:
    def give_up(done: int, of: int) -> None:
        if 2 * done > of:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        PerfectPlay(start(8, 8), give_up)


def test_15_x_15_is_worth_what_the_multisets_say() -> None:
    analysis = PerfectPlay(start(15, 15))
    assert analysis.value(start(15, 15)) == 918330048


@pytest.mark.parametrize(("rows", "columns"), [(1, 99), (40, 40), (999, 999)])
def test_a_grid_that_is_too_large_is_refused_at_once(rows: int, columns: int) -> None:
    with pytest.raises(TooLargeError, match="perfect play cannot be computed"):
        PerfectPlay(start(rows, columns))


@pytest.mark.parametrize(
    "position",
    [
        start(6, 6),  # of another grid
        start(5, 5)._replace(turns_left=3),  # of another length
        start(5, 5)._replace(rows=0, turns_left=4 - 5),  # with no row left
    ],
)
def test_a_position_that_does_not_follow_has_no_value(position: Position) -> None:
    with pytest.raises(ValueError, match="does not follow the one that was analysed"):
        PerfectPlay(start(5, 5)).value(position)
