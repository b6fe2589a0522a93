"""Matches: what is counted, and what it says of strength."""

import asyncio
from functools import reduce
from math import inf
from random import Random

import pytest

from gnomon.engines.matches import MatchTally, draw, elo, play_game, ratings
from gnomon.engines.move_list import MoveList
from gnomon.engines.process import Answer
from gnomon.games.tau.rules import PASS
from gnomon.rules.protocol import IllegalMoveError
from gnomon.rules.registry import rules_of
from gnomon.timekeeping.instants import SECOND, Duration


def test_a_tally_counts_points() -> None:
    tally = MatchTally().add(1).add(0.5).add(0).add(1)
    assert tally == MatchTally(2, 1, 1)
    assert tally.score == 0.625


def test_the_interval_is_that_of_wilson() -> None:
    # With no game lost it begins at n / (n + z²), where z² is 3.8415.
    assert MatchTally(10).interval == pytest.approx((10 / 13.8415, 1), abs=1e-5)
    assert MatchTally(10).interval[1] == 1.0
    assert MatchTally(0, 0, 10).interval == pytest.approx((0, 3.8415 / 13.8415), abs=1e-5)
    assert MatchTally(50, 0, 50).interval == pytest.approx((0.4038, 0.5962), abs=5e-4)
    assert MatchTally().interval == (0.0, 1.0)


@pytest.mark.parametrize(("score", "difference"), [(0.5, 0), (0.75, 190.85), (10 / 11, 400), (0, -inf), (1, inf)])
def test_elo_is_the_logarithm_of_the_odds(score: float, difference: float) -> None:
    assert elo(score) == pytest.approx(difference, abs=0.01)


def test_ratings_find_the_strengths_by_which_the_results_were_made() -> None:
    true = {"a": 0, "b": 150, "c": 400}
    games = 100_000

    def expected(one: str, other: str) -> MatchTally:
        won = round(games / (1 + 10 ** ((true[other] - true[one]) / 400)))
        return MatchTally(won, 0, games - won)

    found = ratings(["a", "b", "c"], {pair: expected(*pair) for pair in (("a", "b"), ("b", "c"), ("c", "a"))})
    for name, strength in true.items():
        assert found[name][0] == pytest.approx(strength, abs=1)
        assert 0 < found[name][1] < 3


def test_somebody_who_loses_always_has_a_rating_too() -> None:
    found = ratings(["a", "b"], {("a", "b"): MatchTally(0, 0, 10)})
    assert 100 < found["b"][0] < 2000
    assert found["b"][1] > 100


async def by_chance(game: MoveList) -> Answer:
    move = draw(game.rules, game.position, Random(len(game.texts)))
    return Answer(move, game.rules.text(game.position, move))


def test_a_number_that_is_not_among_the_listed_moves_is_named() -> None:
    rules = rules_of("tau", {})
    bids = iter((rules.parse(rules.start(), "bid:700"), PASS))

    async def name_a_number(game: MoveList) -> Answer:
        if (move := next(bids, None)) is None:
            return await by_chance(game)
        return Answer(move, rules.text(game.position, move))

    game = asyncio.run(play_game(rules, (name_a_number, name_a_number), Random(1)))
    assert game.is_over
    assert game.texts[:2] == ("bid:700", "pass")


def test_an_illegal_move_is_no_reason_to_ask_for_ever() -> None:
    rules = rules_of("tabik", {"size": "3"})
    answers = iter((Answer(rules.parse(rules.start(), "a1b1"), "a1b1"),) * 3)

    async def repeat(_: MoveList) -> Answer:
        return next(answers)

    with pytest.raises(IllegalMoveError):
        asyncio.run(play_game(rules, (repeat, repeat), Random(1)))


@pytest.mark.parametrize(
    ("name", "settings"),
    [("tabik", {"size": "3"}), ("tamsk", {"level": "3"}), ("twenty-squares", {"counters": "1"}), ("tau", {})],
)
def test_a_game_is_played_to_its_end(name: str, settings: dict[str, str]) -> None:
    rules = rules_of(name, settings)

    def play(seed: int) -> MoveList:
        players = (by_chance, by_chance)
        return asyncio.run(play_game(rules, players, Random(seed), opening=2, pace=Duration(8 * SECOND)))

    game = play(1)
    assert game.is_over
    assert game.result in {"p1win", "p2win", "draw"}
    assert reduce(MoveList.add, game.texts, MoveList.begin(rules)) == game
    assert play(1) == game
    assert (game.now > 0) is (name == "tamsk")
