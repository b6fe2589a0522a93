"""What changed while nobody looked is seen at one stamp: it has no order, and players are asked where that matters."""

from gnomon.referee.events import QuestionAnswered
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration
from tests.referee.scripted_board import ScriptedBoard, instant, kinds

BACK = 10


def after_an_outage(outage: Duration, *inputs: tuple[str, int]) -> ScriptedBoard:
    """A red glass from D1 in the air, and then what is seen when somebody looks again."""
    board = ScriptedBoard(level=1)
    board.edge(5, "D1.north", 0)
    board.uncertainty = outage
    for name, value in inputs:
        board.edge(BACK, name, value)
    board.uncertainty = Duration(0)
    return board


def answered(board: ScriptedBoard, choice: str) -> list[str]:
    """What is ruled when the question is answered."""
    board.until(14)
    board.correct(QuestionAnswered(instant(14), choice, "arbiter"))
    return kinds(board.until(16))[1:]


def test_a_ring_that_came_with_the_opponents_lift_is_asked_about() -> None:
    seen = [("D2.north", 1), ("D2.ring1", 1), ("A1.north", 0)]
    board = after_an_outage(Duration(4 * SECOND), *seen)
    assert kinds(board.until(14)) == ["ask which_turn"]
    assert board.game.question is not None
    assert board.game.question.asked.choices == ("D1-D2", "D1-D2=")


def test_the_answer_says_whose_the_ring_was() -> None:
    seen = [("D2.north", 1), ("D2.ring1", 1), ("A1.north", 0), ("B1.north", 1)]
    for choice, forgotten in (("D1-D2", ""), ("D1-D2=", "+D2,")):
        board = after_an_outage(Duration(4 * SECOND), *seen)
        ruled = answered(board, choice)
        assert ruled[1] == f"turn red {choice}"
        board.press(17, "black")
        assert kinds(board.until(18))[-1] == f"turn black {forgotten}A1-B1="


def test_a_ring_too_late_for_the_stamp_of_a_glass_seen_after_an_outage_is_asked_about() -> None:
    board = after_an_outage(Duration(1 * SECOND), ("D2.north", 1))
    board.lift(BACK + 0.2, "A1")
    board.ring(BACK + 1.5, "D2")
    assert kinds(board.until(16)) == ["ask which_turn"]
    board = after_an_outage(Duration(1 * SECOND), ("D2.north", 1))
    board.lift(BACK + 0.2, "A1")
    board.ring(BACK + 0.5, "D2")
    assert kinds(board.until(16)) == ["turn red D1-D2"]


def test_a_late_scan_is_no_outage() -> None:
    seen = [("D2.north", 1), ("D2.ring1", 1), ("A1.north", 0)]
    assert kinds(after_an_outage(Duration(10 * MILLISECOND), *seen).until(16)) == ["turn red D1-D2"]


def test_two_glasses_that_crossed_in_an_outage_are_asked_about() -> None:
    board = ScriptedBoard(level=1)
    for second, origin, target in ((1, "D1", "D2"), (4, "A1", "B1"), (7, "D2", "D3"), (10, "B1", "C2")):
        board.turn(second, origin, target)
    board.lift(16, "D3")
    board.until(17)
    board.uncertainty = Duration(8 * SECOND)
    board.lift(25, "C2")
    board.place(25, "C3")
    board.ring(25, "C3")
    board.place(25, "D2")
    board.ring(25, "D2")
    assert kinds(board.until(30))[4:] == ["ask which_turn"]
