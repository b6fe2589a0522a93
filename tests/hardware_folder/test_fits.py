"""What must go into, over or past something else does; as many parts are printed as the boards need."""

from collections import Counter
from math import hypot, sqrt

import pytest

from gnomon.boards.hexes import HexBoard
from gnomon.games.tamsk.rules import CAPACITY
from gnomon.games.tamsk.rules.position import RINGS_EACH
from gnomon_pi.config import bundled_sizes, load_bundled
from tests.hardware_folder.dimensions import lengths, listed

MM = lengths()
ROWS = {row["model"]: row for row in listed("models.csv")}


def test_a_ring_falls_over_a_glass_and_round_its_post() -> None:
    assert MM["ring_inner_diameter"] >= MM["cap_diameter"] + 4
    assert MM["ring_inner_diameter"] >= MM["post_diameter"] + 1


def test_a_ring_cannot_jam_in_its_tube() -> None:
    # Even standing on its edge it is shorter than the tube is wide.
    assert hypot(MM["ring_outer_diameter"], MM["ring_height"]) < MM["tube_inner_diameter"]


def test_the_rings_of_a_full_tube_are_level_with_the_board() -> None:
    for rings in (1, 2, 3, 4):
        assert MM[f"height_of_{rings}"] - MM["tube_floor"] == rings * MM["ring_height"]


def test_a_reflex_sensor_is_near_the_ring_wherever_the_ring_lies() -> None:
    # QRE1113/D: the current is greatest at about 1 mm, and at 2 mm about half of that.
    nearest = MM["reflex_recess"]
    furthest = nearest + MM["tube_inner_diameter"] - MM["ring_outer_diameter"]
    assert 0 < nearest < 1 < furthest < 2


def test_a_reflex_sensor_sees_one_ring_only_and_stays_under_the_flange() -> None:
    window = MM["reflex_height"] + MM["press_play"]
    assert window < MM["ring_height"] / 2 + 0.2
    assert MM["ring_height"] / 2 - window / 2 >= MM["flange_thickness"]


def test_a_magnet_lies_wholly_inside_its_cap() -> None:
    assert MM["cap_skin"] + MM["magnet_thickness"] < MM["cap_base"]


def test_neighbouring_flanges_do_not_touch() -> None:
    assert MM["flange_diameter"] + 0.6 < MM["pitch"]


@pytest.mark.parametrize(
    ("reach", "width"),
    [(MM["strip_notch_radius"], MM["strip_width"] + MM["slide_play"]), (MM["led_notch_radius"], MM["led_side"])],
)
def test_the_cut_outs_of_the_plate_leave_a_wall_at_the_corner_of_the_space(reach: float, width: float) -> None:
    at_the_edge = MM["corner_radius"] - width / 2 / sqrt(3)
    assert reach + MM["seam"] + 0.5 < at_the_edge


def test_a_screw_at_a_corner_passes_the_flanges_around_it() -> None:
    head_of_m3 = 5.5
    assert MM["corner_radius"] - MM["flange_diameter"] / 2 > head_of_m3 / 2


def test_the_computer_the_display_and_five_buttons_fit_the_box() -> None:
    assert MM["pi_length"] + 2 < MM["box_inner_length"]
    assert MM["pi_width"] + 4 + 4 < MM["box_inner_width"]
    assert MM["oled_height"] + MM["button_hole"] + 10 < MM["box_inner_width"]
    most = max(len(load_bundled(board).buttons) for board in ("tamsk", "tayu", "table"))
    assert most * MM["button_pitch"] < MM["box_inner_length"]


def test_a_hole_for_a_post_lies_on_every_computer_where_its_data_sheet_says() -> None:
    # Raspberry Pi's mechanical drawings: Pi 4 and 5, 85 x 56 mm; Zero 2 W, 65 x 30 mm.
    assert 2 * MM["pi_hole_edge"] + MM["pi_hole_width"] == MM["pi_width"]
    assert 2 * MM["pi_hole_edge"] + MM["pi_hole_length"] == 65
    assert 2 * MM["pi_hole_edge"] + MM["zero_hole_width"] == 30


# How many


def test_every_space_has_its_socket_and_every_ring_is_printed() -> None:
    spaces = Counter(CAPACITY)
    assert {rings: int(ROWS[f"socket-{rings}"]["tamsk"]) for rings in (1, 2, 3, 4)} == spaces
    assert int(ROWS["ring"]["tamsk"]) == 2 * RINGS_EACH == sum(CAPACITY)


def test_every_glass_has_a_cap_of_each_pole() -> None:
    glasses = 6 + 1  # the players', and that of 15 seconds
    assert int(ROWS["cap-north"]["tamsk"]) == int(ROWS["cap-south"]["tamsk"]) == glasses


def test_the_segments_of_the_plate_have_as_many_spaces_as_the_board() -> None:
    centre, side = 1 + 6, 2 + 3
    assert int(ROWS["plate-centre"]["tamsk"]) * centre + int(ROWS["plate-side"]["tamsk"]) * side == len(
        HexBoard.of_side(4).names
    )


@pytest.mark.parametrize("board", ["tamsk", "tayu", "table"])
def test_the_lid_has_a_hole_for_every_button(board: str) -> None:
    buttons = {int(name.removeprefix("lid-")) for name, row in ROWS.items() if "lid" in name and int(row[board])}
    assert buttons == {len(load_bundled(board).buttons)}


@pytest.mark.parametrize("size", bundled_sizes())
def test_the_pieces_of_tayus_board_cover_it_once(size: int) -> None:
    board = "tayu" if size == 17 else f"tayu{size}"
    pieces = {name: int(row[board]) for name, row in ROWS.items() if row["source"] == "tayu_module"}
    areas = {name: squares(name.removeprefix("tayu-")) * number for name, number in pieces.items()}
    assert sum(areas.values()) == size * size
    assert sum(pieces.values()) == 4


def squares(text: str) -> int:
    """The number of squares of a piece called `9x8`."""
    columns, rows = text.split("x")
    return int(columns) * int(rows)
