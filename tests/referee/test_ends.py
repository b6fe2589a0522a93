"""No single sensor ends a game: a last ring must go on showing, and a full space is not lost by its socket alone."""

from dataclasses import replace

import pytest

from gnomon.games.tamsk.rules import BOARD
from gnomon.games.tamsk.sensing.board import new_game
from gnomon.referee.effects import Announce
from gnomon.referee.evidence import ENDS_BY_ONE, STANDING, UNCONTRADICTED, Evidence, Sensing
from gnomon.referee.judgement import Phase
from gnomon.referee.rulings import GlassStopped
from gnomon.referee.step import watched_until
from gnomon.timekeeping.glasses import SandGlass
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from tests.referee.scripted_board import ScriptedBoard, instant, kinds
from tests.referee.test_sensing_mistakes import played_to_a_full_space
from tests.referee.test_tamsk_clock import ClockedBoard

EDITIONS = pytest.mark.parametrize("evidence", [STANDING, ENDS_BY_ONE], ids=["now", "before"])


def with_a_last_ring(evidence: Evidence = STANDING, level: int = 1) -> ScriptedBoard:
    """Red has set a glass down on D2 at 1.8 s, and has one ring left; black has none."""
    board = ScriptedBoard(level=level)
    board.ruled = new_game(board.ruled.rules, sensing=Sensing(evidence=evidence))
    board.game = replace(board.ruled, position=board.ruled.position._replace(rings_left=(1, 0)))
    board.move(1, "D1", "D2")
    return board


@EDITIONS
def test_a_false_last_ring_ends_no_game(evidence: Evidence) -> None:
    board = with_a_last_ring(evidence)
    board.edge(2, "D2.ring1", 1)
    board.press(2.1, "red")
    board.edge(6, "D2.ring1", 0)
    ends = ["2 turn red D1-D2", "2 over draw"]
    assert board.until(12) == (ends if evidence is ENDS_BY_ONE else ["2.1 turn red D1-D2=", "2.1 turn black pass"])


def test_a_last_ring_that_shows_before_its_glass_stands_is_waited_for_too() -> None:
    board = ScriptedBoard(level=1)
    board.game = replace(board.ruled, position=board.ruled.position._replace(rings_left=(1, 0)))
    board.lift(1, "D1")
    board.edge(1.2, "D2.ring1", 1)
    board.place(1.8, "D2")
    board.edge(3.1, "D2.ring1", 0)
    board.press(4, "red")
    assert board.until(12) == ["4 turn red D1-D2=", "4 turn black pass"]


@EDITIONS
def test_a_true_last_ring_ends_the_game_when_it_has_shown_for_five_seconds(evidence: Evidence) -> None:
    board = with_a_last_ring(evidence)
    board.ring(2, "D2")
    over = ["2 turn red D1-D2", "2 over draw"]
    assert board.until(6.9) == (over if evidence is ENDS_BY_ONE else [])
    assert board.game.judgement.phase is (Phase.AGREED if evidence is ENDS_BY_ONE else Phase.MAY_GO_ON)
    assert board.until(7) == over


def test_a_press_while_the_last_ring_is_waited_for_changes_nothing() -> None:
    board = with_a_last_ring()
    board.ring(2, "D2")
    board.press(3, "red")
    board.press(4, "black")
    assert board.until(12) == ["2 turn red D1-D2", "2 over draw"]


@pytest.mark.parametrize("is_false", [False, True])
def test_sand_that_runs_out_while_the_last_ring_is_waited_for_stops_a_glass_only_if_it_is_false(
    *, is_false: bool
) -> None:
    board = with_a_last_ring(level=2)  # its sand runs out at 181.8 s
    board.press(3, "red")
    board.move(178, "G4", "F4")
    board.ring(181, "F4")
    assert "stopped" not in [ruling.kind for ruling in board.rulings]
    if is_false:
        board.take_ring(184, "F4")
        board.press(185, "red")
    board.until(190)
    stopped = [ruling for ruling in board.rulings if isinstance(ruling, GlassStopped)]
    assert [(ruling.at, ruling.space) for ruling in stopped] == ([(instant(181.8), "D2")] if is_false else [])
    assert board.short()[2:] == (
        ["185 turn red G4-F4=", "185 turn black pass"]
        if is_false
        else ["181 turn red G4-F4", "181 over red last_running_glass"]
    )


