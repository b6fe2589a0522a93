"""Any wiring that is described is read back to the same places, on shift registers and on expanders."""

from hypothesis import given
from hypothesis import strategies as st

from gnomon_pi.config import parse_board
from gnomon_pi.config.description import ChipPlace, Expanders, OnI2c, Output
from tests.firmware_config.files import expanders_of, sensors_of, text_of
from tests.firmware_config.wirings import CHAIN, EXPANDERS, SQUARES, tayu

USABLE = [bit for bit in range(32) if bit % 16 not in {7, 15}]
orders = st.permutations(SQUARES)


def bits(order: list[str], cut: int, moved: dict[str, int]) -> str:
    """The squares in two groups, and some of them moved."""
    groups = [f"[[sensors.bits]]\nplaces = {part}\ninputs = ['tile']\n" for part in (order[:cut], order[cut:]) if part]
    moves = "".join(f'"{square}.tile" = {bit}\n' for square, bit in moved.items())
    return "\n" + "".join(groups) + (f"[sensors.moved]\n{moves}" if moves else "")


@st.composite
def wirings(draw: st.DrawFn, usable: list[int]) -> tuple[str, dict[str, int]]:
    """What a description says of the bits, and the bit of each square."""
    order = draw(orders)
    moving = draw(st.lists(st.sampled_from(order), unique=True))
    kept = {square: usable[number] for number, square in enumerate(order) if square not in moving}
    free = draw(st.permutations([bit for bit in usable if bit not in kept.values()]))
    moved = dict(zip(moving, free, strict=False))
    return bits(order, draw(st.integers(0, len(order))), moved), kept | moved


@given(wirings(list(range(24))))
def test_a_chain_is_read_back_as_it_was_described(wiring: tuple[str, dict[str, int]]) -> None:
    written, wired = wiring
    sensors = sensors_of(parse_board(tayu(CHAIN, written), "my.toml"))
    assert {name: sensors.place(f"{name}.tile") for name in wired} == {
        name: ChipPlace(bit // 8, "ABCDEFGH"[bit % 8]) for name, bit in wired.items()
    }


@given(wirings(USABLE))
def test_expanders_are_read_back_as_they_were_described(wiring: tuple[str, dict[str, int]]) -> None:
    written, wired = wiring
    sensors = expanders_of(parse_board(tayu(EXPANDERS, written), "my.toml"))
    assert {name: sensors.place(f"{name}.tile") for name in wired} == {
        name: ChipPlace(bit // 16, f"GP{'AB'[bit % 16 // 8]}{bit % 8}") for name, bit in wired.items()
    }


def test_the_bundled_expanders_hold_every_input_on_usable_pins() -> None:
    sensors = expanders_of(parse_board(text_of("tamsk-expanders"), "my.toml"))
    plain = sensors_of(parse_board(text_of("tamsk"), "my.toml"))
    assert (sensors.inputs, sensors.strobed) == (plain.inputs, plain.strobed)
    assert sensors.chips == tuple(OnI2c(bus, address) for bus in (4, 6) for address in range(0x20, 0x25))
    assert (sensors.interrupt, sensors.emitters, sensors.active_low, sensors.scan_hz) == (4, Output(17), True, 100)
    assert sensors.bits == tuple(bit for bit in range(160) if bit % 16 not in {7, 15})
    assert sensors.place("A1.north") == ChipPlace(0, "GPA0")
    assert sensors.place("timer15.south") == ChipPlace(9, "GPB6")


def test_chips_may_have_tables_of_their_own_or_stand_in_one_list() -> None:
    listed = EXPANDERS[: EXPANDERS.index("[[")] + "chips = [{ bus = 1, address = 0x20 }, { bus = 1, address = 0x21 }]\n"
    assert parse_board(tayu(listed), "my.toml") == parse_board(tayu(EXPANDERS), "my.toml")


def test_what_an_expander_need_not_have_is_none() -> None:
    assert parse_board(tayu(EXPANDERS), "my.toml").sensors == Expanders(
        chips=(OnI2c(1, 0x20), OnI2c(1, 0x21)),
        interrupt=None,
        emitters=None,
        active_low=True,
        scan_hz=100,
        inputs=tuple(f"{square}.tile" for square in SQUARES),
        bits=(0, 1, 2, 3, 4, 5, 6, 8, 9),
        strobed=(False,) * 9,
    )
