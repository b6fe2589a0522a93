"""Inputs that lie are quarantined and shown, and their spaces go on by hand."""

import pytest

from gnomon.referee.events import InputTrusted
from gnomon.referee.rulings import QuestionAsked
from tests.referee.scripted_board import ScriptedBoard, instant, kinds


def chattering(board: ScriptedBoard, name: str, start: float = 1, seconds: float = 1) -> None:
    for edge in range(round(seconds / 0.004)):
        board.edge(start + edge * 0.004, name, (edge + 1) % 2)


def test_a_chattering_input_is_quarantined_once_and_the_game_goes_on() -> None:
    board = ScriptedBoard(level=1)
    chattering(board, "C3.north", 9)
    board.turn(10, "D1", "D2")
    assert board.until(11.95) == ["9 fault C3.north chatter", "11.3 turn red D1-D2"]
    assert board.game.quarantined == ("C3.north",)


def test_a_glass_may_leave_a_socket_that_is_not_believed() -> None:
    board = ScriptedBoard(level=2)
    chattering(board, "D1.north")
    board.place(14, "D2", "south")
    board.ring(15, "D2")
    assert kinds(board.until(20)) == ["fault D1.north chatter", "turn red D1-D2"]


def test_a_glass_on_a_socket_that_is_not_believed_is_told_by_its_ring() -> None:
    board = ScriptedBoard(level=2)
    chattering(board, "D2.south", 9)
    board.lift(10, "D1")
    board.ring(12, "D2")
    assert kinds(board.until(20)) == ["fault D2.south chatter", "turn red D1-D2"]


def test_a_glass_on_a_socket_that_is_not_believed_is_told_by_the_button() -> None:
    board = ScriptedBoard(level=2)
    chattering(board, "D2.south", 9)
    board.lift(10, "D1")
    board.press(12.5, "red")
    assert kinds(board.until(20)) == ["fault D2.south chatter", "turn red D1-D2="]


def test_the_button_with_a_glass_in_hand_says_nothing_on_a_sound_board() -> None:
    board = ScriptedBoard(level=2)
    board.lift(10, "D1")
    board.press(13, "red")
    assert board.until(20) == []


def test_a_gap_in_a_stack_is_a_fault_of_the_sensor_that_changed_last() -> None:
    board = ScriptedBoard(level=1)
    board.edge(1, "C3.ring2", 1)
    assert board.until(1.9) == []
    board.turn(6, "D1", "D2")
    assert board.until(9) == ["1 fault C3.ring2 stack", "7.3 turn red D1-D2"]


def test_a_ring_below_another_cannot_go_away() -> None:
    board = ScriptedBoard(level=1)
    board.turn(1, "D1", "D2")
    board.turn(4, "A1", "B2")
    board.turn(7, "D2", "D3")
    board.turn(10, "B2", "B1")
    board.turn(13, "D3", "D2")
    board.edge(16, "D2.ring1", 0)
    board.turn(20, "B1", "A1")
    assert kinds(board.until(25))[5:] == ["fault D2.ring1 stack", "turn black B1-A1x"]


def test_a_stack_that_is_out_of_order_only_for_a_moment_is_no_fault() -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "D1", "D2")
    board.edge(3, "D2.ring2", 1)
    board.edge(3.4, "D2.ring2", 0)
    board.edge(3.5, "D2.ring1", 1)
    assert board.until(9) == ["3.5 turn red D1-D2"]


def test_where_the_stack_cannot_be_seen_the_players_say_whether_a_ring_fell() -> None:
    board = ScriptedBoard(level=1)
    chattering(board, "D2.ring1", 9)
    board.move(10, "D1", "D2")
    board.press(12, "red")
    assert kinds(board.until(13))[1:] == ["ask which_turn"]
    asked = board.last("ask")
    assert isinstance(asked, QuestionAsked)
    assert asked.choices == ("D1-D2", "D1-D2=")
    board.press(14, "red")
    assert kinds(board.until(15))[2:] == ["turn red D1-D2"]


def test_a_seventh_glass_is_a_stuck_sensor() -> None:
    board = ScriptedBoard(level=1)
    board.edge(1, "C3.south", 1)
    board.turn(6, "D1", "D2")
    assert board.until(9) == ["1 fault C3.south stuck", "7.3 turn red D1-D2"]


def test_a_ring_tells_a_stuck_origin_from_a_stuck_target() -> None:
    board = ScriptedBoard(level=1)
    board.edge(1, "D2.south", 1)
    board.ring(1.5, "D2")
    assert board.until(9) == ["1 fault D1.north stuck", "1.5 turn red D1-D2"]


def test_both_poles_at_once_are_a_stuck_sensor() -> None:
    board = ScriptedBoard(level=2)
    board.edge(1, "A1.south", 1)
    board.turn(5, "D1", "D2")
    assert board.until(9) == ["1 fault A1.south stuck", "1 fault A1.north stuck", "6.3 turn red D1-D2"]


def test_a_mended_input_counts_again_as_it_stands() -> None:
    board = ScriptedBoard(level=1)
    chattering(board, "D1.north")
    board.edge(6, "D1.north", 1)
    board.correct(InputTrusted(instant(8), "D1.north", "Ann", "wire soldered"))
    assert board.game.quarantined == ()
    board.turn(10, "D1", "D2")
    assert kinds(board.until(15))[1:] == ["corrected input D1.north trusted again", "turn red D1-D2"]


def test_an_input_that_is_not_there_is_named() -> None:
    board = ScriptedBoard(level=1)
    with pytest.raises(ValueError, match=r"no input .Z9\.north."):
        board.edge(1, "Z9.north", 1)