@pytest.mark.parametrize(("fell", "ends"), [(28, "28 over draw"), (31, "30 over black flag")])
def test_a_flag_that_would_fall_while_the_last_ring_is_waited_for_falls_only_if_it_is_false(
    fell: float, ends: str
) -> None:
    board = ClockedBoard(1, clock="0:30")
    board.press(0, "black")
    board.game = replace(board.ruled, position=board.ruled.position._replace(rings_left=(1, 0)))
    board.moved(fell, "D1", "D2")
    assert board.until(40)[-1] == ends


def test_a_flag_falls_when_the_last_ring_proves_to_be_false() -> None:
    board = ClockedBoard(1, clock="0:30")
    board.press(0, "black")
    board.game = replace(board.ruled, position=board.ruled.position._replace(rings_left=(1, 0)))
    board.moved(28, "D1", "D2")
    board.take_ring(32, "D2")
    assert board.until(40)[-1] == "30 over black flag"


FULL_SPACE = pytest.mark.parametrize("evidence", [STANDING, UNCONTRADICTED], ids=["now", "before"])
REFUSED = ["13.8 illegal red E2-E1= full"]
LOST = [*REFUSED, "13.8 over black full_space"]


def test_a_socket_that_sticks_while_a_glass_is_in_the_hand_loses_no_game_on_a_full_space() -> None:
    board = played_to_a_full_space()
    assert board.until(24)[4:] == REFUSED
    board.place(25, "E3")  # the glass was in the hand all the time
    board.ring(26, "E3")
    assert board.until(40)[5:] == ["25 righted", "26 turn red E2-E3", "13.8 fault E1.south stuck"]


@FULL_SPACE
def test_a_glass_that_stays_on_a_full_space_loses_when_something_besides_its_socket_says_so(
    evidence: Evidence,
) -> None:
    board = played_to_a_full_space(evidence=evidence)
    assert board.until(26.7)[4:] == REFUSED
    assert board.until(60)[4:] == (REFUSED if evidence is STANDING else LOST)
    board.press(61, "red")
    assert board.until(62)[4:] == LOST


def test_a_socket_that_sticks_for_long_while_a_glass_is_in_the_hand_loses_no_game_on_a_full_space() -> None:
    board = played_to_a_full_space()
    assert board.until(70)[4:] == REFUSED
    board.place(71, "E3")  # the glass was in the hand all the time
    board.ring(72, "E3")
    assert board.until(90)[5:] == ["71 righted", "72 turn red E2-E3", "13.8 fault E1.south stuck"]


def test_a_glass_that_rests_on_a_full_space_for_a_minute_after_its_refusal_loses_in_the_end() -> None:
    board = played_to_a_full_space()
    assert board.until(76.7)[4:] == REFUSED
    assert board.until(76.9)[4:] == LOST


@FULL_SPACE
def test_the_end_of_a_recording_rules_on_a_glass_on_a_full_space(evidence: Evidence) -> None:
    board = played_to_a_full_space(evidence=evidence)
    assert board.until(18)[4:] == REFUSED
    ended, effects = watched_until(board.game, instant(18))
    assert [effect.ruling.kind for effect in effects if isinstance(effect, Announce)] == ["over"]
    assert ended.outcome is not None


def test_a_socket_alone_lost_a_game_by_the_terms_of_an_earlier_edition() -> None:
    board = played_to_a_full_space(evidence=ENDS_BY_ONE)
    assert board.until(30)[4:] == LOST


@pytest.mark.parametrize("at", [15, 20])
def test_a_press_or_a_reply_says_that_a_glass_was_moved_to_a_full_space(at: float) -> None:
    pressed, answered, wrong = played_to_a_full_space(), played_to_a_full_space(), played_to_a_full_space()
    pressed.press(at, "red")
    assert pressed.until(at + 5)[4:] == LOST
    answered.lift(at, "B1")
    assert answered.until(at + 5)[4:] == LOST
    wrong.press(at, "black")
    assert wrong.until(at + 5)[4:] == REFUSED


