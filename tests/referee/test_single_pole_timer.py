"""The 15-second glass on a stand that sees one pole: off it for a while it was turned, unless a button says not."""

from tests.referee.scripted_board import ScriptedBoard, guide, kinds
from tests.referee.single_pole_board import SinglePoleBoard

TAKEN_BACK = "corrected turn D1-D2 taken back: the glass was not turned"
TIMER_WAS_NOT = "corrected the 15-second glass was not turned"
REFUSED = "illegal red D1-D2 not_turned"


_OPENING = (("D1", "D2"), ("A1", "B2"), ("A4", "B4"), ("D7", "D6"), ("G4", "F4"), ("G1", "F1"))


def test_the_15_second_glass_off_its_stand_for_longer_than_a_nudge_was_turned() -> None:
    board = SinglePoleBoard(level=3)
    board.turn(1, "D1", "D2")
    board.edge(4, "timer15.glass", 0)
    board.edge(4.1, "timer15.glass", 1)
    board.turn_timer(6)
    assert kinds(board.until(30))[1:] == ["timer15 red", "lost black"]


def test_it_is_turned_back_when_it_could_not_be_turned() -> None:
    board = SinglePoleBoard(level=3)
    board.turn(1, "D1", "D2")
    board.turn_timer(4)
    board.turn_timer(6)
    assert guide_at(board, 7) == ["turn the 15-second glass back"]
    board.edge(8, "timer15.glass", 0)
    board.until(8.2)
    board.edge(8.3, "timer15.glass", 1)
    assert kinds(board.until(10))[1:] == ["timer15 red", "illegal red timer15_running", "righted"]


def guide_at(board: ScriptedBoard, at: float) -> list[str]:
    board.until(at)
    return guide(board)


def test_said_not_to_have_been_turned_it_binds_nobody() -> None:
    board = SinglePoleBoard(level=3)
    board.turn(1, "D1", "D2")
    board.turn_timer(4)
    board.press(5, "not_turned")
    assert kinds(board.until(30)) == ["turn red D1-D2", "timer15 red", TIMER_WAS_NOT]
    board.turn_timer(31)
    assert kinds(board.until(32))[3:] == ["timer15 red"]


def test_said_so_of_one_that_could_not_be_turned_all_is_right() -> None:
    board = SinglePoleBoard(level=3)
    board.turn(1, "D1", "D2")
    board.turn_timer(4)
    board.turn_timer(6)
    board.press(7, "not_turned")
    assert kinds(board.until(9))[2:] == ["illegal red timer15_running", TIMER_WAS_NOT, "righted"]
    assert board.game.position.timer15_binds


def test_pressed_again_it_speaks_of_the_glass_before() -> None:
    board = SinglePoleBoard(level=3)
    board.turn(1, "D1", "D2")
    board.turn_timer(4)
    board.press(5, "not_turned")
    board.press(7, "not_turned")
    assert kinds(board.until(9))[2:] == [TIMER_WAS_NOT, TAKEN_BACK, REFUSED]


def test_what_was_set_down_last_is_meant() -> None:
    board = SinglePoleBoard(level=3)
    board.turn(1, "D1", "D2")
    board.lift(4, "A1")
    board.turn_timer(5)
    board.place(6, "B2")
    board.press(7, "not_turned")
    assert kinds(board.until(9))[1:] == ["timer15 red", "illegal black A1-B2= not_turned"]
    board = SinglePoleBoard(level=3)
    board.turn(1, "D1", "D2")
    board.move(4, "A1", "B2")
    board.turn_timer(6)
    board.press(7, "not_turned")
    assert kinds(board.until(9))[1:] == ["timer15 red", TIMER_WAS_NOT]


def test_when_the_turn_is_lost_nothing_can_be_said_any_more() -> None:
    board = SinglePoleBoard(level=3)
    board.turn(1, "D1", "D2")
    board.turn_timer(4)
    before = board.until(25)
    assert before[-1] == "19 lost black"
    board.press(26, "not_turned")
    assert board.until(28) == before


def test_a_late_turn_is_late_by_when_the_glass_was_turned_over() -> None:
    board = SinglePoleBoard(level=3)
    board.turn(1, "D1", "D2")
    board.turn_timer(4)
    board.turn(10, "A1", "B2")
    board.press(13, "not_turned")
    board.lift(21, "B2")
    board.place(22, "B2")
    wanted = ["illegal black A1-B2 not_turned", "righted", "turn black A1-B2", "penalty red"]
    assert kinds(board.until(30))[-4:] == wanted
