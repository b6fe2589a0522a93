from math import dist, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.boards.hexes import HexBoard

BOARD = HexBoard.of_side(4)
boards = st.integers(1, 13).map(HexBoard.of_side)


def named(*names: str) -> set[int]:
    return {BOARD.index[name] for name in names}


def test_a_board_of_side_4_has_37_spaces_named_by_column_and_row() -> None:
    assert len(BOARD.names) == 37
    assert BOARD.names[:9] == ("A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4", "B5")
    assert BOARD.names[-1] == "G4"
    assert [len(column) for column in BOARD.columns] == [4, 5, 6, 7, 6, 5, 4]


@pytest.mark.parametrize(
    ("name", "around"),
    [
        ("F1", "F2 G1 E1 E2"),
        ("D4", "D3 D5 C3 C4 E3 E4"),
        ("D1", "D2 C1 E1"),
        ("A1", "A2 B1 B2"),
        ("G4", "G3 F4 F5"),
        ("C6", "C5 B5 D6 D7"),
        ("E6", "E5 F5 D6 D7"),
    ],
)
def test_a_space_touches_its_neighbours(name: str, around: str) -> None:
    space = BOARD.index[name]
    assert set(BOARD.neighbours[space]) == named(*around.split())
    assert BOARD.spaces(BOARD.neighbour_masks[space]) == tuple(sorted(named(*around.split())))


def test_there_are_90_edges_and_three_kinds_of_spaces() -> None:
    assert len(BOARD.edges) == 90
    degrees = [len(others) for others in BOARD.neighbours]
    assert (degrees.count(3), degrees.count(4), degrees.count(6)) == (6, 12, 19)


def test_column_a_is_left_and_row_1_is_at_the_bottom() -> None:
    left, low = BOARD.centre(BOARD.index["A1"])
    assert left == min(BOARD.centre(space)[0] for space in range(37))
    assert BOARD.centre(BOARD.index["A4"])[1] < low
    assert BOARD.centre(BOARD.index["D4"]) == (0, 0)
    assert BOARD.centre(BOARD.index["D1"]) == (0, 3)


@pytest.mark.parametrize(
    ("one", "other", "steps"), [("D4", "D4", 0), ("D1", "D7", 6), ("A1", "G4", 6), ("A4", "G4", 6), ("B2", "C4", 2)]
)
def test_the_distance_is_the_smallest_number_of_steps(one: str, other: str, steps: int) -> None:
    assert BOARD.distance(BOARD.index[one], BOARD.index[other]) == steps


@pytest.mark.parametrize("side", [0, 14])
def test_a_board_needs_a_side_and_letters_for_its_columns(side: int) -> None:
    with pytest.raises(ValueError, match=f"1 to 13 spaces, not {side}"):
        HexBoard.of_side(side)


def test_boards_of_one_side_are_equal_and_share_a_hash() -> None:
    assert HexBoard.of_side(3) == HexBoard.of_side(3)
    assert len({HexBoard.of_side(3), HexBoard.of_side(3), HexBoard.of_side(4)}) == 2


@given(boards)
def test_neighbours_are_exactly_the_spaces_one_unit_away(board: HexBoard) -> None:
    for space in range(len(board.names)):
        for other in board.neighbours[space]:
            assert space in board.neighbours[other]
            assert isclose(dist(board.centre(space), board.centre(other)), 1)
            assert board.distance(space, other) == 1
    assert len(board.edges) == 3 * (board.side - 1) * (3 * board.side - 2)  # of a hexagon of hexagons


@given(boards.filter(lambda board: board.side <= 5), st.data())
def test_every_step_away_has_a_step_nearer(board: HexBoard, data: st.DataObject) -> None:
    goal = data.draw(st.integers(0, len(board.names) - 1))
    for space in range(len(board.names)):
        steps = board.distance(space, goal)
        nearest = min((board.distance(other, goal) for other in board.neighbours[space]), default=0)
        assert steps == 0 if space == goal else nearest == steps - 1


@given(boards)
def test_names_rows_and_columns_agree(board: HexBoard) -> None:
    for number, column in enumerate(board.columns):
        for row, space in enumerate(column, start=1):
            assert (board.column(space), board.row(space)) == (number, row)
            assert board.index[board.names[space]] == space
