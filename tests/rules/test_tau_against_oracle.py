"""The fast rules of TAU and the plain ones agree in every position of random games."""

import random

import pytest

from gnomon.games.tau.rules import Position, Tau
from gnomon.rules.protocol import OVER
from tests.rules.tau_oracle import OracleGame, score, turns

GRIDS = [(1, 2), (2, 1), (1, 9), (2, 2), (3, 3), (4, 5), (5, 7), (10, 10), (12, 5), (9, 1)]


@pytest.mark.untraced
@pytest.mark.parametrize(("rows", "columns"), GRIDS)
@pytest.mark.parametrize("limit", [None, 0, 1, 12, 10**30])
def test_the_fast_rules_agree_with_the_plain_ones(rows: int, columns: int, limit: int | None) -> None:
    settings = {"rows": rows, "columns": columns} | ({} if limit is None else {"limit": limit})
    rules = Tau.from_settings(settings)
    for seed in range(12):
        chance = random.Random(f"{rows}{columns}{limit}{seed}")
        play_both(rules, OracleGame(rows, columns, limit), chance)


def play_both(rules: Tau, oracle: OracleGame, chance: random.Random) -> None:
    """Play a random game in both, comparing everything after every move."""
    position = rules.start()
    while True:
        compare(rules, position, oracle)
        if oracle.over:
            return
        text = chance.choice(sorted(oracle.moves()))
        if text.startswith("bid:"):
            text = f"bid:{int(text[4:]) + chance.choice((0, 0, 1, 30))}"
        position = rules.play(position, rules.parse(position, text))
        oracle.play(text)


def compare(rules: Tau, position: Position, oracle: OracleGame) -> None:
    assert {rules.text(position, move) for move in rules.legal_moves(position)} == oracle.moves()
    assert rules.turn(position) == (OVER if oracle.over else oracle.player)
    assert rules.outcome(position) == oracle.over
    assert rules.score(position) == {"product": score(oracle.squares)}
    assert rules.seat(position, "high") == oracle.high
    assert rules.state(position) == {
        "rows": oracle.names("row"),
        "columns": oracle.names("column"),
        "limit": oracle.limit,
        "turns_left": turns(oracle.rows, oracle.columns) - len(oracle.drawn),
        "score": {"product": str(score(oracle.squares))},
    }
