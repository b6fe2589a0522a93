"""What hands do wrong at a TAMSK board, and what the referee makes of it: one scene, one ruling."""

import pytest

from gnomon.games.tamsk.sensing.board import new_game
from gnomon.referee.evidence import STANDING, Evidence, Sensing
from gnomon.referee.judgement import Phase, Temperament
from gnomon.referee.rulings import IllegalRuled
from tests.referee.scripted_board import ScriptedBoard, kinds


def put_right(board: ScriptedBoard) -> tuple[str, ...]:
    ruling = board.last("illegal")
    assert isinstance(ruling, IllegalRuled)
    return tuple(step.text for step in ruling.put_right)


def test_two_glasses_in_the_air_at_once_are_two_turns_when_both_stand_rightly() -> None:
    board = ScriptedBoard(level=1)
    board.lift(1, "D1")
    board.lift(1.2, "A1")
    board.place(2, "D2")
    board.ring(2.5, "D2")
    board.place(3, "B2")
    board.ring(3.3, "B2")
    assert board.until(9) == ["2.5 turn red D1-D2", "3.3 turn black A1-B2"]


def test_a_reply_set_down_before_the_turn_it_answers_leaves_the_mover_his_ring() -> None:
    board = ScriptedBoard(level=1)
    board.lift(1, "D1")
    board.lift(1.2, "A1")
    board.place(2, "B2")
    board.place(2.4, "D2")
    board.ring(2.6, "B2")
    board.ring(3.3, "D2")
    assert board.until(9) == ["3.3 turn red D1-D2", "3.3 turn black A1-B2"]


def test_after_an_early_reply_the_mover_has_two_seconds_for_his_ring() -> None:
    board = ScriptedBoard(level=1)
    board.lift(1, "D1")
    board.lift(1.2, "A1")
    board.place(2, "D2")
    board.ring(4.5, "D2")
    board.place(5, "B2")
    board.ring(5.5, "B2")
    assert board.until(9) == ["2 turn red D1-D2=", "5.5 turn black +D2,A1-B2"]


def both_in_the_air() -> ScriptedBoard:
    board = ScriptedBoard(level=1)
    board.lift(0.8, "D1")
    board.lift(1, "A1")
    board.place(1.6, "D2")
    return board


def test_the_button_ends_a_turn_though_the_opponent_is_in_the_air_already() -> None:
    board = both_in_the_air()
    board.press(2.1, "red")
    assert board.until(3) == ["2.1 turn red D1-D2="]


def test_the_button_of_an_early_reply_ends_it_and_the_turn_before_it() -> None:
    board = both_in_the_air()
    board.place(1.9, "A2")
    board.press(2.4, "black")
    assert board.until(5) == ["1.6 turn red D1-D2=", "2.4 turn black A1-A2="]


def test_the_button_of_a_player_in_the_air_says_nothing() -> None:
    board = both_in_the_air()
    board.press(1.8, "black")
    board.ring(2.2, "D2")
    assert board.until(3) == ["2.2 turn red D1-D2"]


def test_an_early_reply_makes_nobody_late() -> None:
    board = ScriptedBoard(level=3)
    board.turn_timer(2)
    board.lift(15.8, "D1")
    board.lift(16, "A1")
    board.place(16.6, "D2")
    board.place(16.9, "A2")
    board.press(19, "black")
    assert board.until(27) == ["2 timer15 black", "16.6 turn red D1-D2=", "19 turn black A1-A2="]


def test_a_reply_into_the_space_just_left_is_explained_as_two_turns() -> None:
    board = ScriptedBoard(level=1)
    for at, origin, target in ((1, "D1", "C1"), (4, "A1", "B1"), (7, "C1", "C2"), (10, "B1", "B2")):
        board.turn(at, origin, target)
    board.lift(13, "C2")
    board.lift(13.05, "B2")
    board.place(13.1, "C3")
    board.place(13.15, "C2")
    board.ring(13.6, "C2")
    assert kinds(board.until(20))[-2:] == ["turn red C2-C3=", "turn black B2-C2x"]


