"""When several explanations fit, or an earlier position comes back, the referee asks and a button answers."""

import pytest

from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import QuestionAnswered
from gnomon.referee.judgement import Phase, Temperament
from gnomon.referee.rulings import QuestionAsked
from gnomon.timekeeping.instants import SECOND
from tests.referee.scripted_board import ScriptedBoard, instant, kinds


def taken_back(temperament: Temperament = Temperament.ASSISTANT, level: int = 1) -> ScriptedBoard:
    board = ScriptedBoard(temperament=temperament, level=level)
    board.turn(1, "D1", "D2")
    board.take_ring(3, "D2")
    board.move(4, "D2", "D1")
    return board


def test_an_earlier_position_on_the_board_is_a_take_back_to_be_agreed() -> None:
    board = taken_back()
    assert board.until(9)[1:] == ["4.8 ask take_back"]
    assert board.last("ask") == QuestionAsked(instant(4.8), "take_back", ("yes", "no"))
    assert board.game.judgement.phase is Phase.ASKING


def test_the_opponents_button_agrees_to_a_take_back() -> None:
    board = taken_back()
    board.press(13, "black")
    assert board.until(15)[2:] == ["13 righted"]
    assert board.game.plies == ()
    board.turn(16, "D1", "E1")
    assert board.until(20)[3:] == ["17.3 turn red D1-E1x"]


def test_an_agreed_take_back_gives_back_the_time_since_that_turn() -> None:
    board = taken_back(level=2)
    board.press(13, "black")
    board.until(15)
    # The turn was complete at 2.3 s of game time, and it is 13 s on the board.
    assert board.game.game_time(instant(13)) == round(2.3 * SECOND)
    board.turn(20, "D1", "D2")
    board.until(25)
    position = board.game.position_at(instant(25))
    assert position.sands[0].remaining(position.now) == round((180 - (25 - 20.8)) * SECOND)


def test_the_other_button_refuses_a_take_back_and_the_board_must_be_put_right() -> None:
    board = taken_back()
    board.press(13, "red")
    assert board.until(19)[2:] == ["4.8 illegal red D2-D1= not_your_turn"]
    board.move(20, "D1", "D2")
    board.ring(22, "D2")
    assert board.until(25)[3:] == ["22 righted"]


def test_a_take_back_withdrawn_before_the_answer_is_forgotten() -> None:
    board = taken_back()
    board.until(9)
    board.move(10, "D1", "D2")
    board.ring(12, "D2")
    board.turn(14, "A1", "B2")
    assert board.until(20)[2:] == ["15.3 turn black A1-B2"]


def test_the_silent_referee_reports_a_take_back_and_does_not_ask() -> None:
    board = taken_back(Temperament.SILENT)
    assert kinds(board.until(19))[1:] == ["illegal red D2-D1= not_your_turn"]


def two_glasses_crossing() -> ScriptedBoard:
    """Red from D3 and black from D5, both in the air; then a glass stands on D4, where either may go."""
    board = ScriptedBoard(level=1)
    for at, red, black in (
        (1, "D1 D2", "D7 D6"),
        (7, "D2 D3", "D6 D5"),
    ):
        board.turn(at, *red.split())
        board.turn(at + 3, *black.split())
    board.lift(20, "D3")
    board.lift(20.1, "D5")
    board.place(20.9, "D4")
    return board


def test_a_landing_that_fits_both_glasses_in_the_air_waits_for_the_other_one() -> None:
    board = two_glasses_crossing()
    board.place(21.5, "E5")
    board.ring(22, "E5")
    board.ring(22.2, "D4")
    assert kinds(board.until(30))[4:] == ["turn red D3-D4", "turn black D5-E5"]


def own_glasses_crossing() -> ScriptedBoard:
    """Two red glasses lifted, one set down where either may go."""
    board = ScriptedBoard(level=1)
    for at, red, black in (
        (1, "D1 D2", "D7 D6"),
        (7, "D2 D3", "D6 E5"),
        (13, "A4 B4", "E5 F4"),
        (19, "B4 C4", "F4 F3"),
    ):
        board.turn(at, *red.split())
        board.turn(at + 3, *black.split())
    board.lift(30, "D3")
    board.lift(30.1, "C4")
    board.place(31, "D4")
    return board


def test_two_own_glasses_in_the_air_and_one_landing_that_fits_both_is_asked_for_after_patience() -> None:
    board = own_glasses_crossing()
    assert kinds(board.until(33.9))[8:] == []
    assert kinds(board.until(34.1))[8:] == ["ask which_turn"]
    asked = board.last("ask")
    assert isinstance(asked, QuestionAsked)
    assert asked.choices == ("D3-D4=", "C4-D4=")


@pytest.mark.parametrize(("button", "text"), [("red", "D3-D4="), ("black", "C4-D4=")])
def test_a_button_chooses_the_turn(button: str, text: str) -> None:
    board = own_glasses_crossing()
    board.press(36, button)
    assert kinds(board.until(40))[9:] == [f"turn red {text}"]


def test_a_question_goes_away_when_the_board_answers_it() -> None:
    board = own_glasses_crossing()
    board.until(35)
    board.place(36, "C4", "south")
    board.ring(37, "D4")
    assert kinds(board.until(40))[9:] == ["turn red D3-D4"]


def test_an_answer_can_be_given_by_hand_and_must_be_one_of_the_choices() -> None:
    board = own_glasses_crossing()
    board.until(35)
    before = board.game
    with pytest.raises(CorrectionError, match="no question is open that 'both' answers"):
        board.correct(QuestionAnswered(instant(36), "both", "Ann"))
    assert board.game is before
    board.correct(QuestionAnswered(instant(36), "C4-D4=", "Ann", "I saw it"))
    assert kinds(board.until(40))[9:] == ["corrected answered C4-D4=", "turn red C4-D4="]


def test_the_same_question_is_not_asked_twice() -> None:
    board = own_glasses_crossing()
    board.press(35, "arbiter")
    board.press(37, "arbiter")
    assert kinds(board.until(45))[8:] == ["ask which_turn", "paused", "resumed"]


def test_a_wrong_board_that_comes_to_fit_two_turns_is_righted_and_asked_about() -> None:
    board = ScriptedBoard(level=1)
    for at, red, black in (
        (1, "D1 D2", "D7 D6"),
        (7, "D2 D3", "D6 E5"),
        (13, "A4 B4", "E5 F4"),
        (19, "B4 C4", "F4 F3"),
    ):
        board.turn(at, *red.split())
        board.turn(at + 3, *black.split())
    board.lift(30, "D3")
    board.lift(30.1, "C4")
    board.place(31, "G3")
    assert kinds(board.until(35))[8:] == ["illegal red D3-G3= not_adjacent"]
    board.lift(36, "G3")
    board.place(37, "D4")
    assert kinds(board.until(45))[9:] == ["righted", "ask which_turn"]
