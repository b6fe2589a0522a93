"""Every coach has words for whatever may be played, and hands the turn over only where that can be."""

from itertools import islice
from random import Random
from typing import Any, Final

import pytest

from gnomon.coaching import coach_of
from gnomon.refusals import sentence
from gnomon.rules.protocol import NATURE, OVER, Rules
from gnomon.rules.registry import GAMES, rules_of
from gnomon.timekeeping.instants import Instant
from gnomon.words import LANGUAGES, words
from tests.conftest import random_games

SETTINGS: Final = {
    "tamsk": ({"level": 1}, {"level": 1, "ring": "auto"}, {"level": 3}),
    "tayu": ({"size": 9}, {"players": 3, "auction": "yes", "size": 9}, {"players": 4, "draw": "backs", "size": 9}),
    "tabik": ({"size": 5}, {"size": 3, "pie": "no"}),
    "tau": ({}, {"limit": 30, "rows": 6, "columns": 6}),
    "twenty-squares": ({}, {"counters": 3}),
}
CASES: Final = [(game, settings) for game, several in SETTINGS.items() for settings in several]
LONGEST: Final = 120  # turns


def test_all_games_are_here() -> None:
    assert SETTINGS.keys() == GAMES.keys()


@pytest.mark.parametrize(("game", "settings"), CASES)
def test_a_coach_speaks_of_every_move_and_hands_over_a_turn_that_can_be_played(
    game: str, settings: dict[str, object]
) -> None:
    rules = rules_of(game, settings)
    for seed in random_games(20):
        chance = Random(seed)
        position = rules.start()
        for number in range(LONGEST):
            turn = rules.turn(position)
            if turn == OVER:
                break
            moves = [move for move in rules.legal_moves(position) if rules.is_turn(move)]
            if not moves:
                break
            if turn != NATURE:
                speak(rules, position, chance.sample(moves, min(len(moves), 3)), LANGUAGES[number % len(LANGUAGES)])
            position = rules.play(position, chance.choice(moves))
            position = rules.elapse(position, Instant(1_500_000 * (number + 1)))


def speak(rules: Rules[Any, Any], position: object, moves: list[Any], language: str) -> None:
    """Ask a coach about moves, and about the turn of the opponent."""
    coach = coach_of(rules)
    for move in moves:
        told = [coach.piece(position, move), coach.place(position, move), *islice(coach.reasons(position, move), 5)]
        assert all(sentence(each, words(language)) for each in told)
    assert coach.predicts(position) in {True, False}
    handed = coach.other_turn(position)
    if handed is not None:
        assert rules.turn(handed) not in {NATURE, OVER, rules.turn(position)}
        for move in list(rules.legal_moves(handed))[:3]:
            coach.reasons(handed, move)
