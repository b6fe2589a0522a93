"""What must stand before it is ruled upon: pulses, chatter, rolling glasses and brown-outs rule nothing."""

from dataclasses import replace

import pytest

from gnomon.games.tamsk.rules import Tamsk
from gnomon.games.tamsk.sensing._explain import explain
from gnomon.games.tamsk.sensing.board import new_game
from gnomon.games.tamsk.sensing.verdicts import Complete, Review
from gnomon.referee.debounce import Debouncer
from gnomon.referee.events import Paused, QuestionAnswered, Resumed
from gnomon.referee.evidence import AT_ONCE, STANDING, Sensing
from gnomon.referee.judgement import Phase
from gnomon.timekeeping.instants import Instant
from tests.referee.scripted_board import ScriptedBoard, instant, kinds
from tests.referee.test_questions import own_glasses_crossing
from tests.referee.test_sensing_mistakes import played_to_a_full_space

REGISTER = frozenset(f"{space}.{pole}" for space in ("D2", "E1", "C1", "D1") for pole in ("north", "south"))


def blinks(board: ScriptedBoard, at: float, name: str, lasts: float) -> None:
    rests = name in board.on
    board.edge(at, name, not rests)
    board.edge(at + lasts, name, rests)


@pytest.mark.parametrize("lasts", [0.025, 0.06, 0.3, 0.5, 0.57])
@pytest.mark.parametrize("name", ["D2.ring1", "D4.ring1", "E1.south", "D2.south", "A1.north"])
def test_no_pulse_is_ruled_upon(name: str, lasts: float) -> None:
    board = ScriptedBoard(level=2)
    board.move(1, "D1", "D2")
    blinks(board, 4, name, lasts)
    board.press(8, "red")
    assert board.until(12) == ["8 turn red D1-D2="]


def test_a_pulse_is_shown_and_shown_no_more() -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "D1", "D2")
    board.edge(3, "D2.ring1", 1)
    board.until(3.1)
    assert (len(board.game.plies), len(board.ruled.plies), board.rulings) == (1, 0, [])
    board.edge(3.2, "D2.ring1", 0)
    board.until(3.3)
    assert (board.game.plies, board.game.judgement.phase) == ((), Phase.MAY_GO_ON)


def test_an_end_is_not_shown_before_it_is_sure() -> None:
    board = ScriptedBoard(level=1)
    board.game = replace(board.game, position=board.game.position._replace(rings_left=(1, 0)))
    board.turn(1, "D1", "D2")
    board.until(2.4)
    assert board.game.outcome is None
    board.until(7.2)
    assert board.game.outcome is None
    board.until(7.4)
    assert board.game.outcome is not None


def test_what_only_time_can_tell_is_told_as_of_each_instant_however_often_it_was_asked() -> None:
    board = ScriptedBoard(level=2)
    board.move(1, "D1", "D2")
    board.lift(2.2, "A1")
    board.until(3)
    scene = board.ruled.scene
    for _ in range(2):
        waits = explain(scene, instant(3))
        assert isinstance(waits, Review)
        assert explain(scene, Instant(waits.at - 1)) == waits
        assert isinstance(explain(scene, waits.at), Complete)
        assert explain(scene, instant(9)) == explain(scene, waits.at)


def test_a_recorded_game_that_says_nothing_of_evidence_is_ruled_at_once() -> None:
    board = ScriptedBoard(level=1)
    board.ruled = new_game(board.game.rules, sensing=Sensing(evidence=AT_ONCE))
    board.move(1, "D1", "D2")
    blinks(board, 3, "D2.ring1", 0.06)
    assert board.until(3.1) == ["3 turn red D1-D2"]


def test_a_glass_that_rolls_over_a_full_space_loses_nothing() -> None:
    board = played_to_a_full_space()
    board.lift(15, "E1")
    board.place(16.5, "D2", "north")
    board.ring(17, "D2")
    assert kinds(board.until(20))[4:] == ["turn red E2-D2"]


def test_a_set_down_is_not_older_than_its_lift() -> None:
    board = ScriptedBoard(level=2)
    board.edge(5, "D2.south", 1)  # nothing was lifted yet
    board.lift(5.7, "D1")
    board.place(6.5, "E1", "south")
    board.ring(7, "E1")
    assert board.until(12) == ["7 turn red D1-E1x", "5 fault D2.south stuck"]


def test_a_ring_that_lay_there_before_the_lift_is_not_the_movers() -> None:
    board = ScriptedBoard(level=2)
    board.edge(5, "D2.ring1", 1)
    board.move(5.5, "D1", "D2")
    assert kinds(board.until(12)) == ["illegal red D1-D2= ring_elsewhere"]


