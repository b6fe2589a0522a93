"""A button that ends a turn and does not says why, and nothing is written down for it."""

from gnomon.referee.judgement import Phase
from tests.referee.scripted_board import ScriptedBoard, kinds


def test_the_button_without_a_turn_says_that_there_is_none() -> None:
    board = ScriptedBoard(level=2)
    board.press(1, "red")
    assert kinds(board.until(2)) == []
    assert (board.game.judgement.phase, board.game.judgement.code) == (Phase.AGREED, "nothing_to_end")
    board.turn(3, "D1", "D2")
    assert kinds(board.until(9)) == ["turn red D1-D2"]
    assert board.game.judgement.code == ""


def test_the_button_of_the_other_player_says_whose_turn_it_is() -> None:
    board = ScriptedBoard(level=1)
    board.press(1, "black")
    assert kinds(board.until(2)) == []
    assert board.game.judgement.code == "not_on_turn"


def test_the_button_while_the_glass_is_in_the_air_says_so() -> None:
    board = ScriptedBoard(level=2)
    pole = board.lift(1, "D1")
    board.press(2, "red")
    board.until(3)
    assert (board.game.judgement.phase, board.game.judgement.code) == (Phase.IN_HAND, "not_put_down")
    board.place(4, "D1", pole)
    board.until(6)
    assert board.game.judgement.code == ""


def test_where_the_board_is_to_be_put_right_that_is_said_and_nothing_else() -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "D1", "D3")
    board.until(6)
    before = board.game.judgement
    assert before.phase is Phase.WRONG
    board.press(7, "red")
    board.until(8)
    assert board.game.judgement == before


def test_a_press_that_was_answered_by_a_refusal_is_not_answered_again_once_the_board_is_put_right() -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "D1", "D3")
    board.press(2.1, "red")
    board.until(6)
    assert board.game.judgement.phase is Phase.WRONG
    pole = board.lift(6.2, "D3")
    board.place(6.6, "D1", pole)
    assert kinds(board.until(12))[-1] == "righted"
    assert (board.game.judgement.phase, board.game.judgement.code) == (Phase.AGREED, "")