def test_a_glass_put_back_where_it_was_is_no_move() -> None:
    board = ScriptedBoard(level=2)
    board.lift(1, "D1")
    assert board.until(2) == []
    assert board.game.judgement.phase is Phase.IN_HAND
    board.place(3, "D1", "north")
    board.turn(5, "D1", "D2")
    assert board.until(9) == ["6.3 turn red D1-D2"]


def test_a_glass_turned_where_it_stands_must_be_turned_back() -> None:
    board = ScriptedBoard(level=2)
    board.lift(1, "D1")
    board.place(3, "D1", "south")
    assert board.until(9) == ["3 illegal red not_adjacent"]
    assert put_right(board) == ("turn the glass over on D1",)
    board.lift(10, "D1")
    board.place(11, "D1", "north")
    assert board.until(12)[1:] == ["11 righted"]


def test_at_level_1_a_glass_may_stand_either_way_up() -> None:
    board = ScriptedBoard(level=1)
    board.lift(1, "D1")
    board.place(3, "D1", "south")
    board.turn(8, "D1", "D2")
    assert board.until(20) == ["9.3 turn red D1-D2"]


def test_a_glass_knocked_over_and_set_up_again_is_asked_for_and_no_ruling() -> None:
    board = ScriptedBoard(level=2)
    board.lift(1, "A1")
    assert board.until(8) == []
    assert [step.text for step in board.game.judgement.repairs] == ["put a glass on A1"]
    board.place(9, "A1", "north")
    board.turn(10, "D1", "D2")
    assert board.until(19) == ["11.3 turn red D1-D2"]


def test_a_nudge_of_100_ms_is_no_lift() -> None:
    board = ScriptedBoard(level=3)
    board.lift(1, "D1")
    board.place(1.1, "D1", "north")
    assert board.until(9) == []
    assert board.game.judgement.phase is Phase.AGREED


def test_a_nudge_of_the_opponents_glass_does_not_end_a_turn() -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "D1", "D2")
    board.lift(2.5, "A1")
    board.place(2.6, "A1", "north")
    board.ring(3, "D2")
    assert board.until(9) == ["3 turn red D1-D2"]


def test_a_ring_dropped_before_the_glass_is_turned_belongs_to_the_turn() -> None:
    board = ScriptedBoard(level=2)
    board.lift(1, "D1")
    board.place(2, "D2", "north")
    board.ring(2.5, "D2")
    board.lift(3, "D2")
    board.place(3.8, "D2", "south")
    assert board.until(9) == ["3.8 turn red D1-D2"]


def test_a_ring_dropped_before_the_glass_arrives_belongs_to_the_turn() -> None:
    board = ScriptedBoard(level=2)
    board.lift(1, "D1")
    board.ring(1.5, "D2")
    board.place(2, "D2", "south")
    assert board.until(9) == ["2 turn red D1-D2"]


def test_a_ring_on_the_wrong_space_goes_back_and_the_turn_goes_on() -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "D1", "D2")
    board.ring(3, "D3")
    assert board.until(9) == ["3 illegal red D1-D2= ring_elsewhere"]
    assert put_right(board) == ("take a ring off D3",)
    board.take_ring(10, "D3")
    board.ring(11, "D2")
    assert board.until(15)[1:] == ["10 righted", "11 turn red D1-D2"]


def test_a_ring_on_the_wrong_space_that_is_soon_put_right_is_no_ruling() -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "D1", "D2")
    board.ring(3, "D3")
    board.take_ring(5, "D3")
    board.ring(6, "D2")
    assert board.until(15) == ["6 turn red D1-D2"]


def test_a_ring_before_any_glass_was_lifted_must_go_back() -> None:
    board = ScriptedBoard(level=1)
    board.ring(3, "D3")
    assert board.until(9) == ["3 illegal red ring_elsewhere"]


