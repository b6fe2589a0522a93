"""Glasses that the engine of TAMSK lost in the games of `tests.bench.tamsk_glasses`, and saves today."""

from collections.abc import Mapping

import pytest

from gnomon.engines.protocol import Limits
from gnomon.games.tamsk.rules import BOARD
from tests.engines.test_tamsk import HANDS, SAND, best
from tests.engines.test_tamsk_sand import in_the_game

LIMITS = Limits(nodes=4_000, spread=0.0, hands=HANDS, reserve=180_000)


@pytest.mark.parametrize(
    ("left", "rings", "rings_left", "saved"),
    [
        # 60 000 nodes more moved another glass, and there the search ended, for the value of its best move had not
        # fallen: games 169 and 202 of seed 1 (with the sides changed in the second).
        (
            {"E2": 16.0, "C2": 30.5, "F4": 147.1, "D3": 116.0, "F3": 4.0, "B5": 132.4},
            "0000 10221 023220 0220220 021110 12221 0000",
            (14, 14),
            "C2",
        ),
        (
            {"C2": 23.0, "D4": 146.0, "E4": 71.0, "F2": 92.0, "D6": 125.0, "F5": 0.0},
            "0000 11221 122300 0222220 021121 12011 0000",
            (14, 13),
            "C2",
        ),
        # They ended in the middle of a depth, where another move looked better: game 267.
        (
            {"F3": 53.09, "C3": 60.15, "F4": 0.0, "B2": 0.0, "C2": 137.02, "E5": 64.96},
            "0000 01010 122220 0031110 022110 10110 0000",
            (19, 19),
            "F3",
        ),
        # The opponent has to wait for longer than 25 s: game 42 of seed 27, with an engine that was tried meanwhile.
        (
            {"E2": 61.4, "B4": 47.4, "F4": 54.5, "C3": 76.5, "G2": 123.6, "C5": 67.8},
            "0000 10020 011220 0000110 110011 01010 0100",
            (23, 23),
            "F4",
        ),
    ],
)
def test_a_glass_that_was_lost_is_saved(
    left: Mapping[str, float], rings: str, rings_left: tuple[int, int], saved: str
) -> None:
    position = in_the_game(left, rings, rings_left)
    assert BOARD.names[best(SAND, position, LIMITS).move.origin] == saved
