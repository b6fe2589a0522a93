"""The builder's pages agree with the dimensions, the descriptions, the program and arithmetic."""

import csv
import re
from collections.abc import Iterator
from decimal import Decimal
from math import atan2, cos, degrees, hypot, pi, sin, sqrt
from pathlib import Path
from typing import Final

import pytest

from gnomon.boards.hexes import HexBoard
from gnomon_pi.cli.daemon import main
from gnomon_pi.config import load_bundled, power
from gnomon_pi.config.description import Chain
from tests.hardware_folder.dimensions import HARDWARE, lengths, value
from tests.hardware_folder.magnets import REMANENCE, field

MM: Final = lengths()
PAGES: Final = {page.stem: page.read_text(encoding="utf-8") for page in sorted(HARDWARE.glob("*.md"))}
PROGRAM: Final = HARDWARE.parent / "firmware" / "gnomon_pi"

# Dimensions

STATED: Final = re.compile(r"^\| `(\w+)` \| ([\d.]+) \|", re.MULTILINE)


def stated() -> Iterator[tuple[str, str]]:
    """The lengths in the tables of all pages."""
    for text in PAGES.values():
        yield from STATED.findall(text)


def test_every_length_stands_in_one_table() -> None:
    assert sorted(name for name, _ in stated()) == sorted(MM)


@pytest.mark.parametrize(("name", "number"), list(stated()))
def test_a_length_in_a_table_is_that_of_the_models(name: str, number: str) -> None:
    assert float(number) == pytest.approx(MM[name], abs=0.005)


def test_the_plate_is_screwed_where_segments_meet() -> None:
    screws = re.search(r"there is a hole: (\d+) in all", PAGES["mechanics"])
    assert screws
    assert int(screws[1]) == joints()


def joints() -> int:
    """How many corners of spaces belong to three spaces of more than one segment."""
    board = HexBoard.of_side(4)
    middle = board.side - 1
    places = [(column - middle, board.row(space) - 1) for space, column in enumerate(map(board.column, range(37)))]
    around: dict[tuple[int, int], list[int]] = {}
    for space, (column, row) in enumerate(places):
        x, y = 1.5 * column, sqrt(3) * (row - (len(board.columns[column + middle]) - 1) / 2)
        for turn in range(6):
            corner = (round(10 * (x + cos(pi / 3 * turn))), round(10 * (y + sin(pi / 3 * turn))))
            around.setdefault(corner, []).append(segment(x, y) if space != board.index["D4"] else -1)
    return sum(len(meeting) == 3 and len(set(meeting)) > 1 for meeting in around.values())


