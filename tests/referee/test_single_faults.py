"""What one fault may have made of the board is said or asked; games of an earlier edition are ruled as they were."""

import pytest

from gnomon.games.tamsk.sensing.board import new_game
from gnomon.referee.events import InputChanged
from gnomon.referee.evidence import STANDING, UNWARY, Evidence, Sensing
from gnomon.referee.judgement import Phase
from gnomon.referee.step import step
from gnomon.timekeeping.instants import SECOND, Duration
from tests.referee.scripted_board import ScriptedBoard, instant, kinds
from tests.referee.test_last_sand import END, with_one_glass_left

EDITIONS = pytest.mark.parametrize("evidence", [STANDING, UNWARY], ids=["now", "before"])


def board_of(level: int, evidence: Evidence) -> ScriptedBoard:
    board = ScriptedBoard(level=level)
    board.ruled = new_game(board.ruled.rules, sensing=Sensing(evidence=evidence))
    return board


@EDITIONS
def test_a_ring_lost_by_its_sensor_as_the_turn_is_ended_is_said_when_it_shows_again(evidence: Evidence) -> None:
    board = board_of(2, evidence)
    board.move(1, "D1", "D2")
    board.ring(2.5, "D2")
    board.edge(2.85, "D2.ring1", 0)
    board.press(2.9, "red")
    board.edge(4.4, "D2.ring1", 1)
    board.move(6, "A1", "B2")
    board.ring(7.2, "B2")
    # Red's ring was taken for one that black dropped on the forgotten space, and nobody was told.
    said = {STANDING: ["turn red D1-D2=", "fault D2.ring1 chatter", "turn black A1-B2"]}
    assert kinds(board.until(12)) == said.get(evidence, ["turn red D1-D2=", "turn black +D2,A1-B2"])


@EDITIONS
@pytest.mark.parametrize("away", [0.3, 1.5])
def test_a_ghost_that_was_ruled_upon_is_said_when_the_ring_falls(evidence: Evidence, away: float) -> None:
    board = board_of(2, evidence)
    board.move(1, "D1", "D2")
    board.edge(1.8, "D2.ring1", 1)
    board.lift(2.6, "A1")
    board.edge(3.2, "D2.ring1", 0)
    board.edge(3.2 + away, "D2.ring1", 1)  # black drops the forgotten one
    board.place(5, "B2")
    board.ring(5.5, "B2")
    fault = ["fault D2.ring1 chatter"] if evidence.wary else []
    assert kinds(board.until(12)) == ["turn red D1-D2", *fault, "turn black A1-B2"]


@pytest.mark.parametrize("name", ["D2.ring1", "E1.ring1"])
def test_a_ring_that_is_taken_back_with_its_glass_or_fell_elsewhere_may_fall_again(name: str) -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "D1", "D2")
    board.edge(2.5, name, 1)
    board.edge(2.9, name, 0)
    board.move(3, "D2", "D1")
    board.move(5, "D1", name.partition(".")[0])
    board.edge(6.5, name, 1)
    assert [line for line in kinds(board.until(12)) if line.startswith("fault")] == []


@EDITIONS
def test_the_15_second_glass_is_turned_after_the_turn_that_a_press_in_doubt_has_ended(evidence: Evidence) -> None:
    board = board_of(3, evidence)
    board.turn(1, "D1", "D2")
    board.move(5, "A1", "B2")
    board.edge(5.5, "G2.ring1", 1)  # a ghost: the board is in doubt
    board.press(6.5, "black")
    board.turn_timer(7.5)
    board.edge(8, "G2.ring1", 0)
    by = "black" if evidence.wary else "red"
    assert sorted(kinds(board.until(12))[1:]) == [f"timer15 {by}", "turn black A1-B2="]


@EDITIONS
def test_whether_the_15_second_glass_was_turned_first_is_asked_where_it_showed_both_poles(evidence: Evidence) -> None:
    board = board_of(3, evidence)
    board.turn(1, "D1", "D2")
    board.move(5, "A1", "B2")
    board.edge(6, "timer15.south", 1)  # it sticks
    board.ring(6.2, "B2")
    board.edge(6.2, "timer15.north", 0)
    ruled = ["ask timer15_first"] if evidence.wary else ["timer15 red", "turn black A1-B2"]
    assert kinds(board.until(12))[1:] == ruled


@EDITIONS
def test_the_other_pole_that_shows_while_a_glass_stands_is_no_setting_down(evidence: Evidence) -> None:
    board = board_of(2, evidence)
    board.move(1, "D1", "D2")
    board.lift(3.3, "A1")
    board.edge(3.4, "D2.north", 1)
    board.ring(3.95, "D2")  # two seconds after the setting down it is black's
    board.edge(4.1, "D2.north", 0)
    board.place(4.5, "B2")
    board.press(5.5, "black")
    turns = ["turn red D1-D2=", "turn black +D2,A1-B2="] if evidence.wary else ["turn red D1-D2", "turn black A1-B2="]
    assert kinds(board.until(12)) == turns


@pytest.mark.parametrize("since", [0.7, 2.5])
def test_a_board_in_doubt_ends_no_game(since: float) -> None:
    board = with_one_glass_left()
    board.edge(END - since, "D4.ring1", 1)  # a ghost
    assert "over" not in " ".join(kinds(board.until(END + 2)))
    board.edge(END + 2.1, "D4.ring1", 0)
    assert kinds(board.until(END + 6))[-1] == "over draw"


def test_a_game_that_nobody_puts_right_does_not_end() -> None:
    board = with_one_glass_left()
    board.edge(END - 8, "D4.ring1", 1)
    said = kinds(board.until(END + 30))
    assert said[-1] == "illegal red ring_elsewhere"
    assert board.game.judgement.phase is Phase.WRONG


@EDITIONS
def test_a_glass_that_stands_at_once_on_a_full_space_loses_no_game(evidence: Evidence) -> None:
    board = board_of(1, evidence)
    for at, origin, target in ((1, "D1", "E1"), (5, "A1", "B2"), (8, "E1", "E2"), (10, "B2", "B1")):
        board.turn(at, origin, target)
    board.lift(13, "E2")
    board.place(13.02, "E1")  # no hand is so fast
    refused = ["illegal red E2-E1= full"]
    assert kinds(board.until(20))[4:] == refused + ([] if evidence.wary else ["over black full_space"])


@EDITIONS
def test_what_had_not_stood_when_the_looking_stopped_must_stand_afterwards(evidence: Evidence) -> None:
    board = board_of(1, evidence)
    board.move(1, "D1", "D2")
    board.edge(2.5, "D2.ring1", 1)  # a ghost of a moment
    board.until(2.6)
    gone = InputChanged(instant(7.6), "D2.ring1", value=False, uncertainty=Duration(5 * SECOND))
    board.ruled, effects = step(board.ruled, gone)
    assert effects == ()
    board.press(9, "red")
    assert kinds(board.until(12))[0] == ("turn red D1-D2=" if evidence.wary else "turn red D1-D2")
