"""Provide the tests of the bench with a paper desk behind its application, and with a browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

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


@pytest.fixture
def open_page(browser: Browser, daemon: Daemon) -> Iterator[Open]:
    """Open the page; when the test is over, no browser may have complained and nobody else been asked."""
    visits: list[Visit] = []

    def open_it(size: ViewportSize = DESK, daemon: Daemon = daemon, **options: Any) -> Visit:
        context = browser.new_context(viewport=size, **options)
        context.set_default_timeout(PATIENCE)
        visit = Visit(context.new_page(), daemon)
        visits.append(visit)
        visit.listen()
        visit.page.goto(daemon.address)
        expect(visit.page.locator("#live-text")).to_have_text("Live")
        return visit

    yield open_it
    for visit in visits:
        visit.page.context.close()
        assert visit.outside == []
        assert visit.complaints == []


@pytest.fixture
def visit(open_page: Open) -> Visit:
    return open_page()