def chattering(board: ScriptedBoard, start: float, seconds: float, *names: str) -> None:
    for edge in range(round(seconds / 0.01)):
        for name in names:
            board.edge(start + edge * 0.01, name, (name not in board.on))


def test_an_input_is_believed_again_when_it_has_been_quiet() -> None:
    board = ScriptedBoard(level=2)
    chattering(board, 1, 1, "D2.south")
    assert board.until(4.98) == ["1 fault D2.south chatter"]
    assert list(board.game.quarantined) == ["D2.south"]
    board.until(5)
    assert not board.game.quarantined
    board.turn(8, "D1", "D2")
    assert board.until(12)[1:] == ["9.3 turn red D1-D2"]


def test_an_input_that_came_to_rest_wrongly_is_not_believed() -> None:
    board = ScriptedBoard(level=2)
    chattering(board, 1, 1.01, "D2.south")
    board.until(30)
    assert list(board.game.quarantined) == ["D2.south"]
    board.edge(31, "D2.south", 0)
    board.until(40)
    assert not board.game.quarantined


def test_a_register_is_one_cause_and_one_message() -> None:
    board = ScriptedBoard(level=2)
    board.ruled = new_game(Tamsk.from_settings({"level": 2}), sensing=Sensing(registers=(REGISTER,)))
    chattering(board, 1, 1, *sorted(REGISTER))
    assert kinds(board.until(3)) == ["fault C1.north chatter"]
    assert set(board.game.quarantined) == REGISTER
    board.until(6)
    assert not board.game.quarantined


def test_a_register_that_goes_on_to_move_is_not_named_once_more() -> None:
    """A register browns out slowly: the others of its inputs are found out one after the other."""
    board = ScriptedBoard(level=2)
    board.ruled = new_game(Tamsk.from_settings({"level": 2}), sensing=Sensing(registers=(REGISTER,)))
    first, *others = sorted(REGISTER)
    chattering(board, 1, 0.5, first)
    chattering(board, 2, 0.5, *others)
    assert kinds(board.until(4)) == [f"fault {first} chatter"]
    assert set(board.game.quarantined) == REGISTER
    board.until(8)
    assert not board.game.quarantined
    chattering(board, 9, 0.5, first)  # well again, and ill again: that is news
    assert kinds(board.until(12)) == [f"fault {first} chatter"] * 2


def test_inputs_of_a_register_that_jump_together_are_no_hand() -> None:
    board = ScriptedBoard(level=2)
    board.ruled = new_game(Tamsk.from_settings({"level": 2}), sensing=Sensing(registers=(REGISTER,)))
    for name in ("C1.north", "D2.south", "D1.north"):
        board.edge(2, name, name not in board.on)
    for name in ("C1.north", "D2.south", "D1.north"):
        board.edge(4, name, name not in board.on)
    assert kinds(board.until(12)) == ["fault D1.north chatter"]
    assert not board.game.quarantined


def test_a_press_while_another_sensor_is_in_doubt_is_not_lost() -> None:
    board = ScriptedBoard(level=2)
    board.move(1, "D1", "D2")
    board.edge(4, "G1.south", 1)
    board.press(4.7, "red")
    assert board.until(12) == ["4 fault G1.south stuck", "4 fault G1.north stuck", "4.7 turn red D1-D2="]


def test_the_15_second_glass_waits_while_another_sensor_is_in_doubt() -> None:
    board = ScriptedBoard(level=3)
    board.turn(1, "D1", "D2", ring=False)
    board.lift(3, "A1")
    board.edge(3.1, "G1.south", 1)
    board.turn_timer(3.6)
    wanted = ["fault G1.south stuck", "fault G1.north stuck", "turn red D1-D2=", "timer15 red"]
    assert kinds(board.until(9)) == wanted


def test_the_15_second_glass_waits_until_a_turn_that_was_answered_is_sure() -> None:
    board = ScriptedBoard(level=3)
    board.turn(1, "D1", "D2", ring=False)
    board.lift(2, "A1")
    board.turn_timer(2.4)
    assert board.until(9) == ["2 turn red D1-D2=", "2.4 timer15 red"]


def test_what_was_touched_before_a_pause_counts_as_of_then() -> None:
    board = ScriptedBoard(level=2)
    board.turn(1, "D1", "D2")
    board.press(2.5, "arbiter")
    assert board.until(5) == ["2.3 turn red D1-D2", "2.5 paused"]


def test_a_turn_that_was_built_upon_counts_however_soon_its_glass_is_lifted_again() -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "D1", "D2")
    board.ring(2, "D2")
    board.lift(2.2, "D2")
    assert board.until(9) == ["2 turn red D1-D2"]