def segment(x: float, y: float) -> int:
    """The segment of the plate in which a space lies: -1 for the centre, else the sixth of the circle."""
    if hypot(x, y) < 2:
        return -1
    # A side begins with the corner of its hexagons, at 30 degrees, and has the spaces up to the next.
    return int((degrees(atan2(y, x)) - 30 + 0.5) % 360 // 60)


# Arithmetic

PREFIX: Final = {"": 1.0, "k": 1e3, "M": 1e6, "m": 1e-3, "µ": 1e-6}
QUANTITY: Final = r"[\d.]+(?: ?[kMmµ]?(?:Wh|Hz|V|A|Ω|F|W|h|s)\b| registers| bits| EUR|)"
TERM: Final = rf"\(?{QUANTITY}\)?"
SUM: Final = re.compile(rf"({TERM}(?: [×/+−] {TERM})+) (?:=|\|) ({QUANTITY})")
UNIT: Final = re.compile(r"([\d.]+) ?(?:([kMmµ]?)(?:Wh|Hz|V|A|Ω|F|W|h|s)\b|registers|bits|EUR|)")


def sums() -> Iterator[tuple[str, str]]:
    """Every sum on the pages and what it is said to come to."""
    for text in PAGES.values():
        yield from SUM.findall(text)


def plain(text: str) -> float:
    """What a sum with units comes to, in units without prefixes."""
    bare = UNIT.sub(lambda found: f"({found[1]} * {PREFIX[found[2] or '']!r})", text)
    return value(bare.replace("×", "*").replace("−", "-"))


@pytest.mark.parametrize(("left", "right"), list(sums()))
def test_a_sum_on_a_page_is_right(left: str, right: str) -> None:
    assert plain(left) == pytest.approx(plain(right), rel=0.015)


def test_sums_are_found() -> None:
    found = dict(sums())
    assert found["(5 V − 1.2 V) / 180 Ω"] == "21.1 mA"
    assert found["64 × 20 mA"] == "1280 mA"
    assert len(found) >= 10


def test_the_loads_of_power_md_are_those_of_the_description() -> None:
    board = load_bundled("tamsk")
    assert isinstance(board.sensors, Chain)
    assert board.lights is not None
    emitters, lights = sum(board.sensors.strobed), board.lights
    assert f"| {emitters} × {power.EMITTER_MA:g} mA |" in PAGES["power"]
    assert f"| {lights.count} × {power.LIGHT_MA:g} mA |" in PAGES["power"]
    assert f"mA × {lights.brightness} / {power.FULL_BRIGHTNESS} |" in PAGES["power"]
    switches = len(board.sensors.inputs) - emitters
    each = power.REGISTER_MA + power.REGISTER_MA_PER_MHZ * board.sensors.clock_hz / 1_000_000
    for number, milliamperes in (
        (board.sensors.registers, f"{each:.3f}"),
        (emitters, f"{power.EYE_LOAD_MA:.4f}"),
        (switches, f"{power.HALL_MA:g}"),
    ):
        assert f"| {number} × {milliamperes} mA |" in PAGES["power"]
    assert power.total_current(power.budget(board), power.THREE) < 500 / 2
    transfer = 8 * board.sensors.registers * 1_000_000 // board.sensors.clock_hz
    registers = f"{board.sensors.registers} registers × 8 bits / {board.sensors.clock_hz // 1_000_000} MHz"
    assert f"{registers} = {transfer} µs" in PAGES["electronics"]


def test_every_chain_gives_the_ring_sensors_time() -> None:
    for variant in ("", "boards", "no-lights", "single-pole", "one-space"):
        chain = load_bundled("tamsk", variant=variant).sensors
        assert isinstance(chain, Chain)
        clocked = 8 * chain.registers * 1_000_000 // chain.clock_hz
        assert clocked + chain.settle_us >= 850
        if variant == "boards":
            assert f"{clocked} µs + {chain.settle_us} µs = {clocked + chain.settle_us} µs" in PAGES["boards"]


# Magnets

ROW: Final = re.compile(r"^\| ([\d.]+) \| ([\d.]+) \|(?: ([\d.]+) \|)?$", re.MULTILINE)
GLASS: Final = (MM["magnet_diameter"], MM["magnet_thickness"])
TILE: Final = (MM["tile_magnet_diameter"], MM["tile_magnet_thickness"])


def test_the_magnets_of_the_glasses_give_what_the_table_says() -> None:
    rows = ROW.findall(PAGES["mechanics"])
    assert float(rows[0][0]) == pytest.approx(MM["sensor_distance"])
    for distance, axis, aside in rows:
        assert field(*GLASS, float(distance)) == pytest.approx(float(axis), abs=0.06)
        assert field(*GLASS, float(distance), MM["hall_aside"]) == pytest.approx(float(aside), abs=0.06)


def test_the_sum_over_sectors_agrees_with_the_formula_on_the_axis() -> None:
    radius, thickness, distance = GLASS[0] / 2, GLASS[1], MM["sensor_distance"]
    near, far = distance / hypot(distance, radius), (distance + thickness) / hypot(distance + thickness, radius)
    assert field(*GLASS, distance) == pytest.approx(REMANENCE / 2 * (far - near), rel=0.001)


# Texas Instruments, DRV5032, SLVSDC7, section 6.6: on at the latest and off at the latest, in millitesla.
DU_ON, DU_OFF = 3.9, 0.9
FA_ON, FA_OFF, FA_ON_AT_THE_EARLIEST = 4.8, 0.5, 1.5


def test_a_standing_glass_is_seen_seven_times_over_and_a_lifted_one_is_let_go() -> None:
    aside = MM["hall_aside"]
    assert field(*GLASS, MM["sensor_distance"], aside) > 7 * DU_ON
    assert field(*GLASS, 10.0, aside) > DU_ON
    assert field(*GLASS, 19.0, aside) < DU_OFF + 0.05


def test_no_neighbouring_magnet_is_taken_for_a_glass() -> None:
    distance = MM["sensor_distance"]
    neighbour = abs(field(*GLASS, distance, MM["pitch"]))
    far_end = field(*GLASS, distance + MM["glass_height"] - 2 * MM["cap_skin"] - 2 * MM["magnet_thickness"])
    assert 6 * neighbour + far_end < DU_OFF / 4
    assert (round(neighbour, 2), round(far_end, 2)) == (0.02, 0.01)


def test_the_magnets_of_the_tiles_give_what_the_table_says() -> None:
    for aside, axis, _ in ROW.findall(PAGES["tayu"]):
        assert field(*TILE, MM["tayu_distance"], float(aside)) == pytest.approx(float(axis), abs=0.06)
    assert field(*TILE, MM["tayu_distance"], 3.0) > FA_ON


def test_the_tiles_around_a_square_do_not_cover_it() -> None:
    around = [
        field(*TILE, MM["tayu_distance"], MM["square"] * hypot(column, row))
        for column in range(-3, 4)
        for row in range(-3, 4)
        if (column, row) != (0, 0)
    ]
    # Against the sense of a tile's own magnet: a switch for both poles must not be turned on by it either.
    assert -FA_ON_AT_THE_EARLIEST / 2 < sum(around) < 0
    assert max(map(abs, around)) == pytest.approx(0.07, abs=0.005)


# What the program says

COMMAND: Final = re.compile(r"`gnomond ([a-z][\w-]*)")
SAID: Final = re.compile(r"`([A-Z][\w ,;-]+\.?|[a-z][\w ]+ each time|is in order\.|changed at rest)`")


def test_the_pages_name_no_command_that_is_not_there() -> None:
    named = {name for text in PAGES.values() for name in COMMAND.findall(text)}
    assert {"check-config", "doctor", "walk"} <= named <= set(main.FUNCTIONS)


@pytest.mark.parametrize("sentence", SAID.findall(PAGES["assembly"]))
def test_what_a_step_must_say_is_what_the_program_says(sentence: str) -> None:
    assert any(sentence in source.read_text(encoding="utf-8") for source in sources())


def sources() -> Iterator[Path]:
    """The modules and the words in which the doctor and the check of a description speak."""
    yield from (PROGRAM / "words" / "en").glob("*.json")
    yield from (PROGRAM / "tools" / "doctor").glob("*.py")
    yield from (PROGRAM / "cli").glob("*.py")


def test_every_step_of_the_assembly_ends_with_a_test() -> None:
    _, *steps = re.split(r"^## \d+\. ", PAGES["assembly"], flags=re.MULTILINE)
    assert len(steps) == 9
    assert all("do | it must say |" in step for step in steps)


def test_every_description_that_comes_with_the_program_is_a_variant() -> None:
    linked = re.findall(r"\[`([\w-]+)`\]\(\.\./firmware/gnomon_pi/boards/\1\.toml\)", PAGES["variants"])
    assert sorted(linked) == sorted(path.stem for path in (PROGRAM / "boards").glob("*.toml"))


def test_the_board_of_one_pole_saves_what_the_page_says() -> None:
    full, single = load_bundled("tamsk").sensors, load_bundled("tamsk", variant="single-pole").sensors
    assert isinstance(full, Chain)
    assert isinstance(single, Chain)
    switches, fewer = (len(each.inputs) - sum(each.strobed) for each in (full, single))
    said = f"{fewer} switches in place of {switches}, {single.registers} registers in place of {full.registers}"
    assert f"| {said} |" in PAGES["variants"]


# Money

COSTS: Final = re.findall(
    r"^\| \[([\w-]+)\]\(parts/\1\.md\) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$",
    PAGES["cost"],
    re.MULTILINE,
)


def test_every_parts_list_has_its_cost() -> None:
    assert sorted(row[0] for row in COSTS) == sorted(path.stem for path in (HARDWARE / "parts").glob("*.csv"))


@pytest.mark.parametrize("row", COSTS, ids=lambda row: row[0])
def test_a_cost_is_the_sum_of_a_parts_list_and_the_rest(row: tuple[str, str, str, str, str]) -> None:
    name, parts, plastic, rest, together = row
    assert Decimal(parts) == summed(name)
    assert Decimal(parts) + Decimal(plastic) + Decimal(rest) == Decimal(together)
    board = {"tamsk": "TAMSK", "tayu19": "Tayu, 19 squares", "tayu": "Tayu, 17 squares", "table": "table"}
    plastics = dict(re.findall(r"^\| ([\w ,]+) \| [\d.]+ × 22 EUR \| ([\d.]+) EUR \|$", PAGES["cost"], re.MULTILINE))
    assert plastics[board[name.partition("-")[0]]] == plastic


def test_the_first_page_says_the_work_of_the_page_on_boards() -> None:
    row = r"^\| TAMSK, (?:by wire|boards) \| (\d+) \| (\d+) \| (\d+) \| \d+ \| ([\d.]+) \|$"
    rows = re.findall(row, PAGES["boards"], re.MULTILINE)
    (wired, crimps, _, hours), (joints, few, pressed, short) = rows
    assert f"has {wired} solder joints and {crimps} crimps, some {float(hours):.0f} hours" in PAGES["README"]
    contacts = int(few) + int(pressed)
    assert (
        f"{joints} joints and {contacts} crimped or pressed contacts, some {float(short):.0f} hours" in PAGES["README"]
    )


def test_a_match_clock_by_hand_costs_what_the_variants_say() -> None:
    bought = {"Raspberry Pi", "microSD card", "supply of the Pi"}
    text = (HARDWARE / "parts/table-clock.csv").read_text(encoding="utf-8")
    parts = sum(
        Decimal(line["total_eur_estimated"])
        for line in csv.DictReader(text.splitlines())
        if line["value"] not in bought | {"estimate"}
    )
    assert f"some {parts:.0f} euros of parts, besides a Pi, its card and its supply" in PAGES["variants"]


def summed(name: str) -> Decimal:
    """What the lines of a parts list come to, each of them a number times a price."""
    *lines, last = csv.DictReader((HARDWARE / "parts" / f"{name}.csv").read_text(encoding="utf-8").splitlines())
    total = sum((Decimal(line["quantity"]) * Decimal(line["each_eur"]) for line in lines), Decimal(0))
    assert Decimal(last["total_eur_estimated"]) == total
    return total


@pytest.mark.parametrize(
    ("board", "diameter", "thickness"),
    [("tamsk", "magnet_diameter", "magnet_thickness"), ("tayu", "tile_magnet_diameter", "tile_magnet_thickness")],
)
def test_the_magnets_of_the_parts_list_are_those_of_the_models(board: str, diameter: str, thickness: str) -> None:
    text = (HARDWARE / "parts" / f"{board}.csv").read_text(encoding="utf-8")
    assert f"disc {MM[diameter]:g} × {MM[thickness]:g} mm, N35" in text
