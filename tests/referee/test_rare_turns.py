"""Turns that few games see: no glass to move but a ring to drop, the last ring, glasses changed in mid-air."""

from dataclasses import replace

import pytest

from gnomon.games.tamsk.rules import BLACK, START
from gnomon.referee.events import ResultDeclared, RingsSet
from gnomon.referee.judgement import Phase
from gnomon.timekeeping.glasses import THREE_MINUTES, SandGlass
from gnomon.timekeeping.instants import Instant
from tests.referee.scripted_board import ScriptedBoard, instant, kinds


def only_a_free_ring_is_due() -> ScriptedBoard:
    """Level 3, black on turn: all black glasses have run out, and red was late the turn before."""
    board = ScriptedBoard(level=3)
    empty = SandGlass.empty((THREE_MINUTES, THREE_MINUTES))
    running = empty.turn(Instant(0))
    position = board.game.position._replace(
        mover=BLACK, penalty=True, moved=0b111111, sands=(running,) * 3 + (empty,) * 3
    )
    board.game = replace(board.game, position=position)
    return board


def test_a_player_who_cannot_move_may_still_drop_the_second_ring() -> None:
    board = only_a_free_ring_is_due()
    board.ring(5, "D4")
    assert board.until(6) == ["5 turn black +D4"]


def test_the_button_passes_without_the_second_ring() -> None:
    board = only_a_free_ring_is_due()
    board.press(5, "black")
    assert board.until(6) == ["5 turn black pass"]


def test_the_opponents_lift_passes_without_the_second_ring() -> None:
    board = only_a_free_ring_is_due()
    board.lift(5, "D1")
    assert board.until(5.15) == []
    board.place(6, "D2")
    board.ring(6.5, "D2")
    assert board.until(9) == ["5 turn black pass", "6.5 turn red D1-D2", "6.5 turn black pass"]


def test_a_nudge_does_not_pass() -> None:
    board = only_a_free_ring_is_due()
    board.lift(5, "D1")
    board.place(5.1, "D1", "north")
    board.ring(7, "D4")
    assert board.until(9) == ["7 turn black +D4"]


def test_a_forgotten_ring_may_fall_before_a_glass_is_lifted() -> None:
    board = ScriptedBoard(level=1)
    board.turn(1, "D1", "D2", ring=False)
    board.press(3, "red")
    board.ring(5, "D2")
    assert board.until(10) == ["3 turn red D1-D2="]
    assert board.game.judgement.phase is Phase.AGREED
    board.turn(11, "A1", "B2")
    assert board.until(15)[1:] == ["12.3 turn black +D2,A1-B2"]


def test_a_forgotten_ring_may_fall_with_the_glass_in_the_air() -> None:
    board = ScriptedBoard(level=1)
    board.turn(1, "D1", "D2", ring=False)
    board.lift(5, "A1")
    board.ring(5.5, "D2")
    board.until(6)
    assert board.game.judgement.phase is Phase.IN_HAND
    board.place(7, "B2")
    board.ring(7.5, "B2")
    assert kinds(board.until(9)) == ["turn red D1-D2=", "turn black +D2,A1-B2"]


def test_a_forgotten_right_lapses_when_the_turn_is_complete() -> None:
    board = ScriptedBoard(level=1)
    board.turn(1, "D1", "D2", ring=False)
    board.turn(5, "A1", "B2")
    board.ring(8, "D2")
    assert kinds(board.until(15))[2:] == ["illegal red ring_elsewhere"]


def with_one_ring_left() -> ScriptedBoard:
    board = ScriptedBoard(level=1)
    board.game = replace(board.game, position=board.game.position._replace(rings_left=(1, 32), forgotten=START[3]))
    return board


def test_who_spends_his_last_ring_on_a_forgotten_space_moves_without_one() -> None:
    board = with_one_ring_left()
    board.ring(1, "A1")
    board.move(2, "D1", "D2")
    board.press(5, "red")
    assert kinds(board.until(6)) == ["turn red +A1,D1-D2="]


def test_a_ring_more_than_the_holder_had_is_one_too_many() -> None:
    board = with_one_ring_left()
    board.ring(1, "A1")
    board.turn(2, "D1", "D2")
    assert kinds(board.until(9)) == ["illegal red D1-D2 two_rings"]


