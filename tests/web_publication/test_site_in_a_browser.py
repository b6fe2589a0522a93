"""A published site in a browser: readable without scripts, and with them games can be replayed."""

import asyncio
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from gnomon.hall.demo._board import Casual
from gnomon.web.publication._folder import Site
from gnomon.web.publication._page_client import Source, page_client
from gnomon.web.publication._page_set import Making, gather
from tests.bench_page.visits import PATIENCE, PHONE, TABLET, WALL
from tests.web.shots import AXE
from tests.web_hall.party import Party

pytestmark = pytest.mark.browser

SIZES: dict[str, ViewportSize] = {"phone": PHONE, "tablet": TABLET, "wall": WALL}
PAGES = (
    "index.html",
    "tournaments/demo-1/index.html",
    "tournaments/demo-1/round-1.html",
    "tournaments/demo-1/standings/index.html",
    "tournaments/demo-1/cross/index.html",
    "tournaments/demo-1/players/1/index.html",
    "tournaments/demo-1/games/1-1/index.html",
)
GAME = PAGES[-1]
DATA = re.compile("^data:image/svg")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where a web server has the site, in a folder among others."""
    with web_server(site) as address:
        yield address


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a web server has a site with boards at which people play."""
    folder = tmp_path_factory.mktemp("boards")
    party = Party(folder)
    for number in range(1, 5):
        party.board(f"t{number:02}", Casual("tabik", {"size": 8, "clock": "3+2"}, ("Ada", "Ben")))
    party.demonstrate(2)
    party.run(20)
    site = Site(folder / "site")

    def publish() -> None:
        pages = asyncio.run(gather(Source(page_client(party.app, ("en",))), ("en",), Making("1", site.manifest(), {})))
        site.write_live(pages.live)
        site.write(pages)

    thread = threading.Thread(target=publish)  # a browser keeps the loop of this one
    thread.start()
    thread.join()
    with web_server(site.folder) as address:
        yield address
    party.hall.close()