def test_two_rings_at_once_are_one_too_many() -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "D1", "D2")
    board.ring(3, "D2")
    board.ring(3.005, "D2")
    assert board.until(9) == ["3 turn red D1-D2", "3.005 illegal red two_rings"]
    assert put_right(board) == ("take a ring off D2",)
    board.take_ring(10, "D2")
    board.turn(11, "A1", "B2")
    assert board.until(15)[2:] == ["10 righted", "12.3 turn black A1-B2"]


def test_two_rings_before_the_glass_are_one_too_many() -> None:
    board = ScriptedBoard(level=1)
    board.lift(1, "D1")
    board.ring(1.2, "D2")
    board.ring(1.4, "D2")
    board.place(2, "D2")
    assert board.until(9) == ["1.4 illegal red D1-D2 two_rings"]
    board.take_ring(10, "D2")
    assert board.until(15)[1:] == ["10 righted", "10 turn red D1-D2"]


def test_two_rings_on_a_space_far_from_the_turn_are_two_too_many() -> None:
    board = ScriptedBoard(level=1)
    board.ring(1, "D4")
    board.ring(1.3, "D4")
    assert board.until(9) == ["1.3 illegal red two_rings"]
    assert put_right(board) == ("take a ring off D4", "take a ring off D4")


def test_a_ring_taken_away_must_come_back_before_the_next_turn_counts() -> None:
    board = ScriptedBoard(level=1)
    board.turn(1, "D1", "D2")
    board.turn(5, "A1", "B2")
    board.take_ring(7, "D2")
    assert board.until(12)[2:] == ["7 illegal red ring_removed"]
    assert put_right(board) == ("put a ring on D2",)
    board.turn(13, "D2", "D3")
    assert board.until(18)[3:] == []
    board.ring(19, "D2")
    assert board.until(20)[3:] == ["19 righted", "19 turn red D2-D3"]


def test_a_ring_taken_away_during_a_turn_is_found_with_that_turn() -> None:
    board = ScriptedBoard(level=1)
    board.turn(1, "D1", "D2")
    board.turn(5, "A1", "B2")
    board.move(7, "A4", "A3")
    board.take_ring(8, "B2")
    assert board.until(15)[2:] == ["8 illegal red A4-A3= ring_removed"]


def played_to_a_full_space(full_space: str = "loses", evidence: Evidence = STANDING) -> ScriptedBoard:
    board = ScriptedBoard(level=1, full_space=full_space)
    board.ruled = new_game(board.ruled.rules, sensing=Sensing(evidence=evidence))
    for at, origin, target in ((1, "D1", "E1"), (5, "A1", "B2"), (8, "E1", "E2"), (10, "B2", "B1")):
        board.turn(at, origin, target)
    board.move(13, "E2", "E1")
    return board


def test_a_glass_that_rests_on_a_full_space_loses() -> None:
    board = played_to_a_full_space()
    board.press(13.8, "red")
    assert board.until(16.7)[4:] == []
    assert board.until(16.8)[4:] == ["13.8 illegal red E2-E1= full", "13.8 over black full_space"]
    board.turn(20, "B1", "B2")
    assert board.until(30)[6:] == []


def test_a_move_to_a_full_space_is_taken_back_where_that_is_agreed() -> None:
    board = played_to_a_full_space(full_space="take_back")
    assert board.until(19)[4:] == ["13.8 illegal red E2-E1= full"]
    assert put_right(board) == ("take the glass off E1", "put a glass on E2")
    board.move(20, "E1", "E2")
    assert board.until(24)[5:] == ["20.8 righted"]


def test_a_glass_knocked_against_a_full_space_for_a_moment_does_not_lose() -> None:
    board = played_to_a_full_space()
    board.lift(13.95, "E1")
    board.place(14.5, "E3")
    board.ring(15, "E3")
    assert board.until(20)[4:] == ["15 turn red E2-E3"]


