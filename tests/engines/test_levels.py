from collections import Counter
from random import Random

import pytest

from gnomon.engines import engine_of
from gnomon.engines.levels import choose
from gnomon.engines.protocol import Candidate, Score
from gnomon.rules.registry import games, kind_of, rules_of

WEIGHED = [Candidate("best", Score(0.8)), Candidate("near", Score(0.7)), Candidate("far", Score(0.2))]


@pytest.mark.parametrize("game", games())
def test_a_game_says_how_many_levels_its_engine_has(game: str) -> None:
    assert kind_of(game).levels == len(engine_of(rules_of(game, {})).levels)


def chosen(candidates: list[Candidate], loss: float) -> Counter[str]:
    chance = Random(1)
    return Counter(choose(candidates, loss, chance).move for _ in range(2000))


def test_without_a_mistake_the_best_move_is_played() -> None:
    assert chosen(WEIGHED, 0) == {"best": 2000}


def test_a_mistake_is_no_larger_than_allowed_and_rarer_the_larger_it_is() -> None:
    counts = chosen(WEIGHED, 0.2)
    assert set(counts) == {"best", "near"}
    assert counts["best"] / 2000 == pytest.approx(2 / 3, abs=0.05)


def test_what_is_proven_to_lose_is_played_only_if_everything_is() -> None:
    lost = [Candidate("a", Score(0.0, proven=True)), Candidate("b", Score(0.1))]
    assert chosen(lost, 1.0) == {"b": 2000}
    assert set(chosen(lost[:1], 1.0)) == {"a"}


def test_moves_that_are_as_good_are_as_likely() -> None:
    counts = chosen([Candidate("a", Score(0.5)), Candidate("b", Score(0.5))], 0)
    assert counts["a"] == pytest.approx(1000, abs=100)


def test_there_must_be_a_move() -> None:
    with pytest.raises(ValueError, match="no move"):
        choose([], 0.1, Random(1))
