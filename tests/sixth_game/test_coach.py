"""Coaches, analyses and opponents serve a game that brings nothing for them: they know its rules and its texts."""

import json
import re
from pathlib import Path

import httpx
import pytest

from gnomon.records.formats.sgf_sheets import read_sgf
from gnomon.records.formats.sheets import Sheet, SheetLine, sheet_text
from gnomon.rules.protocol import Outcome
from gnomon.words import LANGUAGES
from tests.hex7_table import PATIENCE, WON, daemon, played, run

MAIN = "from gnomon.cli import main; main()"

pytestmark = pytest.mark.usefixtures("installed")


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    game = played(*WON)
    lines = tuple(SheetLine(ply.text, ply.player) for ply in game.plies)
    file = tmp_path / "hex7.txt"
    file.write_text(sheet_text(Sheet("hex7", {}, result=Outcome("black", "connected"), lines=lines)), "utf-8")
    return file


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_has_hints_verdicts_and_threats_in_every_language(site: Path, language: str) -> None:
    asked = ("--language", language, "hint", "hex7", "d4", "a1", "--nodes", "400")
    said = [run(site, "-c", MAIN, *asked, *more) for more in ((), ("--threats",), ("--check", "d3"))]
    assert all(len(text) > 20 and "hex7." not in text for text in said), said
    assert re.search(r"\b[a-g][1-7]\b", said[0]), said[0]


def test_its_games_are_analysed_as_text_json_and_sgf(site: Path, sheet: Path, tmp_path: Path) -> None:
    written = tmp_path / "hex7.sgf"
    text = run(site, "-c", MAIN, "analyse", str(sheet), "--nodes", "60", "--sgf", str(written))
    assert "b7" in text
    told = json.loads(run(site, "-c", MAIN, "analyse", str(sheet), "--nodes", "60", "--json"))
    assert [turn["text"] for turn in told["turns"]] == list(WON)
    (read,) = read_sgf(written.read_bytes())
    assert [line.text for line in read.lines] == list(WON)


def test_its_moves_are_guessed_and_its_puzzles_looked_for(site: Path, sheet: Path) -> None:
    said = "".join(f"{text}\n" for text in WON[::2])
    told = [
        json.loads(line)
        for line in run(site, "-c", MAIN, "guess", str(sheet), "--json", "--nodes", "60", said=said).splitlines()
    ]
    assert len(told) >= len(WON) // 2
    run(site, "-c", MAIN, "puzzles", str(sheet), "--nodes", "60")


def test_its_pages_teach_it_and_analyse_its_games(site: Path, tmp_path: Path) -> None:
    with daemon(site, tmp_path) as address, httpx.Client(base_url=address, timeout=PATIENCE) as http:
        found = re.search(r'<meta name="csrf" content="(\w+)">', http.get("/board").text)
        assert found is not None
        headers = {"X-CSRF-Token": found[1], "Origin": address}
        for text in WON:
            ruled = http.post("/api/v1/board/turns", json={"text": text}, headers=headers)
            assert ruled.json().get("accepted"), ruled.text
        lesson = re.search(r'"(/learn/hex7/[\w-]+)"', http.get("/learn").text)
        assert lesson is not None
        for page in (lesson[1], "/games/1", "/games/1/analysis", "/guess/1", "/puzzles", "/players"):
            for language in LANGUAGES:
                shown = http.get(page, params={"language": language})
                assert (page, shown.status_code) == (page, 200)


def test_an_opponent_plays_it(site: Path, tmp_path: Path) -> None:
    with (
        daemon(site, tmp_path, "--set=opponent=1") as address,
        httpx.Client(base_url=address, timeout=PATIENCE) as http,
    ):
        told = http.get("/api/v1/board").json()
        assert told["title"] == "Hex"
        assert told["opponent"]