def test_a_glass_that_was_not_turned_is_turned_on_the_spot() -> None:
    board = ScriptedBoard(level=2)
    board.move(1, "D1", "D2", turned=False)
    assert board.until(9) == ["1.8 illegal red D1-D2= not_turned"]
    assert put_right(board) == ("turn the glass over on D2",)
    board.lift(10, "D2")
    assert board.until(10.5)[1:] == []
    board.place(11, "D2")
    board.ring(12, "D2")
    assert board.until(15)[1:] == ["11 righted", "12 turn red D1-D2"]


def test_an_opponents_glass_moved_goes_back() -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "A1", "B2")
    assert board.until(9) == ["1.8 illegal red A1-B2= not_yours"]
    assert put_right(board) == ("take the glass off B2", "put a glass on A1")
    board.move(10, "B2", "A1")
    assert board.until(15)[1:] == ["10.8 righted"]


def test_a_player_who_moves_while_the_other_has_his_glass_in_hand_is_not_on_turn() -> None:
    board = ScriptedBoard(level=1)
    board.lift(0.5, "D1")
    board.move(1, "A1", "B2")
    assert board.until(9) == ["1.8 illegal black A1-B2= not_your_turn"]


def test_a_player_who_moves_again_after_his_turn_is_not_on_turn() -> None:
    board = ScriptedBoard(level=1)
    board.turn(1, "D1", "D2")
    board.move(3, "D2", "D3")
    assert board.until(9)[1:] == ["3.8 illegal red D2-D3= not_your_turn"]


def test_two_own_glasses_moved_in_one_turn_are_one_too_many() -> None:
    board = ScriptedBoard(level=1)
    board.lift(1, "D1")
    board.lift(1.5, "A4")
    board.place(2, "D2")
    board.place(2.5, "A3")
    assert board.until(9) == ["2.5 illegal red not_your_turn"]


def test_another_own_glass_in_the_air_does_not_spoil_the_turn() -> None:
    board = ScriptedBoard(level=1)
    board.lift(1, "D1")
    board.lift(1.5, "A4")
    board.place(2, "D2")
    board.ring(2.5, "D2")
    assert board.until(4) == ["2.5 turn red D1-D2"]
    board.place(5, "A4", "north")
    board.turn(6, "A1", "B2")
    assert board.until(10)[1:] == ["7.3 turn black A1-B2"]


@pytest.mark.parametrize(
    ("lifted", "fell", "placed", "ruled"),
    [
        (2.5, 2.7, 3, ["2.7 turn red D1-D2", "4.5 turn black A1-B2"]),
        (2.5, 3.79, 4, ["3.79 turn red D1-D2", "4.5 turn black A1-B2"]),
        (2.5, 3.81, 4, ["2.5 turn red D1-D2=", "4.5 turn black +D2,A1-B2"]),
        (2.5, 3.3, 3, ["2.5 turn red D1-D2="]),  # it fell after black had moved: that right has lapsed
    ],
)
def test_a_ring_that_falls_late_is_the_movers(lifted: float, fell: float, placed: float, ruled: list[str]) -> None:
    """Rule 22: within 2 s of the setting down (1.8 s), while the reply is in the air; then it is the opponent's."""
    board = ScriptedBoard(level=1)
    board.move(1, "D1", "D2")
    board.lift(lifted, "A1")
    if fell < placed:
        board.ring(fell, "D2")
    board.place(placed, "B2")
    if fell > placed:
        board.ring(fell, "D2")
    board.ring(4.5, "B2")
    assert board.until(6) == ruled


def test_a_ring_that_fell_before_the_fast_reply_is_the_movers_in_whatever_order_it_settles() -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "D1", "D2")
    board.edge(2.500, "D2.ring1", 1)
    for bounce in range(9):
        board.edge(2.502 + 0.002 * bounce, "D2.ring1", bounce % 2)
    board.lift(2.505, "A1")
    board.edge(2.52, "D2.ring1", 1)
    board.place(3, "B2")
    board.ring(3.5, "B2")
    assert board.until(9) == ["2.5 turn red D1-D2", "3.5 turn black A1-B2"]


