"""Sand that runs out as a glass is touched: the last of all at a lift, another glass's at a setting down."""

import pytest

from gnomon.games.tamsk.sensing._judge import _waits_until
from gnomon.referee.events import InputTrusted, SandSet
from gnomon.referee.rulings import GlassStopped
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration
from tests.referee.scripted_board import ScriptedBoard, instant, kinds

END = 60.0
OPENING = (("D1", "D2"), ("A1", "B2"), ("A4", "B4"), ("G1", "F2"), ("G4", "F4"), ("D7", "D6"))


def with_one_glass_left() -> ScriptedBoard:
    """All six glasses have moved; red's on D2 runs out at END, and no other holds sand."""
    board = ScriptedBoard(level=2)
    for number, (origin, target) in enumerate(OPENING):
        board.turn(1 + 5 * number, origin, target)
    for _, space in OPENING[1:]:
        board.correct(SandSet(instant(40), space, Duration(0), "Ann"))
    board.correct(SandSet(instant(50), "D2", Duration(10 * SECOND), "Ann"))
    return board


@pytest.mark.parametrize("uncertainty", [0, 10 * MILLISECOND])
@pytest.mark.parametrize(("microseconds", "over"), [(-1, False), (0, True), (1, True)])
def test_a_lift_as_the_last_sand_runs_out_is_too_late_and_disturbs_nobody(
    microseconds: int, over: bool, uncertainty: int
) -> None:
    board = with_one_glass_left()
    board.uncertainty = Duration(uncertainty)
    board.lift(END + (uncertainty + microseconds) / SECOND, "D2")
    assert any(line.startswith("over") for line in kinds(board.until(END + 1))) is over


@pytest.mark.parametrize("microseconds", [-10_001, -10_000, -9_999, -1, 0, 1])
def test_a_glass_that_stops_as_another_is_set_down_is_announced(microseconds: int) -> None:
    """A scan saw the setting down at 60 s: it was made in the ten milliseconds before."""
    board = ScriptedBoard(level=2)
    board.turn(1, "D1", "D2")
    board.turn(6, "A1", "B2")
    board.correct(SandSet(instant(50), "D2", Duration(10 * SECOND + microseconds), "Ann"))
    board.uncertainty = Duration(10 * MILLISECOND)
    board.move(END - 0.8, "A4", "B4")
    board.ring(END + 0.5, "B4")
    board.until(END + 5)
    stopped = GlassStopped(instant(END + microseconds / SECOND), "red", "D2")
    assert [ruling for ruling in board.rulings if isinstance(ruling, GlassStopped)] == [stopped]


def stopped(board: ScriptedBoard) -> list[GlassStopped]:
    return [ruling for ruling in board.rulings if isinstance(ruling, GlassStopped)]


def with_sand_that_ends(*spaces: str) -> ScriptedBoard:
    """All six glasses have moved and red is on turn; the sand on some spaces runs out at END."""
    board = ScriptedBoard(level=2)
    for number, (origin, target) in enumerate(OPENING):
        board.turn(1 + 5 * number, origin, target)
    for space in spaces:
        board.correct(SandSet(instant(50), space, Duration(10 * SECOND), "Ann"))
    return board


@pytest.mark.parametrize(("lifted", "is_told"), [("B4", True), ("D2", False)])
def test_a_glass_that_stops_just_before_another_is_lifted_is_announced_though_a_sleeve_brushes_a_socket_beside_it(
    lifted: str, *, is_told: bool
) -> None:
    """The socket beside D2 shows a glass so soon that it would have been in a hand; but the hand lifts another one."""
    board = with_sand_that_ends("D2")
    board.lift(END + 0.002, lifted)
    board.edge(END + 0.004, "D3.north", 1)
    board.edge(END + 0.404, "D3.north", 0)
    board.until(END + 1)
    assert stopped(board) == ([GlassStopped(instant(END), "red", "D2")] if is_told else [])


@pytest.mark.parametrize("of_black", [END - 0.4, END - 0.01], ids=["before red's", "after red's"])
@pytest.mark.parametrize("is_ring_gone", [False, True], ids=["rings stand", "a ring is gone"])
def test_a_glass_in_the_hand_does_not_stop_though_the_board_is_explained_by_no_turn(
    of_black: float, is_ring_gone: bool
) -> None:
    """Black's glass is in the air too, and a sleeve takes a ring along: red's was lifted in time, and turns later."""
    board = with_sand_that_ends("D2")
    if is_ring_gone:
        board.take_ring(END - 0.5, "B4")
    poles = {space: board.lift(at, space) for at, space in sorted([(of_black, "B2"), (END - 0.05, "D2")])}
    board.until(END + 1)
    assert stopped(board) == []
    if is_ring_gone:
        board.ring(END + 1.2, "B4")
    board.place(END + 1.5, "B2", poles["B2"])
    board.place(END + 2, "D3", "south" if poles["D2"] == "north" else "north")
    board.ring(END + 2.5, "D3")
    assert "turn red D2-D3" in kinds(board.until(END + 8))
    assert stopped(board) == []


