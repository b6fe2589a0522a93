from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.games.tamsk.rules import BOARD, CAPACITY, PLAYERS
from gnomon.games.tamsk.sensing.inputs import BUTTONS, INPUTS, start_inputs
from gnomon_pi.simulated._table import RINGS_EACH, ImpossibleActError, TableAct, TamskTable, Verb, changes

LEVELS = st.sampled_from((1, 2, 3))
# Few spaces, so that acts meet: the six corners, and neighbours that hold 1, 2, 3 and 4 rings.
SPACES = st.sampled_from(("D1", "A4", "G4", "A1", "G1", "D7", "D2", "D3", "D4", "E1"))
ACTS = st.builds(
    TableAct,
    verb=st.sampled_from(Verb),
    what=st.one_of(SPACES, st.sampled_from(BUTTONS)),
    player=st.sampled_from(PLAYERS),
    glass=st.one_of(st.none(), st.integers(0, 5)),
    turned=st.booleans(),
)

HEIGHTS: Final = dict(zip(BOARD.names, CAPACITY, strict=True))


def after(level: int, *acts: TableAct) -> TamskTable:
    """The table after acts, leaving out those that are impossible."""
    table = TamskTable.set_out(level)
    for act in acts:
        try:
            table = table.after(act)
        except ImpossibleActError:
            continue
    return table


def shown(table: TamskTable) -> set[str]:
    return {name for name, value in table.inputs().items() if value}


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_table_is_set_out_as_the_board_expects_it(level: int) -> None:
    table = TamskTable.set_out(level)
    assert tuple(table.inputs()) == INPUTS
    assert shown(table) == start_inputs(level)


def test_a_glass_that_is_moved_and_turned_shows_its_other_pole() -> None:
    lifted = TamskTable.set_out(2).lift("D1")
    assert changes(TamskTable.set_out(2), lifted) == (("D1.north", 0),)
    placed = lifted.place("D2", turned=True)
    assert changes(lifted, placed) == (("D2.south", 1),)
    assert placed.glass_on("D2") == 0


def test_a_glass_turned_in_the_hand_changes_no_input_until_it_stands() -> None:
    lifted = TamskTable.set_out(2).lift("D1")
    turned = lifted.turn_in_hand()
    assert changes(lifted, turned) == ()
    assert changes(turned, turned.place("D1")) == (("D1.south", 1),)


def test_the_glass_lifted_last_is_placed_first_unless_another_is_named() -> None:
    both = TamskTable.set_out(1).lift("D1").lift("A1")
    assert both.place("B2").glass_on("B2") == 3
    assert both.place("B2", 0).glass_on("B2") == 0


def test_a_glass_knocked_over_lies_beside_the_board_until_it_is_set_up() -> None:
    fallen = TamskTable.set_out(1).knock_over("D7")
    assert fallen.beside == (5,)
    assert "D7.north" not in shown(fallen)
    assert fallen.set_up("D7") == TamskTable.set_out(1)


def test_a_dropped_ring_raises_the_next_height_and_a_taken_one_lowers_the_top() -> None:
    one = TamskTable.set_out(1).drop_ring("D3", "red")
    two = one.drop_ring("D3", "black")
    assert changes(one, two) == (("D3.ring2", 1),)
    assert two.stacks["D3"] == ("red", "black")
    taken = two.take_ring("D3")
    assert changes(two, taken) == (("D3.ring2", 0),)
    assert taken == one


def test_the_15_second_glass_shows_its_other_pole_when_it_is_turned() -> None:
    lifted = TamskTable.set_out(3).lift_timer15()
    assert changes(TamskTable.set_out(3), lifted) == (("timer15.north", 0),)
    assert changes(lifted, lifted.put_timer15(turned=True)) == (("timer15.south", 1),)
    assert lifted.put_timer15(turned=False) == TamskTable.set_out(3)


@pytest.mark.parametrize("button", BUTTONS)
def test_a_button_shows_1_while_it_is_down(button: str) -> None:
    down = TamskTable.set_out(1).press(button)
    assert changes(TamskTable.set_out(1), down) == ((button, 1),)
    assert down.release(button) == TamskTable.set_out(1)


def full(space: str) -> TamskTable:
    table = TamskTable.set_out(3)
    while table.has_room(space):
        table = table.drop_ring(space, "red")
    return table


