"""Contradictions of sensors are reported: a stamp that flickers, a press that ended nothing, sand nobody saw turned."""

from dataclasses import replace

import pytest

from gnomon.games.tamsk.rules import BOARD
from gnomon.games.tamsk.rules.position import BIT, ONE_RING
from gnomon.games.tamsk.sensing._board_reading import SOUTH
from gnomon.referee.events import InputTrusted, Resumed
from gnomon.referee.evidence import STANDING, UNCONTRADICTED, Evidence
from gnomon.referee.judgement import NOTHING_TO_END
from gnomon.referee.rulings import TurnRuled
from gnomon.timekeeping.instants import SECOND, Duration
from gnomon.views.summary import summary
from tests.referee.scripted_board import ScriptedBoard, instant, kinds
from tests.referee.test_single_faults import board_of

OPENING = [("A1", "B2"), ("G4", "F4"), ("G1", "F2"), ("A4", "B4"), ("D7", "D6")]
"""The turns that let the glass of red's first turn move again."""

OPENED = [f"turn {('black', 'red')[number % 2]} {'-'.join(spaces)}" for number, spaces in enumerate(OPENING)]

EDITIONS = pytest.mark.parametrize("evidence", [STANDING, UNCONTRADICTED], ids=["now", "before"])


def flickers(board: ScriptedBoard, at: float, name: str, times: int) -> None:
    """The input comes on, and goes for 30 ms after every 30 ms."""
    for number in range(times):
        board.edge(at + 0.06 * number, name, 1)
        board.edge(at + 0.06 * number + 0.03, name, 0)
    board.edge(at + 0.06 * times, name, 1)


@EDITIONS
@pytest.mark.parametrize(("ring", "is_sure"), [(3.7, True), (4.1, False), (4.5, True)])
def test_a_socket_that_flickers_is_named_if_whose_the_ring_was_depends_on_its_stamp(
    evidence: Evidence, ring: float, *, is_sure: bool
) -> None:
    board = board_of(2, evidence)
    board.lift(1, "D1")
    flickers(board, 1.9, "D2.south", 5)
    board.lift(3, "A1")
    board.ring(ring, "D2")
    board.place(5, "B2")
    board.press(6, "black")
    said = [line for line in kinds(board.until(12)) if line.startswith("fault")]
    assert said == ([] if is_sure or evidence is UNCONTRADICTED else ["fault D2.south unsure"])


@EDITIONS
def test_a_press_that_the_board_leaves_in_doubt_ends_its_turn_before_the_reply(evidence: Evidence) -> None:
    board = board_of(2, evidence)
    board.move(1, "D1", "D2")
    board.edge(2, "G2.ring1", 1)  # a ghost: the board is in doubt
    board.press(3, "red")
    board.lift(4, "A1")
    board.edge(4.2, "G2.ring1", 0)
    board.place(4.9, "B2")
    board.press(6, "black")
    board.until(12)
    turns = [ruling for ruling in board.rulings if isinstance(ruling, TurnRuled)]
    ended = instant(3 if evidence is STANDING else 4)
    assert [(turn.at, turn.text) for turn in turns] == [(ended, "D1-D2="), (instant(6), "A1-B2=")]


@EDITIONS
def test_a_press_waits_for_its_turn_while_the_one_before_is_in_doubt(evidence: Evidence) -> None:
    board = board_of(2, evidence)
    board.edge(0.5, "G2.ring1", 1)
    board.turn(1, "D1", "D2")
    board.move(3, "A1", "B2")
    board.press(4.2, "black")
    board.edge(4.3, "G2.ring1", 0)
    board.ring(5.2, "B2")  # the one that black has forgotten
    board.lift(5.5, "G4")
    board.place(6.3, "F4")
    board.press(7, "red")
    turns = [line for line in kinds(board.until(12)) if line.startswith("turn")]
    assert (turns == ["turn red D1-D2", "turn black A1-B2=", "turn red +B2,G4-F4="]) is (evidence is STANDING)


