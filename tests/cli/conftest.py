"""Provide the tests of the command line with a way to run a command and to read its output."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gnomon.cli import main
from tests.cli.tournament_runs import TOLD, Run


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("GNOMON_WHO", "Ada")

    def run(*arguments: str) -> Result:
        result = CliRunner().invoke(main, ["tournament", *arguments], obj=TOLD)
        assert isinstance(result.exception, SystemExit | None), result.exception
        return result

    return run


@pytest.fixture
def told(run: Run) -> Callable[..., str]:
    """Runs commands that must be taken, and gives what the last has said."""

    def told(*commands: str | Sequence[str]) -> str:
        said = ""
        for command in commands:
            result = run(*(command.split() if isinstance(command, str) else command))
            assert (result.exit_code, result.stderr) == (0, ""), result.output
            said = result.stdout
        return said

    return told
