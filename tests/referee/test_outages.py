"""What changed while nobody looked is seen at one stamp: it has no order, and players are asked where that matters."""

from dataclasses import replace

import pytest

from gnomon.games.tamsk.rules import BOARD
from gnomon.games.tamsk.rules.position import BIT
from gnomon.games.tamsk.sensing._timer_turns import is_order_unknown
from gnomon.referee.events import InputChanged, QuestionAnswered
from gnomon.referee.evidence import AT_ONCE, Sensing
from gnomon.referee.step import step
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


def after_an_outage_with_the_timer(*, lifted_before: bool = True) -> ScriptedBoard:
    """Red's glass from D1 and the 15-second glass were set down while nobody looked."""
    board = ScriptedBoard(level=3)
    if lifted_before:
        board.edge(5, "D1.north", 0)
    board.uncertainty = Duration(4 * SECOND)
    if not lifted_before:
        board.edge(BACK, "D1.north", 0)
    for name, value in (("timer15.north", 0), ("D2.south", 1), ("D2.ring1", 1), ("timer15.south", 1)):
        board.edge(BACK, name, value)
    board.uncertainty = Duration(0)
    return board


@pytest.mark.parametrize("lifted_before", [True, False])
def test_whether_the_15_second_glass_was_turned_before_a_turn_or_after_it_is_asked(lifted_before: bool) -> None:
    board = after_an_outage_with_the_timer(lifted_before=lifted_before)
    assert kinds(board.until(14)) == ["ask timer15_first"]
    board.correct(QuestionAnswered(instant(14), "yes", "arbiter"))
    assert kinds(board.until(16))[1:] == ["corrected answered yes", "timer15 black", "turn red D1-D2"]


def test_a_recorded_game_that_says_nothing_of_evidence_is_not_asked_about_the_15_second_glass() -> None:
    board = after_an_outage_with_the_timer()
    board.until(14)
    assert board.ruled.question is not None
    made = board.ruled.question.turns[0]
    assert is_order_unknown(board.ruled, made)
    assert not is_order_unknown(replace(board.ruled, sensing=Sensing(evidence=AT_ONCE)), made)


def test_without_an_answer_nothing_is_ruled_and_the_other_answer_is_the_other_order() -> None:
    board = after_an_outage_with_the_timer()
    board.press(20, "black")
    assert kinds(board.until(25)) == ["ask timer15_first", "turn red D1-D2", "timer15 red"]


def test_the_15_second_glass_that_still_ran_was_not_turned_before() -> None:
    board = ScriptedBoard(level=3)
    board.turn(1, "D1", "D2", ring=False)
    board.turn_timer(2.5)
    board.lift(3, "A1")
    board.uncertainty = Duration(4 * SECOND)
    for name, value in (("B2.south", 1), ("B2.ring1", 1), ("timer15.south", 0), ("timer15.north", 1)):
        board.edge(BACK, name, value)
    board.uncertainty = Duration(0)
    assert "ask timer15_first" not in kinds(board.until(20))


def board_with_a_deadline_in_the_outage() -> ScriptedBoard:
    """The 15-second glass, turned at 4, empties at 19; nobody looks from 15 to 25."""
    board = ScriptedBoard(level=3)
    board.turn(1, "D1", "D2")
    board.turn_timer(4)
    board.until(15)
    board.uncertainty = Duration(10 * SECOND)
    return board


def test_time_decides_nothing_while_nobody_looks() -> None:
    board = board_with_a_deadline_in_the_outage()
    seen = [InputChanged(instant(25), name, value, board.uncertainty) for name, value in (("A1.north", False),)]
    board.ruled, _ = step(board.ruled, seen[0])
    board.uncertainty = Duration(0)
    board.place(26, "B2")
    board.ring(26.5, "B2")
    assert kinds(board.until(30))[2:] == ["turn black A1-B2", "penalty red", "fault A1.north unsure"]


def test_what_was_set_down_while_nobody_looked_was_set_down_in_time() -> None:
    board = board_with_a_deadline_in_the_outage()
    for name, value in (("A1.north", False), ("B2.south", True), ("B2.ring1", True)):
        board.ruled, effects = step(board.ruled, InputChanged(instant(25), name, value, board.uncertainty))
        assert effects == ()
    assert kinds(board.until(30))[2:] == ["turn black A1-B2", "fault B2.south unseen"]
    assert board.game.plies[-1].placed == instant(19)
    assert board.game.quarantined == ()


def test_a_contact_that_moved_as_the_daemon_was_killed_came_to_rest_meanwhile() -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "D1", "D2")
    board.lift(3, "D2")
    board.uncertainty = Duration(1 * SECOND)
    board.ruled, _ = step(board.ruled, InputChanged(instant(4), "D2.south", True, board.uncertainty))
    board.press(6, "red")
    assert kinds(board.until(9)) == ["turn red D1-D2="]


def board_with_an_unseen_timer(*, may_reply: bool) -> ScriptedBoard:
    """Black's A1 stands on B2 after an outage of 8 s, at whose end at 14 s the 15-second glass is seen turned."""
    board = ScriptedBoard(level=3)
    board.turn(1, "D1", "D2")
    board.until(4)
    if not may_reply:
        black = 1 << board.ruled.position.glass_on(BOARD.index["A1"])
        position = board.ruled.position._replace(enterable=BIT[BOARD.index["B2"]], moved=0b111111 & ~black)
        board.game = replace(board.ruled, position=position)
    board.lift(5, "A1")
    board.until(6)
    board.uncertainty = Duration(8 * SECOND)
    for name, value in (("timer15.north", False), ("timer15.south", True)):
        board.ruled, _ = step(board.ruled, InputChanged(instant(14), name, value, board.uncertainty))
    board.uncertainty = Duration(0)
    board.place(15, "B2")
    return board


@pytest.mark.parametrize(
    ("ring", "ruled"),
    [
        (20.9, ["turn black A1-B2"]),
        (21.1, ["turn black A1-B2", "fault timer15.south unsure"]),
        (28.9, ["turn black A1-B2", "fault timer15.south unsure"]),
        (29.1, ["turn black A1-B2", "penalty red"]),
    ],
)
def test_a_turn_that_was_late_if_the_15_second_glass_was_turned_early_in_an_outage_is_doubtful(
    ring: float, ruled: list[str]
) -> None:
    board = board_with_an_unseen_timer(may_reply=True)
    board.ring(ring, "B2")
    assert kinds(board.until(32))[1:] == ["timer15 red", *ruled]


@pytest.mark.parametrize("is_pressed", [False, True])
@pytest.mark.parametrize(("choice", "ruled"), [("yes", "turn red pass"), ("no", "penalty red")])
def test_players_say_whether_a_turn_was_in_time_if_the_opponent_could_only_pass_then(
    choice: str, ruled: str, *, is_pressed: bool
) -> None:
    board = board_with_an_unseen_timer(may_reply=False)
    if is_pressed:
        board.press(24, "black")
    else:
        board.ring(24, "B2")
    assert kinds(board.until(26))[1:] == ["timer15 red", "ask in_time"]
    board.correct(QuestionAnswered(instant(26), choice, "arbiter"))
    text = "A1-B2=" if is_pressed else "A1-B2"
    assert kinds(board.until(27))[4:] == [f"turn black {text}", ruled]


def test_a_turn_that_was_surely_in_time_is_not_asked_about() -> None:
    board = board_with_an_unseen_timer(may_reply=False)
    board.ring(20, "B2")
    assert kinds(board.until(26))[1:] == ["timer15 red", "turn black A1-B2", "turn red pass"]
