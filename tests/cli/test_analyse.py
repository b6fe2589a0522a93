"""The tests of the command `gnomon analyse`: what it prints where, and how it exits."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

GNOMON = str(Path(sys.executable).with_name("gnomon"))
ANALYSED = Path(__file__).parent / "analysed"
SHEET = ANALYSED / "game.sheet"


def analysed(*arguments: str, stdin: str = "", language: str = "en") -> tuple[int, str, str]:
    """The exit status, what was printed, and what was said on standard error."""
    command = [GNOMON, "--language", language, "analyse", *arguments]
    told = subprocess.run(command, input=stdin.encode(), capture_output=True, check=False)
    return told.returncode, told.stdout.decode(), told.stderr.decode()


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_a_game_is_told_in_each_language(language: str) -> None:
    status, printed, said = analysed("--nodes", "3000", str(SHEET), language=language)
    assert (status, printed) == (0, (ANALYSED / f"{language}.txt").read_text("utf-8"))
    assert said.splitlines() == [f"{turn}/10" for turn in range(11)]


def test_json_is_for_programs() -> None:
    status, printed, _ = analysed("--json", "--nodes", "3000", "-", stdin=SHEET.read_text())
    told = json.loads(printed)
    assert (status, told["nodes"], told["costly"]) == (0, 3000, [2])
    assert told["turns"][1]["cost"] == {"kind": "proven", "points": 1.0}
    assert told["turns"][1]["line"][0] == "c1b1"
    assert told["accuracy"] == [{"share": 1.0, "turns": 4}, {"share": 0.0, "turns": 1}]


def test_sgf_holds_the_game_its_comments_and_the_better_line(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    assert analysed("--nodes", "3000", "--sgf", str(file), str(SHEET))[0] == 0
    text = file.read_text()
    assert ")(;W[c1b1]" in text
    assert "C[Chance of winning (Ada): lost (proven)" in text
    status, _, _ = analysed("--nodes", "30", str(file))
    assert status == 0


@pytest.mark.parametrize(
    ("arguments", "content", "sentence"),
    [
        ((), "", "Game"),
        ((), "Sheet: 1\nGame: chess\n", "chess"),
        ((), "Sheet: 1\nGame: clock\n", "clock"),
        ((), "Sheet: 1\nGame: tabik\n\n1. a1b1\n2. a1b1\n", "a1b1"),
        ((), "Sheet: 1\nGame: tabik\n\n1. a1z9\n", "a1z9"),
        (("--level", "99"), "Sheet: 1\nGame: tabik\n", "the levels are 1 to 13"),
        (("--level", "1", "--nodes", "9"), "Sheet: 1\nGame: tabik\n", "not both"),
        (("--game", "2"), "Sheet: 1\nGame: tabik\n", "game 2"),
    ],
)
def test_what_cannot_be_analysed_is_one_sentence(arguments: tuple[str, ...], content: str, sentence: str) -> None:
    status, printed, said = analysed(*arguments, "-", stdin=content)
    assert (status, printed) == (2, "")
    assert sentence in said
    assert said.startswith("Error: ")
    assert said.count("\n") == 1


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    status, printed, said = analysed(str(tmp_path / "none"))
    assert (status, printed, said.count("\n")) == (2, "", 1)


def test_the_game_itself_is_not_written_over(tmp_path: Path) -> None:
    sheet = tmp_path / "game.sheet"
    sheet.write_text(SHEET.read_text("utf-8"), "utf-8")
    status, printed, said = analysed("--nodes", "3000", "--sgf", str(sheet), str(sheet))
    assert (status, printed) == (2, "")
    assert "name another file for --sgf" in said
    assert sheet.read_text("utf-8") == SHEET.read_text("utf-8")
