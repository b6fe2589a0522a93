"""The library that stands between SQLite and the disk, compiled once."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.power_cut.cut_disk import Power

SOURCE = Path(__file__).with_name("disk.c")


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that stands between SQLite and the disk (see disk.c)."""
    compiler = shutil.which("cc")
    if compiler is None:
        reason = "no C compiler: without `cc` no power can be cut (Debian: apt-get install gcc libc6-dev)"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    library = tmp_path_factory.mktemp("power") / "disk.so"
    options = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([compiler, *options, "-o", library, SOURCE, "-ldl", "-lpthread"], check=True)
    return library


@pytest.fixture
def power(shim: Path, tmp_path: Path) -> Power:
    return Power(shim, tmp_path.resolve())
