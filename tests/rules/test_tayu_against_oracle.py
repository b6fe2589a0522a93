"""The fast rules of Tayu and the plain ones agree in every position of random games."""

import random

import pytest

from gnomon.games.tayu.rules import KINDS, Move, Position, Tayu
from gnomon.rules.protocol import OVER
from tests.conftest import random_games
from tests.rules.tayu_oracle import OracleBoard, OracleGame

SMALL: list[dict[str, object]] = [
    {"size": 3, "copies": 1},
    {"size": 4},
    {"size": 7, "copies": 1, "doubles": "0,6/3/none/1,2,4"},
    {"size": 8, "copies": 2, "doubles": "0,7"},
]
LARGE: list[dict[str, object]] = [
    {},
    {"edition": "kosmos", "players": 3, "draw": "stacks"},
    {"size": 26, "copies": 1, "players": 4, "draw": "backs"},
]


@pytest.mark.untraced
@pytest.mark.parametrize("board", SMALL, ids=str)
@pytest.mark.parametrize("draw", ["bag", "backs", "stacks"])
@pytest.mark.parametrize(
    "seats",
    [{"players": 2}, {"players": 3, "target": 6}, {"players": 3, "auction": "yes"}, {"players": 4}],
    ids=str,
)
def test_the_fast_rules_agree_with_the_plain_ones_on_small_boards(
    board: dict[str, object], draw: str, seats: dict[str, object]
) -> None:
    rules = Tayu.from_settings({**board, **seats, "draw": draw})
    for seed in random_games(20):
        play_both(rules, random.Random(f"{board}{draw}{seats}{seed}"), looks=0.1)


@pytest.mark.untraced
@pytest.mark.parametrize("settings", LARGE, ids=str)
def test_the_fast_rules_agree_with_the_plain_ones_on_large_boards(settings: dict[str, object]) -> None:
    play_both(Tayu.from_settings(settings), random.Random(str(settings)), looks=0.02)


def oracle_of(rules: Tayu) -> OracleGame:
    settings = rules.settings
    return OracleGame(
        players=settings.players,
        draw=settings.draw,
        target=None if settings.auction else settings.target,
        board=OracleBoard(settings.size, [list(places) for places in settings.doubles], settings.copies),
    )


def play_both(rules: Tayu, chance: random.Random, looks: float) -> None:
    """Play a random game in both, comparing everything after every move, and now and then every kind of tile."""
    position, oracle = rules.start(), oracle_of(rules)
    while True:
        compare(rules, position, oracle)
        if oracle.over:
            return
        text = chance.choice(sorted(oracle.moves()))
        if text.startswith("bid:"):
            text = f"bid:{max(0, int(text[4:]) - chance.choice((0, 0, 1, 5)))}"
        if chance.random() < looks:
            compare_every_kind(rules, position, oracle)
        position = rules.play(position, rules.parse(position, text))
        oracle.play(text)


def compare(rules: Tayu, position: Position, oracle: OracleGame) -> None:
    moves = rules.legal_moves(position)
    assert {rules.text(position, move) for move in moves} == oracle.moves()
    assert all(rules.why_not(position, move) is None for move in moves)
    assert rules.turn(position) == (OVER if oracle.over else oracle.turn)
    assert rules.outcome(position) == oracle.over
    assert rules.score(position) == oracle.score()
    assert rules.target(position) == (oracle.target if oracle.saboteur else None)
    assert rules.state(position) == {
        "tile": oracle.tile,
        "laid": oracle.laid,
        "sides": dict(zip("nesw", oracle.sides(), strict=True)),
    }
    assert [position.copies_left(tile) for tile in range(len(KINDS))] == [oracle.bag[kind] for kind in KINDS]


def compare_every_kind(rules: Tayu, position: Position, oracle: OracleGame) -> None:
    """Where each kind could lie, and that whatever is listed is legal and whatever is not is refused."""
    for tile, kind in enumerate(KINDS):
        assert {rules.text(position, move) for move in rules.placements(position, tile)} == oracle.placements(kind)
    if position.due == "lay":
        legal = set(rules.legal_moves(position))
        for square in rules.board.squares.names:
            for direction in range(4):
                move = Move("lay", position.tile, square, direction)
                assert (rules.why_not(position, move) is None) is (move in legal)
