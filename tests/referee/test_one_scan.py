"""Changes that one late scan sees together, and so stamps alike: what left is taken to have left before it arrived."""

import pytest

from gnomon.timekeeping.instants import MILLISECOND, Duration
from tests.referee.scripted_board import ScriptedBoard, kinds

LATE = Duration(120 * MILLISECOND)
"""How late a scan is that sees a glass leave one space and come to another."""


@pytest.mark.parametrize("times", [1, 2])
def test_the_15_second_glass_turned_between_two_scans_is_turned(times: int) -> None:
    board = ScriptedBoard(level=3)
    for time in range(times):
        pole, other = ("north", "south") if time % 2 == 0 else ("south", "north")
        board.edge(10 + 20 * time, f"timer15.{other}", 1)
        board.edge(10 + 20 * time, f"timer15.{pole}", 0)
    expected = ["timer15 black", "lost red", "timer15 red", "lost black"]
    assert kinds(board.until(60)) == expected[: 2 * times]


@pytest.mark.parametrize(("origin", "target"), [("D1", "D2"), ("D1", "C1")])
def test_a_glass_moved_between_two_scans_is_moved(origin: str, target: str) -> None:
    board = ScriptedBoard(level=2)
    board.uncertainty = LATE
    board.edge(10, f"{target}.south", 1)
    board.edge(10, f"{origin}.north", 0)
    board.ring(11, target)
    assert kinds(board.until(12)) == [f"turn red {origin}-{target}{'x' if target == 'C1' else ''}"]


def test_a_glass_moved_back_and_forth_between_scans_is_where_it_stands() -> None:
    board = ScriptedBoard(level=1)
    board.uncertainty = LATE
    for second, origin, target in ((10, "D1", "D2"), (11, "D2", "D1"), (12, "D1", "C1")):
        board.edge(second, f"{target}.north", 1)
        board.edge(second, f"{origin}.north", 0)
    board.ring(13, "C1")
    assert kinds(board.until(14)) == ["turn red D1-C1x"]


def test_a_glass_that_is_elsewhere_sooner_than_a_hand_carries_it_is_moved_and_both_sensors_are_named() -> None:
    board = ScriptedBoard(level=2)
    board.edge(10, "D1.north", 0)
    board.edge(10.09, "D2.south", 1)
    board.ring(11, "D2")
    named = ["fault D1.north unsure", "fault D2.south unsure"]
    assert kinds(board.until(12)) == ["turn red D1-D2", *named]
    assert not board.game.quarantined
