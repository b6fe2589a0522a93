"""The descriptions that come with the program: each is in order, within its supply, and differs as it is named."""

import pytest

from gnomon_pi.config import BoardError, bundled_sizes, load_bundled, variants
from gnomon_pi.config.description import BOARDS, BoardDescription, Chain, Expanders, OnI2c
from gnomon_pi.config.power import FIVE, THREE, budget, total_current
from tests.firmware_config.files import FOLDER, sensors_of

ALL = {
    (board, size, variant): load_bundled(board, size, variant)
    for board in BOARDS
    for size in (bundled_sizes() if board == "tayu" else (None,))
    for variant in ("", *variants(board))
}
boards = pytest.mark.parametrize("board", ALL.values(), ids=map(str, ALL))


def test_every_file_is_a_board_a_size_and_a_variant() -> None:
    assert {board: variants(board) for board in BOARDS} == {
        "tamsk": ["boards", "expanders", "no-lights", "one-space", "single-pole"],
        "tayu": ["boards", "pn532"],
        "table": ["clock", "clock-lights", "pn532"],
    }
    assert len(ALL) == sum(1 for file in FOLDER.iterdir() if file.name.endswith(".toml"))


@boards
def test_it_draws_no_more_than_its_supplies_give(board: BoardDescription) -> None:
    assert board.supply is not None
    loads = budget(board)
    assert 0 <= total_current(loads, FIVE) <= board.supply.five_volt_ma
    assert 0 < total_current(loads, THREE) <= board.supply.three_volt_ma


@boards
def test_its_display_hangs_where_safe_mode_looks_for_it(board: BoardDescription) -> None:
    if board.only:  # no game, no safe mode
        assert board.display is None
        return
    assert board.display is not None
    assert board.display.wires == OnI2c(1, 0x3C)


def test_a_variant_differs_by_what_it_is_named_after() -> None:
    plain = load_bundled("tamsk")
    assert load_bundled("tamsk", variant="no-lights").lights is None
    assert load_bundled("tamsk", variant="no-lights").sensors == plain.sensors
    expanders = load_bundled("tamsk", variant="expanders").sensors
    assert isinstance(expanders, Expanders)
    assert expanders.inputs == plain.inputs
    single = sensors_of(load_bundled("tamsk", variant="single-pole"))
    assert single.registers == 14
    assert {name.partition(".")[2] for name in single.inputs if not name.startswith("timer15")} == {
        "glass",
        "ring1",
        "ring2",
        "ring3",
        "ring4",
    }


@pytest.mark.parametrize(("board", "size"), [("tayu", 17), ("tayu", 19), ("table", None)])
def test_a_reader_of_tags_is_all_that_its_variant_has_more(board: str, size: int | None) -> None:
    plain, tagged = load_bundled(board, size), load_bundled(board, size, "pn532")
    assert tagged.reader is not None
    assert (plain.reader, tagged.reader.kind, tagged.reader.wires) == (None, "pn532", OnI2c(1, 0x24))
    assert (tagged.sensors, tagged.buttons, tagged.buses) == (plain.sensors, plain.buttons, plain.buses)


def test_an_unknown_variant_is_refused_with_those_there_are() -> None:
    with pytest.raises(
        BoardError, match=r"the board table has no variant '\.\./x'; there are: clock, clock-lights, pn532"
    ):
        load_bundled("table", variant="../x")
    assert variants("chess") == []


@boards
def test_a_canary_is_another_one_when_it_is_read_backwards_or_inverted(board: BoardDescription) -> None:
    """0xA5 was not, and eight registers that were wired from H to A passed for right."""
    if isinstance(board.sensors, Chain):
        canary = board.sensors.canary
        backwards = int(f"{canary:08b}"[::-1], 2)
        assert len({canary, backwards, canary ^ 0xFF, backwards ^ 0xFF}) == 4
