"""The tests of the command `gnomon puzzles`."""

import json
import subprocess
import sys
from pathlib import Path

from gnomon.analysis.puzzles import load_puzzles
from gnomon.records.journal.writer import Journal
from tests.web.spectators import SHEETS, fill

GNOMON = str(Path(sys.executable).with_name("gnomon"))
RECORDED = Path(__file__).parents[1] / "records" / "v0_1_0" / "tables-1.sheet"


def puzzled(*arguments: str) -> tuple[int, str, str]:
    """The exit status, what was printed, and what was said on standard error."""
    told = subprocess.run([GNOMON, "puzzles", *arguments], capture_output=True, check=False, text=True)
    return told.returncode, told.stdout, told.stderr


def test_puzzles_of_several_games_are_written_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "club.json"
    status, printed, said = puzzled("--nodes", "300", "-o", str(file), str(RECORDED), str(RECORDED))
    assert (status, printed) == (0, "")
    found = load_puzzles(json.loads(file.read_text()))
    assert [each.best for each in found] == ["d2~d3", "c2~d2", "d2~d3"]
    assert said.splitlines()[-1] == f"{RECORDED}, game 1, puzzles so far: 3"


def test_a_journal_gives_all_of_its_games(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal") as journal:
        fill(journal, SHEETS)
    status, printed, said = puzzled("--nodes", "10", str(tmp_path / "journal"))
    assert (status, json.loads(printed)) == (0, {"format": 1, "puzzles": []})
    assert len(said.splitlines()) == 2


def test_it_stops_where_it_is_told_to() -> None:
    for limit, number in (("--most=2", 2), ("--seconds=0", 0), ("--seconds=600", 3)):
        status, printed, _ = puzzled("--nodes", "300", limit, str(RECORDED))
        assert status == 0
        assert len(load_puzzles(json.loads(printed))) == number


def test_what_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("Sheet: 1\nGame: chess\n")
    for arguments in (
        (str(tmp_path / "none"),),
        (str(tmp_path / "bad"),),
        ("--level", "1", "--nodes", "1", str(RECORDED)),
        ("-o", str(tmp_path / "no" / "folder"), "--nodes", "1", str(RECORDED)),
    ):
        status, printed, said = puzzled(*arguments)
        assert (status, printed) == (2, "")
        assert said.splitlines()[-1].startswith("Error: ")