@contextmanager
def web_server(site: Path) -> Iterator[str]:
    """Serve what stands beside a site, and the site with it; its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site.parent)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/{site.name}"
    server.shutdown()
    server.server_close()


def faults(page: Page) -> list[str]:
    """What a page complains of from now on."""
    found: list[str] = []
    page.on("console", lambda message: found.append(message.text) if message.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("response", lambda answer: found.append(f"{answer.status} {answer.url}") if answer.status >= 400 else None)
    return found


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
@pytest.mark.parametrize("size", SIZES.values(), ids=list(SIZES))
def test_every_page_can_be_read(address: str, browser: Browser, size: ViewportSize, *, scripts: bool) -> None:
    context = browser.new_context(viewport=size, java_script_enabled=scripts, service_workers="block")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    found = faults(page)
    for name in PAGES:
        page.goto(f"{address}/{name}")
        expect(page.locator("main")).to_be_visible()
        expect(page.locator("h1").first).to_be_visible()
        if scripts:
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], name
    assert found == []
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible(address: str, browser: Browser, name: str) -> None:
    context = browser.new_context(viewport=SIZES["phone"], service_workers="block")
    page = context.new_page()
    page.goto(f"{address}/{name}")
    assert [each["id"] for each in Axe().run(page, options=AXE).response["violations"]] == []
    context.close()


def test_a_game_is_replayed_turn_by_turn(address: str, browser: Browser) -> None:
    context = browser.new_context(viewport=SIZES["phone"], service_workers="block")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    found = faults(page)
    page.goto(f"{address}/{GAME}")
    picture = page.locator("#position")
    last = int(page.locator("#main").get_attribute("data-last") or 0)
    page.locator("#first").click()
    expect(page.locator("#said-title")).to_have_text("Start")
    expect(picture).to_have_attribute("src", DATA)
    first = picture.get_attribute("src")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#said-title")).to_have_text("Turn 1")
    expect(picture).not_to_have_attribute("src", first or "")
    assert page.url.endswith("?ply=1")
    page.locator("#turns a").last.click()
    expect(page.locator("#slider")).to_have_value(str(last))
    page.goto(f"{address}/{GAME}?ply=2")
    expect(page.locator("#said-title")).to_have_text("Turn 2")
    assert found == []
    context.close()


def test_without_scripts_the_controls_of_a_replay_are_not_there(address: str, browser: Browser) -> None:
    context = browser.new_context(viewport=SIZES["phone"], java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/{GAME}")
    expect(page.locator(".controls")).to_be_hidden()
    expect(page.locator("#position")).to_be_visible()
    assert page.locator("#rulings li").count() > 5
    context.close()


def test_a_site_can_be_read_from_a_disk(site: Path, browser: Browser) -> None:
    context = browser.new_context(viewport=SIZES["tablet"])
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"file://{site}/index.html")
    page.locator(".tournaments h2 a").first.click()
    page.get_by_role("link", name="Round 1").click()
    page.locator("td.told a").first.click()
    expect(page.locator("#position")).to_be_visible()
    assert page.evaluate("document.querySelector('#position').naturalWidth") > 0
    page.get_by_role("link", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    context.close()


def test_an_open_page_notices_that_there_is_another_set_of_files(address: str, browser: Browser) -> None:
    context = browser.new_context(viewport=SIZES["tablet"], service_workers="block")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.clock.install()
    page.goto(f"{address}/tournaments/demo-1/standings/index.html")
    body = page.content().replace('class="n points"', 'class="n points new"')
    page.route("**/standings/index.html", lambda route: route.fulfill(body=body, content_type="text/html"))
    expect(page.locator("td.new")).to_have_count(0)
    page.clock.fast_forward(25_000)
    expect(page.locator("td.new").first).to_be_visible()
    context.close()


@pytest.mark.parametrize("size", SIZES.values(), ids=list(SIZES))
def test_a_wall_and_a_list_of_files_show_the_boards(boards: str, browser: Browser, size: ViewportSize) -> None:
    context = browser.new_context(viewport=size, service_workers="block")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    found = faults(page)
    page.goto(f"{boards}/wall/index.html")
    expect(page.locator("#tiles .tile")).to_have_count(6)
    expect(page.locator("#live-text")).to_have_text("Live")
    assert page.locator("#tiles .tile").first.evaluate("(tile) => tile.offsetHeight") > 60
    page.evaluate("document.querySelector('#round').hidden = true")  # as where there is no tournament
    assert page.locator(".wall-foot").evaluate("(foot) => foot.offsetHeight") < 250
    page.goto(f"{boards}/boards/index.html")
    page.locator("#find").fill("t03")
    expect(page.locator("#rows .row")).to_have_count(1)
    page.locator("#rows a").click()
    expect(page.locator("h1")).to_contain_text("t03")
    assert found == []
    context.close()


def test_a_page_of_a_board_counts_its_times_down_and_takes_what_is_new(boards: str, browser: Browser) -> None:
    context = browser.new_context(viewport=SIZES["tablet"], service_workers="block")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    found = faults(page)
    page.clock.install()
    page.goto(f"{boards}/boards/t01/index.html")
    running = page.locator("[data-runs]")
    expect(running).to_have_text(re.compile(r"^2:"))
    before = running.inner_text()
    page.clock.fast_forward(2_000)
    expect(running).not_to_have_text(before)
    body = page.content().replace("Ada (Black)", "Ada II (Black)")
    page.route("**/t01/index.html", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.clock.fast_forward(5_000)
    expect(page.locator(".look-seats")).to_contain_text("Ada II")
    assert found == []
    context.close()


def test_boards_can_be_read_without_scripts(boards: str, browser: Browser) -> None:
    context = browser.new_context(viewport=SIZES["phone"], java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{boards}/boards/index.html")
    expect(page.locator("#live")).to_be_hidden()
    page.locator("#rows a", has_text="Ada").first.click()
    expect(page.locator(".look-board svg")).to_be_visible()
    expect(page.locator(".look-seats")).to_contain_text("Ada")
    context.close()