@EDITIONS
def test_the_sand_of_a_glass_on_a_socket_that_is_not_believed_counts_in_its_players_favour(
    evidence: Evidence,
) -> None:
    board = board_of(2, evidence)
    board.lift(1, "D1")
    for number in range(6):
        board.edge(3 + 0.05 * number, "D2.south", number % 2 == 0)
    for number in range(20):
        board.edge(3.3 + 0.05 * number, "D2.south", number % 2 == 0)
    board.press(9, "red")
    assert kinds(board.until(10)) == ["fault D2.south chatter", "turn red D1-D2="]
    ends = board.game.position.sands[board.game.position.glasses.index(BOARD.index["D2"])].runs_out_at()
    assert ends == instant(189 if evidence is STANDING else 181)


@pytest.mark.parametrize(
    ("lost", "back", "ring", "is_favoured"),
    [
        (2.3, 6, 3, True),
        (2.9, 5, 3, True),  # it had stood for long enough to be evidence
        (2.3, 6, 7, True),  # perhaps it was taken away, and put back: nobody knows, so it ends no game too soon
        (2.9, 6, 7, False),  # it had stood for long enough to be evidence, and so has been lifted
    ],
)
def test_the_sand_of_a_glass_that_its_new_socket_lost_as_its_ring_fell_ends_no_sooner_than_if_it_had_shown_it(
    lost: float, back: float, ring: float, *, is_favoured: bool
) -> None:
    ends = []
    for is_steady in (True, False):
        board = board_of(2, STANDING)
        board.lift(1, "D1")
        board.place(2, "D2")
        for at, name, value in sorted([(lost, "D2.south", 0), (back, "D2.south", 1), (ring, "D2.ring1", 1)]):
            if not is_steady or name == "D2.ring1":
                board.edge(at, name, value)
        for number, (origin, target) in enumerate(OPENING):
            board.turn(10 * number + 10, origin, target)
        board.move(70, "D2", "D3")
        assert [line for line in kinds(board.until(90)) if line.startswith("turn")][1:] == OPENED
        glass = board.game.position_with_turn.glasses.index(BOARD.index["D3"])
        board.ring(91, "D3")
        board.until(94)
        ends.append(board.game.position.sands[glass].runs_out_at() or 0)
    assert (ends[1] >= ends[0]) is is_favoured


def with_an_unseen_ring(rings_left: int, *, has_ring: bool = True) -> ScriptedBoard:
    """Red turns D1 to D2, the last move of the game, while nobody sees the stack on B2, where black forgot a ring."""
    board = board_of(1, STANDING)
    for number in range(20):
        board.edge(0.05 * number, "B2.ring1", 1 - number % 2)
    board.edge(2, "D1.ring1", 1)
    position = board.ruled.position
    board.game = replace(
        board.ruled,
        position=position._replace(
            rings=position.rings + ONE_RING[BOARD.index["D1"]],
            rings_left=(rings_left, 30),
            enterable=BIT[BOARD.index["D2"]],
            forgotten=BOARD.index["B2"],
        ),
    )
    board.move(3, "D1", "D2")
    if has_ring:
        board.ring(4.5, "D2")
    return board


def test_a_forgotten_ring_that_cannot_be_seen_is_asked_for_if_it_decides_how_the_game_ends() -> None:
    board = with_an_unseen_ring(rings_left=2)
    assert kinds(board.until(40)) == ["fault B2.ring1 chatter", "ask which_turn"]
    assert board.game.question is not None
    assert board.game.question.asked.choices == ("+B2,D1-D2", "D1-D2")


def test_a_forgotten_ring_that_its_player_no_longer_has_is_not_asked_for() -> None:
    board = with_an_unseen_ring(rings_left=1)
    assert kinds(board.until(40)) == ["fault B2.ring1 chatter", "ask ends"]
    assert board.game.question is not None
    assert board.game.question.turns[0].move.forgotten < 0


@pytest.mark.parametrize("presser", ["red", "black"])
def test_a_turn_that_ends_the_game_shortly_after_a_fault_is_asked_about(presser: str) -> None:
    board = with_an_unseen_ring(rings_left=1)
    asked = kinds(board.until(40))
    board.press(41, presser)
    said = kinds(board.until(50))[len(asked) :]
    if presser == "red":
        assert said == ["turn red D1-D2", "over red fewest_rings"]
    else:
        assert said == ["paused"]
        assert (board.game.outcome, board.game.paused_at) == (None, instant(41))
        assert summary(board.game, instant(50))["code"] == "correct"
        board.correct(Resumed(instant(51), "Ann"))
        assert summary(board.game, instant(51))["code"] != "correct"