def test_an_answer_to_a_question_that_the_board_has_answered_changes_nothing() -> None:
    board = own_glasses_crossing()
    board.until(35)
    board.place(36, "C4", "south")
    board.ring(37, "D4")
    board.until(40)
    before = board.ruled.position
    board.correct(QuestionAnswered(instant(41), "C4-D4=", "Ann"))
    assert board.ruled.position.glasses == before.glasses


@pytest.mark.parametrize(("origin", "target"), [("A4", "A3"), ("D2", "D3")])
def test_the_movers_next_lift_ends_a_turn_that_nobody_can_answer(origin: str, target: str) -> None:
    """Rule 22: the opponent, who has no ring left (rule 8), has no move; the pass follows, then the new turn begins."""
    board = ScriptedBoard(level=1)
    board.game = replace(board.game, position=board.game.position._replace(rings_left=(32, 0)))
    board.move(1, "D1", "D2")
    board.move(5, origin, target)
    board.press(8, "red")
    assert board.until(9) == [
        "5 turn red D1-D2=",
        "5 turn black pass",
        f"8 turn red {origin}-{target}=",
        "8 turn black pass",
    ]


def test_a_glass_that_stands_for_a_moment_on_its_way_ends_no_turn_though_nobody_can_answer() -> None:
    board = ScriptedBoard(level=1)
    board.game = replace(board.game, position=board.game.position._replace(rings_left=(32, 0)))
    board.move(1, "D1", "C1")
    board.move(3, "C1", "D2")
    board.press(8, "red")
    assert kinds(board.until(9)) == ["turn red D1-D2=", "turn black pass"]


def test_the_movers_next_lift_ends_nothing_while_the_opponent_has_a_move() -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "D1", "D2")
    board.lift(5, "A4")
    assert board.until(7) == []


def test_nothing_is_asked_of_a_board_at_rest() -> None:
    assert STANDING.holds("button.red", value=True) == 0
    assert Debouncer(frozenset(), evidence=STANDING).began() is None


def test_with_every_move_a_ring_no_lift_ends_a_turn_without_one() -> None:
    board = ScriptedBoard(level=1, ring="auto")
    board.game = replace(board.game, position=board.game.position._replace(rings_left=(32, 0)))
    board.move(1, "D1", "D2")
    board.lift(5, "A4")
    assert [line for line in board.until(7) if " turn " in line] == []


def test_a_reply_that_is_put_back_has_ended_the_turn_before() -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "A4", "A3", after=0.2)
    board.lift(1.3, "A1")
    board.place(2.0, "A1", "north")
    board.ring(4.5, "A3")
    assert board.until(9) == ["1.3 turn red A4-A3="]


def test_a_press_in_doubt_ends_no_turn_that_is_made_later() -> None:
    board = ScriptedBoard(level=1)
    board.edge(1.25, "C1.north", 1)
    board.press(1.28, "red")
    board.edge(2.08, "D2.north", 1)
    assert [line for line in board.until(10) if " turn " in line] == []


def test_what_was_made_before_a_pause_counts_as_of_then() -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "D1", "D2")
    board.correct(Paused(instant(2), "Ann"))  # from a page: a button would have waited for the glass
    board.until(5)
    assert board.ruled.paused_at == instant(2)
    board.correct(Resumed(instant(10), "Ann"))
    board.press(12, "red")
    assert board.until(14)[-1] == "12 turn red D1-D2="


def test_a_button_that_chatters_is_believed_again_after_quiet_seconds() -> None:
    board = ScriptedBoard(level=1)
    for number in range(200):
        board.edge(1 + number * 0.005, "button.red", int(number % 2 == 0))
    board.until(2.1)
    assert "button.red" in board.ruled.quarantined
    board.until(9)
    assert not board.ruled.quarantined


def test_what_only_time_tells_is_told_between_changes_that_a_register_has_held() -> None:
    """A socket that shows a seventh glass is blamed once, whatever else the register that moves lets go at once."""
    board = ScriptedBoard(level=1)
    board.ruled = new_game(board.ruled.rules, sensing=Sensing(registers=(REGISTER,)))
    touches = (
        *((1.03, "D2.south", 1), (1.58, "A1.north", 0), (4.13, "C1.south", 0), (4.53, "A1.south", 1)),
        *((4.78, "D2.south", 0), (5.01, "A1.south", 0), (5.09, "D1.north", 0)),
    )
    for at, name, value in touches:
        board.edge(at, name, value)
    assert board.until(12) == ["1.03 fault D2.south stuck"]
