"""A page of a browser in which nothing may go wrong unseen."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page

from tests.bench_page.visits import DESK, PATIENCE


@contextmanager
def quiet_page(browser: Browser, locale: str) -> Iterator[Page]:
    """Open a page at the size of a desk, and fail at the end if its console or its scripts have complained."""
    complaints: list[str] = []
    context = browser.new_context(viewport=DESK, locale=locale)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert complaints == []
