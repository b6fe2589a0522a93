"""A puzzle of a board's own game in a real browser: from the list to the board, whose lights set it out."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from gnomon.analysis import Effort
from gnomon.analysis.puzzles import dump_puzzles, find_puzzles
from gnomon.engines import engine_of
from gnomon.records.formats.sheets import sheet_text
from gnomon.records.journal.writer import Journal
from gnomon.rules.registry import rules_of
from gnomon.web.games.puzzle_maker import source_of
from gnomon_pi.runtime.exercises import puzzles_of
from tests.analysis.test_game_analysis import random_sheet
from tests.bench_page.visits import Daemon, started
from tests.web.quiet_page import quiet_page
from tests.web.spectators import fill

pytestmark = pytest.mark.browser

# Where the next piece is to stand, as the lights of the board itself say it.
LIT = "[...document.querySelectorAll('[data-part=lamp]')].some((lamp) => Number(lamp.style.opacity) > 0)"
SIZES = ((390, 844), (820, 1180), (1920, 1080))


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    """A board with a game of its own, of which it has made puzzles."""
    sheet = random_sheet("tamsk", {"level": "1", "ring": "auto"}, 1)
    engine = engine_of(rules_of(sheet.game, sheet.settings))
    found = [each for each in find_puzzles(sheet, engine, Effort(nodes=3000)) if each is not None]
    with Journal.open(tmp_path / "journal.db") as journal:
        fill(journal, [sheet_text(sheet)])
        (game,) = journal.games()
        own = puzzles_of(journal.path)
    own.mkdir(parents=True)
    (own / f"{source_of(game)}-0.json").write_text(json.dumps(dump_puzzles(found)))
    with started(tmp_path) as daemon:
        yield daemon


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that complains of nothing."""
    with quiet_page(browser, "en") as page:
        yield page


def test_a_puzzle_of_a_game_of_the_board_is_set_out_there_by_its_lights(daemon: Daemon, page: Page) -> None:
    page.goto(f"{daemon.site}puzzles")
    expect(page.get_by_role("heading", name="From the games of this board")).to_be_visible()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") == width
    page.get_by_role("link", name="Game #1").first.click()
    expect(page.get_by_role("link", name="Replay")).to_have_attribute("href", "/games/1")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") == width
    page.get_by_role("button", name="Do it on the board").click()
    page.wait_for_url("**/board")
    expect(page.locator("#banner-title")).to_have_text("Puzzle")
    page.goto(daemon.address)
    expect(page.locator("#live-text")).to_have_text("Live")
    page.wait_for_function(LIT)
