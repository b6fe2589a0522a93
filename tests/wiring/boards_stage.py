"""Every circuit board through KiCad: its rules, its circuit, and what a maker is sent: a stage, `make boards`.

The boards are generated again. KiCad fills their copper, checks circuit (ERC) and board (DRC) against each other, and
writes gerbers, drills and places into `build/boards`, and the pictures of the docs where `PICTURES` says.
"""

import csv
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner
from PIL import Image

from gnomon_pi.cli.wiring import wiring
from tests.conftest import CI, FindProgram
from tests.wiring.kicad_root import ROOT, KiCad

BUILD: Final = ROOT / "build" / "boards"
PICTURES: Final = Path(os.environ.get("PICTURES") or BUILD / "pictures")
DESCRIPTIONS: Final = (("tamsk", "boards"), ("tayu", "boards"), ("tayu19", "boards"), ("table", "clock"))
LAYERS: Final = "F.Cu,B.Cu,F.Mask,B.Mask,F.Paste,F.SilkS,B.SilkS,Edge.Cuts,Dwgs.User"
PICTURED: Final = {
    "hub": "hub", "strip-4": "strip-4", "hall": "hall", "head-tamsk-boards": "head",
    "panel-tamsk-boards-strip": "panel", "matrix-8": "matrix", "carrier-table-clock": "clock",
}  # fmt: skip


@pytest.fixture(scope="module")
def kicad(find_program: FindProgram) -> KiCad:
    """KiCad, with the files of all boards before it."""
    if os.geteuid() != 0:
        message = "a Debian root can be made by root only: sudo make boards"
        pytest.fail(message) if os.environ.get(CI) == "true" else pytest.skip(message)
    for program in ("mmdebstrap", "chroot"):
        find_program(program, package="mmdebstrap" if program == "mmdebstrap" else "coreutils")
    made = KiCad()
    for board, variant in DESCRIPTIONS:
        size = ["--size", board.removeprefix("tayu")] if board.removeprefix("tayu").isdigit() else []
        words = ["--board", board.removesuffix("19"), *size, "--variant", variant, "--format", "kicad"]
        words += ["--out", str(made.folder)]
        done = CliRunner().invoke(wiring, words)
        assert done.exit_code == 0, done.output
        orders = made.folder / "kicad" / "orders.csv"
        orders.rename(made.folder / f"{board}-{variant}.csv")
    return made


@pytest.fixture(scope="module")
def names(kicad: KiCad) -> list[str]:
    """The boards and panels."""
    return sorted(path.name for path in (kicad.folder / "kicad").iterdir() if path.is_dir())


def there(kicad: KiCad, name: str, ending: str) -> str:
    """The path of a file inside; empty when it is not there."""
    inside = f"kicad/{name}/{name}.{ending}"
    return inside if (kicad.folder / inside).exists() else ""


def rows(table: Path) -> list[dict[str, str]]:
    """The rows of a table by the names of their columns."""
    return list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))


def findings(report: Path) -> Iterator[str]:
    """What a report of KiCad's finds, of any weight."""
    told = json.loads(report.read_text(encoding="utf-8"))
    found = [item for sheet in told.get("sheets", ()) for item in sheet["violations"]]
    for key in ("violations", "unconnected_items", "schematic_parity"):
        found += told.get(key, ())
    for item in found:
        yield f"{report.parent.name}: {item['type']}: {item['description']}"


def test_kicad_is_the_version_that_the_files_are_written_for(kicad: KiCad) -> None:
    assert kicad.version().startswith("9.")


def test_every_circuit_keeps_the_electrical_rules(kicad: KiCad, names: list[str]) -> None:
    found: list[str] = []
    for name in names:
        if circuit := there(kicad, name, "kicad_sch"):
            report = f"kicad/{name}/erc.json"
            kicad.run("kicad-cli", "sch", "erc", "--format=json", "--severity-all", f"--output={report}", circuit)
            found += findings(kicad.folder / report)
    assert found == []


