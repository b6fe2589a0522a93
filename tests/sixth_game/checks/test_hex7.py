"""Test the rules of Hex where the distribution is installed."""

from random import Random

import pytest
from hex7.rules import SPACES, SWAP, Position

from gnomon.rules.protocol import GameOverError, IllegalMoveError, NotationError, Outcome, Rules, SettingsError
from gnomon.rules.registry import rules_of

HEX = rules_of("hex7", {})


def after(*texts: str, rules: Rules[Position, str] = HEX) -> Position:
    position = rules.start()
    for text in texts:
        position = rules.play(position, rules.parse(position, text))
    return position


def test_black_wins_from_the_upper_edge_to_the_lower_one() -> None:
    before = after("d1", "a1", "d2", "a2", "d3", "a3", "d4", "a4", "c5", "a5", "c6", "a6")
    assert HEX.state(before)["board"] == [
        *("W..B...", "W..B...", "W..B...", "W..B...", "W.B....", "W.B....", "......."),
    ]
    assert HEX.outcome(before) is None
    assert HEX.outcome(HEX.play(before, "b7")) == Outcome("black", "connected")
    assert HEX.outcome(HEX.play(before, "d7")) is None  # c6 and d7 do not touch


def test_white_wins_from_the_left_edge_to_the_right_one() -> None:
    blacks, whites = ("b1", "c1", "d1", "e1", "f1", "g1"), ("a4", "b4", "c4", "d4", "e4", "f4")
    before = after(*(text for pair in zip(blacks, whites, strict=True) for text in pair), "a7")
    assert HEX.outcome(HEX.play(before, "g4")) == Outcome("white", "connected")


def test_only_white_swaps_and_only_on_the_first_turn() -> None:
    swapped = after("d4", SWAP)
    assert (swapped.swapped, HEX.turn(swapped)) == (True, "white")
    for texts in ((), ("d4", "a1"), ("d4", SWAP)):
        assert SWAP not in HEX.legal_moves(after(*texts))
        with pytest.raises(IllegalMoveError) as caught:
            HEX.parse(after(*texts), SWAP)
        assert caught.value.code == "not_now"
    without = rules_of("hex7", {"swap": "no"})
    with pytest.raises(IllegalMoveError) as caught:
        without.parse(after("d4", rules=without), SWAP)
    assert caught.value.code == "no_swap"


def test_what_is_no_move_and_no_setting_is_refused() -> None:
    for text in ("h1", "a8", "D4", "d4 ", ""):
        with pytest.raises(NotationError):
            HEX.parse(HEX.start(), text)
    with pytest.raises(IllegalMoveError, match="rule 2: a stone lies on d4"):
        HEX.parse(after("d4"), "d4")
    for settings in ({"swap": "perhaps"}, {"size": "9"}):
        with pytest.raises(SettingsError):
            rules_of("hex7", settings)


@pytest.mark.parametrize("seed", range(20))
def test_every_game_has_a_winner_and_every_legal_move_is_read_again(seed: int) -> None:
    chance, position = Random(seed), HEX.start()
    while moves := HEX.legal_moves(position):
        assert all(HEX.parse(position, HEX.text(position, move)) == move for move in moves)
        assert set(moves) <= {*SPACES, SWAP}
        position = HEX.play(position, chance.choice(moves))
    outcome = HEX.outcome(position)
    assert outcome is not None
    assert outcome.winner in HEX.players
    with pytest.raises(GameOverError):
        HEX.play(position, "a1")
