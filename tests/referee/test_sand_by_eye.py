"""time=sand at the table: nothing runs out by itself, and the players say with their buttons what they see."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.games.tamsk.rules import BOARD
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import (
    DeadlineReached,
    InputChanged,
    Paused,
    QuestionAnswered,
    Resumed,
    SandSet,
    StopDeclared,
)
from gnomon.referee.judgement import Phase
from gnomon.referee.rulings import GlassStopped, QuestionAsked, SandDeclared, TimerTurned
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from tests.conftest import examples
from tests.referee.scripted_board import ScriptedBoard, instant, kinds, short

OPENING = (("D1", "D2"), ("A1", "A2"), ("A4", "A3"), ("G1", "G2"), ("G4", "G3"), ("D7", "D6"))


def table(level: int = 2) -> ScriptedBoard:
    """Every glass has moved once; red is on turn from 61.3 s on."""
    board = ScriptedBoard(level=level, time="sand")
    for number, (origin, target) in enumerate(OPENING):
        board.turn(10 * number + 10, origin, target)
    board.until(62)
    return board


def asked(board: ScriptedBoard) -> tuple[str, ...]:
    assert board.game.question is not None
    return board.game.question.asked.choices


def test_no_glass_runs_out_by_itself() -> None:
    board = table()
    assert board.game.deadline() is None
    board.turn(4_000, "D2", "D3")
    assert kinds(board.until(4_010))[-1] == "turn red D2-D3"
    assert not any(isinstance(ruling, GlassStopped) for ruling in board.rulings)


def test_one_player_says_that_a_glass_has_run_out_and_the_other_agrees() -> None:
    board = table()
    board.press(195, "black")
    board.press(198, "red")
    board.until(199)
    assert board.rulings[-3:] == [
        QuestionAsked(instant(195), "which_stopped", ("D2", "A2", "A3", "G2", "G3", "D6", "none")),
        SandDeclared(instant(195), "D2", "black", "red"),
        GlassStopped(instant(195), "red", "D2"),
    ]
    board.move(200, "D2", "D3")
    assert board.until(204)[-1].endswith("illegal red D2-D3= stopped_glass")


def test_the_button_of_who_began_goes_on_to_the_next_glass() -> None:
    board = table()
    board.press(195, "red")
    board.press(196, "red")
    board.press(197, "red")
    board.until(197.5)
    assert asked(board)[0] == "A3"
    board.press(198, "black")
    board.until(199)
    assert board.last("declared") == SandDeclared(instant(195), "A3", "red", "black")
    assert kinds(board.short()).count("ask which_stopped") == 1


def test_agreeing_that_none_has_run_out_lets_the_game_go_on() -> None:
    board = table()
    for second in range(7):
        board.press(195 + second, "black")
    board.until(202)
    assert asked(board)[0] == "none"
    board.press(203, "red")
    board.until(204)
    assert board.game.question is None
    assert board.game.judgement.phase is Phase.AGREED
    board.turn(205, "D2", "D3")
    assert kinds(board.until(207))[-1] == "turn red D2-D3"


def test_a_glass_that_is_lifted_denies_what_was_said() -> None:
    board = table()
    board.press(195, "black")
    board.turn(197, "D2", "D3")
    assert kinds(board.until(199))[-1] == "turn red D2-D3"
    assert board.game.question is None


@pytest.mark.parametrize("seconds", [62.4, 63.2])
def test_a_button_just_after_a_turn_still_means_that_turn(seconds: float) -> None:
    board = table()
    board.press(seconds, "black")
    board.until(64)
    assert board.game.question is None


def test_a_button_says_nothing_of_sand_while_a_glass_is_in_the_air() -> None:
    board = table()
    board.lift(100, "D2")
    board.press(101, "black")
    board.until(101.5)
    assert board.game.question is None


def test_before_the_first_glass_runs_there_is_nothing_to_say() -> None:
    board = ScriptedBoard(level=2, time="sand")
    board.press(5, "black")
    board.until(6)
    assert board.rulings == []


def test_the_arbiter_and_the_page_say_it_by_hand() -> None:
    board = table()
    board.correct(StopDeclared(instant(100), "G2", "arbiter", "both agree"))
    board.until(101)
    assert kinds(board.short())[-2:] == ["corrected glass on G2 declared run out", "declared arbiter"]
    assert board.last("stopped") == GlassStopped(instant(100), "black", "G2")
    board.press(110, "black")
    board.correct(QuestionAnswered(instant(112), "A2", "page"))
    board.until(113)
    assert board.last("declared") == SandDeclared(instant(110), "A2", "black", "")


def test_what_was_wrongly_said_is_put_right_by_setting_the_sand() -> None:
    board = table()
    board.correct(StopDeclared(instant(100), "D2", "arbiter"))
    board.correct(SandSet(instant(105), "D2", Duration(30 * SECOND), "arbiter"))
    board.turn(110, "D2", "D3")
    assert kinds(board.until(112))[-1] == "turn red D2-D3"


@pytest.mark.parametrize(
    ("space", "said"),
    [("D3", "a glass on D3 does not run"), ("Z9", "no such move"), ("timer15", "the 15-second glass does not run")],
)
def test_what_does_not_run_cannot_be_said_to_have_run_out(space: str, said: str) -> None:
    with pytest.raises(CorrectionError, match=said):
        table().correct(StopDeclared(instant(100), space, "arbiter"))


def test_where_time_decides_nobody_says_it() -> None:
    board = ScriptedBoard(level=2)
    with pytest.raises(CorrectionError, match="only with time=sand"):
        board.correct(StopDeclared(instant(1), "D1", "arbiter"))


def test_who_has_no_running_glass_left_passes_from_then_on() -> None:
    board = table()
    for second, space in ((100, "D2"), (101, "A3"), (102, "G3")):
        board.correct(StopDeclared(instant(second), space, "arbiter"))
    assert kinds(board.until(103))[-1] == "turn red pass"
    board.turn(110, "A2", "B3")
    assert kinds(board.until(112))[-2:] == ["turn black A2-B3", "turn red pass"]
    for second, space in ((120, "B3"), (121, "G2"), (122, "D6")):
        board.correct(StopDeclared(instant(second), space, "arbiter"))
    assert kinds(board.until(123))[-1] == "over black fewest_rings"


def test_with_equal_rings_and_nobody_able_to_move_the_players_watch_which_glass_stops_last() -> None:
    board = table()
    full = sum(4 - BOARD.distance(space, BOARD.index["D4"]) << 3 * space for space in range(37))
    board.game = replace(board.game, position=board.game.position._replace(rings=full, enterable=0))
    board.correct(StopDeclared(instant(100), "D2", "arbiter"))
    assert board.game.outcome is None
    assert board.game.rules.is_lined_up(board.game.position)
    assert "pass" not in " ".join(kinds(board.short()))
    for second, space in ((101, "A3"), (102, "G3")):
        board.correct(StopDeclared(instant(second), space, "arbiter"))
    assert kinds(board.short())[-1] == "over black last_running_glass"


# The 15-second glass


def pressed_for_time() -> ScriptedBoard:
    board = table(level=3)
    board.turn_timer(70)
    board.until(71)
    return board


def test_until_when_the_15_second_glass_runs_nobody_knows() -> None:
    board = pressed_for_time()
    assert board.last("timer15") == TimerTurned(instant(70), "black", None)
    assert board.game.deadline() is None
    assert kinds(board.until(200))[-1] == "timer15 black"


def test_the_opponent_says_that_it_is_empty_and_a_turn_not_begun_is_lost() -> None:
    board = pressed_for_time()
    board.press(85, "black")
    assert kinds(board.until(86))[-2:] == ["declared black", "lost red"]
    assert board.last("declared") == SandDeclared(instant(85), "timer15", "black", "")
    assert board.last("lost").at == instant(85)


@pytest.mark.parametrize(("microseconds", "in_time"), [(-1, True), (0, True), (1, False)])
def test_a_lift_is_in_time_up_to_the_very_microsecond_at_which_it_is_said(microseconds: int, in_time: bool) -> None:
    board = pressed_for_time()
    edges = sorted([(85_000_000, "button.black", 1), (85_000_000 + microseconds, "D2.south", 0)])
    for stamp, name, value in edges:
        board.edge(stamp / SECOND, name, value)
    board.edge(85.2, "button.black", 0)
    board.place(87, "D3", "north")
    board.ring(88, "D3")
    ruled = kinds(board.until(89))
    assert ("turn red D2-D3" in ruled) is in_time
    assert ("penalty black" in ruled) is in_time
    assert ("lost red" in ruled) is not in_time


def test_it_is_said_while_a_glass_is_in_the_air_and_the_turn_is_late() -> None:
    board = pressed_for_time()
    board.lift(84, "D2")
    board.press(85, "black")
    board.place(87, "D3", "north")
    board.ring(88, "D3")
    assert kinds(board.until(89))[-2:] == ["turn red D2-D3", "penalty black"]


def test_it_is_said_while_a_ring_is_still_to_fall_and_the_turn_is_late() -> None:
    board = pressed_for_time()
    board.move(83, "D2", "D3")
    board.press(85, "black")
    board.ring(88, "D3")
    assert kinds(board.until(89))[-2:] == ["turn red D2-D3", "penalty black"]


def test_a_button_just_after_it_was_turned_says_nothing() -> None:
    board = pressed_for_time()
    board.press(71.9, "black")
    assert kinds(board.until(73))[-1] == "timer15 black"


def test_once_the_turn_is_over_it_binds_nobody_and_is_turned_again_when_it_is_empty() -> None:
    board = pressed_for_time()
    board.turn(75, "D2", "D3")
    board.turn_timer(95)
    assert kinds(board.until(96))[-2:] == ["turn red D2-D3", "timer15 red"]


def test_turned_too_early_it_is_empty_either_way_once_it_was_seen_to_be() -> None:
    board = pressed_for_time()
    board.turn_timer(75)
    board.until(79)
    assert kinds(board.short())[-1] == "illegal black timer15_running"
    board.correct(StopDeclared(instant(80), "timer15", "arbiter"))
    assert "righted" in kinds(board.until(81))


def test_a_second_ring_that_is_due_is_ended_by_the_button_as_ever() -> None:
    board = pressed_for_time()
    board.lift(84, "D2")
    board.press(85, "black")
    board.place(87, "D3", "north")
    board.ring(88, "D3")
    board.until(89)
    board.press(95, "black")
    board.until(96)
    assert board.game.question is None


def test_a_pause_takes_back_what_nobody_agreed_to() -> None:
    board = table()
    board.press(195, "black")
    board.correct(Paused(instant(196), "arbiter"))
    board.correct(Resumed(instant(230), "arbiter"))
    board.until(231)
    assert board.game.question is None
    board.press(233, "red")
    board.until(234)
    assert asked(board)[0] == "D2"


# Whatever hands do

BUTTONS = ("button.red", "button.black", "button.arbiter")
NEAR = (*BUTTONS, "D2.south", "D3.north", "D3.ring1", "A2.south", "B3.north", "timer15.north", "timer15.south")
GAPS = st.one_of(st.integers(0, 100_000), st.integers(0, 3 * SECOND))
STROKES = st.lists(st.tuples(GAPS, st.sampled_from(NEAR)), max_size=30)
STARTS = {level: table(level) for level in (2, 3)}


def ruled(level: int, strokes: list[tuple[int, str]], *, hand_over: bool) -> list[str]:
    """What is ruled of strokes from 62 s on, every deadline handed over at its instant, or by the edges alone."""
    board = ScriptedBoard(level=level, time="sand")
    board.game, board.on = STARTS[level].game, set(STARTS[level].on)
    at = 62 * SECOND
    for gap, name in strokes:
        at += gap
        event = InputChanged(Instant(at), name, value=name not in board.on)
        (board.on.discard if name in board.on else board.on.add)(name)
        (board.tell if hand_over else board._step)(event)
    board.tell(DeadlineReached(Instant(at + 10 * SECOND)))
    assert [ruling for ruling in board.rulings if isinstance(ruling, GlassStopped)] == [
        GlassStopped(said.at, ruled.player, said.space)
        for said, ruled in pairwise(board.rulings)
        if isinstance(said, SandDeclared) and isinstance(ruled, GlassStopped)
    ]
    return [short(ruling) for ruling in board.rulings]


@pytest.mark.untraced
@settings(max_examples=examples(60))
@given(st.sampled_from([2, 3]), STROKES)
def test_no_glass_stops_that_nobody_declared_and_all_is_ruled_alike_however_deadlines_come(
    level: int, strokes: list[tuple[int, str]]
) -> None:
    assert ruled(level, strokes, hand_over=True) == ruled(level, strokes, hand_over=False)
