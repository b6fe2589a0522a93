import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.boards.squares import SquareBoard

BOARD = SquareBoard.of_size(4, 3)
boards = st.builds(SquareBoard.of_size, st.integers(1, 26), st.integers(1, 30))


def squares(board: SquareBoard, names: str) -> int:
    return sum(1 << board.index[name] for name in names.split())


def test_squares_are_named_by_column_and_row_from_the_lower_left() -> None:
    assert list(BOARD.names.values()) == ["a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2", "a3", "b3", "c3", "d3"]
    assert list(BOARD.names) == sorted(BOARD.names)
    assert squares(BOARD, " ".join(BOARD.index)) == BOARD.full


def test_an_edge_lies_between_a_square_and_the_one_to_its_right_or_above_it() -> None:
    pairs = {BOARD.names[edge.lower] + BOARD.names[edge.higher] for edge in BOARD.edges}
    across = {"a1b1", "b1c1", "c1d1", "a2b2", "b2c2", "c2d2", "a3b3", "b3c3", "c3d3"}
    upward = {"a1a2", "a2a3", "b1b2", "b2b3", "c1c2", "c2c3", "d1d2", "d2d3"}
    assert pairs == across | upward


def test_edges_between_two_sets_are_found_whichever_set_holds_the_lower_square() -> None:
    # . y . .     y: one set, x: the other
    # x y . y
    # x . . x
    one, other = squares(BOARD, "b3 b2 d2"), squares(BOARD, "a2 a1 d1")
    between = BOARD.edges_between(one, other)
    found = {BOARD.names[edge.lower] + BOARD.names[edge.higher] for edge in BOARD.edges if between >> edge.number & 1}
    assert found == {"a2b2", "d1d2"}
    assert BOARD.edges_between(other, one) == between


def test_a_group_holds_together_by_sides_and_not_by_corners() -> None:
    # x x . x
    # . x . .
    # x . x x
    mask = squares(BOARD, "a3 b3 b2 d3 a1 c1 d1")
    groups = {squares(BOARD, names) for names in ("a3 b3 b2", "d3", "a1", "c1 d1")}
    assert set(BOARD.groups(mask)) == groups


def test_the_end_of_a_row_does_not_touch_the_beginning_of_the_next() -> None:
    assert len(list(BOARD.groups(squares(BOARD, "d1 a2")))) == 2
    assert BOARD.edges_between(squares(BOARD, "d1"), squares(BOARD, "a2")) == 0


@pytest.mark.parametrize(("columns", "rows"), [(0, 3), (3, 0), (27, 3)])
def test_a_board_needs_rows_and_letters_for_its_columns(columns: int, rows: int) -> None:
    with pytest.raises(ValueError, match=f"1 to 26 columns and at least one row, not {columns} x {rows}"):
        SquareBoard.of_size(columns, rows)


def test_boards_of_one_size_are_equal_and_share_a_hash() -> None:
    assert SquareBoard.of_size(3, 4) == SquareBoard.of_size(3, 4)
    assert len({SquareBoard.of_size(3, 4), SquareBoard.of_size(3, 4), SquareBoard.of_size(4, 3)}) == 2


@given(boards)
def test_a_board_has_as_many_squares_and_edges_as_it_should(board: SquareBoard) -> None:
    assert len(board.names) == len(board.index) == board.full.bit_count() == board.columns * board.rows
    assert len(board.edges) == 2 * board.columns * board.rows - board.columns - board.rows
    every = sum(1 << edge.number for edge in board.edges)
    assert every.bit_count() == len(board.edges)
    assert board.edges_between(board.full, board.full) == every


@given(boards, st.data())
def test_groups_part_a_set_of_squares_and_do_not_touch(board: SquareBoard, data: st.DataObject) -> None:
    mask = data.draw(st.integers(0, board.full)) & board.full
    groups = list(board.groups(mask))
    assert sum(groups) == mask
    for group in groups:
        assert board.edges_between(group, mask ^ group) == 0
        assert len(list(board.groups(group))) == 1
