"""A cross-section of all pages in a browser: they can be read, are used by keyboard alone, and nothing moves."""

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, expect

from tests.bench_page.visits import WALL
from tests.web.shots import LOOK, SHOTS, faults_of
from tests.web.street import Street, opened

pytestmark = pytest.mark.browser

FEW: Final = (
    "landing-desk-dark",
    "board-question",
    "board-not-live",
    "learn",
    "lesson",
    "lesson-bid",
    "lesson-right",
    "new-game-form",
    "clock",
    "clock-match-low",
    "watch-phone",
    "replay-phone",
    "guess-phone",
    "analysis-phone",
    "analysis-tablet",
    "solved",
    "solved-phone",
    "puzzles",
    "people",
    "player",
    "players-phone",
    "desk-form",
    "help",
)
CHOSEN: Final = tuple(shot for shot in SHOTS if shot.name in FEW)
BAD: Final = """<!doctype html><body style="background: #777"><h1>A page</h1><h1>Another</h1>
<p id="a" style="color: #888">Grey</p><p id="a"></p>
<button></button><a href="/" style="position: absolute; left: 3000px">Far</a><a href="/">Blue</a></body>"""


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Street]:
    with opened(tmp_path_factory.mktemp("street"), {(shot.state, shot.role) for shot in CHOSEN}) as street:
        yield street


@pytest.mark.parametrize("name", FEW)
def test_a_page_can_be_read_and_reached_by_everybody(browser: Browser, street: Street, name: str) -> None:
    [shot] = [shot for shot in CHOSEN if shot.name == name]
    assert faults_of(browser, street, shot) == []


def test_a_board_that_is_watched_fits_a_wall(browser: Browser, street: Street) -> None:
    page = browser.new_page(viewport=WALL)
    page.goto(f"{street.address('counters-play')}/watch")
    expect(page.locator("#picture svg")).to_be_visible()
    expect(page.locator("html")).to_have_js_property("scrollHeight", WALL["height"])
    page.close()


def test_what_looks_at_the_pages_sees_what_is_wrong_with_one(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content(BAD)
    found = "\n".join(page.evaluate(LOOK))
    page.close()
    for fault in ("wider than", "no language", "no title", "2 headings", "not one main", "contrast 1.2", "called #a"):
        assert fault in found
    assert "“Blue” has no colour of the pages" in found
    assert "has no name" in found
    assert "too small for a finger" in found


def test_every_row_of_the_table_has_a_name_of_its_own() -> None:
    assert len({shot.name for shot in SHOTS}) == len(SHOTS)