def test_a_socket_that_pulses_while_a_glass_is_in_the_hand_loses_no_game_on_a_full_space() -> None:
    board = played_to_a_full_space()
    for at, value in ((14.6, 0), (15.5, 1), (16.5, 0), (17.5, 1)):
        board.edge(at, "E1.south", value)
    assert board.until(25)[4:] == ["17.5 illegal red E2-E1= full"]
    board.place(26, "E3")
    board.ring(27, "E3")
    assert board.until(40)[5:7] == ["26 righted", "27 turn red E2-E3"]


@FULL_SPACE
def test_a_glass_that_is_refused_on_a_full_space_loses_after_a_pause_as_of_its_end(evidence: Evidence) -> None:
    board = played_to_a_full_space(evidence=evidence)
    board.press(18, "arbiter")
    board.press(41, "arbiter")
    stopped = ["18 paused", "41 resumed"]
    assert board.until(53)[4:] == [*REFUSED, *stopped]
    if evidence is STANDING:
        assert board.until(55)[4:] == [*REFUSED, *stopped]
        board.press(55, "red")
    assert board.until(56)[4:] == [*REFUSED, *stopped, "41 over black full_space"]


def test_a_glass_that_is_taken_back_from_a_full_space_in_a_pause_loses_nothing() -> None:
    board = played_to_a_full_space()
    board.press(18, "arbiter")
    board.move(25, "E1", "E2")
    board.press(41, "arbiter")
    assert board.until(60)[4:] == [*REFUSED, "18 paused", "41 resumed", "41 righted"]


def test_a_nudge_of_the_opponents_glass_says_nothing_of_a_full_space() -> None:
    board = played_to_a_full_space()
    pole = board.lift(18, "B1")
    board.place(18.3, "B1", pole)
    assert board.until(25)[4:] == REFUSED


@FULL_SPACE
def test_a_glass_that_is_set_down_on_a_full_space_once_more_is_refused_as_before(evidence: Evidence) -> None:
    board = played_to_a_full_space(evidence=evidence)
    pole = board.lift(18, "E1")
    board.place(19, "E1", pole)
    assert board.until(21.9)[4:] == REFUSED
    assert board.until(22.1)[4:] == [*REFUSED, *([] if evidence is STANDING else ["19 over black full_space"])]


def test_a_glass_that_is_taken_back_from_a_full_space_loses_nothing() -> None:
    board = played_to_a_full_space()
    board.move(18, "E1", "E2")
    board.press(19, "black")
    assert board.until(25)[4:] == [*REFUSED, "18.8 righted"]


@EDITIONS
def test_nobody_is_shown_an_end_before_the_ring_that_makes_it_is_evidence(evidence: Evidence) -> None:
    board = with_a_last_ring(evidence)
    board.ring(2, "D2")
    board.until(2.1)
    assert (board.game.outcome, board.short()) == (None, [])


@pytest.mark.parametrize("is_false", [False, True])
def test_a_press_after_a_last_ring_elsewhere_ends_the_game_when_it_has_shown_for_five_seconds(
    *, is_false: bool
) -> None:
    board = ScriptedBoard(level=1)
    board.game = replace(board.ruled, position=board.ruled.position._replace(rings_left=(1, 0), penalty=True))
    board.move(1, "D1", "D2")
    board.ring(2, "D1")
    board.press(3, "red")
    if is_false:
        board.take_ring(6, "D1")
    assert board.until(6.9) == (["3 turn red D1-D2=", "3 turn black pass"] if is_false else [])
    assert board.until(7.1) == (
        ["3 turn red D1-D2=", "3 turn black pass"] if is_false else ["3 turn red D1-D2=,+D1", "3 over draw"]
    )


@pytest.mark.parametrize("after", [0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0])
def test_a_press_that_comes_with_the_last_ring_waits_for_it(after: float) -> None:
    board = with_a_last_ring()
    board.ring(2, "D2")
    board.press(2 + after, "red")
    assert board.until(6.9) == []
    assert board.until(12) == ["2 turn red D1-D2", "2 over draw"]


