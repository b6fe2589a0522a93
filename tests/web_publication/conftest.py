"""Provide the hall whose tournaments the tests publish."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gnomon.web.publication import Publication, publish
from tests.web_director.houses import DirectorHouse
from tests.web_hall.party import Party


@pytest.fixture
def house(tmp_path: Path) -> Iterator[DirectorHouse]:
    """A hall with a tournament, in whose second round everybody plays."""
    data = tmp_path / "data"
    data.mkdir()
    found = DirectorHouse(data)
    found.tournament()
    found.publish()
    found.play()
    found.publish()
    yield found
    found.close()


@pytest.fixture(scope="session")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Party]:
    """A hall in which six boards have played a round of a tournament; to be looked at only."""
    made = Party(tmp_path_factory.mktemp("evening"))
    made.demonstrate(6)
    made.run(400, until=lambda: len(made.hall.book("demo-1").read()) > 14)
    yield made
    made.hall.close()


@pytest.fixture(scope="session")
def site(evening: Party, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of that hall.

    Published in a thread of its own: a browser that another test has opened keeps a loop running in this one.
    """
    folder = tmp_path_factory.mktemp("published") / "site"
    with ThreadPoolExecutor(1) as thread:
        thread.submit(publish, Publication(str(evening.where), folder, ("en", "de"))).result()
    return folder
