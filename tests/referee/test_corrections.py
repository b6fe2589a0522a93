"""Everything can be put right by hand: by whom and why, with the same checks, and the lights guide the board there."""

import pytest

from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import (
    Correction,
    InputTrusted,
    Paused,
    QuestionAnswered,
    ResultDeclared,
    Resumed,
    RingsSet,
    SandSet,
    TurnEntered,
    TurnSet,
    TurnsVoided,
)
from gnomon.referee.judgement import Phase
from gnomon.rules.protocol import ABANDONED
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from tests.referee.scripted_board import ScriptedBoard, instant, kinds

ANN = "Ann"


def steps(board: ScriptedBoard) -> list[str]:
    return [step.text for step in board.game.judgement.repairs]


def test_a_turn_entered_by_hand_is_played_and_the_board_is_guided_after_it() -> None:
    board = ScriptedBoard(level=2)
    board.correct(TurnEntered(instant(5), "D1-D2", ANN, "sensor missed it"))
    assert board.short() == ["5 corrected turn D1-D2 entered", "5 turn red D1-D2"]
    assert board.game.judgement.phase is Phase.WRONG
    assert steps(board) == ["take the glass off D1", "put a glass on D2", "put a ring on D2"]
    board.move(7, "D1", "D2")
    board.ring(9, "D2")
    board.turn(11, "A1", "B2")
    assert kinds(board.until(20))[2:] == ["righted", "turn black A1-B2"]


def test_a_turn_entered_that_stands_on_the_board_already_needs_no_guidance() -> None:
    board = ScriptedBoard(level=1)
    board.move(1, "D1", "D2")
    board.correct(TurnEntered(instant(5), "D1-D2=", ANN))
    assert board.game.judgement.phase is Phase.AGREED
    board.turn(6, "A1", "B2")
    assert kinds(board.until(9))[2:] == ["turn black A1-B2"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("D1-D3", "rule 1"),
        ("E9", "E9"),
        ("pass", "rule 6"),
        ("lift:D1", "not a whole turn"),
        ("flip15", "not a whole"),
    ],
)
def test_an_illegal_turn_is_refused_with_its_rule_and_nothing_changes(text: str, reason: str) -> None:
    board = ScriptedBoard(level=3)
    before = board.game
    with pytest.raises(CorrectionError, match=reason):
        board.correct(TurnEntered(instant(5), text, ANN))
    assert board.game is before


def test_a_voided_turn_comes_off_the_board_with_the_time_running_on() -> None:
    board = ScriptedBoard(level=2)
    board.turn(1, "D1", "D2")
    board.correct(TurnsVoided(instant(10), 1, give_back=False, who=ANN, why="touched by a child"))
    assert board.game.plies == ()
    assert board.game.game_time(instant(10)) == 10 * SECOND
    assert steps(board) == ["take a ring off D2", "take the glass off D2", "put a glass on D1"]
    board.take_ring(11, "D2")
    board.move(12, "D2", "D1")
    board.turn(15, "D1", "E1")
    assert kinds(board.until(20))[1:] == [
        "corrected last turn voided, time not given back",
        "righted",
        "turn red D1-E1x",
    ]


def test_a_voided_turn_can_give_its_time_back() -> None:
    board = ScriptedBoard(level=2)
    board.turn(1, "D1", "D2")
    board.turn(4, "A1", "B2")
    board.correct(TurnsVoided(instant(100), 1, give_back=True, who=ANN))
    # Black's turn was complete at 5.3 s: the game goes on from there.
    assert board.game.game_time(instant(100)) == round(5.3 * SECOND)
    assert board.game.position_at(instant(101)).sands[0].runs_out_at() == round(181.8 * SECOND)
    assert board.game.deadline() == round((181.8 + 100 - 5.3 + 0.1) * SECOND)


def test_time_is_given_back_in_a_pause_too() -> None:
    board = ScriptedBoard(level=2)
    board.turn(1, "D1", "D2")
    board.press(10, "arbiter")
    board.correct(TurnsVoided(instant(20), 1, give_back=True, who=ANN))
    board.press(50, "arbiter")
    board.until(51)
    assert board.game.game_time(instant(51)) == round(3.3 * SECOND)


def test_a_correction_is_followed_on_the_board_while_the_game_is_paused() -> None:
    board = ScriptedBoard(level=2)
    board.turn(1, "D1", "D2")
    board.press(10, "arbiter")
    board.correct(TurnsVoided(instant(20), 1, give_back=False, who=ANN))
    assert steps(board) == ["take a ring off D2", "take the glass off D2", "put a glass on D1"]
    board.take_ring(21, "D2")
    board.until(22)
    assert steps(board) == ["take the glass off D2", "put a glass on D1"]
    board.move(23, "D2", "D1")
    board.until(29)
    assert steps(board) == []
    assert "righted" not in kinds(board.until(29))
    board.press(30, "arbiter")
    assert kinds(board.until(31))[-2:] == ["resumed", "righted"]


def test_in_a_pause_hands_may_do_what_they_like_to_a_board_that_was_right() -> None:
    board = ScriptedBoard(level=2)
    board.press(1, "arbiter")
    board.lift(2, "D1")
    board.until(9)
    assert steps(board) == []


