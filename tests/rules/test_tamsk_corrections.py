import pytest

from gnomon.games.tamsk.rules import BLACK, BOARD, RED, Position, Tamsk
from gnomon.rules.protocol import Outcome, RulesError
from gnomon.timekeeping.instants import SECOND, Duration
from tests.rules.drawn import after_the_opening, play
from tests.rules.playing import legal

LEVEL_1 = Tamsk()
LEVEL_2 = Tamsk.from_settings({"level": 2})
LEVEL_3 = Tamsk.from_settings({"level": 3})
D1 = BOARD.index["D1"]


def test_rings_set_by_hand_come_from_a_holder_and_go_back_to_it() -> None:
    more = LEVEL_1.with_rings(LEVEL_1.start(), "D2", 2, "black")
    assert (more.rings_on(BOARD.index["D2"]), more.rings_left) == (2, (32, 30))
    assert "D1-D2" not in legal(LEVEL_1, more)
    less = LEVEL_1.with_rings(more, BOARD.index["D2"], 0, BLACK)
    assert less == LEVEL_1.start()


@pytest.mark.parametrize(
    ("space", "count", "player", "sentence"),
    [
        ("D2", 3, "red", "D2 can hold 0 to 2 rings, not 3"),
        ("D2", -1, "red", "D2 can hold 0 to 2 rings, not -1"),
        ("Z9", 1, "red", "there is no space 'Z9' on the board"),
        (37, 1, "red", "there is no space 37 on the board"),
        (-1, 1, "red", "there is no space -1 on the board"),
        ("D2", 1, "green", "the players are red and black, not 'green'"),
        ("D2", 1, 2, "the players are red and black, not 2"),
        ("E1", 0, "black", "Black can have 0 to 32 rings left, not 33"),
        ("D2", 1, "red", "Red can have 0 to 32 rings left, not -1"),
    ],
)
def test_impossible_rings_are_refused_with_one_sentence(
    space: str | int, count: int, player: str | int, sentence: str
) -> None:
    position = play(LEVEL_1, LEVEL_1.start(), "D1-E1")
    if "not -1" in sentence and "left" in sentence:
        position = position._replace(rings_left=(0, 32))
    with pytest.raises(RulesError) as caught:
        LEVEL_1.with_rings(position, space, count, player)
    assert str(caught.value) == sentence


def test_a_forgotten_ring_has_no_place_on_a_space_filled_by_hand() -> None:
    position = play(LEVEL_1, LEVEL_1.start(), "D1-D2=")
    assert LEVEL_1.with_rings(position, "D2", 1, "red").forgotten == BOARD.index["D2"]
    assert LEVEL_1.with_rings(position, "D2", 2, "red").forgotten == -1


def test_rings_set_by_hand_can_end_the_game_and_let_it_go_on() -> None:
    position = play(LEVEL_1, LEVEL_1.start(), "D1-E1")._replace(rings_left=(0, 1))
    over = LEVEL_1.with_rings(position, "D4", 1, "black")
    assert LEVEL_1.outcome(over) == Outcome(None, "draw")
    assert LEVEL_1.outcome(LEVEL_1.with_rings(over, "D4", 0, "black")) is None


@pytest.mark.parametrize("player", ["black", BLACK])
def test_the_turn_set_by_hand_begins_anew(player: str | int) -> None:
    position = play(LEVEL_3, LEVEL_3.start(), "D1-D2=", "flip15", "lift:A1")
    position = LEVEL_3.with_turn(position, player)
    assert (position.mover, position.lifted, position.timer15_binds) == (BLACK, -1, False)
    assert (position.forgotten, position.penalty) == (-1, False)
    assert "A1-A2=" in legal(LEVEL_3, position)


def test_the_turn_set_by_hand_ends_sitting_out() -> None:
    rules = Tamsk.from_settings({"level": 3, "late": "skip_turn"})
    position = play(rules, rules.start(), "flip15", "lift:D1", "@16", "D1-D2")
    assert position.sits_out == 1 << RED
    assert legal(rules, rules.with_turn(position, "red")) != ["lost"]


def test_sand_set_by_hand_runs_from_now() -> None:
    position = after_the_opening(LEVEL_2, LEVEL_2.start(), D1=100, A1=100)
    position = LEVEL_2.with_sand(play(LEVEL_2, position, "@50"), 0, Duration(7 * SECOND))
    assert position.sands[0].runs_out_at() == 57 * SECOND


def test_sand_set_by_hand_can_end_the_game() -> None:
    position = after_the_opening(LEVEL_2, LEVEL_2.start(), D1=100)
    assert LEVEL_2.outcome(LEVEL_2.with_sand(position, 0, Duration(0))) == Outcome(None, "draw")


@pytest.mark.parametrize(
    ("rules", "glass", "remaining", "sentence"),
    [
        (LEVEL_1, 0, 1, "no glass runs at level 1"),
        (LEVEL_2, "timer15", 1, "the 15-second glass is for level 3"),
        (LEVEL_2, 6, 1, "there is no glass 6; they are 0 to 5 and timer15"),
        (LEVEL_2, "D1", 1, "there is no glass 'D1'; they are 0 to 5 and timer15"),
        (LEVEL_2, 0, -1, "-1 µs is not between 0 and 180000000 µs, what this glass holds"),
        (LEVEL_3, "timer15", 15_000_001, "15000001 µs is not between 0 and 15000000 µs, what this glass holds"),
    ],
)
def test_impossible_sand_is_refused_with_one_sentence(
    rules: Tamsk, glass: int | str, remaining: int, sentence: str
) -> None:
    with pytest.raises(RulesError) as caught:
        rules.with_sand(rules.start(), glass, Duration(remaining))
    assert str(caught.value) == sentence


def test_the_timer_set_by_hand_goes_on_to_bind_unless_it_is_emptied() -> None:
    bound = play(LEVEL_3, LEVEL_3.start(), "flip15", "@3")
    assert LEVEL_3.with_sand(bound, "timer15", Duration(2 * SECOND)).bound_until == 5 * SECOND
    emptied = LEVEL_3.with_sand(bound, "timer15", Duration(0))
    assert not emptied.timer15_binds
    assert "flip15" in legal(LEVEL_3, emptied)
    free = LEVEL_3.with_sand(LEVEL_3.start(), "timer15", Duration(SECOND))
    assert not free.timer15_binds
    assert not LEVEL_3.lost_is_due(play(LEVEL_3, free, "@10"))


def test_corrections_leave_the_position_they_correct_alone() -> None:
    position: Position = LEVEL_1.start()
    before = hash(position)
    LEVEL_1.with_rings(position, D1, 1, RED)
    LEVEL_1.with_turn(position, BLACK)
    assert hash(position) == before
