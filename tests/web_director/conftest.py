"""Provide the hall that each module of these tests shares."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gnomon.tournament.state.rounds import Pairing
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


@pytest.fixture
def pairing(house: DirectorHouse) -> Pairing:
    """The first board of a round that is played without boards of the hall."""
    house.tournament()
    house.publish()
    return house.hall.book("open").tournament().round(1).at(1)
