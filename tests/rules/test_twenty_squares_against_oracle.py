"""The fast rules of Tau (Twenty Squares) and the plain ones agree in every position of random games."""

import random
from collections.abc import Iterator
from itertools import product

import pytest

from gnomon.games.twenty_squares.rules import CONVERT, FORFEIT, Move, Position, TwentySquares, TwentySquaresSettings
from gnomon.rules.protocol import SettingsError
from tests.rules.twenty_squares_oracle import OracleGame

LONGEST = 400  # positions of one game


def every_setting() -> Iterator[dict[str, str]]:
    """All settings that go together, but for the number of counters and settings that are the defaults."""
    choices = {
        "board": ["tau", "double", "jiroft", "asha"],
        "players": ["2", "4"],
        "dice": ["sticks", "cube", "cowries"],
        "entry": ["choice", "auto", "any"],
        "stacking": ["off", "capture_together", "invincible"],
        "route": ["long", "short"],
        "ruleset": ["tau", "aseb"],
    }
    for values in product(*choices.values()):
        settings = dict(zip(choices, values, strict=True))
        try:
            TwentySquaresSettings.from_mapping(settings)
        except SettingsError:
            continue
        yield settings


SETTINGS = list(every_setting())


def test_there_are_as_many_settings_as_go_together() -> None:
    # Tau: three dice, entries and stackings on tau, jiroft, asha, double for two by two routes and for four by one.
    # Aseb: one kind of dice, two ways to write that there is no gate, and no Asha.
    assert len(SETTINGS) == 27 * 6 + 1 * 2 * 3 * 5


@pytest.mark.untraced
@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: " ".join(settings.values()))
def test_the_fast_rules_agree_with_the_plain_ones(settings: dict[str, str]) -> None:
    chance = random.Random(str(settings))
    most = 12 if settings["board"] == "asha" else 7
    for counters in (1, chance.randint(2, most)):
        chosen = {**settings, "counters": str(counters)}
        play_both(TwentySquares.from_settings(chosen), OracleGame(**chosen), chance)


def play_both(rules: TwentySquares, oracle: OracleGame, chance: random.Random) -> None:
    """Play a random game in both, comparing everything after every move."""
    position = rules.start()
    assert rules.odds == oracle.odds()
    for _ in range(LONGEST):
        compare(rules, position, oracle, chance)
        texts = sorted(oracle.moves())
        if not texts:
            return
        text = chance.choice(texts)
        position = rules.play(position, rules.parse(position, text))
        oracle.play(text)


def compare(rules: TwentySquares, position: Position, oracle: OracleGame, chance: random.Random) -> None:
    legal = rules.legal_moves(position)
    assert sorted(rules.text(position, move) for move in legal) == sorted(oracle.moves())
    assert rules.turn(position) == oracle.turn()
    assert rules.state(position) == oracle.state()
    assert rules.score(position) == oracle.state()["home"]
    outcome = rules.outcome(position)
    assert (outcome and outcome.winner) == oracle.winner
    for move in chance.sample(CANDIDATES, 12):
        assert (rules.why_not(position, move) is None) is (move in legal)


CANDIDATES = [
    CONVERT,
    FORFEIT,
    *(Move("throw", number) for number in range(-1, 8)),
    *(Move("move", number, start) for number in range(-1, 8) for start in range(-2, 26)),
]
