"""A match clock beside the glasses of TAMSK: turns press it, buttons start it, sand and flag decide in their time."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import INPUTS
from gnomon.referee.corrections import correct
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import (
    ClockCorrected,
    ClockPressed,
    Correction,
    CorrectionUndone,
    DeadlineReached,
    InputChanged,
    ResultDeclared,
    SandSet,
    TimeGiven,
    TimeTaken,
    TurnEntered,
    TurnInserted,
    TurnSet,
    TurnsVoided,
)
from gnomon.referee.evidence import SQUARES_AT_ONCE
from gnomon.referee.games import begin
from gnomon.referee.match_clock import MatchClock
from gnomon.referee.step import watched_until
from gnomon.timekeeping.instants import SECOND, Duration, Instant, seconds
from tests.conftest import examples
from tests.referee.scripted_board import ScriptedBoard, instant, kinds, short

ANN = "Ann"


class ClockedBoard(ScriptedBoard):
    """Hands on a TAMSK board with a match clock."""

    def __init__(self, level: int = 2, **settings: object) -> None:
        super().__init__(level=level)
        game = begin("tamsk", {"level": level, **settings})
        assert isinstance(game, TamskGame)
        self.game = game

    def press(self, at: float, button: str) -> None:
        self.edge(at, f"button.{button}", 1)
        self.edge(at + 0.1, f"button.{button}", 0)

    def moved(self, at: float, origin: str, target: str) -> None:
        """A whole turn within two seconds, complete with its ring at `at`."""
        self.lift(at - 2, origin)
        self.place(at - 1, target)
        self.ring(at, target)

    @property
    def match(self) -> MatchClock:
        assert self.game.clock is not None
        return self.game.clock

    def left(self, at: float) -> tuple[float, float]:
        when = self.game.game_time(instant(at))
        return seconds(self.match.clock.remaining(0, when)), seconds(self.match.clock.remaining(1, when))


def two_turns(level: int = 2, /, **settings: object) -> ClockedBoard:
    """Black's button starts red's clock at 10; red's turn ends at 20, black's at 35."""
    board = ClockedBoard(level, **{"clock": "5", **settings})
    board.press(10, "black")
    board.moved(20, "D1", "D2")
    board.moved(35, "A1", "A2")
    board.until(36)
    return board


@pytest.mark.parametrize("level", [1, 2, 3])
def test_each_turn_presses_the_clock_as_of_its_stamp(level: int) -> None:
    board = two_turns(level)
    assert board.until(37)[:3] == ["10 clock red", "20 turn red D1-D2", "35 turn black A1-A2x"]
    assert board.left(40) == (285, 285)


def test_without_a_press_the_first_turn_starts_the_clock_and_costs_nothing() -> None:
    board = ClockedBoard(clock="5")
    board.moved(20, "D1", "D2")
    board.moved(35, "A1", "A2")
    board.until(36)
    assert board.left(40) == (295, 285)


def test_the_button_of_the_player_on_turn_starts_nothing() -> None:
    board = ClockedBoard(clock="5")
    board.press(10, "red")
    assert board.until(11) == []
    assert not board.match.has_started


def test_the_button_that_ends_a_turn_without_a_ring_presses() -> None:
    board = ClockedBoard(clock="5")
    board.press(10, "black")
    board.lift(15, "D1")
    board.place(16, "D2")
    board.press(22, "red")
    board.until(23)
    assert board.left(30) == (288, 292)


def test_the_flag_ends_the_game_to_the_microsecond() -> None:
    board = ClockedBoard(clock="0:30")
    board.press(10, "black")
    board.moved(20, "D1", "D2")
    assert board.until(60)[-2:] == ["50 flag black", "50 over red flag"]
    assert board.left(90) == (20, 0)


@pytest.mark.parametrize(("early", "decided"), [(1, "turn red D1-D2"), (0, "over black flag")])
def test_a_ring_one_microsecond_before_the_flag_is_in_time(early: int, decided: str) -> None:
    board = ClockedBoard(clock="0:30", full_space="take_back")
    board.press(10, "black")
    board.lift(30, "D1")
    board.place(31, "D2")
    board.tell(InputChanged(Instant(instant(40) - early), "D2.ring1", value=True))
    board.until(41)
    assert decided in [short(ruling).split(" ", 1)[1] for ruling in board.rulings]


def test_a_reply_before_the_flag_ends_the_turn_though_it_might_have_been_a_nudge() -> None:
    board = ClockedBoard(1, clock="0:30")
    board.press(10, "black")
    board.lift(30, "D1")
    board.place(31, "D2")
    board.lift(39.95, "A1")
    board.until(40.12)
    assert [ruling.kind for ruling in board.rulings] == ["clock"]
    board.place(40.4, "A2")
    board.ring(41, "A2")
    said = board.until(42)
    assert said[1:3] == ["39.95 turn red D1-D2=", "41 turn black A1-A2x"]
    assert said[3] == "41.05 flag red"


def test_a_pause_stops_clock_and_sand_alike() -> None:
    board = two_turns()
    board.press(40, "arbiter")
    board.press(60, "arbiter")
    board.until(65)
    assert board.left(65) == (280, 285)


def test_a_flag_that_is_shown_leaves_the_game_to_the_sand() -> None:
    board = ClockedBoard(clock="0:05", flag="shown")
    board.press(10, "black")
    assert board.until(16) == ["10 clock red", "15 flag red"]
    board.moved(30, "D1", "D2")
    assert board.until(31)[-1] == "30 turn red D1-D2"
    assert board.left(60) == (0, 5)


def test_the_end_of_the_game_stops_the_clock() -> None:
    board = two_turns()
    board.tell(ResultDeclared(instant(40), None, "agreed", ANN))
    assert board.left(40) == board.left(400) == (285, 285)


def test_the_last_sand_stops_the_clock_at_the_instant_at_which_it_ends_the_game() -> None:
    board = ClockedBoard(clock="5")
    opening = (("D1", "D2"), ("A1", "B2"), ("A4", "B4"), ("G1", "F2"), ("G4", "F4"), ("D7", "D6"))
    for number, (origin, target) in enumerate(opening):
        board.turn(1 + 5 * number, origin, target)
    for _, space in opening[1:]:
        board.correct(SandSet(instant(40), space, Duration(0), ANN))
    board.correct(SandSet(instant(50), "D2", Duration(10 * SECOND), ANN))
    board.until(55)
    red, black = board.left(55)
    assert any(line.startswith("over") for line in kinds(board.until(70)))
    assert board.left(100) == (red - 5, black)


def test_watched_to_the_end_a_flag_is_ruled_upon_without_settling() -> None:
    board = ClockedBoard(clock="0:30")
    board.press(10, "black")
    board.until(11)
    game, _ = watched_until(board.game, instant(40))
    assert [ruling.kind for ruling in game.rulings[-2:]] == ["flag", "over"]
    game, _ = watched_until(board.game, Instant(instant(40) - 1))
    assert game.outcome is None


# Corrections


def test_the_clock_is_set_and_given_time_apart_from_the_sand() -> None:
    board = two_turns()
    board.tell(TimeGiven(instant(37), "clock.red", Duration(60 * SECOND), ANN))
    board.tell(TimeTaken(instant(38), "clock.black", Duration(5 * SECOND), ANN))
    board.tell(ClockCorrected(instant(39), "black", ANN, moves=7))
    assert board.left(40) == (345, 280)
    assert board.match.clock.accounts[1].moves == 7
    said = [short(ruling) for ruling in board.rulings if ruling.kind == "corrected"]
    assert said[0].startswith("37 corrected 60 s given to Red on the clock")
    assert said[1].startswith("38 corrected 5 s taken from Black on the clock")


def test_turns_press_by_themselves_and_not_by_hand() -> None:
    with pytest.raises(CorrectionError, match="presses the clock by itself"):
        correct(two_turns().game, ClockPressed(instant(40), "red", ANN))


@pytest.mark.parametrize(
    ("give_back", "left"),
    [(True, (290, 285)), (False, (285, 285))],
)
def test_a_turn_taken_back_takes_the_clock_back_or_leaves_it_as_it_shows(
    give_back: bool, left: tuple[float, float]
) -> None:
    board = two_turns()
    board.tell(TurnsVoided(instant(40), 1, give_back, ANN))
    assert board.match.clock.side == 1
    assert board.left(40) == left
    board.tell(CorrectionUndone(instant(50), ANN))
    assert (board.match.clock.side, board.left(50)) == (0, (275, 285))


@pytest.mark.parametrize(
    ("event", "side"),
    [
        (TurnSet(instant(40), "black", ANN), 1),
        (TurnEntered(instant(40), "A4-B5", ANN), 1),
        (TurnInserted(instant(40), 3, "A4-B5", ANN), 1),
        (TurnSet(instant(40), "red", ANN), 0),
    ],
)
def test_after_a_correction_the_time_of_the_player_on_turn_runs(event: Correction, side: int) -> None:
    board = two_turns()
    board.tell(event)
    assert board.match.clock.side == board.game.position.mover == side


def test_an_inserted_turn_is_taken_back_like_the_one_after_it() -> None:
    board = two_turns()
    board.tell(TurnInserted(instant(40), 2, "A4-B5", ANN))
    board.tell(TurnsVoided(instant(50), 2, False, ANN))
    assert board.left(50) == (275, 285)
    assert [ply.text for ply in board.game.plies] == ["D1-D2"]


def test_without_sand_a_turn_entered_by_hand_costs_the_time_that_passed() -> None:
    board = ClockedBoard(1, clock="5")
    board.press(10, "black")
    board.tell(TurnEntered(instant(30), "D1-D2=", ANN))
    assert board.left(40) == (280, 290)


NEAR = ("D1", "D2", "A1", "A2", "timer15", "button")
EDGES = st.lists(st.tuples(st.integers(0, 20 * SECOND), st.sampled_from([n for n in INPUTS if n.startswith(NEAR)])))


@pytest.mark.untraced
@settings(max_examples=examples(60))
@given(st.integers(1, 3), st.sampled_from(["1", "0:20+2", "0:10 then byo-yomi 3x5"]), EDGES, st.booleans())
def test_any_stream_of_edges_is_ruled_on_alike_however_deadlines_are_handed_over(
    level: int, clock: str, edges: list[tuple[int, str]], is_shown: bool
) -> None:
    terms = {"clock": clock, "flag": "shown" if is_shown else "ends"}
    board, other = (touched(ClockedBoard(level, **terms), edges, hands_over=each) for each in (True, False))
    assert (other.rulings, other.match) == (board.rulings, board.match)
    if board.match.has_started and board.game.outcome is None and not is_shown:
        assert board.match.clock.side == board.game.position.mover


def touched(board: ClockedBoard, edges: list[tuple[int, str]], *, hands_over: bool) -> ClockedBoard:
    """The board after raw edges, each with the time that passed before it."""
    at, on = 0, set[str]()
    for gap, name in edges:
        at += gap
        event = InputChanged(Instant(at), name, value=name not in on)
        on ^= {name}
        (board.tell if hands_over else board._step)(event)
    board.tell(DeadlineReached(Instant(at + 200 * SECOND)))
    return board


def test_deadlines_of_clock_and_sand_go_on_to_the_end() -> None:
    board = ClockedBoard(3, clock="10", warning="20")
    board.press(1, "black")
    board.moved(20, "D1", "D2")
    while (due := board.game.deadline()) is not None:
        board.tell(DeadlineReached(due))
    assert board.game.outcome == ("red", "flag")


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("placed", [38.1, 38.9, 39.3, 39.8])
@pytest.mark.parametrize("ring", [None, 0.2, 1.0, 1.9])
def test_a_turn_that_the_reply_ended_before_the_flag_is_in_time_whenever_its_ring_falls(
    level: int, placed: float, ring: float | None
) -> None:
    board = ClockedBoard(level, clock="0:30")
    board.press(10, "black")
    board.lift(36, "D1")
    board.place(placed, "D2")
    board.lift(39.95, "A1")
    if ring is not None and placed + ring > 39.96:
        board.ring(placed + ring, "D2")
    board.place(42.2, "A2")
    board.ring(43, "A2")
    said = board.until(44)
    assert [line for line in said if "turn red" in line]
    assert [line for line in said if "flag" in line and float(line.split(" ", 1)[0]) < 43] == [], said
    assert board.game.clock is not None
    assert board.game.plies[1].clock is not None
    before_reply = board.game.plies[1].clock.clock.accounts[0].left
    assert seconds(before_reply) == pytest.approx(0.05)


def test_games_that_were_ruled_before_lose_by_the_flag_as_they_did() -> None:
    board = ClockedBoard(clock="0:30")
    sensing = board.game.sensing._replace(evidence=SQUARES_AT_ONCE)
    game = begin("tamsk", {"level": 2, "clock": "0:30"}, sensing=sensing)
    assert isinstance(game, TamskGame)
    board.game = game
    board.press(10, "black")
    board.lift(36, "D1")
    board.place(39.3, "D2")
    board.lift(39.95, "A1")
    board.ring(40.3, "D2")
    assert board.until(44)[-1] == "40 over black flag"


def test_a_declared_result_can_be_undone_beside_a_running_clock() -> None:
    board = two_turns()
    running = board.match.clock
    board.tell(ResultDeclared(instant(40), None, "agreed", ANN))
    assert board.match.clock.is_paused
    board.tell(CorrectionUndone(instant(41), ANN))
    assert board.game.outcome is None
    assert board.match.clock == running