def test_neither_of_two_glasses_in_the_hands_of_the_player_on_turn_stops() -> None:
    board = with_sand_that_ends("B4", "D2")
    board.lift(END - 0.1, "B4")
    board.lift(END - 0.05, "D2")
    board.until(END + 1)
    assert stopped(board) == []


def put_back_after_the_end(again: float) -> ScriptedBoard:
    """Red's last glass was in the hand as its sand ran out, and stands where it was lifted from then on."""
    board = with_one_glass_left()
    pole = board.lift(END - 0.1, "D2")
    if again > END + 1:
        board.place(END + 0.6, "D3", "south" if pole == "north" else "north")
        board.edge(END + 0.8, "D3.ring1", 1)
        board.edge(END + 0.9, "D3.ring1", 0)
        board.lift(END + 2, "D3")
    board.place(again, "D2", pole)
    return board


def ends(board: ScriptedBoard) -> list[str]:
    return [line for line in board.until(END + 20) if line.split()[1] in {"over", "fault", "illegal"}]


def test_a_game_does_not_end_if_a_ring_may_have_made_a_turn_of_a_glass_that_was_put_back_since() -> None:
    assert ends(put_back_after_the_end(END + 3)) == ["60.8 fault D3.ring1 unsure"]


def test_a_game_that_a_glass_ends_that_is_put_back_waits_for_a_ring_that_is_coming() -> None:
    board = put_back_after_the_end(END + 1)
    board.ring(END + 1.3, "D2")
    assert ends(board) == ["61.3 illegal red ring_elsewhere"]
    board = put_back_after_the_end(END + 1)
    for at, value in ((1.3, 1), (1.7, 0)):
        board.edge(END + at, "D2.ring2", value)
    pole = board.lift(END + 1.71, "B2")
    board.place(END + 2.3, "B2", pole)
    for at, value in ((2.85, 1), (3, 0)):
        board.edge(END + at, "C2.ring1", value)
    assert not any(line.split()[1] == "over" for line in board.short())
    assert "over draw" in kinds(ends(board))


@pytest.mark.parametrize("name", ["D3.ring1", "D3.south"])
def test_an_end_waits_for_what_is_coming_to_show(name: str) -> None:
    board = with_one_glass_left()
    now = instant(45)
    assert _waits_until(board.game, now, now) is None
    board.edge(45, name, 1)
    waits = _waits_until(board.game, now, now)
    assert waits is not None
    assert now < waits < instant(47)


def chatter(board: ScriptedBoard, at: float = 52) -> None:
    """A sensor of an empty space is found to chatter; it is believed again three seconds later."""
    for number in range(20):
        board.edge(at + 0.05 * number, "C4.ring1", 1 - number % 2)


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_sand_that_ends_the_game_shortly_after_a_fault_is_asked_about(answer: str) -> None:
    board = with_one_glass_left()
    chatter(board)
    assert kinds(board.until(END + 1))[-1] == "ask ends"
    board.press(END + 3, "red" if answer == "yes" else "black")
    said = kinds(board.until(END + 5))
    assert said[-2:] == (["ask ends", "over draw"] if answer == "yes" else ["ask ends", "paused"])
    assert (board.game.outcome is None, board.game.paused_at is None) == (answer == "no", answer == "yes")


def test_a_game_that_is_not_over_is_asked_about_again_once_it_goes_on() -> None:
    board = with_one_glass_left()
    chatter(board)
    board.press(END + 3, "black")
    board.until(END + 5)
    board.press(END + 6, "arbiter")
    assert kinds(board.until(END + 10))[-1] == "ask ends"


def test_the_question_whether_sand_ends_the_game_is_put_again_once_no_glass_is_in_a_hand() -> None:
    board = with_one_glass_left()
    chatter(board)
    asked = kinds(board.until(END + 2))
    pole = board.lift(END + 4, "D2")
    board.until(END + 5)
    assert board.game.question is None
    board.place(END + 6, "D2", pole)
    assert kinds(board.until(END + 9))[len(asked) :] == ["ask ends"]


def test_the_question_whether_sand_ends_the_game_is_put_once_though_the_board_is_judged_again() -> None:
    board = with_one_glass_left()
    chatter(board, END - 1.5)
    board.until(END + 3)
    board.correct(InputTrusted(instant(END + 3), "C4.ring1", "Ann", ""))
    said = kinds(board.until(END + 9))
    assert said.count("ask ends") == 1
    assert board.game.question is not None


def test_sand_that_runs_out_on_a_board_in_doubt_is_asked_about_once_it_is_not() -> None:
    board = with_one_glass_left()
    chatter(board)
    board.take_ring(END - 1, "B4")
    board.ring(END + 4, "B4")
    said = kinds(board.until(END + 8))
    assert said[-1] == "ask ends"
    assert not any(line.startswith("over") for line in said)
