"""Provide the halls that several tests look at."""

from collections.abc import Iterator

import pytest

from tests.web_hall.party import Party


@pytest.fixture
def party(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Party]:
    """A hall without a board."""
    made = Party(tmp_path_factory.mktemp("party"))
    yield made
    made.hall.close()


@pytest.fixture(scope="session")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Party]:
    """A hall in which six boards play, two of them a tournament whose first round is over; to be looked at only."""
    made = Party(tmp_path_factory.mktemp("evening"))
    made.demonstrate(6)
    made.run(400, until=lambda: len(made.hall.book("demo-1").read()) > 14)
    yield made
    made.hall.close()