def test_every_board_keeps_the_design_rules_and_is_what_its_circuit_says(kicad: KiCad, names: list[str]) -> None:
    kicad.fill(*(there(kicad, name, "kicad_pcb") for name in names))
    found: list[str] = []
    for name in names:
        report = f"kicad/{name}/drc.json"
        words = ["--format=json", "--severity-all", "--all-track-errors", f"--output={report}"]
        if there(kicad, name, "kicad_sch"):
            words.append("--schematic-parity")
        kicad.run("kicad-cli", "pcb", "drc", *words, there(kicad, name, "kicad_pcb"))
        found += findings(kicad.folder / report)
    assert found == []


def test_a_planted_short_and_a_planted_gap_are_found(kicad: KiCad) -> None:
    whole = (kicad.folder / there(kicad, "hall", "kicad_pcb")).read_text(encoding="utf-8")
    folder = kicad.folder / "planted"
    shutil.copytree(kicad.folder / "kicad/hall", folder)
    for text, kinds in (
        (whole.replace('(net 3 "north")', '(net 4 "south")', 1), {"net_conflict"}),
        (whole[: whole.index("(segment")] + whole[whole.index("(zone") :], {"unconnected_items"}),
    ):
        (folder / "hall.kicad_pcb").write_text(text, encoding="utf-8")
        words = ("--format=json", "--severity-all", "--schematic-parity", "--output=planted/drc.json")
        kicad.run("kicad-cli", "pcb", "drc", *words, "planted/hall.kicad_pcb")
        assert kinds <= {line.split(": ")[1] for line in findings(folder / "drc.json")}


def test_what_a_maker_is_sent_is_written(kicad: KiCad, names: list[str]) -> None:
    shutil.rmtree(BUILD, ignore_errors=True)
    for board, variant in DESCRIPTIONS:
        listed = kicad.folder / f"{board}-{variant}.csv"
        for row in rows(listed):
            name = row["order"]
            if (BUILD / name).exists():  # Both sizes of a board have the same hubs.
                continue
            board_file, out = there(kicad, name, "kicad_pcb"), f"kicad/{name}/order/"
            kicad.run("kicad-cli", "pcb", "export", "gerbers", f"--layers={LAYERS}", f"--output={out}", board_file)
            kicad.run("kicad-cli", "pcb", "export", "drill", "--excellon-separate-th", f"--output={out}", board_file)
            places = f"{out}{name}-pos.csv"
            kicad.run(
                "kicad-cli", "pcb", "export", "pos", "--format=csv", "--units=mm", f"--output={places}", board_file
            )
            target = BUILD / name
            shutil.copytree(kicad.folder / out, target)
            shutil.copy(kicad.folder / f"kicad/{name}/bom.csv", target)
            written = {path.suffix for path in target.iterdir()}
            assert {".gtl", ".gbl", ".gts", ".gbs", ".gtp", ".gto", ".gm1", ".drl", ".csv", ".gbrjob"} <= written
            placed = {line["Ref"] for line in rows(target / f"{name}-pos.csv")}
            assert placed == {part for line in rows(target / "bom.csv") for part in line["Designator"].split(",")}
        shutil.copy(listed, BUILD)
    for name in names:
        if circuit := there(kicad, name, "kicad_sch"):
            kicad.run("kicad-cli", "sch", "export", "pdf", f"--output=kicad/{name}/{name}.pdf", circuit)
            target = BUILD / "sources" / name
            shutil.copytree(kicad.folder / "kicad" / name, target, ignore=shutil.ignore_patterns("order", "*.json"))


@pytest.mark.parametrize("name", PICTURED)
def test_the_pictures_of_the_docs_are_rendered(kicad: KiCad, name: str) -> None:
    picture = f"kicad/{name}/{PICTURED[name]}.png"
    words = ("--width=1600", "--height=1600", "--background=transparent", "--quality=basic", f"--output={picture}")
    kicad.run("kicad-cli", "pcb", "render", *words, there(kicad, name, "kicad_pcb"))
    PICTURES.mkdir(parents=True, exist_ok=True)
    with Image.open(kicad.folder / picture) as drawn:
        board = drawn.crop(drawn.getbbox())
        board.thumbnail((900, 700))
        board.quantize(64).save(PICTURES / f"board-{PICTURED[name]}.png", optimize=True)
