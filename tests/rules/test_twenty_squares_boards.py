from fractions import Fraction

import pytest

from gnomon.boards.routes import RouteBoard, asha, double_for_four, double_for_two, jiroft, twenty_squares
from gnomon.games.twenty_squares.rules import TwentySquaresSettings, odds
from tests.rules.playing import legal_texts
from tests.rules.twenty_squares_drawn import rules_of

TAU = rules_of()
TEAMS = rules_of(board="double", players=4)


# The boards


def walk(board: RouteBoard, player: int) -> str:
    return " ".join(square + "*" * (square in board.rosettes) for square in board.routes[player])


def test_player_1_walks_16_steps_through_his_side_row_and_the_middle_row() -> None:
    assert walk(twenty_squares(), 0) == "d1 c1 b1 a1* a2 b2 c2 d2* e2 f2 g2 h2* i2 j2 k2 l2*"
    assert walk(twenty_squares(), 1) == "d3 c3 b3 a3* a2 b2 c2 d2* e2 f2 g2 h2* i2 j2 k2 l2*"


def test_the_double_board_is_left_through_a_side_row_of_the_far_block_or_before_it() -> None:
    long, short = double_for_two(short=False), double_for_two(short=True)
    middle = "a2 b2 c2 d2* e2 f2 g2 h2* i2 j2 k2 l2* m2 n2 o2"
    assert walk(long, 0) == f"d1 c1 b1 a1* {middle} o1* n1 m1 l1"
    assert walk(long, 1) == f"d3 c3 b3 a3* {middle} o3* n3 m3 l3"
    assert walk(short, 0) == f"d1 c1 b1 a1* {middle}"
    assert walk(short, 1) == f"d3 c3 b3 a3* {middle}"


def test_on_the_double_board_two_teams_of_two_run_against_each_other() -> None:
    board = double_for_four()
    up, down = "a2 b2 c2 d2* e2 f2 g2 h2* i2 j2 k2 l2* m2 n2 o2", "o2 n2 m2 l2* k2 j2 i2 h2* g2 f2 e2 d2* c2 b2 a2"
    assert [walk(board, player) for player in range(4)] == [
        f"d1 c1 b1 a1* {up}",
        f"l1 m1 n1 o1* {down}",
        f"d3 c3 b3 a3* {up}",
        f"l3 m3 n3 o3* {down}",
    ]
    assert TEAMS.team("p1") == TEAMS.team("p3") == ["p1", "p3"]
    assert TEAMS.team("p2") == TEAMS.team("p4") == ["p2", "p4"]


def test_the_short_board_of_jiroft_has_12_steps() -> None:
    assert walk(jiroft(), 0) == "d1 c1 b1 a1* a2 b2 c2 d2* e2 f2 g2 h2*"
    assert walk(jiroft(), 1) == "d3 c3 b3 a3* a2 b2 c2 d2* e2 f2 g2 h2*"


def test_asha_has_15_steps_no_rosettes_and_a_marked_last_square() -> None:
    assert walk(asha(), 0) == "e1 d1 c1 b1 a1 a2 b2 c2 d2 e2 f2 g2 h2 i2 j2"
    assert walk(asha(), 1) == "e3 d3 c3 b3 a3 a2 b2 c2 d2 e2 f2 g2 h2 i2 j2"
    assert asha().marked == {"j2"}


@pytest.mark.parametrize(
    ("board", "squares", "rosettes"),
    [
        (twenty_squares(), 20, "a1 a3 d2 h2 l2"),
        (double_for_two(short=False), 31, "a1 a3 d2 h2 l2 o1 o3"),
        (double_for_two(short=True), 31, "a1 a3 d2 h2 l2 o1 o3"),
        (double_for_four(), 31, "a1 a3 d2 h2 l2 o1 o3"),
        (jiroft(), 16, "a1 a3 d2 h2"),
        (asha(), 20, ""),
    ],
)
def test_a_board_has_its_squares_and_its_rosettes(board: RouteBoard, squares: int, rosettes: str) -> None:
    assert len(set(board.squares)) == len(board.squares) == squares
    assert sorted(board.rosettes) == rosettes.split()
    assert {board.place(square) for square in board.squares} == {
        (ord(square[0]) - ord("a"), int(square[1])) for square in board.squares
    }


# The throws


def test_four_sticks_throw_one_to_four_flat_sides_and_five_for_none() -> None:
    assert TAU.odds == {
        1: Fraction(4, 16),
        2: Fraction(6, 16),
        3: Fraction(4, 16),
        4: Fraction(1, 16),
        5: Fraction(1, 16),
    }
    assert legal_texts(TAU, TAU.start()) == {"throw:1", "throw:2", "throw:3", "throw:4", "throw:5"}


def test_a_cube_throws_one_to_five_alike_as_a_six_is_thrown_again() -> None:
    assert rules_of(dice="cube").odds == dict.fromkeys(range(1, 6), Fraction(1, 5))


def test_five_cowries_throw_one_to_five_and_six_for_none() -> None:
    assert list(rules_of(dice="cowries").odds.items()) == [
        (1, Fraction(5, 32)),
        (2, Fraction(10, 32)),
        (3, Fraction(10, 32)),
        (4, Fraction(5, 32)),
        (5, Fraction(1, 32)),
        (6, Fraction(1, 32)),
    ]


def test_aseb_throws_nought_to_four() -> None:
    assert odds(TwentySquaresSettings(ruleset="aseb")) == {
        0: Fraction(1, 16),
        1: Fraction(4, 16),
        2: Fraction(6, 16),
        3: Fraction(4, 16),
        4: Fraction(1, 16),
    }
