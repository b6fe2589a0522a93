"""Sensors of one pole: turning is trusted, and a button says that a glass was not turned."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.games.tamsk import KIND
from gnomon.games.tamsk.rules import Tamsk
from gnomon.games.tamsk.sensing.board import new_game
from gnomon.games.tamsk.sensing.inputs import INPUTS, SINGLE_PLACES, inputs_of, start_inputs
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import DeadlineReached, InputChanged, Paused, Resumed, SandSet, TurnEntered, TurnsVoided
from gnomon.referee.evidence import BY_POLES, Sensing
from gnomon.referee.games import begin
from gnomon.referee.judgement import Phase
from gnomon.referee.rulings import IllegalRuled
from gnomon.referee.step import step
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from tests.conftest import examples
from tests.referee.scripted_board import ScriptedBoard, guide, instant, kinds, sand
from tests.referee.single_pole_board import ONE_POLE, SinglePoleBoard

TAKEN_BACK = "corrected turn D1-D2 taken back: the glass was not turned"
TIMER_WAS_NOT = "corrected the 15-second glass was not turned"
REFUSED = "illegal red D1-D2 not_turned"


_OPENING = (("D1", "D2"), ("A1", "B2"), ("A4", "B4"), ("D7", "D6"), ("G4", "F4"), ("G1", "F1"))


# What is seen, and what is trusted


def test_a_board_says_of_its_inputs_what_it_senses() -> None:
    for single in ((), SINGLE_PLACES[:1], SINGLE_PLACES[1:], SINGLE_PLACES):
        assert KIND.single_places(inputs_of(Sensing(single))) == single
    assert inputs_of(Sensing()) == frozenset(INPUTS)
    assert new_game(Tamsk.from_settings({"level": 1}), sensing=ONE_POLE).sensing == ONE_POLE
    assert begin("tabik", {}).sensing == BY_POLES


def test_at_the_start_six_glasses_stand_there_and_show_no_pole() -> None:
    assert {name.partition(".")[2] for name in start_inputs(3, ONE_POLE)} == {"glass"}
    assert len(start_inputs(3, ONE_POLE)) == len(start_inputs(2, ONE_POLE)) + 1 == 7


def test_the_inputs_of_another_kind_of_board_are_unknown() -> None:
    rules = Tamsk.from_settings({"level": 2})
    with pytest.raises(ValueError, match=r"has no input 'D1\.north'"):
        step(new_game(rules, sensing=ONE_POLE), InputChanged(Instant(1), "D1.north", value=False))
    with pytest.raises(ValueError, match=r"has no input 'D1\.glass'"):
        step(new_game(rules), InputChanged(Instant(1), "D1.glass", value=False))


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_glass_that_comes_to_stand_elsewhere_was_turned(level: int) -> None:
    board = SinglePoleBoard(level=level)
    board.turn(1, "D1", "D2")
    board.turn(5, "A1", "B2")
    assert board.until(20) == ["2.3 turn red D1-D2", "6.3 turn black A1-B2"]
    if level > 1:
        assert sand(board, "D2", 20) == 180 - 18.2


@pytest.mark.parametrize("away", [0.1, 0.5, 20])
def test_a_glass_that_is_put_back_has_not_moved_and_runs_on(away: float) -> None:
    board = SinglePoleBoard(level=2)
    board.turn(1, "D1", "D2")
    board.turn(5, "A1", "B2")
    board.lift(10, "D2")
    board.place(10 + away, "D2")
    assert kinds(board.until(60)) == ["turn red D1-D2", "turn black A1-B2"]
    assert board.game.judgement.phase is Phase.AGREED
    assert sand(board, "D2", 60) == 180 - 58.2


def test_a_glass_may_stand_elsewhere_on_its_way() -> None:
    board = SinglePoleBoard(level=2)
    board.move(1, "D1", "E1")
    board.lift(3, "E1")
    board.place(4, "D2")
    board.ring(5, "D2")
    assert board.until(9) == ["5 turn red D1-D2"]


def test_a_seventh_glass_is_a_sensor_that_lies() -> None:
    board = SinglePoleBoard(level=2)
    board.place(1, "D4")
    assert board.until(9) == ["1 fault D4.glass stuck"]


@pytest.mark.parametrize("sensing", [ONE_POLE, Sensing(SINGLE_PLACES[:1])])
def test_a_socket_that_is_not_believed_takes_the_turn_by_button(sensing: Sensing) -> None:
    board = SinglePoleBoard(level=2, sensing=sensing)
    board.place(1, "D2")
    board.until(5)
    board.lift(14, "D1")
    board.press(16, "red")
    assert kinds(board.until(24)) == ["fault D2.glass stuck", "turn red D1-D2="]


NEAR = ("D1", "D2", "D3", "A1", "B2", "timer15", "button")
LIVELY = sorted(name for name in inputs_of(ONE_POLE) if name.startswith(NEAR))
GAPS = st.one_of(st.integers(0, 300_000), st.integers(0, 60 * SECOND))


@pytest.mark.untraced
@settings(max_examples=examples(60))
@given(st.integers(1, 3), st.lists(st.tuples(GAPS, st.sampled_from(LIVELY)), max_size=50))
def test_any_stream_of_edges_is_ruled_on_alike_however_deadlines_are_handed_over(
    level: int, edges: list[tuple[int, str]]
) -> None:
    boards = SinglePoleBoard(level=level), SinglePoleBoard(level=level)
    at = 0
    for gap, name in edges:
        at += gap
        for board, tell in zip(boards, (SinglePoleBoard.tell, SinglePoleBoard._step), strict=True):
            tell(board, InputChanged(Instant(at), name, value=name not in board.on))
            board.on ^= {name}
    for board in boards:
        board.tell(DeadlineReached(Instant(at + 10 * SECOND)))
    assert boards[0].rulings == boards[1].rulings
    assert boards[0].game.position == boards[1].game.position


# Before the turn is accepted


def test_a_glass_said_not_to_have_been_turned_is_refused_as_two_poles_refuse_it() -> None:
    board, two = SinglePoleBoard(level=2), ScriptedBoard(level=2)
    for each in (board, two):
        each.move(1, "D1", "D2", turned=False)
    board.press(3, "not_turned")
    board.until(8)
    two.until(8)
    (refused,), (measured,) = board.rulings, two.rulings
    assert isinstance(refused, IllegalRuled)
    assert isinstance(measured, IllegalRuled)
    assert refused == replace(measured, at=instant(3))
    assert guide(board) == ["turn the glass over on D2"]
    for each in (board, two):
        each.lift(9, "D2")
        each.until(9.5)
    assert guide(board) == ["turn the glass over on D2"]
    for each in (board, two):
        each.place(10, "D2", "south")
        each.ring(11, "D2")
        assert kinds(each.until(20))[1:] == ["righted", "turn red D1-D2"]
    assert board.game.position == two.game.position


def test_it_is_turned_over_no_sooner_than_a_hand_can() -> None:
    board = SinglePoleBoard(level=2)
    board.move(1, "D1", "D2")
    board.press(3, "not_turned")
    board.lift(4, "D2")
    board.place(4.1, "D2")
    assert kinds(board.until(8)) == ["illegal red D1-D2= not_turned"]
    board.lift(9, "D2")
    board.place(9.2, "D2")
    assert kinds(board.until(12))[1:] == ["righted"]


def test_it_may_come_to_stand_elsewhere_instead() -> None:
    board = SinglePoleBoard(level=2)
    board.move(1, "D1", "D2")
    board.press(3, "not_turned")
    board.move(4, "D2", "E1")
    board.ring(6, "E1")
    assert kinds(board.until(9))[1:] == ["righted", "turn red D1-E1x"]
    board.turn(10, "A1", "B2")
    board.turn(15, "A4", "B4")
    assert kinds(board.until(20))[3:] == ["turn black A1-B2", "turn red A4-B4"]


def test_elsewhere_against_the_rules_it_is_guided_back() -> None:
    board = SinglePoleBoard(level=2)
    board.move(1, "D1", "D2")
    board.press(3, "not_turned")
    board.move(4, "D2", "D5")
    board.until(9)
    assert guide(board) == ["take the glass off D5", "put a glass on D1"]
    board.move(10, "D5", "D1")
    assert kinds(board.until(19))[1:] == ["righted"]


def test_said_twice_it_is_refused_once() -> None:
    board = SinglePoleBoard(level=2)
    board.move(1, "D1", "D2")
    board.press(3, "not_turned")
    board.press(4, "not_turned")
    assert board.until(9) == ["3 illegal red D1-D2= not_turned"]


def test_a_reply_that_stands_already_is_what_the_button_speaks_of() -> None:
    board = SinglePoleBoard(level=2)
    board.lift(1, "D1")
    board.lift(1.2, "A1")  # too soon: the turn before may still get its ring for two seconds
    board.place(2, "D2")
    board.place(2.5, "B2")
    board.press(3, "not_turned")
    assert kinds(board.until(9)) == ["turn red D1-D2=", "illegal black A1-B2= not_turned"]


def test_while_the_opponent_is_in_the_air_it_speaks_of_the_glass_that_stands() -> None:
    board = SinglePoleBoard(level=2)
    board.lift(1, "D1")
    board.lift(1.2, "A1")
    board.place(2, "D2")
    board.press(3, "not_turned")
    board.lift(4, "D2")
    board.place(5, "D2")
    board.place(8, "B2")
    board.ring(9, "B2")
    assert kinds(board.until(12)) == ["illegal red D1-D2= not_turned", "righted", "turn red D1-D2=", "turn black A1-B2"]


# After the turn has been accepted


def test_an_accepted_turn_is_taken_back_and_made_when_the_glass_has_been_turned() -> None:
    board = SinglePoleBoard(level=2)
    board.turn(1, "D1", "D2")
    board.press(30, "not_turned")
    assert board.until(31) == ["2.3 turn red D1-D2", f"30 {TAKEN_BACK}", f"30 {REFUSED}"]
    assert board.game.plies == ()
    assert board.game.position.mover == 0
    board.lift(32, "D2")
    board.place(33, "D2")
    assert board.until(40)[3:] == ["33 righted", "33 turn red D1-D2"]
    assert sand(board, "D2", 43) == 170  # it runs since it was turned over
    board.turn(50, "A1", "B2")
    assert board.until(60)[5:] == ["51.3 turn black A1-B2"]


def test_a_glass_that_the_next_player_holds_changes_nothing() -> None:
    board = SinglePoleBoard(level=2)
    board.turn(1, "D1", "D2")
    board.lift(4, "A1")
    board.press(6, "not_turned")
    board.lift(7, "D2")
    board.place(8, "D2")
    board.place(12, "B2")
    board.ring(13, "B2")
    wanted = [TAKEN_BACK, REFUSED, "righted", "turn red D1-D2", "turn black A1-B2"]
    assert kinds(board.until(20))[1:] == wanted


def test_a_glass_lifted_and_put_back_since_does_not_count() -> None:
    board = SinglePoleBoard(level=2)
    board.turn(1, "D1", "D2")
    board.lift(4, "A1")
    board.place(6, "A1")
    board.press(8, "not_turned")
    assert kinds(board.until(9))[1:] == [TAKEN_BACK, REFUSED]


def test_once_the_next_glass_has_been_set_down_the_button_speaks_of_that_one() -> None:
    board = SinglePoleBoard(level=2)
    board.turn(1, "D1", "D2")
    board.move(5, "A1", "B2")
    board.press(7, "not_turned")
    assert kinds(board.until(8))[1:] == ["illegal black A1-B2= not_turned"]
    assert [ply.text for ply in board.game.plies] == ["D1-D2"]


def test_a_turn_is_taken_back_once_only() -> None:
    board = SinglePoleBoard(level=2)
    board.turn(1, "D1", "D2")
    board.turn(5, "A1", "B2")
    board.press(8, "not_turned")
    board.lift(9, "B2")
    board.place(10, "B2")
    board.press(11, "not_turned")
    taken = ["corrected turn A1-B2 taken back: the glass was not turned", "illegal black A1-B2 not_turned"]
    assert kinds(board.until(12))[2:] == [*taken, "righted", "turn black A1-B2", *taken]
    assert [ply.text for ply in board.game.plies] == ["D1-D2"]


def test_a_pass_that_was_forced_goes_with_the_turn_before_it() -> None:
    board = SinglePoleBoard(level=2)
    for number, (origin, target) in enumerate(_OPENING):
        board.turn(1 + 4 * number, origin, target)
    for at, space in ((30, "B2"), (31, "D6"), (32, "F1")):
        board.correct(SandSet(instant(at), space, Duration(0), "arbiter"))
    before = len(board.until(40))
    board.turn(41, "D2", "D3")
    said = kinds(board.until(45))[before:]
    assert said == ["turn red D2-D3", "turn black pass"]
    board.press(46, "not_turned")
    assert board.until(48)[-1] == "46 illegal red D2-D3 not_turned"
    board.lift(49, "D3")
    board.place(50, "D3")
    assert board.until(55)[-3:] == ["50 righted", "50 turn red D2-D3", "50 turn black pass"]


@pytest.mark.parametrize(
    "correction",
    [
        SandSet(instant(10), "D2", Duration(90 * SECOND), "arbiter"),
        TurnEntered(instant(10), "A1-B2", "arbiter"),
        TurnsVoided(instant(10), 1, give_back=False, who="arbiter"),
    ],
    ids=lambda event: type(event).__name__,
)
def test_what_was_put_right_by_hand_stands(correction: SandSet | TurnEntered | TurnsVoided) -> None:
    board = SinglePoleBoard(level=2)
    board.turn(1, "D1", "D2")
    board.correct(correction)
    before = board.until(12)
    board.press(13, "not_turned")
    assert board.until(14) == before


def test_where_the_turns_were_put_in_another_order_by_hand_nothing_is_taken_back() -> None:
    board = SinglePoleBoard(level=2)
    board.turn(1, "D1", "D2")
    before = board.until(5)
    board.game = replace(board.game, plies=())
    board.press(6, "not_turned")
    assert board.until(7) == before


@pytest.mark.parametrize("event", ["paused", "asked", "level 1", "over", "nothing moved", "something else wrong"])
def test_the_button_says_nothing_when_there_is_nothing_to_say(event: str) -> None:
    board = SinglePoleBoard(level=1 if event == "level 1" else 2)
    if event == "nothing moved":
        board.press(3, "not_turned")
        assert board.until(9) == []
        return
    board.turn(1, "D1", "D2")
    match event:
        case "paused":
            board.correct(Paused(instant(4), "arbiter"))
        case "asked":
            board.move(4, "D2", "D1")
            board.take_ring(5, "D2")
        case "over":
            board.move(4, "A1", "A2")
            board.until(5)
            board.ring(5, "A2")
        case "something else wrong":
            board.ring(5, "D4")
        case _:
            pass
    before = board.until(12)
    board.press(13, "not_turned")
    if event == "over":
        assert board.until(14)[len(before) :] != []
        return
    assert board.until(14) == before


def test_after_a_pause_it_may_still_be_said() -> None:
    board = SinglePoleBoard(level=2)
    board.turn(1, "D1", "D2")
    board.correct(Paused(instant(4), "arbiter"))
    board.correct(Resumed(instant(64), "arbiter"))
    board.press(65, "not_turned")
    board.lift(67, "D2")
    board.place(68, "D2")
    assert kinds(board.until(70))[-4:] == [TAKEN_BACK, REFUSED, "righted", "turn red D1-D2"]
    assert sand(board, "D2", 78) == 170


def test_a_socket_that_has_stopped_being_believed_is_not_doubted_by_button() -> None:
    board = SinglePoleBoard(level=2)
    board.turn(1, "D1", "D2")
    for number in range(20):
        board.edge(5 + number * 0.05, "D2.glass", number % 2)
    before = board.until(8)
    assert "fault D2.glass chatter" in kinds(before)
    board.press(8.2, "not_turned")
    assert board.until(8.5) == before


# Boards that see one pole here and two there


def test_a_stand_of_two_poles_is_not_doubted_by_button() -> None:
    board = SinglePoleBoard(level=3, sensing=Sensing(SINGLE_PLACES[:1]))
    board.turn(1, "D1", "D2")
    board.turn_timer(4)
    board.press(5, "not_turned")
    assert kinds(board.until(6))[1:] == ["timer15 red", TAKEN_BACK, REFUSED]


def test_sockets_of_two_poles_are_not_doubted_by_button() -> None:
    board = SinglePoleBoard(level=3, sensing=Sensing(SINGLE_PLACES[1:]))
    board.turn(1, "D1", "D2")
    board.press(3, "not_turned")
    board.move(4, "A1", "B2")
    board.press(6, "not_turned")
    board.ring(7, "B2")
    assert kinds(board.until(9)) == ["turn red D1-D2", "turn black A1-B2"]
    assert board.game.trust.moved is None


def test_a_correction_that_cannot_be_leaves_what_may_be_said() -> None:
    board = SinglePoleBoard(level=2)
    board.turn(1, "D1", "D2")
    board.until(5)
    with pytest.raises(CorrectionError):
        board.correct(TurnEntered(instant(6), "G4-A1", "arbiter"))
    board.press(7, "not_turned")
    assert kinds(board.until(9))[1:] == [TAKEN_BACK, REFUSED]