def test_a_press_that_ends_the_game_shortly_after_a_fault_is_asked_about() -> None:
    board = with_an_unseen_ring(rings_left=1, has_ring=False)
    board.game = replace(board.ruled, position=board.ruled.position._replace(forgotten=-1))
    board.press(6, "red")
    assert kinds(board.until(7)) == ["fault B2.ring1 chatter", "ask ends"]


def asked_after_an_outage(evidence: Evidence) -> tuple[ScriptedBoard, float]:
    """A board that has just asked which turn was made, and when."""
    board = board_of(1, evidence)
    board.edge(5, "D1.north", 0)
    board.uncertainty = Duration(4 * SECOND)
    for name, value in (("D2.north", 1), ("D2.ring1", 1), ("A1.north", 0)):
        board.edge(10, name, value)
    board.uncertainty = Duration(0)
    asked = next(tenths / 10 for tenths in range(100, 140) if kinds(board.until(tenths / 10)) == ["ask which_turn"])
    return board, asked


@EDITIONS
@pytest.mark.parametrize("later", [0.02, 0.5, 0.8])
def test_a_press_answers_no_question_that_nobody_has_read_yet(evidence: Evidence, later: float) -> None:
    board, asked = asked_after_an_outage(evidence)
    board.press(asked + later, "red")
    board.until(15)
    assert (board.game.question is None) is (evidence is UNCONTRADICTED)


@EDITIONS
def test_a_press_answers_a_question_that_has_been_read(evidence: Evidence) -> None:
    board, asked = asked_after_an_outage(evidence)
    board.press(asked + 1.1, "red")
    board.until(15)
    assert board.game.question is None


@EDITIONS
def test_a_press_waits_for_a_glass_that_its_socket_lost_just_before(evidence: Evidence) -> None:
    board = board_of(2, evidence)
    board.move(1, "D1", "D2")
    board.edge(3.9, "D2.south", 0)
    board.press(4, "red")
    board.edge(5, "D2.south", 1)
    board.until(8)
    ended = [ruling.at for ruling in board.rulings if isinstance(ruling, TurnRuled)]
    assert ended == ([instant(4)] if evidence is STANDING else [])


def test_a_press_waits_for_no_glass_that_was_lifted_well_before() -> None:
    board = board_of(2, STANDING)
    board.move(1, "D1", "D2")
    board.edge(3.7, "D2.south", 0)
    board.press(4, "red")
    board.edge(5, "D2.south", 1)
    assert board.until(8) == []


def test_a_glitch_after_a_ring_names_nobody() -> None:
    board = board_of(1, STANDING)
    board.turn(1, "D1", "D2")
    board.edge(2.4, "D2.ring1", 0)
    board.edge(2.41, "D2.ring1", 1)
    assert kinds(board.until(9)) == ["turn red D1-D2"]


@EDITIONS
def test_a_glass_whose_socket_shows_it_turned_over_at_once_is_named(evidence: Evidence) -> None:
    board = board_of(1, evidence)
    board.move(1, "D1", "D2")
    board.edge(3, "A1.north", 0)
    board.edge(3.01, "A1.south", 1)
    board.ring(3.6, "D2")  # black's: red had forgotten it
    board.edge(3.7, "A1.south", 0)
    board.place(4, "B2")
    board.press(5, "black")
    said = kinds(board.until(9))
    assert (said[1:3] == ["fault A1.north unsure", "fault A1.south unsure"]) is (evidence is STANDING)


def test_a_stand_that_is_trusted_by_hand_is_believed_as_it_stands() -> None:
    board = board_of(3, STANDING)
    board.edge(1, "timer15.south", 1)
    board.until(2.2)
    board.edge(2.5, "timer15.north", 0)
    board.correct(InputTrusted(instant(3), "timer15.south", "Ann", ""))
    said = kinds(board.until(9))
    assert said[2:] == ["corrected input timer15.south trusted again", "righted"]
    assert board.game.timer_pole == SOUTH