def stops(board: ScriptedBoard) -> list[tuple[int, str]]:
    """When which glass stopped, of all that was ruled."""
    return [(each.at, each.space) for each in board.ruled.rulings if isinstance(each, GlassStopped)]


TURNS = [("D1", "D2"), ("A1", "B1"), ("A4", "B5"), ("G1", "G2"), ("G4", "F4"), ("D7", "C6")]
"""Each glass has its first turn: only then may one be moved again (rule 9)."""


def timed_board(evidence: Evidence) -> ScriptedBoard:
    """A board of level 2, red to move; on D2 runs a glass that was turned at 1.8 s, for three minutes."""
    board = ScriptedBoard(level=2)
    board.ruled = new_game(board.ruled.rules, sensing=Sensing(evidence=evidence))
    for number, (origin, target) in enumerate(TURNS):
        board.move(1 + 2 * number, origin, target)
        board.ring(2 + 2 * number, target)
    return board


@EDITIONS
def test_a_glass_that_ran_out_in_the_hand_is_told_of_when_it_is_put_back(evidence: Evidence) -> None:
    board = timed_board(evidence)
    pole = board.lift(175, "D2")
    board.until(182.5)
    assert stops(board) == []
    board.place(182.6, "D2", pole)
    board.until(183.5)
    assert stops(board) == ([] if evidence is ENDS_BY_ONE else [(instant(181.8), "D2")])


@EDITIONS
def test_a_glass_that_ran_out_before_its_turn_could_be_ruled_is_told_of_after_it(evidence: Evidence) -> None:
    board = timed_board(evidence)
    position = board.ruled.position
    glass = position.glasses.index(BOARD.index["D2"])
    sands = list(position.sands)
    sands[glass] = sands[glass].with_remaining(Duration(178_500_000), instant(14.8))  # 1.5 s, once it is turned
    board.game = replace(board.ruled, position=position._replace(sands=tuple(sands)))
    board.move(14, "D2", "D3")
    board.edge(14.4, "D2.ring2", 1)
    board.ring(15.5, "D3")
    board.until(17)
    assert stops(board) == []
    board.edge(17.2, "D2.ring2", 0)
    assert board.until(18)[-1] == "15.5 turn red D2-D3"
    assert stops(board) == ([] if evidence is ENDS_BY_ONE else [(instant(16.3), "D3")])


def with_a_free_ring(evidence: Evidence) -> ScriptedBoard:
    """Red, who cannot move, drops the second ring at 1 s, and black's last sand runs out at 4 s."""
    board = ScriptedBoard(level=2)
    board.ruled = new_game(board.ruled.rules, sensing=Sensing(evidence=evidence))
    full = Duration(180 * SECOND)
    still = SandGlass((full, full), 0, Duration(0), Instant(0))
    runs = replace(still, sand=Duration(4 * SECOND))
    position = board.ruled.position._replace(moved=63, penalty=True, sands=(still, still, still, runs, still, still))
    board.game = replace(board.ruled, position=position)
    board.ring(1, "D2")
    return board


@pytest.mark.parametrize(("evidence", "heard"), [(STANDING, 6), (UNCONTRADICTED, 4.1)], ids=["now", "before"])
def test_sand_ends_no_game_before_a_ring_has_shown_that_fell_shortly_before(evidence: Evidence, heard: float) -> None:
    board = with_a_free_ring(evidence)
    assert kinds(board.until(heard - 0.01)) == ["turn red +D2"]
    assert board.until(heard + 0.01)[1:] == ["4 over red fewest_rings"]


def test_sand_ends_no_game_by_a_ring_that_goes_again() -> None:
    board = with_a_free_ring(STANDING)
    board.edge(4.5, "D2.ring1", 0)
    assert kinds(board.until(30)) == ["turn red +D2", "ask take_back"]


def test_a_record_that_ends_while_a_ring_must_go_on_showing_ends_with_the_game() -> None:
    board = with_a_free_ring(STANDING)
    board.until(5)
    _, effects = watched_until(board.ruled, instant(5))
    assert [effect.ruling.kind for effect in effects if isinstance(effect, Announce)] == ["over"]