@pytest.mark.parametrize(
    ("origin", "target", "code"),
    [("D1", "D5", "not_adjacent"), ("D1", "D3", "not_adjacent"), ("A4", "G2", "not_adjacent")],
)
def test_a_glass_set_down_too_far_away_goes_back(origin: str, target: str, code: str) -> None:
    board = ScriptedBoard(level=1)
    board.move(1, origin, target)
    assert board.until(9) == [f"1.8 illegal red {origin}-{target}= {code}"]


def test_a_wrong_move_set_right_by_another_legal_move_is_that_move() -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "D1", "D5")
    board.until(9)
    board.move(10, "D5", "D2")
    board.ring(11.5, "D2")
    assert board.until(15)[1:] == ["10.8 righted", "11.5 turn red D1-D2"]


def test_a_second_thought_within_three_seconds_is_no_ruling() -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "D1", "D5")
    board.move(4, "D5", "D2")
    board.ring(6, "D2")
    assert board.until(15) == ["6 turn red D1-D2"]


def test_the_same_glass_twice_in_the_opening_must_be_another_one() -> None:
    board = ScriptedBoard(level=2)
    board.turn(1, "D1", "D2")
    board.turn(4, "A1", "B2")
    board.move(7, "D2", "D3")
    assert board.until(15)[2:] == ["7.8 illegal red D2-D3= must_be_another_glass"]


def test_a_stopped_glass_never_moves_again() -> None:
    board = ScriptedBoard(level=2)
    for at, red, black in ((1, "D1 D2", "A1 B2"), (7, "A4 B4", "G1 F2"), (13, "G4 F4", "D7 D6")):
        board.turn(at, *red.split())
        board.turn(at + 3, *black.split())
    board.turn(100, "B4", "B3")
    board.turn(103, "F2", "F3")
    board.move(190, "D2", "D3")
    # While the board waits to be put right, time goes on, and red's last glasses die.
    assert board.until(195)[8:] == ["190.8 illegal red D2-D3= stopped_glass", "193.8 turn red pass"]


def test_a_lifted_glass_that_may_not_move_begins_no_turn() -> None:
    board = ScriptedBoard(level=3)
    board.turn(1, "D1", "D2")
    board.turn(4, "A1", "B2")
    board.turn_timer(10)
    board.lift(24, "D2")
    assert board.until(30)[-1] == "25 lost red"


def test_the_board_with_pieces_mixed_up_is_guided_back_step_by_step() -> None:
    board = ScriptedBoard(level=2)
    for at, origin in ((1, "D1"), (1.1, "A1"), (1.2, "G4")):
        board.lift(at, origin)
    for at, target in ((2, "C3"), (2.1, "D4"), (2.2, "E3")):
        board.place(at, target, "north")
    board.ring(2.3, "B2")
    assert kinds(board.until(9)) == ["illegal red not_your_turn"]
    assert put_right(board) == (
        "take a ring off B2",
        "take the glass off C3",
        "take the glass off D4",
        "take the glass off E3",
        "put a glass on A1",
        "put a glass on D1",
        "put a glass on G4",
    )
    board.take_ring(10, "B2")
    board.until(10.5)
    assert len(board.game.judgement.repairs) == 6
    for at, space in ((11, "C3"), (11.1, "D4"), (11.2, "E3")):
        board.lift(at, space)
    for at, space in ((12, "D1"), (12.1, "A1"), (12.2, "G4")):
        board.place(at, space, "north")
    assert board.until(20)[1:] == ["12.2 righted"]


@pytest.mark.parametrize("temperament", Temperament)
def test_every_temperament_rules_alike(temperament: Temperament) -> None:
    board = ScriptedBoard(temperament=temperament, level=2)
    board.move(1, "D1", "D2", turned=False)
    board.until(9)
    board.lift(10, "D2")
    board.place(11, "D2")
    board.ring(12, "D2")
    assert kinds(board.until(15)) == ["illegal red D1-D2= not_turned", "righted", "turn red D1-D2"]
