"""Provide the tests of the bench with a paper desk behind its application, and with a browser."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.bench_page.paper import PaperDesk, Visitor
from tests.bench_page.visits import DESK, PATIENCE, Daemon, Open, Visit, started


@pytest.fixture
def controller() -> PaperDesk:
    return PaperDesk()


@pytest.fixture
def client(controller: PaperDesk) -> Visitor:
    return Visitor(controller)


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """One daemon for all tests that begin a game of their own."""
    with started(tmp_path_factory.mktemp("bench")) as daemon:
        yield daemon


@pytest.fixture
def new_daemon(tmp_path: Path) -> Iterator[Daemon]:
    """A daemon that has seen no game yet."""
    with started(tmp_path) as daemon:
        yield daemon


@pytest.fixture(scope="module")
def pages(browser: Browser) -> Callable[..., Page]:
    """One page for all visits with the same options: a new one starts a process, which costs more than a visit.

    What a visit may leave behind is taken away; a service worker would be left, too, and is tested elsewhere.
    """
    kept: dict[str, Page] = {}

    def page_with(**options: object) -> Page:
        key = repr(sorted(options.items()))
        if key not in kept:
            context = browser.new_context(service_workers="block", **options)  # type: ignore[arg-type]  # Playwright wants its own dictionaries
            context.set_default_timeout(PATIENCE)
            kept[key] = context.new_page()
        return kept[key]

    return page_with


@pytest.fixture
def open_page(pages: Callable[..., Page], daemon: Daemon) -> Iterator[Open]:
    """Open the page; when the test is over, no browser may have complained and nobody else been asked."""
    visits: list[Visit] = []

    def open_it(size: dict[str, int] = DESK, daemon: Daemon = daemon, **options: object) -> Visit:
        page = pages(**options)
        # Nobody hears what the page of the last visit still has to say.
        page.goto(f"{daemon.site}board/pictures.css")
        page.evaluate("localStorage.clear()")
        page.context.clear_cookies()
        page.set_viewport_size(size)  # type: ignore[arg-type]  # as above
        page.mouse.move(0, 0)
        visit = Visit(page, daemon)
        visits.append(visit)
        visit.listen()
        page.goto(daemon.address)
        expect(page.locator("#live-text")).to_have_text("Live")
        return visit

    yield open_it
    for visit in visits:
        visit.leave()
        assert visit.outside == []
        assert visit.complaints == []


@pytest.fixture
def visit(open_page: Open) -> Visit:
    return open_page()
