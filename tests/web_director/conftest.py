"""Provide the hall that each module of these tests shares."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gnomon.web.access import Role
from tests.web_director.houses import DirectorHouse, Person


@pytest.fixture
def house(tmp_path: Path) -> Iterator[DirectorHouse]:
    found = DirectorHouse(tmp_path)
    yield found
    found.close()


@pytest.fixture
def dora(house: DirectorHouse) -> Person:
    """Who directs."""
    return house.person(Role.DIRECTOR, "Dora")


@pytest.fixture
def anna(house: DirectorHouse) -> Person:
    """Who arbitrates."""
    return house.person(Role.ARBITER, "Anna")
