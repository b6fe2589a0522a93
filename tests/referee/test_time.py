"""What time decides at levels 2 and 3: from the stamps of edges, to the microsecond."""

import pytest

from gnomon.referee.effects import Announce
from gnomon.referee.rulings import GlassStopped, TimerTurned
from gnomon.referee.step import watched_until
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from tests.referee.scripted_board import ScriptedBoard, instant, kinds

EMPTY = 17.3  # the 15-second glass turned at 2.3 s


def with_timer_turned(late: str = "two_rings") -> ScriptedBoard:
    board = ScriptedBoard(level=3, late=late)
    board.turn_timer(2.3)
    return board


def test_the_15_second_glass_says_until_when_it_runs() -> None:
    board = with_timer_turned()
    board.until(3)
    assert board.last("timer15") == TimerTurned(instant(2.3), "black", instant(EMPTY))


def test_a_turn_not_started_is_lost_at_the_instant_the_glass_empties() -> None:
    board = with_timer_turned()
    assert kinds(board.until(EMPTY + 0.099999)) == ["timer15 black"]
    assert board.until(EMPTY + 0.1)[1:] == ["17.3 lost red"]


@pytest.mark.parametrize(("microseconds", "in_time"), [(-1, True), (0, True), (1, False)])
def test_a_lift_is_in_time_up_to_the_very_microsecond(microseconds: int, in_time: bool) -> None:
    board = with_timer_turned()
    board.lift(EMPTY + microseconds / SECOND, "D1")
    board.place(20, "D2")
    board.ring(21, "D2")
    expected = ["turn red D1-D2", "penalty black"] if in_time else ["lost red"]
    assert kinds(board.until(23))[1:] == expected


@pytest.mark.parametrize(("microseconds", "late"), [(-1, False), (0, False), (1, True)])
def test_a_turn_is_complete_in_time_up_to_the_very_microsecond(microseconds: int, late: bool) -> None:
    board = with_timer_turned()
    board.move(10, "D1", "D2")
    board.ring(EMPTY + microseconds / SECOND, "D2")
    assert ("penalty black" in kinds(board.until(20))) is late


def test_the_uncertainty_of_a_scan_is_granted_to_the_player() -> None:
    board = with_timer_turned()
    board.uncertainty = Duration(10 * MILLISECOND)
    board.lift(EMPTY + 0.01, "D1")
    board.place(20, "D2")
    board.ring(21, "D2")
    assert kinds(board.until(23))[1:] == ["turn red D1-D2", "penalty black"]


def test_a_lift_in_time_that_bounces_past_the_deadline_is_in_time() -> None:
    board = with_timer_turned()
    for bounce in range(11):
        board.edge(EMPTY - 0.001 + 0.002 * bounce, "D1.north", bounce % 2)
    board.place(20, "D2")
    board.ring(21, "D2")
    assert kinds(board.until(23))[1:] == ["turn red D1-D2", "penalty black"]


def test_a_glass_put_back_after_time_has_run_out_loses_the_turn() -> None:
    board = with_timer_turned()
    board.lift(17, "D1")
    board.place(19, "D1", "north")
    assert board.until(25)[1:] == ["19 lost red"]


def test_a_glass_wrongly_set_down_in_time_was_started_in_time() -> None:
    board = with_timer_turned()
    board.move(10, "D1", "D5")
    board.move(16, "D5", "D2", turned=False)
    board.ring(20, "D2")
    assert kinds(board.until(25))[1:] == [
        "illegal red D1-D5= not_adjacent",
        "righted",
        "turn red D1-D2",
        "penalty black",
    ]


def test_the_late_players_opponent_drops_a_second_ring_where_he_likes() -> None:
    board = with_timer_turned()
    board.lift(17, "D1")
    board.place(20, "D2")
    board.ring(21, "D2")
    board.move(23, "A1", "B2")
    board.ring(25, "B2")
    assert kinds(board.until(26))[1:] == ["turn red D1-D2", "penalty black"]
    board.ring(27, "D4")
    assert kinds(board.until(28))[-1] == "turn black A1-B2,+D4"


