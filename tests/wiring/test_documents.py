"""Tables, drawings and parts: they say what the netlist says, and those in the tree are current."""

import csv
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from gnomon_pi.cli.wiring import wiring
from gnomon_pi.config.description import Chain
from gnomon_pi.tools.wiring._catalogue import HEADER_PINS, PIN_OF_GPIO, STRIP
from gnomon_pi.tools.wiring._netlist import RAILS
from gnomon_pi.tools.wiring._tables import parts_lines, wiring_tables
from gnomon_pi.tools.wiring.files import bundled_files, files
from tests.wiring.boards import ALL, board, nets_of, small_board, small_chain

ROOT = Path(__file__).parents[2]
REMAKE = "gnomond wiring --all --out hardware"
SVG = "{http://www.w3.org/2000/svg}"


def cells(document: str) -> list[list[str]]:
    return [
        [cell.strip() for cell in line[1:-2].split(" | ")] for line in document.splitlines() if line.startswith("| ")
    ]


def words(drawing: str) -> list[str]:
    return ["".join(text.itertext()) for text in ET.fromstring(drawing).iter(f"{SVG}text")]


@cache
def documents(name: str) -> Mapping[str, str]:
    """The files of a board, which several tests look at."""
    return files(board(name), name)


def test_the_files_in_the_tree_are_current() -> None:
    there = {
        path.relative_to(ROOT / "hardware").as_posix(): path.read_text(encoding="utf-8")
        for folder in ("wiring", "parts")
        for path in sorted((ROOT / "hardware" / folder).rglob("*"))
        if path.is_file()
    }
    fresh = bundled_files()
    stale = sorted(name for name in fresh.keys() | there.keys() if fresh.get(name) != there.get(name))
    assert stale == [], f"not current (make them again: {REMAKE}; delete what no board has)"


@pytest.mark.parametrize("name", ALL)
def test_the_tables_name_every_pin_of_every_chip_with_its_net(name: str) -> None:
    nets = nets_of(name)
    document = wiring_tables(board(name), nets, name)
    sections = dict(re.findall(r"^### (\S+): .*\n\n((?:\|.*\n)+)", document, re.MULTILINE))
    chips = [part for part in nets.parts if part.article.package.startswith("DIP-")]
    assert sections.keys() == {part.reference for part in chips}
    for part in chips:
        told = {}
        for left, pin, other, right in cells(sections[part.reference])[2:]:
            told[pin.split("**")[1]] = left
            told[other.split("**")[1]] = right
        assert told.keys() == part.article.pins.keys()
        for pin, text in told.items():
            net = nets.net(part.reference, pin)
            assert text.startswith(f"`{net}`" if net else "*open*")


@pytest.mark.parametrize("name", ALL)
def test_every_part_is_in_the_tables(name: str) -> None:
    nets = nets_of(name)
    document = wiring_tables(board(name), nets, name)
    missing = [
        part.reference
        for part in nets.parts
        if f"**{part.reference}**" not in document and f"### {part.reference}:" not in document
    ]
    assert missing == ["PI"]


@pytest.mark.parametrize("name", ALL)
def test_the_header_shows_each_used_pin_with_its_net(name: str) -> None:
    nets = nets_of(name)
    shown = words(documents(name)["header.svg"])
    assert all(str(pin) in shown for pin in range(1, 41))
    for pin in nets.by_reference["PI"].article.pins:
        net = nets.net("PI", pin)
        if net and net not in RAILS:
            assert any(word.startswith(f"{net} → ") for word in shown)


@pytest.mark.parametrize("name", ALL)
def test_drawings_name_only_nets_and_parts_that_are_there_and_stay_on_the_sheet(name: str) -> None:
    nets = nets_of(name)
    drawing = documents(name)["wiring.svg"]
    root = ET.fromstring(drawing)
    width, height = (float(side) for side in root.attrib["viewBox"].split()[2:])
    for text in root.iter(f"{SVG}text"):
        assert 0 <= float(text.attrib["x"]) <= width
        assert 0 <= float(text.attrib["y"]) <= height
    for box in root.iter(f"{SVG}rect"):
        right = float(box.attrib.get("x", 0)) + float(box.attrib["width"])
        assert right <= width
    titles = {"".join(text.itertext()) for text in root.iter(f"{SVG}text") if text.attrib.get("font-weight") == "bold"}
    titles -= {word for word in titles if ":" in word or " " in word}
    assert titles <= nets.by_reference.keys() | nets.pins.keys() | {"Buzzer", "Display", "I2C-1", "I2C-4"} | {
        f"I2C-{n}" for n in range(9)
    }


