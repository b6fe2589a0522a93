import io
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from gnomon.cli import main
from gnomon.views.pictures import DARK, LIGHT, Colour

SHEET = """\
Sheet: 1
Game: tamsk
Settings: ring=auto
Event: Spring Open
Round: 3
Player red: Ada
Player black: Bo

1. red   D1-D2
2. black G1-F1x
3. red   D2-E2
"""


@pytest.fixture
def sheet(tmp_path: Path) -> str:
    path = tmp_path / "game.sheet"
    path.write_text(SHEET, encoding="utf-8")
    return str(path)


def draw(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, ["draw", *arguments], input=text)


def words(svg: str) -> list[str]:
    """Every text of a picture."""
    root = ET.fromstring(svg)
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_a_picture_speaks_the_language_of_the_run(sheet: str) -> None:
    drawn = words(CliRunner().invoke(main, ["--language", "de", "draw", sheet]).stdout)
    assert {"Spring Open, 3, Zug 3", "Letzter Zug  D2-E2"} <= set(drawn)


def test_a_sheet_is_drawn_after_its_last_turn_to_standard_output(sheet: str) -> None:
    result = draw(sheet)
    assert result.exit_code == 0
    assert "Last move  D2-E2" in words(result.stdout)
    assert "Spring Open, 3, turn 3" in words(result.stdout)
    assert "Black to move" in words(result.stdout)


@pytest.mark.parametrize(("ply", "last"), [("0", None), ("1", "D1-D2"), ("2", "G1-F1x"), ("-1", "D2-E2"), ("-4", None)])
def test_any_ply_can_be_drawn_from_either_end(sheet: str, ply: str, last: str | None) -> None:
    result = draw(sheet, "--ply", ply)
    assert result.exit_code == 0
    assert [word for word in words(result.stdout) if word.startswith("Last")] == (
        [f"Last move  {last}"] if last else []
    )


def test_a_sheet_may_come_from_standard_input() -> None:
    assert "Last move  D2-E2" in words(draw("-", text=SHEET).stdout)


def test_a_sheet_without_an_event_is_called_by_its_players() -> None:
    text = SHEET.replace("Event: Spring Open\nRound: 3\n", "")
    assert "Ada - Bo, turn 3" in words(draw("-", text=text).stdout)


def test_svg_and_png_are_written_at_once(sheet: str, tmp_path: Path) -> None:
    svg, png = tmp_path / "a.svg", tmp_path / "a.png"
    result = draw(sheet, "--svg", str(svg), "--png", str(png), "--width", "300", "--dark", "--mark", "D4")
    assert (result.exit_code, result.output) == (0, "")
    assert LIGHT[Colour.PAPER] not in svg.read_text(encoding="utf-8")
    with Image.open(png) as image:
        assert (image.format, image.width) == ("PNG", 300)
        paper = tuple(bytes.fromhex(DARK[Colour.PAPER][1:]))
        assert image.getpixel((0, 0)) == paper


def test_a_png_may_go_to_standard_output() -> None:
    result = draw("--game", "tau", "--png", "-", "--width", "120")
    with Image.open(io.BytesIO(result.stdout_bytes)) as image:
        assert image.width == 120


def test_moves_are_drawn_without_a_sheet() -> None:
    result = draw("--game", "tabik", "--set", "size=5", "--moves", "a1b1 c3d3 c4d4", "--ply", "2")
    assert "Last move  c3d3" in words(result.stdout)
    assert "turn 2" in words(result.stdout)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "there is nothing to draw"),
        (["--game", "chess"], "there is no game 'chess'"),
        (["--game", "tabik", "--set", "size"], "KEY=VALUE"),
        (["--game", "tabik", "--set", "size=99"], "size must be a whole number"),
        (["--game", "tabik", "--moves", "a1b1 a1b1"], "move 2, a1b1: rule 4"),
        (["--game", "tabik", "--moves", "castles"], "move 1, castles: 'castles' is not a Tabik move"),
        (["--game", "tabik", "--moves", "a1b1", "--ply", "2"], "there is no ply 2"),
        (["--game", "tabik", "--moves", "a1b1", "--ply", "-3"], "there is no ply -3"),
        (["--game", "tabik", "--moves", "a1b1", "--ply", "5"], "there is no ply 5: there is 1 turn\n"),
        (["--game", "tabik", "--mark", "a1", "--mark", "Q99"], "this board has no place 'Q99'"),
        (["--game", "tau", "--mark", "r99"], "this board has no place 'r99'"),
        (["--game", "tabik", "--png", "-", "--width", "0"], "pixels wide, not 0"),
        (["--game", "tabik", "--svg", "/no/such/folder/a.svg"], "No such file or directory"),
        (["no-such-file"], "no-such-file: No such file or directory"),
        (["--game", "tabik", "-"], "not both"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(arguments: list[str], sentence: str) -> None:
    result = draw(*arguments, text="")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "line 1: the sheet does not name its game"),
        (SHEET.replace("G1-F1x", "G1-A1"), "line 10, turn 2, G1-A1: rule"),
        (SHEET.replace("G1-F1x", "G1-Z9"), "line 10, turn 2"),
        (SHEET.replace("tamsk", "chess"), "there is no game 'chess'"),
        ("Sheet: 1\nGame: \x00\n", "line 2"),
    ],
)
def test_a_sheet_that_cannot_be_played_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    result = draw("-", text=text)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: -: {sentence}")
    assert len(result.stderr.splitlines()) == 1


def test_a_mistake_after_the_ply_does_not_matter() -> None:
    assert draw("-", "--ply", "1", text=SHEET.replace("D2-E2", "D2-A1")).exit_code == 0
