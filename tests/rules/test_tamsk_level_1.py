import pytest

from gnomon.games.tamsk.rules import BOARD, CAPACITY, FLIP15, LOST, PASS, START, Move, Position, Tamsk
from gnomon.rules.perft import perft
from gnomon.rules.protocol import GameOverError, IllegalMoveError, NotationError, Outcome
from tests.rules.drawn import drawing_of, drawn, play, position_of
from tests.rules.playing import code_of, legal

OPTIONAL = Tamsk()
AUTO = Tamsk.from_settings({"ring": "auto"})

OPENING = """
                b
            .       .
        .       .       .
    r       .       .       r
        .       .       .
    .       .       .       .
        .       .       .
    .       .       .       .
        .       .       .
    b       .       .       b
        .       .       .
            .       .
                r
"""

# Red on D4, D5 and D3, black far away; D4's neighbours are full but for E4.
CROWDED = position_of("""
                b
            .       .
        .       .       .
    .       .       .       .
        .       r       .
    .       3       .       .
        .       r4      .
    .       3       3       .
        .       r       .
    .       .       .       b
        .       .       .
            .       .
                b
""")

# Everything is full but D6 and E6, which only the red glass on D7 can reach: three rings are left.
NEARLY_FULL = """
                r1
            1       .
        1       .       1
    1       2       2       1
        2       3       2
    1       3       3       1
        2       4       2
    1       3       3       1
        2       3       2
    1       2       2       1
        b1      2       r1
            b1      r1
                b1
"""


def test_the_game_begins_with_glasses_in_the_corners_and_red_on_turn() -> None:
    start = OPTIONAL.start()
    assert drawing_of(start) == drawn(OPENING)
    assert [BOARD.names[space] for space in START] == ["D1", "A4", "G4", "A1", "G1", "D7"]
    assert OPTIONAL.turn(start) == "red"
    assert OPTIONAL.score(start) == {"red": 32, "black": 32}
    assert sum(CAPACITY) == 64
    assert [CAPACITY[BOARD.index[name]] for name in ("D4", "D3", "C2", "A1")] == [4, 3, 2, 1]


def test_a_turn_moves_a_glass_and_may_drop_a_ring_on_its_destination() -> None:
    position = play(OPTIONAL, OPTIONAL.start(), "D1-D2", "G1-F1x", "D2-E2=")
    assert drawing_of(position) == drawn("""
                    b
                .       .
            .       .       .
        r       .       .       r
            .       .       .
        .       .       .       .
            .       .       .
        .       .       .       .
            .       .       .
        b       .       r       .
            .       1       b1
                .       .
                    .
    """)
    assert position.rings_left == (31, 31)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("D1-D3", "not_adjacent"),
        ("D4-D5", "no_glass"),
        ("D7-D6", "not_yours"),
        ("pass", "must_move"),
        ("lost", "not_lost"),
        ("+D2", "must_move"),
        ("D1-D2x", "not_full"),
        ("D1-D2,+D3", "two_rings"),
        ("+D2,D1-D2", "ring_elsewhere"),
        ("lift:D1", "no_lift"),
        ("flip15", "no_timer15"),
    ],
)
def test_what_the_rules_do_not_allow_is_refused_with_its_code(text: str, code: str) -> None:
    assert code_of(OPTIONAL, OPTIONAL.start(), text) == code


def test_a_refusal_names_its_rule_and_its_space() -> None:
    with pytest.raises(IllegalMoveError, match=r"^rule 1: D3 is not next to D1$"):
        OPTIONAL.parse(OPTIONAL.start(), "D1-D3")


def test_a_full_space_is_closed_to_entry_but_may_be_left() -> None:
    assert code_of(OPTIONAL, CROWDED, "D4-C4") == "full"
    assert code_of(OPTIONAL, CROWDED, "D4-D5") == "occupied"
    position = play(OPTIONAL, CROWDED, "D4-E4=", "D7-D6=")
    assert code_of(OPTIONAL, position, "E4-D4") == "full"
    assert [text for text in legal(OPTIONAL, CROWDED) if text.startswith("D4-")] == ["D4-E4", "D4-E4="]


def test_a_ring_that_was_not_dropped_may_be_dropped_by_the_opponent_from_his_own_holder() -> None:
    position = play(OPTIONAL, OPTIONAL.start(), "D1-D2=", "+D2,A1-A2")
    assert position.rings_on(BOARD.index["D2"]) == 1
    assert position.rings_left == (32, 30)


def test_the_right_to_the_forgotten_ring_lapses_with_the_opponents_move() -> None:
    position = play(OPTIONAL, OPTIONAL.start(), "D1-D2=", "A1-A2", "A4-A3x")
    assert code_of(OPTIONAL, position, "+D2,A2-B2") == "ring_elsewhere"


