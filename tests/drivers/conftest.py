"""The only place of what the tests of the drivers share: a world, and the TAMSK board simulated in it."""

from collections.abc import Iterator

import pytest

from gnomon_pi.config import bundled
from gnomon_pi.description import BoardDescription
from gnomon_pi.simulated.board import SimulatedBoard
from tests.drivers.world import World


@pytest.fixture
def world() -> World:
    """Time that only the test moves."""
    return World()


@pytest.fixture(scope="session")
def description() -> BoardDescription:
    """The TAMSK board as it is bundled."""
    return bundled("tamsk")


@pytest.fixture
def board(description: BoardDescription, world: World) -> Iterator[SimulatedBoard]:
    """The TAMSK board in software, with nothing on it."""
    board = SimulatedBoard(description, now=world.clock, later=world.later)
    yield board
    board.close()