def test_where_the_ring_always_falls_the_turn_waits_for_it() -> None:
    board = ScriptedBoard(level=1, ring="auto")
    board.move(1, "D1", "D2")
    board.press(3, "red")
    assert board.until(4) == []
    board.lift(5, "A1")
    assert board.until(9) == ["5 illegal red D1-D2= ring_removed"]
    board.ring(10, "D2")
    board.place(11, "B2")
    board.ring(12, "B2")
    assert board.until(15)[1:] == ["10 righted", "10 turn red D1-D2", "12 turn black A1-B2"]


def test_a_turn_that_waits_for_its_ring_has_its_glass_turned_already() -> None:
    board = ScriptedBoard(level=3, ring="auto")
    board.move(1, "D1", "D2")
    board.until(100)
    assert board.game.judgement.phase is Phase.MAY_GO_ON
    assert board.game.position_at(instant(100)).sands[0].runs_out_at() == instant(181.8)
    board.ring(101, "D2")
    assert board.until(102) == ["101 turn red D1-D2"]


def test_a_ring_taken_from_the_target_on_the_way_is_missed() -> None:
    board = ScriptedBoard(level=1)
    board.turn(1, "D1", "D2")
    board.turn(4, "A1", "B2")
    board.turn(7, "D2", "D3")
    board.turn(10, "B2", "B1")
    board.take_ring(13, "D2")
    board.move(13.5, "D3", "D2")
    assert kinds(board.until(20))[4:] == ["illegal red D3-D2= ring_removed"]


def test_a_glass_changed_for_another_in_mid_air_is_the_other_ones_turn() -> None:
    board = ScriptedBoard(level=3)
    board.lift(1, "D1")
    board.turn_timer(3)
    board.lift(4.9, "A4")
    board.place(5, "D1", "north")
    board.place(6, "A3", "south")
    board.ring(6.5, "A3")
    assert kinds(board.until(9)) == ["timer15 black", "turn red A4-A3x"]


def test_after_a_declared_result_corrections_still_hold() -> None:
    board = ScriptedBoard(level=1)
    board.correct(ResultDeclared(instant(1), "red", "agreed", "Ann"))
    board.correct(RingsSet(instant(2), "D4", 1, "red", "Ann"))
    assert board.game.position.rings_left == (31, 32)


def test_a_button_cannot_choose_between_two_sockets_that_are_not_believed() -> None:
    board = ScriptedBoard(level=2)
    for edge in range(100):
        for name in ("D2.south", "E1.south"):
            board.edge(9 + edge * 0.004, name, (edge + 1) % 2)
    board.lift(10, "D1")
    board.press(11, "red")
    assert kinds(board.until(11.2)) == ["fault D2.south chatter", "fault E1.south chatter"]
    board.ring(11.5, "E1")
    assert kinds(board.until(13))[2:] == ["turn red D1-E1x"]


def test_a_chattering_15_second_glass_is_quarantined_too() -> None:
    board = ScriptedBoard(level=3)
    for edge in range(100):
        board.edge(1 + edge * 0.004, "timer15.south", (edge + 1) % 2)
    board.turn(5, "D1", "D2")
    assert kinds(board.until(9)) == ["fault timer15.south chatter", "turn red D1-D2"]


@pytest.mark.parametrize("choice", ["no", "yes"])
def test_a_question_outlasts_a_lying_sensor(choice: str) -> None:
    board = ScriptedBoard(level=1)
    board.turn(1, "D1", "D2")
    board.take_ring(3, "D2")
    board.move(4, "D2", "D1")
    board.until(9)
    board.lift(10, "A1")
    board.until(10.5)
    assert board.game.judgement.phase is Phase.ASKING
    board.edge(11, "C3.ring2", 1)
    board.until(11.5)
    assert board.game.judgement.phase is Phase.ASKING
    board.press(11.6, "black" if choice == "yes" else "red")
    board.place(13, "A1", "north")
    said = [line for line in kinds(board.until(20))[2:] if not line.startswith(("illegal", "ask"))]
    assert sorted(said) == (["fault C3.ring2 stack", "righted"] if choice == "yes" else ["fault C3.ring2 stack"])


def test_the_button_finds_no_turn_on_a_full_socket_that_is_not_believed() -> None:
    board = ScriptedBoard(level=1)
    for at, origin, target in ((1, "D1", "E1"), (4, "A1", "B2"), (7, "E1", "E2"), (10, "B2", "B1")):
        board.turn(at, origin, target)
    for edge in range(100):
        board.edge(13 + edge * 0.004, "E1.south", edge % 2)
    board.lift(20, "E2")
    board.press(22, "red")
    assert kinds(board.until(25))[4:] == ["fault E1.south chatter"]