@pytest.mark.parametrize("name", ALL)
def test_quantities_are_those_of_the_netlist(name: str) -> None:
    described, nets = board(name), nets_of(name)
    quantities = {line.value: line.quantity for line in parts_lines(described, nets)}
    for key in {part.key for part in nets.parts} - {STRIP}:
        assert quantities[key] == len(nets.of(key))
    if described.lights is not None:
        assert quantities[STRIP] == described.lights.count


@pytest.mark.parametrize("name", ["tamsk", "tayu-pn532", "table"])
def test_the_spreadsheet_adds_up_to_the_estimate_of_the_document(name: str) -> None:
    texts = documents(name)
    *rows, last = csv.DictReader(texts["parts.csv"].splitlines())
    total = sum(round(float(row["quantity"]) * float(row["each_eur"]) * 100) for row in rows)
    assert total == round(float(last["total_eur_estimated"]) * 100)
    assert f"**Estimate: {last['total_eur_estimated']} EUR.**" in texts["parts.md"]
    assert "never tried" in texts["parts.md"]


def test_a_moved_input_moves_in_the_tables() -> None:
    name = "a1.south"
    for bit, head in ((1, "B (12)"), (12, "E (3)")):
        chain = small_chain(bits=(0, bit, 9, 3, 15))
        described = small_board(sensors=chain)
        texts = files(described, "moved")
        rows = cells(texts["wiring.md"])
        heads = next(row for row in rows if row[0] == "chip")
        row = next(row for row in rows if row[0].startswith(f"**U{chain.place(name).chip}**"))
        assert row[heads.index(head)] == f"`{name}`"


def test_tamsk_is_counted_as_its_description_says() -> None:
    described = board("tamsk")
    chain = described.sensors
    assert isinstance(chain, Chain)
    quantities = {line.value: line.quantity for line in parts_lines(described, nets_of("tamsk"))}
    assert quantities["74HC165"] == chain.registers == 19
    assert quantities["DRV5032DU"] == 76  # two poles at 37 sockets and at the stand
    assert quantities["QRE1113"] == quantities["180 Ω"] == quantities["47 kΩ"] == 64
    assert quantities["magnet"] == 14
    assert quantities["button"] == len(described.buttons)


def test_the_header_is_the_one_of_the_documentation() -> None:
    known = {2: 3, 3: 5, 4: 7, 17: 11, 18: 12, 25: 22, 8: 24, 7: 26, 5: 29, 12: 32, 19: 35, 26: 37, 20: 38, 21: 40}
    assert {gpio: int(PIN_OF_GPIO[gpio]) for gpio in known} == known
    assert HEADER_PINS["GND"] == ("6", "9", "14", "20", "25", "30", "34", "39")
    assert sorted(PIN_OF_GPIO) == list(range(28))


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(wiring, arguments)
    return result.exit_code, result.output


def test_the_command_writes_the_files_of_a_board(tmp_path: Path) -> None:
    code, said = run("--board", "tamsk", "--variant", "no-lights", "--out", str(tmp_path / "new"), "--format", "md")
    assert code == 0
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["parts.md", "wiring.md"]
    assert [Path(line).name for line in said.splitlines()] == ["wiring.md", "parts.md"]
    assert (tmp_path / "new" / "wiring.md").read_text(encoding="utf-8").startswith("# TAMSK, no lights: wiring\n")


def test_the_command_reads_a_builders_own_file(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text((ROOT / "firmware/gnomon_pi/boards/table.toml").read_text(encoding="utf-8"), encoding="utf-8")
    assert run(str(mine), "--out", str(tmp_path))[0] == 0
    assert "# mine: wiring" in (tmp_path / "wiring.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("--out", "x"), 2, "Give a FILE, a --board or --all, one of them."),
        (("a.toml", "--board", "tamsk", "--out", "x"), 2, "Give a FILE, a --board or --all, one of them."),
        (("--all", "--size", "19", "--out", "x"), 2, "--size and --variant belong to --board."),
        (("missing.toml", "--out", "x"), 1, "gnomond wiring: missing.toml: cannot be read"),
        (("--board", "tamsk", "--variant", "gold", "--out", "x"), 1, "the board tamsk has no variant 'gold'"),
        (
            ("--board", "tamsk", "--variant", "one-space", "--format", "md", "--out", "x"),
            1,
            "of one space on a breadboard there is only the picture: --format svg",
        ),
        (("--board", "table", "--out", "/dev/null/x"), 1, "/dev/null/x cannot be written: Not a directory"),
    ],
)
def test_a_wrong_order_gets_one_sentence(arguments: tuple[str, ...], code: int, sentence: str) -> None:
    ended, said = run(*arguments)
    assert ended == code
    assert sentence in said
    assert "Traceback" not in said
