"""Ratings by Glicko-2: Glickman's own example, and what must hold for any results."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.people._glicko2 import (
    LARGEST_DEVIATION,
    START,
    UNRATED,
    VOLATILITY,
    RatedResult,
    Rating,
    expectation,
    idle,
    rate,
)
from gnomon.people.ratings import PersonRating

RATINGS = st.builds(Rating, st.floats(800, 2400), st.floats(30, 350), st.floats(0.03, 0.09))
SCORES = st.sampled_from([0.0, 0.5, 1.0])
WEIGHTS = st.sampled_from([1.0, 1 / 2, 1 / 3])
RESULTS = st.lists(st.builds(RatedResult, RATINGS, SCORES, WEIGHTS), min_size=1, max_size=12)


def test_glickmans_example_has_his_figures() -> None:
    # "Example of the Glicko-2 system": his intermediate values are rounded, so the last digit of the rating differs.
    opponents = Rating(1400, 30), Rating(1550, 100), Rating(1700, 300)
    after = rate(Rating(1500, 200, 0.06), map(RatedResult, opponents, (1.0, 0.0, 0.0)))
    assert after.value == pytest.approx(1464.06, abs=0.011)
    assert after.deviation == pytest.approx(151.52, abs=0.005)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_somebody_of_whom_nothing_is_known_may_be_anything() -> None:
    assert Rating(START, LARGEST_DEVIATION, VOLATILITY) == UNRATED
    assert UNRATED.margin == pytest.approx(686)
    assert idle(UNRATED).deviation == LARGEST_DEVIATION


def test_results_that_nobody_expects_make_a_strength_more_volatile() -> None:
    before = Rating(1200, 40, 0.06)
    upset = rate(before, [RatedResult(Rating(2000, 40), 1.0)] * 8)
    assert upset.volatility > before.volatility
    assert rate(before, [RatedResult(Rating(1200, 40), 0.5)]).volatility <= before.volatility


@given(RATINGS, RESULTS, st.randoms(use_true_random=False))
def test_the_order_of_games_within_a_period_does_not_matter(
    rating: Rating, results: list[RatedResult], lot: Random
) -> None:
    shuffled = list(results)
    lot.shuffle(shuffled)
    assert rate(rating, shuffled) == rate(rating, results)


@given(RATINGS, SCORES)
def test_of_two_who_are_equal_one_gains_what_the_other_loses(rating: Rating, score: float) -> None:
    first, second = (rate(rating, [RatedResult(rating, each)]) for each in (score, 1 - score))
    assert first.value - rating.value == pytest.approx(rating.value - second.value, abs=1e-6)
    assert first.deviation == pytest.approx(second.deviation)


@given(RATINGS, RESULTS)
def test_mirrored_results_make_a_mirrored_rating(rating: Rating, results: list[RatedResult]) -> None:
    def mirror(one: Rating) -> Rating:
        return Rating(2 * START - one.value, one.deviation, one.volatility)

    after = rate(rating, results)
    mirrored = rate(mirror(rating), [RatedResult(mirror(one.opponent), 1 - one.score, one.weight) for one in results])
    assert mirrored.value == pytest.approx(2 * START - after.value, abs=1e-4)
    assert mirrored.deviation == pytest.approx(after.deviation, abs=1e-4)


@given(RATINGS)
def test_a_period_without_a_game_makes_a_rating_less_certain_and_changes_nothing_else(rating: Rating) -> None:
    after = rate(rating, [])
    assert after == idle(rating)
    assert (after.value, after.volatility) == (rating.value, rating.volatility)
    assert rating.deviation < after.deviation <= LARGEST_DEVIATION or after.deviation == LARGEST_DEVIATION


@given(RATINGS, RATINGS)
def test_two_people_expect_one_point_between_them_where_both_are_known_as_well(one: Rating, other: Rating) -> None:
    as_certain = Rating(other.value, one.deviation)
    assert 0 < expectation(one, other) < 1
    assert expectation(one, as_certain) + expectation(as_certain, one) == pytest.approx(1)


@given(RATINGS, RATINGS)
def test_a_win_never_costs_and_a_loss_never_gains(rating: Rating, opponent: Rating) -> None:
    won, drawn, lost = (rate(rating, [RatedResult(opponent, score)]).value for score in (1.0, 0.5, 0.0))
    assert won > rating.value > lost
    assert won > drawn > lost


@given(RATINGS, RATINGS, SCORES, st.integers(2, 4))
def test_so_many_shares_of_a_result_are_one_result(rating: Rating, opponent: Rating, score: float, count: int) -> None:
    shares = rate(rating, [RatedResult(opponent, score, 1 / count)] * count)
    whole = rate(rating, [RatedResult(opponent, score)])
    assert shares.value == pytest.approx(whole.value)
    assert (shares.deviation, shares.volatility) == pytest.approx((whole.deviation, whole.volatility))


def test_a_rating_is_told_with_its_margin_in_whole_points() -> None:
    rating = Rating(1464.05, 40.4)
    assert PersonRating(rating, 3, "2026-11").text == f"1464 ± {rating.margin:.0f}"
    assert rating.margin == pytest.approx(1.96 * 40.4, rel=0.03)
