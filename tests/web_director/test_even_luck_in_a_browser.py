"""The standings with even luck in a real browser: they come by themselves, and fit every screen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.quiet_page import quiet_page
from tests.web_director.houses import DirectorHouse
from tests.web_director.serving import served
from tests.web_director.test_even_luck import OPEN, played

pytestmark = pytest.mark.browser

TITLES = {"en": "With even luck", "de": "Bei gleichem Glück", "fr": "À chance égale"}
WORKED_OUT = 300_000  # ms; a process has what others leave over of a busy machine
SIZES = ((390, 844), (820, 1180), (1920, 1080))


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DirectorHouse]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = DirectorHouse(tmp_path)
    yield found
    found.close()


@pytest.mark.parametrize("language", TITLES)
def test_they_come_by_themselves_and_fit(house: DirectorHouse, browser: Browser, language: str) -> None:
    played(house)
    with served(house) as hall, quiet_page(browser, language) as page:
        page.goto(f"{hall.site}{OPEN}")
        expect(page.get_by_role("heading", name=TITLES[language])).to_be_visible()
        expect(page.locator(".even-luck tbody tr")).to_have_count(4, timeout=WORKED_OUT)
        expect(page.locator(".standings tbody tr")).to_have_count(4)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") == width
            table = page.locator(".even-luck")
            # Every column is seen without scrolling.
            wide, room = table.evaluate("table => [table.scrollWidth, table.parentElement.clientWidth]")
            assert wide <= room, width