def test_a_game_lost_by_a_full_space_goes_on_when_its_last_turn_is_voided() -> None:
    board = ScriptedBoard(level=1)
    for at, origin, target in ((1, "D1", "E1"), (5, "A1", "B2"), (8, "E1", "E2"), (10, "B2", "B1")):
        board.turn(at, origin, target)
    board.move(13, "E2", "E1")
    board.press(14.5, "red")
    assert kinds(board.until(18))[-1] == "over black full_space"
    board.correct(TurnsVoided(instant(20), 1, give_back=True, who=ANN))
    assert board.game.outcome is None
    assert board.game.judgement.phase is Phase.WRONG


def test_the_sand_of_any_glass_can_be_set() -> None:
    board = ScriptedBoard(level=3)
    board.turn(1, "D1", "D2")
    board.turn_timer(5)
    board.correct(SandSet(instant(10), "D2", Duration(42 * SECOND), ANN, "knocked over for a while"))
    board.correct(SandSet(instant(10), "timer15", Duration(3 * SECOND), ANN))
    position = board.game.position_at(instant(10))
    assert position.sands[0].remaining(position.now) == 42 * SECOND
    assert kinds(board.until(13.2))[-1] == "lost black"


def test_rings_can_be_set_and_come_from_a_holder() -> None:
    board = ScriptedBoard(level=1)
    board.correct(RingsSet(instant(2), "D4", 3, "black", ANN, "handicap"))
    assert board.game.position.rings_left == (32, 29)
    assert steps(board) == ["put a ring on D4"] * 3


def test_the_turn_can_be_given_to_the_other_player() -> None:
    board = ScriptedBoard(level=1)
    board.correct(TurnSet(instant(2), "black", ANN))
    board.turn(3, "A1", "B2")
    assert board.until(9) == ["2 corrected turn given to Black", "4.3 turn black A1-B2"]


def test_a_game_is_paused_and_resumed_by_hand() -> None:
    board = ScriptedBoard(level=2)
    board.turn(1, "D1", "D2")
    board.correct(Paused(instant(10), ANN, "phone"))
    board.correct(Resumed(instant(70), ANN))
    assert kinds(board.until(71))[1:] == ["corrected game paused", "paused", "corrected game resumed", "resumed"]
    assert board.game.game_time(instant(71)) == 11 * SECOND


@pytest.mark.parametrize(("winner", "name"), [("black", "Black"), (None, "draw")])
def test_a_result_can_be_declared(winner: str | None, name: str) -> None:
    board = ScriptedBoard(level=1)
    board.correct(ResultDeclared(instant(9), winner, "agreed", ANN))
    assert board.short()[0] == f"9 corrected result declared: {name}, by agreement"
    assert board.game.outcome == (winner, "agreed")
    assert board.game.deadline() is None
    board.turn(10, "D1", "D2")
    assert len(board.until(20)) == 2


def test_a_game_can_be_abandoned_without_a_result() -> None:
    board = ScriptedBoard(level=1)
    board.correct(ResultDeclared(instant(9), None, ABANDONED, ANN))
    assert board.short()[0] == "9 corrected game abandoned, no result"
    assert board.game.outcome is not None
    assert board.game.outcome.is_void


def refused(*before: Correction) -> ScriptedBoard:
    board = ScriptedBoard(level=2)
    for event in before:
        board.correct(event)
    return board


@pytest.mark.parametrize(
    ("before", "event", "reason"),
    [
        ((), Resumed(instant(1), ANN), "not paused"),
        ((Paused(instant(1), ANN),), Paused(instant(2), ANN), "paused already"),
        ((), TurnsVoided(instant(1), 1, give_back=True, who=ANN), "0 turns to void"),
        ((), SandSet(instant(1), "D4", Duration(1), ANN), "no glass stands on D4"),
        ((), SandSet(instant(1), "Z4", Duration(1), ANN), "no space 'Z4'"),
        ((), SandSet(instant(1), "D1", Duration(181 * SECOND), ANN), "180"),
        ((), RingsSet(instant(1), "D4", 9, "red", ANN), "D4"),
        ((), TurnSet(instant(1), "white", ANN), "white"),
        ((), ResultDeclared(instant(1), "white", "x", ANN), "White"),
        ((), QuestionAnswered(instant(1), "yes", ANN), "no question is open"),
        ((), InputTrusted(instant(1), "D1.north", ANN), "not quarantined"),
        ((ResultDeclared(instant(1), "red", "x", ANN),), TurnEntered(instant(2), "D1-D2", ANN), "declared"),
    ],
)
def test_what_cannot_be_is_refused_with_one_sentence(
    before: tuple[Correction, ...], event: Correction, reason: str
) -> None:
    board = refused(*before)
    game = board.game
    with pytest.raises(CorrectionError, match=reason) as caught:
        board.correct(event)
    assert "\n" not in str(caught.value)
    assert board.game is game


def test_a_correction_with_a_glass_in_the_air_leaves_it_in_the_air() -> None:
    board = ScriptedBoard(level=3)
    board.lift(1, "D1")
    board.turn_timer(3)
    board.correct(SandSet(instant(5), "timer15", Duration(10 * SECOND), ANN))
    assert board.game.judgement.phase is Phase.IN_HAND
    board.place(8, "D2")
    board.ring(9, "D2")
    assert kinds(board.until(10))[-1] == "turn red D1-D2"


def test_corrections_are_made_in_the_order_of_time() -> None:
    board = ScriptedBoard(level=2)
    board.correct(TurnEntered(Instant(5_000_000), "D1-D2", ANN))
    assert board.game.plies[0].when == 5 * SECOND
