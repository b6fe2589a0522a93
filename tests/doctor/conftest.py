"""Provide the tests of `gnomond doctor` with a healthy Raspberry Pi 4 and the TAMSK board."""

from pathlib import Path

import pytest

from gnomon_pi.config import load_bundled
from gnomon_pi.config.description import BoardDescription
from tests.doctor.machines import Planted, pi_4b


@pytest.fixture
def pi(tmp_path: Path) -> Planted:
    """A healthy Raspberry Pi 4B."""
    return pi_4b(tmp_path / "root")


@pytest.fixture
def bare(tmp_path: Path) -> Planted:
    """A machine of which nothing is known, for tests that plant all they need."""
    return Planted(tmp_path)


@pytest.fixture(scope="session")
def tamsk() -> BoardDescription:
    """The TAMSK board as it is bundled."""
    return load_bundled("tamsk")
