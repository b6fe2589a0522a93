"""The fast rules of Tabik and the plain ones agree in every position of random games."""

import random

import pytest

from gnomon.games.tabik.rules import Position, Tabik
from gnomon.rules.protocol import OVER
from tests.rules.tabik_oracle import OracleGame, name


@pytest.mark.untraced
@pytest.mark.parametrize(("size", "games"), [(2, 40), (3, 40), (4, 30), (5, 20), (6, 10), (7, 6), (8, 5)])
@pytest.mark.parametrize("pie", ["yes", "no"])
def test_the_fast_rules_agree_with_the_plain_ones(size: int, games: int, pie: str) -> None:
    rules = Tabik.from_settings({"size": size, "pie": pie})
    for seed in range(games):
        chance = random.Random(f"{size}{pie}{seed}")
        play_both(rules, OracleGame(size, pie == "yes"), chance)


def play_both(rules: Tabik, oracle: OracleGame, chance: random.Random) -> None:
    """Play a random game in both, comparing everything after every move."""
    position = rules.start()
    eager = chance.random()  # for swaps, which random games of placements leave to the end
    while True:
        compare(rules, position, oracle)
        if oracle.over:
            return
        texts = sorted(oracle.moves())
        rare = [text for text in texts if text == "pie" or "~" in text]
        text = chance.choice(rare if rare and chance.random() < eager else texts)
        position = rules.play(position, rules.parse(position, text))
        oracle.play(text)


def compare(rules: Tabik, position: Position, oracle: OracleGame) -> None:
    assert {rules.text(position, move) for move in rules.legal_moves(position)} == oracle.moves()
    assert rules.turn(position) == (OVER if oracle.over else oracle.player)
    assert rules.outcome(position) == oracle.over
    assert rules.score(position) == oracle.score()
    rods = sorted(sorted((row, column) for column, row in rod) for rod in oracle.rods)
    assert rules.state(position) == {
        "board": oracle.drawing(),
        "rods": ["".join(name((column, row)) for row, column in rod) for rod in rods],
    }
    assert position.turns == len(oracle.rods)
    assert position.swapped is ("pie" in [what for _, what in oracle.played])
