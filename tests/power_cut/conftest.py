"""The library that stands between SQLite and the disk, compiled once."""

import subprocess
from pathlib import Path

import pytest

from tests.power_cut.cut_disk import Power

SOURCE = Path(__file__).with_name("disk.c")


@pytest.fixture(scope="session")
def shim(c_compiler: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that stands between SQLite and the disk (see disk.c)."""
    library = tmp_path_factory.mktemp("power") / "disk.so"
    options = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([c_compiler, *options, "-o", library, SOURCE, "-ldl", "-lpthread"], check=True)
    return library


@pytest.fixture
def power(shim: Path, tmp_path: Path) -> Power:
    return Power(shim, tmp_path.resolve())
