"""What is concluded from a walk where one fault hides another, and what is said of it."""

from dataclasses import replace

from gnomon.refusals import statement
from gnomon.words import words
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.simulated.miswired import Miswiring
from gnomon_pi.tools.walk.conclusions import (
    BRIDGED,
    CHATTERS,
    DEAD,
    LEVEL,
    MAGNETS,
    MOVED,
    SHARED,
    SWAPPED,
    Discrepancy,
    conclude,
    table,
)
from gnomon_pi.tools.walk.steps import Do
from gnomon_pi.tools.walk.wires import BitLevels, mask
from gnomon_pi.tools.walk.wiring_inference import Walk, begin_walk
from tests.walk.boards import bits, bundled, follow, sensors_of, with_bits

BOARD = bundled("tamsk").board
BITS = bits(BOARD)


def found(miswiring: Miswiring, *only: str) -> tuple[dict[str, str], dict[str, int]]:
    """The kinds that were found at the first sockets and at some more, and the bits that are not as described."""
    _, conclusion = follow(BOARD, miswiring, only=("A1", "A2", "A3", "A4", *only))
    moved = {name: bit for name, bit in bits(conclusion.board).items() if bit != BITS[name]}
    return {each.subject: each.kind for each in conclusion.found}, moved


def told(**answered: tuple[int, ...]) -> Walk:
    """A walk on which these bits answered; `D4_north` stands for `D4.north`."""
    return replace(begin_walk(BOARD), answered={name.replace("_", "."): there for name, there in answered.items()})


def swapped_poles(*places: str) -> dict[str, int]:
    """Bits with the wires of both poles of places exchanged."""
    poles = {"north": "south", "south": "north"}
    return {f"{place}_{pole}": BITS[f"{place}.{other}"] for place in places for pole, other in poles.items()}


def test_poles_that_are_exchanged_everywhere_are_a_matter_of_magnets_not_of_wires() -> None:
    kinds, moved = found(Miswiring(BOARD, magnets_turned=True), "timer15")
    # The stand has a glass of its own: its wires are believed.
    assert kinds == {"glasses": MAGNETS, "timer15.south": SWAPPED, "timer15.north": SWAPPED}
    assert set(moved) == {"timer15.south", "timer15.north"}


def test_poles_that_are_exchanged_at_some_sockets_are_swapped_wires() -> None:
    wired = with_bits(BOARD, **swapped_poles("B2", "E4"))
    kinds, moved = found(Miswiring(wired), "B2", "E4")
    assert kinds == dict.fromkeys(("B2.north", "B2.south", "E4.north", "E4.south"), SWAPPED)
    assert moved == {name: bits(wired)[name] for name in kinds}


def test_sockets_that_are_right_among_turned_magnets_are_the_swapped_ones() -> None:
    wired = with_bits(BOARD, **swapped_poles("B2"))
    kinds, moved = found(Miswiring(wired, magnets_turned=True), "B2")
    assert {name for name, kind in kinds.items() if kind == SWAPPED} >= {"B2.north", "B2.south"}
    assert moved["B2.north"] == BITS["B2.south"]


def test_a_bridge_is_told_at_both_its_ends() -> None:
    kinds, moved = found(Miswiring(BOARD, bridged=(("C2.south", "F4.south"),)), "C2", "F4")
    assert kinds == {"C2.south": BRIDGED, "F4.south": BRIDGED}
    assert moved == {}


def test_a_dead_input_gives_its_place_to_the_one_that_lies_there() -> None:
    wired = with_bits(BOARD, B1_north=BITS["E1.north"], E1_north=BITS["B1.north"])
    kinds, moved = found(Miswiring(wired, dead=frozenset(("E1.north",))), "B1", "E1")
    assert kinds == {"B1.north": MOVED, "E1.north": DEAD}
    assert moved == {"B1.north": BITS["E1.north"], "E1.north": BITS["B1.north"]}


def test_what_chatters_elsewhere_than_described_is_told_where_it_does() -> None:
    wired = with_bits(BOARD, B1_north=141)
    kinds, _ = found(Miswiring(wired, chattering=frozenset(("B1.north",))), "B1")
    assert kinds == {"B1.north": DEAD, "bit 141": CHATTERS}


def test_an_input_that_lost_its_place_goes_where_something_is_wired() -> None:
    walk = told(B1_north=(BITS["E1.north"],), E1_north=())
    assert bits(conclude(walk).board)["E1.north"] == BITS["B1.north"]
    assert bits(conclude(replace(walk, chattering=1 << 143)).board)["E1.north"] == 143
    moved = with_bits(BOARD, A1_north=141)  # which leaves bit 0 spare
    walk = replace(told(A1_north=(BITS["E1.north"],), E1_north=()), board=moved)
    assert bits(conclude(walk).board)["E1.north"] == 141


