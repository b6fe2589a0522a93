"""What one sensor that lies for a while may not do: take a turn away, give a ring to the other player, or go unsaid."""

import pytest

from gnomon.referee.events import QuestionAnswered
from gnomon.timekeeping.instants import SECOND, Duration
from tests.referee.scripted_board import ScriptedBoard, instant, kinds
from tests.referee.test_evidence import blinks
from tests.referee.test_rare_turns import only_a_free_ring_is_due


@pytest.mark.parametrize("late", [0.2, 0.6, 1.2, 2.4])
def test_a_lift_that_is_shown_late_leaves_the_turn_as_it_was(late: float) -> None:
    board = ScriptedBoard(level=2)
    board.place(1.5, "D2")  # D1 was lifted at 1
    if late < 1:
        board.edge(1.5 + late, "D1.north", 0)
        board.press(2.7, "red")
    else:
        board.press(2.3, "red")
        board.edge(1.5 + late, "D1.north", 0)
    board.lift(8, "A1")
    board.ring(8.5, "D2")  # the ring that red had forgotten
    board.place(9, "B2")
    board.press(9.5, "black")
    board.until(15)
    assert [line for line in kinds(board.until(15)) if line.startswith("turn")] == [
        "turn red D1-D2=",
        "turn black +D2,A1-B2=",
    ]
    assert [line for line in kinds(board.until(15)) if line.startswith("fault")] == [
        *(["fault D2.south unsure"] if late < 2 else []),
        "fault D1.north stuck",
    ]
    assert not board.game.quarantined


def test_a_lift_that_is_shown_after_the_reply_has_begun_leaves_the_turn_as_it_was() -> None:
    board = ScriptedBoard(level=2)
    board.place(1.5, "D2")
    board.lift(2, "A1")
    board.edge(2.6, "D1.north", 0)
    board.ring(4, "D2")
    board.place(4.5, "B2")
    board.press(5, "black")
    assert kinds(board.until(15)) == [
        "turn red D1-D2=",
        "fault D2.south unsure",
        "fault D1.north stuck",
        "turn black +D2,A1-B2=",
    ]


def test_a_sensor_that_shows_a_glass_while_another_is_in_the_hand_is_not_where_it_went() -> None:
    board = ScriptedBoard(level=2)
    board.edge(0.8, "E1.south", 1)
    board.lift(1, "D1")
    board.edge(3.5, "E1.south", 0)
    board.place(5, "D2")
    board.ring(5.5, "D2")
    assert kinds(board.until(12)) == ["turn red D1-D2"]


@pytest.mark.parametrize("lasts", [0.045, 0.18, 0.4])
def test_a_ring_whose_sensor_blinks_has_fallen_when_it_fell(lasts: float) -> None:
    board = ScriptedBoard(level=2)
    board.move(1, "D1", "D2")
    board.ring(3, "D2")
    blinks(board, 3.45, "D2.ring1", lasts)
    board.press(3.5, "red")
    assert board.until(9) == ["3 turn red D1-D2"]


@pytest.mark.parametrize(("unseen", "named"), [(0.01, ["fault D2.ring1 unsure"]), (0.03, [])])
def test_a_ring_that_one_reading_missed_is_not_named_though_scans_were_lost(unseen: float, named: list[str]) -> None:
    board = ScriptedBoard(level=2)
    board.turn(1, "D1", "D2")
    board.edge(5, "D2.ring1", 0)
    board.uncertainty = Duration(round(unseen * SECOND))
    board.edge(5.03, "D2.ring1", 1)
    assert kinds(board.until(12))[1:] == named


def test_a_ghost_is_no_beginning_of_the_ring_that_falls_after_it() -> None:
    board = ScriptedBoard(level=2)
    blinks(board, 0.9, "D2.ring1", 0.05)
    board.move(1, "D1", "D2", after=0.2)
    board.ring(1.45, "D2")
    assert board.until(9) == ["1.45 turn red D1-D2"]


def test_a_contact_that_comes_and_goes_has_not_stood() -> None:
    board = ScriptedBoard(level=2)
    board.move(1, "D1", "D2")
    for number in range(4):
        blinks(board, 3 + number * 0.3, "D2.ring1", 0.2)
    board.press(8, "red")
    assert board.until(12) == ["8 turn red D1-D2="]


def test_a_glass_whose_socket_blinks_has_stood_since_it_was_set_down() -> None:
    board = ScriptedBoard(level=3)
    board.move(1, "D1", "D2")
    blinks(board, 2.1, "D2.south", 0.1)
    board.ring(3, "D2")
    board.until(9)
    assert board.game.plies[0].placed == 1_800_000


