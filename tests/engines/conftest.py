"""Provide the tests of engines with a good engine in another language."""

import subprocess

import pytest

from gnomon.engines.plugins import EnginePlugin
from tests.engines.foreign import TABIK_IN_C


@pytest.fixture(scope="session")
def tabik_in_c(c_compiler: str, tmp_path_factory: pytest.TempPathFactory) -> EnginePlugin:
    """An engine for Tabik in C, which knows nothing of Gnomon."""
    program = tmp_path_factory.mktemp("engine") / "tabik"
    subprocess.run([c_compiler, "-Wall", "-Wextra", "-Werror", "-o", program, TABIK_IN_C], check=True)
    return EnginePlugin("tabik-in-c", (str(program),), ("tabik",))