def test_of_a_board_that_is_hardly_wired_one_place_can_be_walked() -> None:
    wired = with_high(BOARD)
    open_inputs = frozenset(BOARD.inputs) - {"D4.north", "D4.south", "D4.ring1"}
    walk = begin_walk(BOARD, only=("D4",))
    _, conclusion = follow(BOARD, Miswiring(wired, chattering=open_inputs), only=("D4",))
    assert {step.place for step in walk.steps} == {"D4"}
    assert [(each.subject, each.kind) for each in conclusion.found] == [
        ("D4.ring2", CHATTERS),
        ("D4.ring3", CHATTERS),
        ("D4.ring4", CHATTERS),
        ("sensors", CHATTERS),
        ("sensors", LEVEL),
    ]
    assert not sensors_of(conclusion.board).active_low


def with_high(board: BoardDescription) -> BoardDescription:
    """The board with inputs that are on when they are high."""
    return replace(board, sensors=replace(sensors_of(board), active_low=False))


def test_two_inputs_cannot_be_learnt_on_one_bit() -> None:
    at = BITS["A1.north"]
    conclusion = conclude(told(A1_north=(at,), A2_north=(at,)))
    (first,) = conclusion.found
    assert (first.subject, first.kind, str(first.where)) == ("A2.north", SHARED, "register 0, pin A")
    assert bits(conclusion.board) == BITS


def test_a_board_that_was_not_empty_does_not_decide_which_level_is_on() -> None:
    half = mask(sensors_of(BOARD).bits[::2])
    conclusion = conclude(replace(begin_walk(BOARD), plain=BitLevels(half, half)))
    assert [(each.subject, each.kind) for each in conclusion.found] == [("sensors", LEVEL)]
    assert sensors_of(conclusion.board).active_low


def test_emitters_that_make_no_difference_are_told_and_decide_nothing() -> None:
    conclusion = conclude(replace(told(A1_ring1=(BITS["A1.ring1"],)), lit_high={"A1.ring1": None}))
    assert [each.subject for each in conclusion.found] == ["A1.ring1"]
    assert sensors_of(conclusion.board).emitters == sensors_of(BOARD).emitters


def test_a_buzzer_that_sounds_at_either_level_or_at_none_is_broken() -> None:
    board = bundled("tamsk", unknown=True).board
    for heard in (True, False):
        conclusion = conclude(replace(begin_walk(board), said={Do.HEAR_HIGH: heard, Do.HEAR_LOW: heard}))
        assert [(each.subject, each.kind, str(each.where)) for each in conclusion.found] == [
            ("buzzer", DEAD, "GPIO 12")
        ]
        assert conclusion.board.buzzer == board.buzzer
    silent = conclude(replace(begin_walk(BOARD), said={Do.HEAR_TONE: False}))
    assert [each.subject for each in silent.found] == ["buzzer"]


def test_a_button_that_is_dead_or_shares_a_pin_leaves_every_button_a_pin() -> None:
    walk = replace(
        begin_walk(BOARD), pressed={"button.red": "", "button.black": "button.red", "button.arbiter": "button.red"}
    )
    conclusion = conclude(walk)
    assert {each.subject: each.kind for each in conclusion.found} == {
        "button.red": DEAD,
        "button.black": SWAPPED,
        "button.arbiter": SHARED,
    }
    pins = {button.name: button.pin for button in conclusion.board.buttons}
    assert pins == {"button.red": 6, "button.black": 5, "button.arbiter": 26}


def test_lights_that_do_not_show_are_told() -> None:
    conclusion = conclude(replace(begin_walk(BOARD), said={Do.SEE_LIGHT: False}))
    assert [each.subject for each in conclusion.found] == ["lights"]


def test_the_table_names_what_it_is_and_where_to_look() -> None:
    walk = told(D4_north=(141,), D4_south=())
    conclusion = conclude(walk)
    assert list(table(conclusion)) == [
        "1 inputs and buttons answered, 141 were not checked.",
        "  what      is     where to look",
        "  D4.north  moved  register 17, pin F",
        "            It is wired to a spare pin, not at register 4, pin E.",
        "  D4.south  dead   register 4, pin F",
        "            It does not answer: look at its sensor, its solder and its wire.",
    ]
    dead = statement("walk.found.dead")
    assert conclusion.found[1] == Discrepancy(
        "D4.south", DEAD, dead, statement("walk.where.register", register=4, pin="F")
    )
    assert list(table(conclusion, words("de")))[1:4] == [
        "  was       ist       wo nachzusehen ist",
        "  D4.north  versetzt  Register 17, Pin F",
        "            Es liegt an einem freien Pin, nicht an Register 4, Pin E.",
    ]
