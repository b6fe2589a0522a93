"""Every model is rendered: closed, as large as the dimensions say, small enough to print, neither full nor air."""

import os
import re
import struct
import subprocess
from math import pi
from pathlib import Path
from typing import Final

import pytest

from tests.conftest import FindProgram
from tests.hardware_folder.dimensions import HARDWARE, MODELS, SOURCE, lengths, listed
from tests.hardware_folder.solids import Point, Solid
from tests.wiring.boards_stage import PICTURED

MM: Final = lengths()
ROWS: Final = listed("models.csv")
PICTURES: Final = listed("pictures.csv")
# The pieces of Tayu's board differ in their numbers of squares, and in a groove: two of them stand for all.
NAMES: Final = [
    row["model"] for row in ROWS if row["source"] != "tayu_module" or row["model"] in ("tayu-9x8", "tayu-8x9")
]
# KiCad renders these, in a stage of its own.
BOARDS: Final = {f"board-{name}" for name in PICTURED.values()}
# A circle of so many straight lines still touches its four sides, and is quickly rendered.
SIDES: Final = "24"
# OpenSCAD writes six digits.
CLOSE: Final = 0.01


def square_of(side: float, height: float) -> Point:
    return side, side, height


def tayu(columns: int, rows: int) -> Point:
    side, seam = MM["square"], 2 * MM["seam"]
    return columns * side - seam, rows * side - seam, MM["tayu_thickness"]


BOX: Final = (MM["box_inner_length"] + 2 * MM["box_wall"], MM["box_inner_width"] + 2 * MM["box_wall"])
LID: Final = (*BOX, MM["box_wall"] + MM["lid_lip"] - 0.5)
SEAM: Final = 2 * MM["seam"]
# Offsetting two lines that meet at 120 degrees moves their corner by more than the lines.
CORNER: Final = SEAM * 2 / 3**0.5
SIZES: Final = {
    **{f"socket-{rings}": square_of(MM["flange_diameter"], MM[f"height_of_{rings}"]) for rings in (1, 2, 3, 4)},
    "ring": square_of(MM["ring_outer_diameter"], MM["ring_height"]),
    "cap-north": square_of(MM["cap_diameter"], MM["cap_height"]),
    "cap-south": square_of(MM["cap_diameter"], MM["cap_height"]),
    "stand": square_of(MM["stand_diameter"], MM["stand_height"]),
    "plate-centre": (5 * MM["corner_radius"] - CORNER, 3 * MM["pitch"] - SEAM, MM["plate_thickness"]),
    "plate-side": (5 * MM["corner_radius"] - CORNER, 2.5 * MM["pitch"] - SEAM, MM["plate_thickness"]),
    "enclosure": (*BOX, MM["box_inner_height"] + MM["box_wall"]),
    "lid-3": LID,
    "lid-5": LID,
    "tayu-10x10": tayu(10, 10),
    "tayu-10x9": tayu(10, 9),
    "tayu-9x9": tayu(9, 9),
    "tayu-9x10": tayu(9, 10),
    "tayu-9x8": tayu(9, 8),
    "tayu-8x9": tayu(8, 9),
    "tayu-8x8": tayu(8, 8),
    "tayu-tile": (3 * MM["square"] - 2 * MM["tayu_gap"], MM["square"] - 2 * MM["tayu_gap"], MM["tile_height"]),
}


def test_every_model_is_small_enough_for_the_printer() -> None:
    assert SIZES.keys() == {row["model"] for row in ROWS}
    assert max(max(size[:2]) for size in SIZES.values()) <= MM["printer_bed"]


