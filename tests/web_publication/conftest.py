"""Provide the hall whose tournaments the tests publish."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web_director.houses import DirectorHouse


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
