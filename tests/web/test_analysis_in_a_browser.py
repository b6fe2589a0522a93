"""The analysis of a game in a real browser: asked for by a button, followed, and walked through."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from gnomon.records.journal.writer import Journal
from gnomon.web.access import Role
from gnomon.web.games.analyses import Analyses
from tests.web.quiet_page import quiet_page
from tests.web.spectators import Shelfful, fill
from tests.web.test_players_in_a_browser import RunningBoard, Site
from tests.web.visitors import Reception

pytestmark = pytest.mark.browser

SHEET = (Path(__file__).parents[1] / "cli" / "analysed" / "game.sheet").read_text()
SIZES = ((390, 844), (820, 1180), (1920, 1080))
ANALYSED = 60_000  # ms


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with Journal.open(tmp_path / "journal") as journal:
        fill(journal, [SHEET])
        archive = Shelfful.of(journal)
    archive.durable_seq = archive.last_of(1)
    board = RunningBoard()
    analyses = Analyses(tmp_path / "analyses", lambda: False)
    site = Site(board, Reception(open_to=Role.PLAYER, board=board, archive=archive, analyses=analyses).app)
    site.open()
    yield site
    site.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that complains of nothing."""
    with quiet_page(browser, "en") as page:
        yield page


def test_a_game_is_analysed_by_a_button_and_the_better_line_is_walked_through(site: Site, page: Page) -> None:
    page.goto(f"http://127.0.0.1:{site.port}/games/1")
    page.get_by_role("link", name="Analysis").click()
    page.get_by_role("button", name="Analyse this game").click()
    chart = page.locator(".chart")
    expect(chart).to_be_visible(timeout=ANALYSED)
    chart.get_by_role("link", name="Turn 2: result").click()
    picture = page.locator(".position")
    expect(page.locator("#board")).to_be_in_viewport()
    assert "step=0" in (picture.get_attribute("src") or "")
    page.get_by_role("link", name="One turn on").click()
    expect(page.locator(".moves [aria-current]")).to_have_text("c1b1")
    assert "c1b1" in (picture.get_attribute("alt") or "")
    assert picture.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 0
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") == width
