"""The only place of what the tests of the bench share: a desk of paper behind its application."""

import pytest

from tests.bench_page.paper import PaperDesk, Visitor


@pytest.fixture
def desk() -> PaperDesk:
    return PaperDesk()


@pytest.fixture
def client(desk: PaperDesk) -> Visitor:
    return Visitor(desk)