@pytest.mark.parametrize(
    ("rings", "text"),
    [
        (["B2", "B2"], "A1-B2,+B2"),
        (["D4", "B2"], "A1-B2,+D4"),
        (["B2"], "A1-B2"),
        (["D4"], "A1-B2=,+D4"),
        ([], "A1-B2="),
    ],
)
def test_the_second_ring_is_optional_and_the_button_ends_the_turn(rings: list[str], text: str) -> None:
    board = with_timer_turned()
    board.lift(17, "D1")
    board.place(20, "D2")
    board.ring(21, "D2")
    board.move(23, "A1", "B2")
    for number, space in enumerate(rings):
        board.ring(25 + number, space)
    board.press(30, "black")
    assert kinds(board.until(33))[3:] == [f"turn black {text}"]


def test_the_second_ring_lapses_when_the_opponent_begins() -> None:
    board = with_timer_turned()
    board.lift(17, "D1")
    board.place(20, "D2")
    board.ring(21, "D2")
    board.turn(23, "A1", "B2")
    board.turn(26, "A4", "A3")
    assert board.until(30)[3:] == ["26 turn black A1-B2", "27.3 turn red A4-A3x"]


def test_by_one_edition_the_late_player_sits_out_his_next_turn() -> None:
    board = with_timer_turned(late="skip_turn")
    board.lift(17, "D1")
    board.place(20, "D2")
    board.ring(21, "D2")
    board.turn(23, "A1", "B2")
    assert board.until(30)[1:] == ["21 turn red D1-D2", "24.3 turn black A1-B2", "24.3 lost red"]


def test_the_15_second_glass_may_be_turned_while_a_glass_is_in_the_air() -> None:
    board = ScriptedBoard(level=3)
    board.lift(1, "D1")
    board.turn_timer(2)
    board.place(18, "D2")
    board.ring(19, "D2")
    assert kinds(board.until(20)) == ["timer15 black", "turn red D1-D2", "penalty black"]


def test_the_15_second_glass_may_be_turned_while_a_ring_may_still_fall() -> None:
    board = ScriptedBoard(level=3)
    board.move(1, "D1", "D2")
    board.turn_timer(5)
    board.press(21, "red")
    assert kinds(board.until(22)) == ["timer15 black", "turn red D1-D2=", "penalty black"]


def test_a_glass_in_the_air_when_the_timer_was_turned_may_go_back() -> None:
    board = ScriptedBoard(level=3)
    board.lift(1, "D1")
    board.turn_timer(2)
    board.place(5, "D1", "north")
    board.turn(8, "A4", "A3")
    assert kinds(board.until(12)) == ["timer15 black", "turn red A4-A3x"]


def test_a_running_15_second_glass_must_not_be_turned() -> None:
    board = with_timer_turned()
    board.turn_timer(5)
    assert board.until(9)[1:] == ["5 illegal black timer15_running"]
    assert [step.text for step in board.game.judgement.repairs] == ["turn the 15-second glass back"]
    board.turn_timer(10)
    assert board.until(12)[2:] == ["10 righted"]
    assert board.until(20)[3:] == ["17.3 lost red"]


def test_the_15_second_glass_put_back_as_it_stood_says_nothing() -> None:
    board = ScriptedBoard(level=3)
    board.edge(1, "timer15.north", 0)
    board.edge(2, "timer15.north", 1)
    assert board.until(20) == []


def test_below_level_3_the_stand_of_the_15_second_glass_says_nothing() -> None:
    board = ScriptedBoard(level=2)
    board.edge(1, "timer15.south", 1)
    assert board.until(20) == []