def test_a_ring_that_fills_its_space_is_marked_and_the_mark_is_optional_on_input() -> None:
    start = OPTIONAL.start()
    move = OPTIONAL.parse(start, "D1-E1")
    assert move == OPTIONAL.parse(start, "D1-E1x")
    assert OPTIONAL.text(start, move) == "D1-E1x"
    assert OPTIONAL.text(start, OPTIONAL.parse(start, "D1-D2")) == "D1-D2"


@pytest.mark.parametrize(
    "text",
    ["", "D1D2", "d1-d2", "D1-D2=x", "D1-D2 ", "D1-H1", "D1-D8", "D1-D2,D3", "+D1,+D2", "PASS", "lift:Z9", "D1-D2\n"],
)
def test_text_that_is_no_move_in_any_position_is_a_notation_error(text: str) -> None:
    with pytest.raises(NotationError):
        OPTIONAL.parse(OPTIONAL.start(), text)


def test_a_player_who_cannot_move_passes_turn_by_turn_until_he_can_again() -> None:
    walled_in = position_of(
        """
                    r
                1       1
            .       b       .
        .       .       .       b
            .       .       .
        .       .       .       .
            .       .       .
        1       .       .       1
            2       .       2
        r       .       .       r
            1       .       1
                .       b
                    .
        """
    )
    assert legal(OPTIONAL, walled_in) == ["pass"]
    still = play(OPTIONAL, walled_in, "pass", "E1-D1=")
    assert legal(OPTIONAL, still) == ["pass"]  # Rule 3: a forced pass is no turn to use the forgotten ring in.
    assert play(OPTIONAL, still, "pass").forgotten == -1
    assert legal(OPTIONAL, play(OPTIONAL, still, "pass", "D6-D5")) == ["D7-D6", "D7-D6="]


def test_with_no_ring_left_at_the_start_of_a_turn_there_is_no_move() -> None:
    position = position_of(OPENING, left=(0, 32))
    assert legal(OPTIONAL, position) == ["pass"]
    assert OPTIONAL.cannot_move(position)
    assert code_of(OPTIONAL, position, "D1-D2=") == "must_pass"
    assert OPTIONAL.turn(play(OPTIONAL, position, "pass")) == "black"


def test_the_last_ring_may_go_to_the_forgotten_space_and_the_move_is_then_made_without() -> None:
    position = position_of(OPENING, mover="red", left=(32, 1))
    position = play(OPTIONAL, position, "D1-D2=")
    with_forgotten = [text for text in legal(OPTIONAL, position) if text.startswith("+")]
    assert with_forgotten
    assert all(text.endswith("=") for text in with_forgotten)
    assert code_of(OPTIONAL, position, "+D2,A1-A2") == "no_ring"
    position = play(OPTIONAL, position, "+D2,A1-A2=")
    assert position.rings_left == (32, 0)


def test_the_game_ends_when_neither_can_move_and_the_fewest_rings_left_win() -> None:
    position = play(OPTIONAL, position_of(NEARLY_FULL, left=(2, 1)), "D7-D6", "pass")
    assert OPTIONAL.turn(position) == "red"
    position = play(OPTIONAL, position, "D6-E6x")
    assert OPTIONAL.outcome(position) == Outcome("red", "fewest_rings")
    assert OPTIONAL.turn(position) == "over"
    assert OPTIONAL.legal_moves(position) == ()
    with pytest.raises(GameOverError):
        OPTIONAL.play(position, PASS)
    with pytest.raises(GameOverError):
        OPTIONAL.lift(position, BOARD.index["E6"])
    with pytest.raises(GameOverError):
        OPTIONAL.turn_timer15(position)
    assert not OPTIONAL.lost_is_due(position)


def test_equal_rings_are_a_draw_at_level_1() -> None:
    position = play(OPTIONAL, position_of(NEARLY_FULL, left=(3, 0)), "D7-D6", "pass", "D6-E6x", "pass", "E6-D6x")
    assert OPTIONAL.outcome(position) == Outcome(None, "draw")


@pytest.mark.parametrize(("left", "winner"), [((9, 7), "black"), ((7, 9), "red"), ((8, 8), None)])
def test_64_turns_without_a_ring_end_the_game_and_it_is_scored_as_it_stands(
    left: tuple[int, int], winner: str | None
) -> None:
    position = position_of(OPENING, left=left)._replace(idle=62)
    position = play(OPTIONAL, position, "D1-D2=")
    assert OPTIONAL.outcome(position) is None
    dropped = play(OPTIONAL, position, "+D2,D7-D6=")
    assert dropped.idle == 0
    assert OPTIONAL.outcome(play(OPTIONAL, position, "D7-D6=")) == Outcome(winner, "stall")


