"""The pages of puzzles: a list, the board's picture, and what is said of an answer."""

import json
import os
import re
from pathlib import Path

import pytest

from gnomon.analysis import Effort
from gnomon.analysis.puzzles import Puzzle, dump_puzzles, find_puzzles
from gnomon.engines import engine_of
from gnomon.records.files import read_sheets
from gnomon.rules.registry import rules_of
from tests.web.spectators import Shelfful
from tests.web.visitors import Browser, Reception

RECORDED = Path(__file__).parents[1] / "records" / "v0_1_0" / "tables-1.sheet"


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    (sheet,) = read_sheets(RECORDED.read_bytes())
    engine = engine_of(rules_of(sheet.game, sheet.settings))
    return next(each for each in find_puzzles(sheet, engine, Effort(nodes=300)) if each is not None)


@pytest.fixture
def browser(tmp_path: Path, puzzle: Puzzle) -> Browser:
    (tmp_path / "club.json").write_text(json.dumps(dump_puzzles([puzzle])))
    (tmp_path / "broken.json").write_text("{}")
    return Reception(archive=Shelfful([], []), puzzles=tmp_path / "own").browser()


def test_games_lead_to_puzzles(browser: Browser) -> None:
    assert 'href="/puzzles"' in browser.get("/games").text
    assert 'href="/puzzles"' not in Reception(archive=Shelfful([], [])).browser().get("/games").text


def test_puzzles_are_listed(browser: Browser, puzzle: Puzzle, tmp_path: Path) -> None:
    text = browser.get("/puzzles").text
    assert f'href="/puzzles/{puzzle.number}"' in text
    assert "Black to move: only one turn wins." in text
    (tmp_path / "club.json").unlink()
    assert "There are no puzzles yet" in browser.get("/puzzles").text
    assert "There are no puzzles yet" in Reception().browser().get("/puzzles").text


def test_an_answer_is_judged(browser: Browser, puzzle: Puzzle) -> None:
    own = f"/puzzles/{puzzle.number}"
    page = browser.get(own).text
    assert f'value="{puzzle.best}"' in page
    assert puzzle.line[1] not in page.split("<datalist")[0]
    assert "Show the solution" in page
    solved = browser.get(f"{own}?answer={puzzle.best}").text
    assert f"{puzzle.best} is right." in solved
    assert 'class="moves"' in solved
    wrong = next(text for text in puzzle.line[1:] if text != puzzle.best)
    assert "is not the solution. Try again." in browser.get(f"{own}?answer={wrong}").text
    refused = browser.get(f"{own}?answer=<b>nonsense").text
    assert 'class="wrong"' in refused
    assert "<b>nonsense" not in refused


def test_the_solution_is_played_on_the_picture(browser: Browser, puzzle: Puzzle) -> None:
    own = f"/puzzles/{puzzle.number}"
    assert 'class="moves"' in browser.get(f"{own}?solution=yes").text
    pictures = [browser.get(f"{own}/position.svg?step={step}").text for step in (0, 1, 2, 99)]
    assert len(set(pictures)) == 4
    assert puzzle.best in pictures[1]


def changed(puzzle: Puzzle, **values: object) -> str:
    """A file of one puzzle in which somebody has changed something."""
    file = dump_puzzles([puzzle])
    file["puzzles"][0] |= values
    return json.dumps(file)


@pytest.mark.parametrize(
    "values",
    [
        {"sheet": "Sheet: 1\nGame: nothing-known\n"},
        {"sheet": "Sheet: 1\nGame: tabik\n\n1. a1b1\n2. a1b1\n"},
        {"player": "nobody"},
        {"player": ["black"]},
        {"line": ["a1z9"]},
    ],
)
def test_a_file_with_a_puzzle_that_cannot_be_played_does_not_hide_the_others(
    browser: Browser, puzzle: Puzzle, tmp_path: Path, values: dict[str, object]
) -> None:
    (tmp_path / "hand-made.json").write_text(changed(puzzle, **values))
    page = browser.get("/puzzles")
    assert page.status_code == 200
    assert re.findall(r'href="/puzzles/(\w+)"', page.text) == [puzzle.number]
    assert "Black to move: only one turn wins." in page.text
    assert browser.get(f"/puzzles/{puzzle.number}/position.svg?step=1").status_code == 200


def test_what_is_no_file_of_puzzles_does_not_hide_the_others(browser: Browser, puzzle: Puzzle, tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "digits.json").write_text("9" * 5_000)
    (tmp_path / "nowhere.json").symlink_to("nothing")
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "large.json").write_text(" " * (4 << 20) + json.dumps(dump_puzzles([puzzle])))
    os.mkfifo(tmp_path / "pipe.json")  # a reader of it waits for somebody who writes
    (tmp_path / "large.json").replace(tmp_path / "club.json")
    assert "There are no puzzles yet" in browser.get("/puzzles").text
    (tmp_path / "club.json").write_text(json.dumps(dump_puzzles([puzzle])))
    assert f'href="/puzzles/{puzzle.number}"' in browser.get("/puzzles").text


def test_what_is_not_there_is_not_found(browser: Browser) -> None:
    assert browser.get("/puzzles/none").status_code == 404
    assert browser.get("/puzzles/none/position.svg").status_code == 404
