"""The first ten seconds in a browser: from the first page to a game that plays before one's eyes."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, expect

from gnomon.rules.registry import GAMES
from tests.bench_page.visits import DESK, PATIENCE, Daemon, Visit, started

pytestmark = pytest.mark.browser

CUT_OFF: Final = """(tables) => tables.filter((each) => each.scrollWidth > each.parentElement.clientWidth)
    .map((each) => each.textContent)"""


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    with started(tmp_path) as daemon:
        yield daemon


def test_a_newcomer_watches_a_game_after_one_click_and_finds_it_on_the_first_page(
    browser: Browser, daemon: Daemon
) -> None:
    context = browser.new_context(viewport=DESK)
    context.set_default_timeout(PATIENCE)
    visit = Visit(context.new_page(), daemon)
    visit.listen()
    page = visit.page
    page.goto(daemon.site)
    expect(page.locator("#now-title")).to_have_text("No game yet")
    expect(page.locator("#now-live")).to_have_text("Live")
    page.get_by_role("button", name="Start the demonstration").click()
    page.wait_for_url("**/watch")
    expect(page.locator("#plies li").nth(1)).to_be_visible()
    expect(page.get_by_role("heading", name="Demonstration")).to_be_visible()
    page.get_by_role("button", name="Faster").click()
    expect(page.get_by_role("button", name="Faster")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#next-game")).to_be_hidden()
    page.get_by_role("link", name="Gnomon").click()
    expect(page.locator("#now")).to_have_attribute("data-game", "tamsk")
    expect(page.locator("#now-picture")).to_have_attribute("src", re.compile("at=tamsk"))
    expect(page.get_by_role("link", name="Watch the game")).to_be_visible()
    daemon.stop()
    expect(page.locator("#now-live")).to_have_text("Not live")
    assert visit.outside == []
    context.close()


def test_after_the_demonstration_was_stopped_a_new_game_begins_without_ado(browser: Browser, daemon: Daemon) -> None:
    context = browser.new_context(viewport=DESK)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(daemon.site)
    page.get_by_role("button", name="Start the demonstration").click()
    expect(page.locator("#banner-hint")).to_have_text("A demonstration: the program plays by itself.")
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("#banner-title")).to_have_text("Demonstration paused")
    expect(page.get_by_role("button", name="Pause")).to_be_hidden()
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("#banner-hint")).to_have_text("A demonstration: the program plays by itself.")
    page.get_by_role("button", name="Stop the demonstration").click()
    expect(page.get_by_role("heading", name="Nobody is playing at the board.")).to_be_visible()
    expect(page.locator("#banner-title")).to_have_text("Adjourned")
    expect(page.get_by_role("button", name="Start the demonstration")).to_be_visible()
    page.locator("#main").get_by_role("link", name="New game").click()
    page.get_by_role("link", name="TAMSK").click()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/bench/")
    context.close()


def test_no_table_of_the_rules_is_cut_off_on_a_desk(browser: Browser, daemon: Daemon) -> None:
    context = browser.new_context(viewport=DESK)
    page = context.new_page()
    for game in GAMES:
        page.goto(f"{daemon.site}rules/{game}")
        assert page.locator("main table").count()
        assert page.locator("main table").evaluate_all(CUT_OFF) == [], game
    context.close()