def test_passes_count_for_a_stall_and_the_setting_0_switches_it_off() -> None:
    for stall, over in (("3", True), ("0", False)):
        rules = Tamsk.from_settings({"stall": stall})
        position = play(rules, position_of(OPENING, left=(0, 32)), "pass", "D7-D6=", "pass")
        assert (rules.outcome(position) is not None) is over


def test_with_the_ring_set_to_auto_it_always_falls_and_is_never_forgotten() -> None:
    start = AUTO.start()
    assert code_of(AUTO, start, "D1-D2=") == "ring_due"
    position = play(AUTO, start, "D1-D2")
    assert position.forgotten == -1
    assert code_of(AUTO, position, "+D2,A1-A2") == "ring_elsewhere"
    assert Tamsk.from_settings({"ring": "auto", "stall": 1}).settings.stalls_after == 0


def test_a_glass_may_be_lifted_and_put_back_or_moved_on() -> None:
    start = OPTIONAL.start()
    lifted = OPTIONAL.lift(start, BOARD.index["D1"])
    assert {move.origin for move in OPTIONAL.legal_moves(lifted)} == {BOARD.index["D1"]}
    assert not OPTIONAL.cannot_move(lifted)
    assert code_of(OPTIONAL, lifted, "A4-A3") == "in_the_air"
    assert OPTIONAL.put_back(lifted) == start
    assert OPTIONAL.play(lifted, OPTIONAL.parse(lifted, "D1-D2")) == play(OPTIONAL, start, "D1-D2")


@pytest.mark.parametrize(
    ("space", "code"), [("A1", "not_yours"), ("D4", "no_glass"), ("D1", "in_the_air"), ("A4", "in_the_air")]
)
def test_only_one_glass_of_ones_own_can_be_lifted(space: str, code: str) -> None:
    start = OPTIONAL.start()
    position = OPTIONAL.lift(start, BOARD.index["D1"]) if code == "in_the_air" else start
    with pytest.raises(IllegalMoveError) as caught:
        OPTIONAL.lift(position, BOARD.index[space])
    assert caught.value.code == code


def test_a_glass_with_nowhere_to_go_is_not_lifted_and_nothing_is_put_back_that_is_not_in_the_air() -> None:
    position = play(OPTIONAL, CROWDED, "D5-E5=", "D7-D6=", "E5-E4=", "D6-D5=")
    with pytest.raises(IllegalMoveError) as caught:
        OPTIONAL.lift(position, BOARD.index["D4"])
    assert caught.value.code == "blocked"
    with pytest.raises(IllegalMoveError) as caught:
        OPTIONAL.put_back(position)
    assert caught.value.code == "not_lifted"


@pytest.mark.parametrize(
    "move",
    [
        Move(),
        Move(kind="castle"),
        PASS._replace(origin=3),
        LOST._replace(ring=True),
        FLIP15._replace(free=1),
        Move(origin=99, kind="lift"),
        Move(free=99, kind="free"),
        Move(origin=15, target=99),
        Move(origin=15, target=16, forgotten=99),
    ],
)
@pytest.mark.parametrize("level", [1, 3])
def test_moves_that_no_text_can_say_are_refused(move: Move, level: int) -> None:
    rules = Tamsk.from_settings({"level": level})
    with pytest.raises(IllegalMoveError):
        rules.play(rules.start(), move)


@pytest.mark.parametrize(
    ("settings", "figures"),
    [
        ({"ring": "auto"}, [1, 9, 81, 858, 8994]),
        ({}, [1, 18, 486, 15444]),
        ({"level": 2}, [1, 18, 486, 8748]),
        ({"level": 2, "ring": "auto"}, [1, 9, 81, 486, 2916]),
        ({"level": 3}, [1, 18, 486, 8748]),
    ],
)
def test_the_check_figures_come_out(settings: dict[str, str | int], figures: list[int]) -> None:
    rules = Tamsk.from_settings(settings)
    assert [perft(rules, rules.start(), turns) for turns in range(len(figures))] == figures


def test_without_the_forgotten_ring_the_check_figures_come_out_too() -> None:
    def count(position: Position, turns: int) -> int:
        moves = [move for move in OPTIONAL.legal_moves(position) if move.forgotten < 0]
        return sum(count(OPTIONAL.play(position, move), turns - 1) for move in moves) if turns else 1

    assert [count(OPTIONAL.start(), turns) for turns in range(4)] == [1, 18, 324, 6864]