@EDITIONS
def test_a_15_second_glass_that_was_turned_on_a_stand_that_chattered_counts_from_its_last_change(
    evidence: Evidence,
) -> None:
    board = board_of(3, evidence)
    for number in range(20):
        board.edge(1 + 0.03 * number, "timer15.south", number % 2 == 0)
    board.turn_timer(3)
    said = [line for line in board.until(8) if "timer15 " in line]
    assert said == (["3 timer15 black"] if evidence is STANDING else [])


def test_a_15_second_glass_that_was_turned_in_the_turn_before_is_taken_as_it_stands() -> None:
    board = board_of(3, STANDING)
    for number in range(20):
        board.edge(1 + 0.03 * number, "timer15.south", number % 2 == 0)
    board.move(2, "D1", "D2")
    board.turn_timer(3.2)
    board.ring(3.6, "D2")
    assert kinds(board.until(20)) == ["fault timer15.south chatter", "turn red D1-D2"]
    assert board.game.timer_pole == SOUTH


@EDITIONS
def test_a_press_in_doubt_that_ends_nothing_once_the_board_agrees_is_told_so(evidence: Evidence) -> None:
    board = board_of(1, evidence)
    board.move(1, "D1", "D2")
    board.edge(2, "G2.ring1", 1)  # a ghost: the board is in doubt
    board.press(3, "red")
    board.lift(3.5, "D2")
    board.place(4.5, "D1", "north")
    board.edge(5, "G2.ring1", 0)
    assert board.until(7) == []
    assert board.ruled.judgement.code == (NOTHING_TO_END if evidence is STANDING else "")


def with_a_timer_that_touched_before(ring: float) -> list[str]:
    """What is ruled if the 15-second glass touched its stand at 5 s, stood from 5.15 s, and black's ring fell then."""
    board = board_of(3, STANDING)
    board.turn(1, "D1", "D2")
    board.lift(4, "A1")
    board.edge(4.5, "timer15.north", 0)
    board.edge(5, "timer15.south", 1)
    board.edge(5.01, "timer15.south", 0)
    board.edge(5.15, "timer15.south", 1)
    board.place(6, "B2")
    board.ring(ring, "B2")
    return kinds(board.until(30))[1:]


@pytest.mark.parametrize(
    ("ring", "ruled"),
    [
        (8, ["turn black A1-B2"]),
        (19.9, ["turn black A1-B2"]),
        (20.1, ["turn black A1-B2", "fault timer15.south unsure"]),
        (20.2, ["turn black A1-B2", "penalty red"]),
    ],
)
def test_a_stand_that_flickers_is_named_if_a_turn_may_have_been_late(ring: float, ruled: list[str]) -> None:
    assert with_a_timer_that_touched_before(ring) == ["timer15 red", *ruled]


def test_a_stand_that_flickers_as_the_turn_before_ends_is_named_at_once() -> None:
    board = board_of(3, STANDING)
    board.move(1, "D1", "D2")
    board.edge(2, "timer15.north", 0)
    board.edge(2.5, "timer15.south", 1)
    board.edge(2.51, "timer15.south", 0)
    board.ring(2.6, "D2")
    board.edge(2.65, "timer15.south", 1)
    assert kinds(board.until(8)) == ["turn red D1-D2", "timer15 red", "fault timer15.south unsure"]


def test_a_stand_that_flickers_as_its_turn_ends_is_named_with_that_turn() -> None:
    board = board_of(3, STANDING)
    board.move(1, "D1", "D2")
    board.edge(2, "timer15.north", 0)
    board.edge(2.5, "timer15.south", 1)
    board.edge(2.56, "timer15.south", 0)
    board.ring(2.58, "D2")
    board.edge(2.6, "timer15.south", 1)
    assert kinds(board.until(8)) == ["timer15 black", "turn red D1-D2", "fault timer15.south unsure"]


