"""The pages of a hall in a browser: they can be read and used by everybody, and what happens is seen."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from gnomon.web.access import Role
from tests.bench_page.visits import DESK, PATIENCE, TABLET, WALL
from tests.web.shots import faults_of
from tests.web_hall.shots import SHOTS, Served, served

pytestmark = pytest.mark.browser

LOOKED_AT = ("wall-dark", "wall-not-live", "boards-phone", "board-phone", "first-empty")
"""Of all shots those that differ most; the others are looked at by `python -m tests.web_hall.shots`."""


@pytest.fixture(scope="module")
def halls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    chosen = {(shot.state, shot.role) for shot in SHOTS if shot.name in LOOKED_AT}
    with served(Path(tmp_path_factory.mktemp("halls")), {*chosen, ("evening", Role.DIRECTOR)}) as halls:
        yield halls


@pytest.fixture
def page(browser: Browser, halls: Served) -> Iterator[Page]:
    """A page of a director."""
    context = browser.new_context(viewport=DESK, locale="en", service_workers="block")
    context.set_default_timeout(PATIENCE)
    site = halls.address("evening")
    for name, value in halls.cookies["evening", Role.DIRECTOR].items():
        context.add_cookies([{"name": name, "value": value, "url": site}])
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", LOOKED_AT)
def test_a_page_can_be_read_and_reached_by_everybody(browser: Browser, halls: Served, name: str) -> None:
    [shot] = [shot for shot in SHOTS if shot.name == name]
    assert list(faults_of(browser, halls, shot)) == []


def test_a_wall_with_nothing_to_show_says_so_in_its_middle(browser: Browser, halls: Served) -> None:
    context = browser.new_context(viewport=WALL, locale="en", service_workers="block")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{halls.address('empty')}/wall")
    expect(page.locator("#empty")).to_be_visible()
    box = page.locator("#empty").bounding_box()
    assert box is not None
    assert abs(box["x"] + box["width"] / 2 - WALL["width"] / 2) < 2
    context.close()


def test_a_director_finds_a_board_and_sees_what_was_asked_of_it(page: Page, halls: Served) -> None:
    site = halls.address("evening")
    page.goto(f"{site}/boards")
    expect(page.locator("#live-text")).to_have_text("Live")
    expect(page.locator("#alarms")).to_contain_text("t03")
    page.keyboard.press("/")
    page.keyboard.type("li wei")
    expect(page.locator("#rows .row")).to_have_count(4)
    page.locator(".states label", has_text="Paused").click()
    expect(page.locator("#rows .row")).to_have_count(1)
    page.locator("#find").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/boards/t02")
    expect(page.locator("#banner-title")).to_contain_text("paused", ignore_case=True)
    expect(page.locator("#wishes li")).to_have_count(1)
    expect(page.locator("#wishes")).to_contain_text("Done · record")
    expect(page.get_by_role("button", name="Go on")).to_be_visible()


@pytest.mark.parametrize("size", [WALL, DESK, TABLET], ids=["wall", "desk", "tablet"])
def test_the_wall_fits_its_window(page: Page, halls: Served, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    page.goto(f"{halls.address('evening')}/wall?seconds=600")
    expect(page.locator("#tiles .tile").first).to_be_visible()
    # A function that is waited for would be evaluated in the page, which its content security policy forbids.
    expect(page.locator("html")).to_have_js_property("scrollHeight", size["height"])
    expect(page.locator(".site-foot a").first).to_be_in_viewport(ratio=1)


def test_without_scripts_the_list_of_boards_says_nothing_of_being_live(browser: Browser, halls: Served) -> None:
    context = browser.new_context(viewport=DESK, locale="en", java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{halls.address('evening')}/boards?pictures=yes")
    expect(page.locator("#live")).to_be_hidden()
    expect(page.locator("#tools")).to_be_hidden()
    picture = page.locator("#rows .row-picture[src]").first
    expect(picture).to_be_visible()
    context.close()


def test_the_wall_puts_short_time_first_and_can_be_held(page: Page, halls: Served) -> None:
    page.set_viewport_size({"width": 800, "height": 600})
    page.goto(f"{halls.address('evening')}/wall?seconds=600")
    first = page.locator("#tiles .tile").first
    expect(first).to_have_attribute("data-short", "yes")
    running = first.locator(".seat-time").first
    shown = running.text_content()
    expect(running).not_to_have_text(shown or "")  # it is counted on between two words of the board
    expect(page.locator("#page")).to_have_text(re.compile(r"^1 of \d$"))
    page.get_by_role("button", name="Hold").click()
    page.get_by_role("button", name="Next boards").click()
    expect(page.locator("#page")).to_have_text(re.compile(r"^2 of \d$"))
    expect(first).to_have_attribute("data-short", "yes")
    expect(page.get_by_role("button", name="Go on")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("size", [DESK, {"width": 390, "height": 844}], ids=["desk", "phone"])
def test_the_list_shows_positions_where_it_is_asked_to(page: Page, halls: Served, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    page.goto(f"{halls.address('evening')}/boards")
    assert page.locator("#rows img").count() == 0
    page.get_by_role("link", name="With pictures").click()
    expect(page.locator("#live-text")).to_have_text("Live")
    picture = page.locator('#rows .row-picture[src*="as-of"]').first
    picture.scroll_into_view_if_needed()
    assert picture.evaluate("async (picture) => { await picture.decode(); return picture.naturalWidth; }") > 0
    assert picture.evaluate("(picture) => picture.clientHeight") > 60
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    expect(page.get_by_role("link", name="Without pictures")).to_be_visible()


@pytest.mark.parametrize("size", [WALL, TABLET], ids=["wall", "tablet"])
def test_the_wall_shows_positions_where_it_is_asked_to(page: Page, halls: Served, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    page.goto(f"{halls.address('evening')}/wall?seconds=600&pictures=yes")
    picture = page.locator("#tiles .tile-picture[src]").first
    expect(picture).to_be_visible()
    assert picture.evaluate("async (picture) => { await picture.decode(); return picture.naturalWidth; }") > 0
    assert picture.evaluate("(picture) => picture.clientHeight") > 60
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