def late_red_and_a_forgotten_ring() -> ScriptedBoard:
    """Red was late and left no ring on D2: black may use the forgotten ring, and drop a second one."""
    board = ScriptedBoard(level=3)
    board.turn_timer(2.3)
    board.lift(17, "D1")
    board.place(20, "D2")
    board.press(22, "red")
    board.until(23)
    return board


def test_the_second_ring_may_fall_on_the_forgotten_space_once_that_right_has_lapsed() -> None:
    board = late_red_and_a_forgotten_ring()
    board.turn(25, "A1", "B2")
    board.ring(28, "D2")
    assert kinds(board.until(30))[-1] == "turn black A1-B2,+D2"


def test_the_forgotten_and_the_second_ring_may_fall_on_one_space() -> None:
    board = late_red_and_a_forgotten_ring()
    board.ring(24, "D2")
    board.turn(25, "A1", "B2")
    board.ring(28, "D2")
    assert kinds(board.until(30))[-1] == "turn black +D2,A1-B2,+D2"


def test_the_15_second_glass_turned_right_after_a_lift_is_turned_in_the_next_turn() -> None:
    board = ScriptedBoard(level=3)
    board.move(1, "D1", "D2")
    board.lift(5, "A1")
    board.turn_timer(5.1)
    board.place(6, "B2")
    board.ring(6.5, "B2")
    assert kinds(board.until(9)) == ["turn red D1-D2=", "timer15 red", "turn black A1-B2"]


def test_the_15_second_glass_turned_right_before_a_nudge_is_turned_in_this_turn() -> None:
    board = ScriptedBoard(level=3)
    board.move(1, "D1", "D2")
    board.lift(5, "A1")
    board.turn_timer(5.1)
    board.place(5.12, "A1", "north")
    board.ring(6.5, "D2")
    assert kinds(board.until(9)) == ["timer15 black", "turn red D1-D2"]


def test_the_15_second_glass_turned_in_a_pause_counts_from_the_resumption() -> None:
    board = ScriptedBoard(level=3)
    board.press(1, "arbiter")
    board.turn_timer(5)
    board.press(10, "arbiter")
    assert kinds(board.until(12)) == ["paused", "resumed", "timer15 black"]
    assert board.until(40)[-1] == "25 lost red"


def test_a_running_15_second_glass_turned_and_left_so_is_at_rest_when_it_has_run_out() -> None:
    board = ScriptedBoard(level=3)
    board.turn_timer(2)
    board.turn_timer(5)
    assert board.until(41) == ["2 timer15 black", "5 illegal black timer15_running", "17 lost red", "17 righted"]
    board.turn_timer(45)
    assert board.until(46)[4:] == ["45 timer15 red"]


def test_a_15_second_glass_wrongly_turned_is_not_granted_later() -> None:
    board = ScriptedBoard(level=3)
    board.turn_timer(2)
    board.turn(3, "D1", "D2")
    board.turn_timer(8)
    assert kinds(board.until(30)) == ["timer15 black", "turn red D1-D2", "illegal red timer15_running", "righted"]


def test_a_15_second_glass_turned_as_it_empties_still_loses_the_turn_at_that_instant() -> None:
    board = ScriptedBoard(level=3)
    board.turn_timer(2)
    board.turn_timer(17)
    assert "17 lost red" in board.until(20)


def test_a_nudge_across_the_deadline_loses_the_turn_at_the_deadline() -> None:
    board = ScriptedBoard(level=3)
    board.turn_timer(2)
    board.lift(16.95, "D1")
    board.place(17.05, "D1", "north")
    assert board.until(20)[1:] == ["17 lost red"]


def test_a_player_without_rings_gets_no_penalty_ring() -> None:
    board = ScriptedBoard(level=3)
    board.game = replace(board.game, position=board.game.position._replace(rings_left=(32, 0)))
    board.turn_timer(2)
    board.lift(10, "D1")
    board.place(18, "D2")
    board.ring(19, "D2")
    assert "penalty black" not in kinds(board.until(20))


def test_a_turn_by_the_wrong_player_is_told_with_its_ring() -> None:
    board = ScriptedBoard(level=1)
    board.turn(1, "A1", "A2")
    assert board.until(9) == ["1.8 illegal red A1-A2x not_yours"]
