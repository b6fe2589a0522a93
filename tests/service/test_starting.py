"""How the service is started: the board from its description, no journal in memory, and a last error for safe mode."""

from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gnomon_pi.cli.daemon import main

BUNDLED = Path(str(resources.files("gnomon_pi"))) / "boards"
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - nothing is written there: that is what is tested


def gnomond(*arguments: str) -> Result:
    """Run the command in this process, as far as its refusal."""
    return CliRunner().invoke(main, ["--simulated", "--no-page", *arguments])


@pytest.mark.skipif(not SHARED_MEMORY.is_mount(), reason="no file system in memory is mounted here")
def test_a_service_refuses_a_journal_that_the_next_power_cut_takes_away() -> None:
    ran = gnomond("--durable", f"--journal={SHARED_MEMORY / 'gnomon' / 'tamsk.journal'}")
    assert ran.exit_code == 1
    assert ran.stderr.startswith("gnomond: /dev/shm/gnomon is on tmpfs, which loses everything when the power goes off")
    assert not (SHARED_MEMORY / "gnomon").exists()


def test_without_a_name_the_board_is_the_one_that_is_described(tmp_path: Path) -> None:
    ran = gnomond(f"--wiring={BUNDLED / 'table.toml'}", "--level=1", f"--journal={tmp_path / 'journal'}")
    assert ran.exit_code == 2
    assert "--level is TAMSK's; this table has none." in ran.stderr


def test_the_last_error_of_a_service_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    ran = gnomond(f"--wiring={tmp_path / 'none.toml'}")
    assert ran.exit_code == 1
    assert ran.stderr == f"gnomond: {(tmp_path / 'last-error').read_text().splitlines()[0]}\n"


def test_safe_mode_that_cannot_run_says_why(tmp_path: Path) -> None:
    ran = CliRunner().invoke(main, ["--safe", "--no-page", "--wiring", str(BUNDLED / "tamsk.toml")])
    assert ran.exit_code == 1
    assert ran.stderr.startswith("gnomond: Safe mode was asked for on the command line. The display cannot be used: ")
    assert list(tmp_path.iterdir()) == []