@pytest.mark.parametrize(
    ("lost", "ring", "timer", "back", "ruled"),
    [
        (5.2, 5.5, 6.4, 6.7, ["timer15 red", "turn black A1-B2", "fault B2.south unsure"]),
        (None, 5.5, 6.4, 6.7, ["timer15 red", "turn black A1-B2"]),
        (5.2, 6.5, 6.4, 6.7, ["timer15 red", "turn black A1-B2"]),
        (5.2, 7.5, 6.9, 6.7, ["timer15 red", "turn black A1-B2"]),
        (5.2, 5.5, 7.1, 6.7, ["turn black A1-B2", "timer15 black"]),
        (5.2, 5.5, 6.4, 9.2, ["timer15 red", "turn black A1-B2", "fault B2.south unsure"]),
    ],
)
def test_a_socket_is_named_that_loses_its_new_glass_as_its_ring_falls_and_the_15_second_glass_is_turned(
    lost: float | None, ring: float, timer: float, back: float, ruled: list[str]
) -> None:
    board = board_of(3, STANDING)
    board.turn(1, "D1", "D2")
    board.lift(4, "A1")
    edges = [(ring, "B2.ring1", 1), (timer - 0.3, "timer15.north", 0), (timer, "timer15.south", 1)]
    edges += [(back, "B2.south", 1)]
    if lost is not None:
        edges += [(5, "B2.south", 1), (lost, "B2.south", 0)]
    for at, name, value in sorted(edges):
        board.edge(at, name, value)
    assert kinds(board.until(12))[1:] == ruled


@EDITIONS
def test_a_glass_that_is_lifted_again_in_doubt_was_set_down_when_it_first_stood_there(evidence: Evidence) -> None:
    board = board_of(2, evidence)
    board.move(1, "D1", "D2")
    board.edge(2, "G2.ring1", 1)  # a ghost: the board is in doubt
    board.lift(2.3, "A1")
    board.ring(4, "D2")  # more than two seconds after the setting down it is black's
    board.place(4.3, "B2")
    pole = board.lift(5, "D2")
    board.place(6, "D2", pole)
    board.edge(6.5, "G2.ring1", 0)
    turns = [line for line in kinds(board.until(12)) if line.startswith("turn")]
    assert (turns == ["turn red D1-D2=", "turn black +D2,A1-B2="]) is (evidence is STANDING)


@EDITIONS
@pytest.mark.parametrize(("reply", "is_unsure"), [(4.0, True), (5.0, False)])
def test_a_socket_that_hides_the_lift_of_a_glass_that_was_answered_is_named_as_another_turn_is_ruled(
    evidence: Evidence, reply: float, *, is_unsure: bool
) -> None:
    """D1 goes on showing the glass that stands on D2, which is not believed; black answers it, and red moves again."""
    board = board_of(1, evidence)
    board.edge(2, "D2.south", 1)
    board.lift(reply, "A1")
    board.lift(4.5, "G4")
    board.place(6, "F4")
    board.ring(6.3, "F4")
    said = [line for line in kinds(board.until(12)) if not line.startswith("repair")]
    named = ["fault D1.north unsure"] if is_unsure and evidence is STANDING else []
    assert said == ["fault D2.south stuck", "turn red G4-F4", *named]


@EDITIONS
@pytest.mark.parametrize(
    ("shown", "ruled"),
    [
        (19, ["turn black A1-B2=", "penalty red", "fault B2.south unsure", "fault A1.north stuck"]),
        (None, ["fault B2.south stuck", "lost black", "fault A1.north unsure"]),
    ],
)
def test_no_turn_is_lost_in_silence_whose_glass_stands_elsewhere_while_its_socket_still_shows_it(
    evidence: Evidence, shown: float | None, ruled: list[str]
) -> None:
    board = board_of(3, evidence)
    board.turn(1, "D1", "D2")
    board.turn_timer(3)  # black's turn is lost after 18 s
    board.edge(17, "B2.south", 1)
    if shown is not None:
        board.lift(shown, "A1")
        board.press(21, "black")
    if evidence is STANDING:
        assert kinds(board.until(25))[2:] == ruled
    else:
        assert "lost black" in kinds(board.until(25))


@EDITIONS
@pytest.mark.parametrize(("lift", "is_unsure"), [(6, True), (13, True), (15, False)])
def test_a_lift_that_is_shown_after_its_new_socket_was_not_believed_is_named(
    evidence: Evidence, lift: float, *, is_unsure: bool
) -> None:
    board = board_of(2, evidence)
    board.edge(2, "D2.south", 1)
    board.lift(lift, "D1")
    board.press(17, "red")
    named = ["fault D1.north unsure"] if is_unsure and evidence is STANDING else []
    assert kinds(board.until(25)) == ["fault D2.south stuck", *named, "turn red D1-D2="]