def opening(level: int) -> ScriptedBoard:
    """Every glass moved once: red's run out at 181.8, 187.8 and 193.8 s, black's three seconds later each."""
    board = ScriptedBoard(level=level)
    for at, red, black in ((1, "D1 D2", "A1 B2"), (7, "A4 B4", "G1 F2"), (13, "G4 F4", "D7 D6")):
        board.turn(at, *red.split())
        board.turn(at + 3, *black.split())
    return board


def test_a_glass_stops_at_its_instant_and_is_announced_a_settling_time_later() -> None:
    board = opening(2)
    board.until(181.899)
    assert not any(isinstance(ruling, GlassStopped) for ruling in board.rulings)
    board.until(181.9)
    assert board.last("stopped") == GlassStopped(instant(181.8), "red", "D2")


def test_when_the_last_glass_dies_its_owner_passes_and_when_all_are_dead_the_game_ends() -> None:
    board = opening(2)
    assert board.until(250)[6:] == ["193.8 turn red pass", "196.8 over draw"]


def test_a_glass_that_runs_out_in_the_hand_completes_its_turn() -> None:
    board = opening(2)
    board.lift(193, "F4")
    board.place(195, "F5", "north")
    board.ring(195.5, "F5")
    assert board.until(196.1)[6:] == ["195.5 turn red F4-F5x"]


def test_a_glass_that_has_run_out_in_the_hand_and_is_put_back_leaves_a_pass() -> None:
    board = opening(2)
    board.lift(193, "F4")
    board.place(195, "F4", "south")
    assert board.until(196)[6:] == ["195 turn red pass"]


def test_sand_turns_at_the_setting_down_and_not_at_the_ring() -> None:
    board = ScriptedBoard(level=2)
    board.move(1, "D1", "D2")
    board.ring(60, "D2")
    board.until(61)
    position = board.game.position_at(instant(61))
    assert position.sands[0].runs_out_at() == instant(181.8)


def test_a_pause_stops_the_sand_and_no_ruling_of_time_is_made_in_it() -> None:
    board = with_timer_turned()
    board.press(10, "arbiter")
    assert board.until(100)[1:] == ["10 paused"]
    board.press(110, "arbiter")
    assert board.until(117.399)[2:] == ["110 resumed"]
    assert board.until(117.4)[3:] == ["117.3 lost red"]


def test_a_turn_made_during_a_pause_counts_from_the_resumption() -> None:
    board = ScriptedBoard(level=1)
    board.press(1, "arbiter")
    board.turn(2, "D1", "D2")
    board.press(9, "arbiter")
    assert board.until(12) == ["1 paused", "9 resumed", "9 turn red D1-D2"]


def test_the_players_buttons_are_dead_in_a_pause_and_all_buttons_after_the_end() -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "D1", "D2")
    board.press(3, "arbiter")
    board.press(4, "red")
    assert board.until(5) == ["3 paused"]
    over = opening(2)
    over.until(250)
    over.press(251, "arbiter")
    over.press(252, "red")
    assert over.until(260)[-1] == "196.8 over draw"


@pytest.mark.parametrize(("microseconds", "lost"), [(-1, False), (0, True), (1, True)])
def test_when_nothing_more_will_be_heard_a_deadline_needs_no_settling(microseconds: int, lost: bool) -> None:
    board = with_timer_turned()
    _, effects = watched_until(board.game, Instant(instant(EMPTY) + microseconds))
    rulings = [effect.ruling.kind for effect in effects if isinstance(effect, Announce)]
    assert ("lost" in rulings) is lost


def test_an_input_that_has_not_come_to_rest_may_still_be_a_lift_in_time() -> None:
    board = with_timer_turned()
    board.lift(EMPTY - 0.005, "D1")
    _, effects = watched_until(board.game, instant(EMPTY + 0.005))
    assert not any(isinstance(effect, Announce) and effect.ruling.kind == "lost" for effect in effects)


def test_after_the_end_and_in_a_pause_watching_longer_decides_nothing() -> None:
    board = with_timer_turned()
    board.press(10, "arbiter")
    board.until(12)
    assert watched_until(board.game, instant(100)) == (board.game, ())