def test_a_ring_that_falls_while_the_one_below_shows_nothing_counts() -> None:
    board = ScriptedBoard(level=1)
    board.turn(1, "D1", "D2")
    board.turn(5, "A1", "B2")
    board.turn(9, "D2", "E2")
    board.turn(13, "G1", "F1")
    board.move(17, "E2", "D2")
    board.edge(17.85, "D2.ring1", 0)
    board.edge(18.2, "D2.ring2", 1)
    board.edge(22, "D2.ring1", 1)
    heard = kinds(board.until(30))
    assert [line for line in heard if "fault" in line] == ["fault D2.ring1 stack"]
    assert heard[-1] == "turn red E2-D2x"
    assert not board.game.quarantined


def test_a_stand_that_shows_both_poles_is_told() -> None:
    board = ScriptedBoard(level=3)
    board.edge(1, "timer15.south", 1)
    assert kinds(board.until(5)) == ["fault timer15.south stuck", "fault timer15.north stuck"]
    assert list(board.game.quarantined) == ["timer15.south"]
    board.edge(10, "timer15.south", 0)
    board.until(15)
    assert not board.game.quarantined


def test_both_sensors_of_a_socket_that_shows_both_poles_are_told() -> None:
    board = ScriptedBoard(level=2)
    board.edge(1, "D1.south", 1)
    assert kinds(board.until(5)) == ["fault D1.south stuck", "fault D1.north stuck"]
    assert list(board.game.quarantined) == ["D1.south"]


def test_a_reply_that_is_put_back_takes_no_ring_from_the_mover() -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "A4", "A3", after=0.2)
    board.lift(1.3, "A1")
    board.place(2.0, "A1", "north")
    board.ring(2.2, "A3")
    assert board.until(9) == ["2.2 turn red A4-A3x"]


def test_a_press_that_passes_waits_for_a_sensor_in_doubt() -> None:
    board = only_a_free_ring_is_due()
    board.edge(4.9, "C3.north", 1)
    board.press(5, "black")
    board.edge(5.3, "C3.north", 0)
    assert board.until(9) == ["5 turn black pass"]


def test_a_ring_that_fell_after_a_press_in_doubt_is_the_opponents() -> None:
    board = ScriptedBoard(level=2)
    board.turn(1, "D1", "D2")
    board.turn(5, "A1", "B2")
    board.edge(8.5, "D2.ring1", 0)
    board.move(9, "G4", "F4")
    board.press(10.5, "red")
    board.lift(11, "G1")
    board.ring(11.5, "F4")
    board.edge(12.3, "D2.ring1", 1)
    board.place(12.8, "F1")
    board.press(13.5, "black")
    assert kinds(board.until(20))[2:] == ["turn red G4-F4=", "turn black +F4,G1-F1="]


def test_the_next_turn_is_not_waited_for_when_a_lift_was_shown_late() -> None:
    board = ScriptedBoard(level=2)
    board.edge(0.6, "D2.south", 1)
    board.lift(1, "D1")
    board.ring(2, "D2")
    board.move(2.5, "A1", "B2", after=0.5)
    board.press(3.8, "black")
    assert kinds(board.until(9)) == [
        "turn red D1-D2",
        "fault D2.south unsure",
        "fault D1.north stuck",
        "turn black A1-B2=",
    ]


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_15_second_glass_that_shows_set_down_before_it_is_lifted_was_turned_in_between(answer: str) -> None:
    board = ScriptedBoard(level=3)
    board.move(1, "D1", "D2")
    board.edge(2.5, "timer15.south", 1)
    board.ring(2.8, "D2")
    board.edge(3.3, "timer15.north", 0)
    assert kinds(board.until(9)) == ["ask timer15_first"]
    board.correct(QuestionAnswered(instant(9), answer, "arbiter"))
    by = {"yes": ["timer15 black", "turn red D1-D2"], "no": ["turn red D1-D2", "timer15 red"]}
    assert kinds(board.until(12))[2:4] == by[answer]


@pytest.mark.parametrize("gap", [1.2, 2])
def test_what_was_set_down_before_a_turn_began_is_no_reply_to_it(gap: float) -> None:
    board = ScriptedBoard(level=2)
    board.move(1, "A1", "B2")  # black, though it is red's turn
    board.move(1 + gap, "D1", "D2")
    assert kinds(board.until(20)) == ["illegal red not_your_turn"]
