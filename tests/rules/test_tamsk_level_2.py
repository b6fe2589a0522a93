import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.games.tamsk.rules import BOARD, Position, Tamsk
from gnomon.rules.protocol import IllegalMoveError, Outcome
from gnomon.timekeeping.instants import MINUTE, SECOND, Instant
from tests.rules.drawn import after_the_opening, play, position_of
from tests.rules.playing import legal

LEVEL_2 = Tamsk.from_settings({"level": 2})

OPEN_BOARD = position_of("""
                .
            .       .
        .       .       .
    .       .       .       b
        .       .       .
    r       .       .       .
        .       .       .
    r       .       .       .
        .       .       .
    r       .       .       b
        .       .       .
            .       .
                b
""")

# The red glass on D7 and the black one on D1 have one way each; the others stand walled in.
ONE_WAY_EACH = """
                r
            1       .
        1       2       1
    r1      2       2       b1
        2       3       2
    1       3       3       1
        2       4       2
    1       3       3       1
        2       3       2
    r1      2       2       b1
        1       2       1
            1       .
                b
"""


def code_of(position: Position, text: str) -> str:
    with pytest.raises(IllegalMoveError) as caught:
        LEVEL_2.parse(position, text)
    return caught.value.code


def sand(position: Position, space: str) -> int:
    return position.sands[position.glass_on(BOARD.index[space])].remaining(position.now)


def test_a_moved_glass_is_turned_over_and_what_lay_below_lies_above() -> None:
    position = play(LEVEL_2, LEVEL_2.start(), "@10", "D1-D2", "@30")
    assert sand(position, "D2") == 160 * SECOND
    assert sand(position, "A4") == 0
    position = play(LEVEL_2, position, "G1-F1", "A4-A3", "A1-A2", "G4-G3", "D7-D6", "@50", "D2-D3")
    assert sand(position, "D3") == 180 * SECOND - 140 * SECOND


def test_each_of_the_first_three_turns_moves_a_different_glass() -> None:
    position = play(LEVEL_2, LEVEL_2.start(), "D1-D2", "G1-F1")
    assert code_of(position, "D2-D3") == "must_be_another_glass"
    assert {text[:2] for text in legal(LEVEL_2, position) if text[0] != "+"} == {"A4", "G4"}
    position = play(LEVEL_2, position, "A4-A3", "A1-A2", "G4-G3", "D7-D6")
    assert {text[:2] for text in legal(LEVEL_2, position) if text[0] != "+"} == {"D2", "A3", "G3"}


def test_in_the_opening_an_empty_glass_may_move_and_waiting_is_legal() -> None:
    position = play(LEVEL_2, LEVEL_2.start(), "@100000")
    assert LEVEL_2.deadline(position) is None
    assert play(LEVEL_2, position, "D1-D2").moved == 0b000001


def test_a_glass_that_has_run_out_never_moves_again_and_stays_as_an_obstacle() -> None:
    position = after_the_opening(LEVEL_2, OPEN_BOARD, A1=5, A2=100, A3=100, D1=100, G1=100, G4=100)
    last = Instant(5 * SECOND)
    for now, may_move in ((last - 1, True), (last, False), (last + 1, False)):
        waited = LEVEL_2.elapse(position, Instant(now))
        assert any(text.startswith("A1-B1") for text in legal(LEVEL_2, waited)) is may_move
    assert code_of(play(LEVEL_2, position, "@5"), "A1-B1") == "stopped_glass"
    assert code_of(play(LEVEL_2, position, "@5"), "A2-A1") == "occupied"


def test_a_glass_that_runs_out_in_the_hand_completes_its_turn() -> None:
    position = after_the_opening(LEVEL_2, OPEN_BOARD, A1=5)
    position = LEVEL_2.lift(LEVEL_2.elapse(position, Instant(5 * SECOND - 1)), BOARD.index["A1"])
    position = LEVEL_2.elapse(position, Instant(60 * SECOND))
    assert LEVEL_2.outcome(position) is None
    position = LEVEL_2.play(position, LEVEL_2.parse(position, "A1-B1"))
    assert sand(position, "B1") == 180 * SECOND


def test_a_dead_glass_that_is_put_back_is_dead() -> None:
    position = after_the_opening(LEVEL_2, OPEN_BOARD, A1=5)
    position = LEVEL_2.lift(position, BOARD.index["A1"])
    position = LEVEL_2.put_back(LEVEL_2.elapse(position, Instant(6 * SECOND)))
    assert LEVEL_2.outcome(position) == Outcome(None, "draw")


def test_a_glass_is_turned_when_it_is_put_down_even_if_its_ring_falls_later() -> None:
    position = after_the_opening(LEVEL_2, OPEN_BOARD, A1=50)
    lifted = LEVEL_2.lift(play(LEVEL_2, position, "@10"), BOARD.index["A1"])
    now = LEVEL_2.elapse(lifted, Instant(20 * SECOND))
    move = LEVEL_2.parse(now, "A1-B1")
    assert sand(LEVEL_2.play(now, move, placed_at=Instant(12 * SECOND)), "B1") == (180 - 38 - 8) * SECOND
    assert sand(LEVEL_2.play(now, move), "B1") == (180 - 30) * SECOND
    for wrong in (10 * SECOND - 1, 20 * SECOND + 1):
        with pytest.raises(ValueError, match="put down after it was lifted"):
            LEVEL_2.play(now, move, placed_at=Instant(wrong))


