"""Spectators' pages in a real browser: what is read aloud, how a replay is walked, and what stands over video."""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from gnomon.records.journal.writer import Journal
from gnomon.referee.events import TurnEntered
from gnomon.referee.games import begin, tell
from tests.web.quiet_page import quiet_page
from tests.web.spectators import Shelfful, fill
from tests.web.test_players_in_a_browser import RunningBoard, Site
from tests.web.visitors import Reception

pytestmark = pytest.mark.browser

# Chromium in a container has no voice: what would be said is written down.
VOICE: Final = """
  globalThis.said = [];
  globalThis.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  Object.defineProperty(globalThis, "speechSynthesis", { value: {
    getVoices: () => [], cancel() {}, speak: ({ text, lang }) => said.push(`${lang}: ${text}`),
  } });
"""


# A page in a window without a head is always seen: here it is told when it is not, and which streams it has is counted.
SIGHT: Final = """
  const open = new Set();
  const count = () => document.documentElement.dataset.streams = open.size;
  globalThis.EventSource = class extends EventSource {
    constructor(address) { super(address); open.add(this); count(); }
    close() { super.close(); open.delete(this); count(); }
  };
  let isHidden = false;
  Object.defineProperty(document, "hidden", { get: () => isHidden });
  globalThis.hide = (hidden) => { isHidden = hidden; document.dispatchEvent(new Event("visibilitychange")); };
"""
REST: Final = 16_000  # ms; a page that nobody sees rests after 15 s


async def elsewhere(request: Request) -> Response:
    """A page of somebody else, who frames what is at an address."""
    framed = html.escape(request.query_params["frame"], quote=True)
    text = f'<!doctype html><iframe width="900" height="400" src="{framed}"></iframe>'
    return HTMLResponse(text, headers={"Content-Security-Policy": "frame-src *"})


