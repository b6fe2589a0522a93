"""What nature may throw or draw, by the exact odds."""

from collections import Counter

import pytest

from gnomon.rules.odds import pick, weights
from gnomon.rules.protocol import RulesError
from gnomon.rules.registry import rules_of


def test_each_outcome_is_picked_as_often_as_its_weight_says() -> None:
    rules = rules_of("twenty-squares", {})
    position = rules.start()
    weighed = weights(rules, position)
    assert weighed == [("throw:1", 4), ("throw:2", 6), ("throw:3", 4), ("throw:4", 1), ("throw:5", 1)]
    bounds: list[int] = []

    def below(number: int, bound: int) -> int:
        bounds.append(bound)
        return number

    picked = Counter(pick(rules, position, lambda bound, number=number: below(number, bound)) for number in range(16))  # type: ignore[misc]  # a default is asked for no more
    assert picked == dict(weighed)
    assert set(bounds) == {16}


def test_where_nobody_throws_there_is_nothing_to_weigh() -> None:
    rules = rules_of("tabik", {})
    with pytest.raises(RulesError):
        weights(rules, rules.start())