def test_a_player_whose_last_glass_dies_while_he_thinks_passes_from_that_instant_on() -> None:
    position = after_the_opening(LEVEL_2, OPEN_BOARD, A1=5, A2=4, A3=3, D1=100)
    assert not LEVEL_2.cannot_move(play(LEVEL_2, position, "@4.999999"))
    position = play(LEVEL_2, position, "@5")
    assert legal(LEVEL_2, position) == ["pass"]
    assert LEVEL_2.turn(play(LEVEL_2, position, "pass")) == "black"


def test_the_game_ends_at_the_instant_at_which_neither_can_move() -> None:
    position = after_the_opening(LEVEL_2, OPEN_BOARD._replace(rings_left=(20, 21)), A1=5, D1=7)
    for now, over in ((7 * SECOND - 1, False), (7 * SECOND, True), (7 * SECOND + 1, True)):
        outcome = LEVEL_2.outcome(LEVEL_2.elapse(position, Instant(now)))
        assert outcome == (Outcome("red", "fewest_rings") if over else None)


def one_way_each(**seconds: float) -> Position:
    return after_the_opening(LEVEL_2, position_of(ONE_WAY_EACH, left=(1, 1)), **seconds)


@pytest.mark.parametrize(
    ("seconds", "outcome"),
    [
        ({"D7": 10, "D1": 5, "G1": 60, "A1": 20}, Outcome("black", "last_running_glass")),
        ({"D7": 5, "D1": 10, "G1": 20, "A1": 60}, Outcome("red", "last_running_glass")),
        ({"D7": 5, "D1": 10, "G1": 60, "A1": 60}, Outcome(None, "draw")),
        ({"D7": 5, "D1": 10}, Outcome(None, "draw")),
        ({"D7": 5, "D1": 10, "G1": 10.000001}, Outcome("black", "last_running_glass")),
    ],
)
def test_equal_rings_are_decided_by_the_glass_that_stops_last(seconds: dict[str, float], outcome: Outcome) -> None:
    position = one_way_each(**seconds)
    at_the_end = play(LEVEL_2, position, "@10")
    assert LEVEL_2.outcome(play(LEVEL_2, position, "@9.999999")) is None
    assert LEVEL_2.outcome(at_the_end) == outcome
    # Judged at that instant, even by one who looks much later.
    assert LEVEL_2.outcome(play(LEVEL_2, position, "@1000")) == outcome
    assert LEVEL_2.deadline(at_the_end) is None


def test_sand_runs_on_after_the_end() -> None:
    position = play(LEVEL_2, one_way_each(D7=5, D1=10, G1=60), "@10", "@40")
    assert sand(position, "G1") == 20 * SECOND


def test_time_does_not_run_backwards() -> None:
    position = play(LEVEL_2, LEVEL_2.start(), "@10")
    assert LEVEL_2.elapse(position, Instant(9 * SECOND)) is position


def test_the_deadline_is_when_the_next_glass_runs_out() -> None:
    position = after_the_opening(LEVEL_2, OPEN_BOARD, A1=5, D1=9, G1=3)
    assert LEVEL_2.deadline(position) == 3 * SECOND
    assert LEVEL_2.deadline(play(LEVEL_2, position, "@3")) == 5 * SECOND


def test_level_1_knows_no_time() -> None:
    rules = Tamsk()
    assert rules.elapse(rules.start(), Instant(MINUTE)) == rules.start()
    assert rules.deadline(rules.start()) is None


def test_the_state_tells_seconds_of_every_glass() -> None:
    position = play(LEVEL_2, LEVEL_2.start(), "D1-E1", "@0.5")
    state = LEVEL_2.state(position)
    assert state["glasses"] == [
        {"player": player, "space": space, "remaining": 179.5 if space == "E1" else 0, "running": space == "E1"}
        for player, space in zip(["red"] * 3 + ["black"] * 3, ["E1", "A4", "G4", "A1", "G1", "D7"], strict=True)
    ]
    assert state["timer15"] == 0
    assert state["rings_left"] == {"red": 31, "black": 32}


@given(st.lists(st.integers(0, 30 * SECOND), min_size=2, max_size=8), st.integers(0, 2**32))
def test_waiting_in_steps_is_waiting_at_once(steps: list[int], chosen: int) -> None:
    position = after_the_opening(LEVEL_2, OPEN_BOARD, A1=5, A2=40, D1=30 + chosen % 7, G1=90)
    stepped = position
    for step in steps:
        stepped = LEVEL_2.elapse(stepped, Instant(stepped.now + step))
    assert stepped == LEVEL_2.elapse(position, stepped.now)