def render(what: str, name: str, folder: Path) -> None:
    """Render one model or picture; what OpenSCAD warns of is a fault."""
    command: list[str | Path] = [MODELS / "render", what, folder, name]
    done = subprocess.run(
        command, env=os.environ | {"SIDES": SIDES}, capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@pytest.fixture
def openscad(find_program: FindProgram) -> str:
    return find_program("openscad", package="openscad")


@pytest.mark.usefixtures("openscad")
@pytest.mark.parametrize("name", NAMES)
def test_a_model_is_closed_and_as_large_as_the_dimensions_say(name: str, tmp_path: Path) -> None:
    render("models", name, tmp_path)
    solid = Solid.read(tmp_path / f"{name}.stl")
    assert solid.open_edges() == 0
    # Screws take the outermost tips of a plate away.
    less = MM["screw_hole"] / 2 if name.startswith("plate") else 0.0
    assert SIZES[name][0] - less - CLOSE < solid.size[0] < SIZES[name][0] + CLOSE
    assert solid.size[1:] == pytest.approx(SIZES[name][1:], abs=CLOSE)
    least, most = volumes(name, solid.size)
    assert least < solid.volume < most


def volumes(name: str, size: Point) -> tuple[float, float]:
    """Between which bounds the volume of a model must lie, in cubic millimetres."""
    box = size[0] * size[1] * size[2]
    match name.partition("-")[0]:
        case "ring":
            full = pi / 4 * (MM["ring_outer_diameter"] ** 2 - MM["ring_inner_diameter"] ** 2) * MM["ring_height"]
            return 0.9 * full, full
        case "cap":
            full = pi / 4 * MM["cap_diameter"] ** 2 * MM["cap_base"]
            return full, 2 * full
        case "tayu" if name == "tayu-tile":
            return 0.95 * box, box
        case "tayu":
            return 0.7 * box, 0.9 * box
        case "enclosure" | "plate":
            return 0.1 * box, 0.35 * box
        case "lid":
            return 0.4 * box, 0.6 * box
        case _:
            return 0.25 * box, 0.6 * box


@pytest.mark.usefixtures("openscad")
def test_openscad_and_the_tests_read_the_same_dimensions(tmp_path: Path) -> None:
    asked = tmp_path / "asked.scad"
    asked.write_text(f"include <{SOURCE}>\n" + "".join(f'echo("{name}", {name});\n' for name in MM), encoding="utf-8")
    told = tmp_path / "told.echo"
    subprocess.run(["openscad", "-o", told, asked], check=True, capture_output=True, timeout=60)
    words = [line.removeprefix("ECHO: ").split(", ") for line in told.read_text(encoding="utf-8").splitlines()]
    assert {name.strip('"'): float(value) for name, value in words} == pytest.approx(MM, rel=1e-4)


@pytest.mark.usefixtures("openscad")
def test_a_picture_is_drawn_on_a_display_in_memory(find_program: FindProgram, tmp_path: Path) -> None:
    find_program("xvfb-run", package="xvfb xauth")
    render("pictures", "ring", tmp_path)
    assert dimensions_of_png(tmp_path / "ring.png") == (640, 480)


def test_a_wrong_word_ends_the_rendering_with_a_sentence() -> None:
    done = subprocess.run([MODELS / "render"], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (2, "usage: render models|pictures FOLDER [NAME...]\n")


def dimensions_of_png(path: Path) -> tuple[int, int]:
    """Width and height of a picture, from its first chunk."""
    width, height = struct.unpack(">II", path.read_bytes()[16:24])
    return width, height


@pytest.mark.parametrize("picture", [row["picture"] for row in PICTURES])
def test_a_picture_is_there_and_shown_on_a_page(picture: str) -> None:
    assert dimensions_of_png(HARDWARE / "pictures" / f"{picture}.png") == (640, 480)
    assert any(f"pictures/{picture}.png" in page.read_text(encoding="utf-8") for page in HARDWARE.glob("*.md"))


def test_no_picture_is_left_over() -> None:
    expected = {row["picture"] for row in PICTURES} | BOARDS
    assert {path.stem for path in (HARDWARE / "pictures").iterdir()} == expected


def test_each_picture_of_a_circuit_board_is_shown_on_their_page() -> None:
    page = (HARDWARE / "boards.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\(pictures/([\w-]+)\.png\)", page)) == BOARDS


def test_make_models_renders_both_where_the_pages_say() -> None:
    """Only said, not done, and with no environment of its own."""
    done = subprocess.run(
        ["make", "--dry-run", "VENV=none", "models"],
        cwd=HARDWARE.parent,
        capture_output=True,
        text=True,
        check=True,
        env={name: value for name, value in os.environ.items() if name not in {"PICTURES", "MAKEFLAGS"}},
    )
    rendered = [
        line.split("render ")[1] for line in done.stdout.splitlines() if line.startswith(("hardware/", "SIDES"))
    ]
    assert rendered == ["models build/models", "pictures hardware/pictures"]