@pytest.mark.parametrize("space", BOARD.names)
def test_a_tube_holds_as_many_rings_as_the_board_says(space: str) -> None:
    assert len(full(space).stacks[space]) == HEIGHTS[space]
    with pytest.raises(ImpossibleActError, match=space):
        full(space).drop_ring(space, "red")


def without_rings(player: str) -> TamskTable:
    table = TamskTable.set_out(1)
    for space in BOARD.names:
        while table.has_room(space) and table.holders[player]:
            table = table.drop_ring(space, player)
    return table


@pytest.mark.parametrize(
    ("attempt", "sentence"),
    [
        (lambda: TamskTable.set_out(1).lift("D2"), "There is no glass on D2."),
        (lambda: TamskTable.set_out(1).lift("H9"), "There is no space 'H9' on this board."),
        (lambda: TamskTable.set_out(1).place("D2"), "There is no glass in the hand."),
        (lambda: TamskTable.set_out(1).lift("D1").place("D2", 3), "There is no such glass in the hand."),
        (lambda: TamskTable.set_out(1).lift("D1").place("A1"), "A glass stands on A1 already."),
        (lambda: TamskTable.set_out(1).turn_in_hand(), "There is no glass in the hand."),
        (lambda: TamskTable.set_out(1).knock_over("D2"), "There is no glass on D2."),
        (lambda: TamskTable.set_out(1).set_up("D2"), "There is no glass beside the board."),
        (lambda: TamskTable.set_out(1).take_ring("D2"), "There is no ring on D2."),
        (lambda: full("D2").drop_ring("D2", "red"), "The tube of D2 holds only 2 rings."),
        (lambda: full("D1").drop_ring("D1", "red"), "The tube of D1 holds only 1 ring."),
        (lambda: without_rings("black").drop_ring("G4", "black"), "There is no ring in the holder of Black."),
        (lambda: TamskTable.set_out(1).drop_ring("G4", ""), "There is no ring in the holder of nobody."),
        (lambda: TamskTable.set_out(1).lift_timer15(), "The 15-second glass is not on its stand."),
        (lambda: TamskTable.set_out(3).lift_timer15().lift_timer15(), "The 15-second glass is not on its stand."),
        (lambda: TamskTable.set_out(3).put_timer15(turned=True), "The 15-second glass is not in the hand."),
        (lambda: TamskTable.set_out(1).press("button.green"), "There is no button 'button.green' on this board."),
        (
            lambda: TamskTable.set_out(1).press("button.red").press("button.red"),
            "The button button.red is already down.",
        ),
        (lambda: TamskTable.set_out(1).release("button.red"), "The button button.red is not down."),
    ],
)
def test_the_physically_impossible_is_refused_with_one_sentence(
    attempt: Callable[[], TamskTable], sentence: str
) -> None:
    with pytest.raises(ImpossibleActError) as refusal:
        attempt()
    assert str(refusal.value) == sentence


@given(LEVELS, st.lists(ACTS, max_size=60))
def test_no_glass_and_no_ring_is_ever_lost(level: int, acts: list[TableAct]) -> None:
    table = after(level, *acts)
    assert sorted((*table.standing.values(), *table.in_hand, *table.beside)) == list(range(6))
    for player in PLAYERS:
        on_board = sum(stack.count(player) for stack in table.stacks.values())
        assert on_board + table.holders[player] == RINGS_EACH


@given(LEVELS, st.lists(ACTS, max_size=60))
def test_the_inputs_are_physically_possible(level: int, acts: list[TableAct]) -> None:
    inputs = after(level, *acts).inputs()
    assert tuple(inputs) == INPUTS
    for space, capacity in HEIGHTS.items():
        assert inputs[f"{space}.north"] + inputs[f"{space}.south"] <= 1
        heights = [inputs[f"{space}.ring{height}"] for height in range(1, capacity + 1)]
        assert heights == sorted(heights, reverse=True)
    assert inputs["timer15.north"] + inputs["timer15.south"] <= (level == 3)


@given(LEVELS, st.lists(ACTS, max_size=40), ACTS)
def test_an_act_changes_at_most_one_input(level: int, acts: list[TableAct], last: TableAct) -> None:
    table = after(level, *acts)
    changed = changes(table, after(level, *acts, last))
    assert len(changed) <= 1
    assert all(value != table.inputs()[name] for name, value in changed)