class Hall(Site):
    """The pages of a board and of what was played at it, served in a thread."""

    def __init__(self, archive: Shelfful) -> None:
        board = RunningBoard(begin("tabik", {"size": 4}, players={"black": "Ada"}))
        super().__init__(board, Reception(more=(Route("/elsewhere", elsewhere),), board=board, archive=archive).app)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def enter(self, text: str) -> None:
        """Enter a turn at the board, as somebody else would."""
        now, game = self.board.now(), self.board.present
        assert game is not None
        self.show(tell(game, TurnEntered(now, text, "clerk"))[0], now)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    folder: Path = tmp_path_factory.mktemp("hall")
    with Journal.open(folder / "journal") as journal:
        fill(journal)
        archive = Shelfful.of(journal)
    archive.durable_seq = archive.last_of(2)
    hall = Hall(archive)
    hall.open()
    yield hall
    hall.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that complains of nothing."""
    with quiet_page(browser, "de") as page:
        yield page


def test_moves_are_read_aloud_in_the_pages_language_once_somebody_has_asked_for_it(hall: Hall, page: Page) -> None:
    page.add_init_script(VOICE)
    page.goto(f"{hall.address}/watch")
    expect(page.locator("#live-text")).to_have_text("Live")
    switch = page.get_by_role("switch")
    expect(switch).not_to_be_checked()
    hall.enter("a1b1")
    expect(page.locator("#plies li")).to_contain_text(["a1b1"])
    assert page.evaluate("said") == []
    switch.check()
    hall.enter("c1c2")
    expect(page.locator("#rulings li")).to_have_count(2)
    newest = page.locator("#rulings li").first.inner_text()
    assert page.evaluate("said") == ["de: Züge und Entscheidungen werden vorgelesen.", f"de: {newest}"]
    page.reload()
    expect(page.get_by_role("switch")).to_be_checked()
    expect(page.locator("#plies li")).to_contain_text(["c1c2", "a1b1"])
    assert page.evaluate("said") == [], "what was there before is not read again"


def test_a_page_that_nobody_sees_lets_its_connection_go_until_it_is_looked_at(hall: Hall, page: Page) -> None:
    page.add_init_script(SIGHT)
    page.clock.install()
    for name, stays in (("board", False), ("watch", False), ("overlay", True)):
        page.goto(f"{hall.address}/{name}")
        expect(page.locator("html")).to_have_attribute("data-streams", "1")
        page.evaluate("hide(true)")
        page.evaluate("hide(false)")
        page.clock.run_for(REST)
        expect(page.locator("html")).to_have_attribute("data-streams", "1")
        page.evaluate("hide(true)")
        page.clock.run_for(REST)
        expect(page.locator("html")).to_have_attribute("data-streams", str(int(stays)))
        page.evaluate("hide(false)")
        expect(page.locator("html")).to_have_attribute("data-streams", "1")


def test_a_page_that_is_listened_to_stays_when_nobody_sees_it(hall: Hall, page: Page) -> None:
    page.add_init_script(VOICE + SIGHT)
    page.clock.install()
    page.goto(f"{hall.address}/watch")
    expect(page.locator("#live-text")).to_have_text("Live")
    page.get_by_role("switch").check()
    page.evaluate("hide(true)")
    page.clock.run_for(REST)
    expect(page.locator("html")).to_have_attribute("data-streams", "1")


def test_a_replay_fits_the_narrowest_screen(hall: Hall, page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 640})  # WCAG 2.2, success criterion 1.4.10
    page.goto(f"{hall.address}/games/2")
    expect(page.locator("#play")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate("Math.min(...[...document.querySelectorAll('.step')].map((step) => step.clientWidth))") >= 42


def test_a_replay_is_walked_by_keys_by_slider_and_by_itself(hall: Hall, page: Page) -> None:
    page.goto(f"{hall.address}/games/2")
    title, picture = page.locator("#said-title"), page.locator("#position")
    expect(title).to_have_text("Ende")
    expect(page.locator("#play")).to_be_visible()
    page.keyboard.press("Home")
    expect(title).to_have_text("Anfang")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(title).to_have_text("Zug 2")
    expect(picture).to_have_attribute("src", re.compile(r"ply=2&"))
    expect(page).to_have_url(re.compile(r"/games/2\?ply=2$"))
    expect(page.locator("#turns [aria-current]")).to_contain_text("A1-B2")
    expect(page.locator("#link")).to_have_value(page.url)
    page.locator("#slider").fill("4")
    expect(title).to_have_text("Zug 4")
    page.locator("#rulings a").first.click()
    expect(title).to_have_text("Zug 1")
    page.locator("#pace-choice").select_option("quick")
    page.locator("#play").click()
    expect(title).not_to_have_text("Zug 1")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#play")).to_have_accessible_name("Abspielen")
    with page.expect_download() as download:
        page.locator('[data-format="sgf"]').click()
    assert download.value.suggested_filename == "tamsk-2-Ömer-Кира.sgf"


def test_the_overlay_stands_on_nothing_in_the_frame_of_another_page_and_says_when_it_is_not_live(
    hall: Hall, browser: Browser
) -> None:
    page = browser.new_page()
    other = hall.address.replace("127.0.0.1", "localhost")
    page.goto(f"{other}/elsewhere?frame={hall.address}/overlay?scale=120")
    frame = page.frame_locator("iframe")
    expect(frame.locator(".side-name").first).to_contain_text("Ada")
    colours = "part => [getComputedStyle(part).backgroundColor, getComputedStyle(part.parentElement).backgroundColor]"
    assert frame.locator("body").evaluate(colours) == ["rgba(0, 0, 0, 0)"] * 2
    assert frame.locator("html").evaluate("part => getComputedStyle(part).fontSize") == "21.6px"
    hall.close()
    expect(frame.locator("#state")).to_have_text("Not live")
    hall.open()
    expect(frame.locator("#state")).to_be_hidden()
    page.close()
