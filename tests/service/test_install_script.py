"""install.sh as far as it can be tried without installing: what it refuses, and what it would do.

The whole story is told in a Debian root by `install_stage.py`.
"""

import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import FindProgram

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "install.sh"


def install(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run install.sh in a way that changes nothing."""
    return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bogus"], "I do not know bogus."),
        (["--dry"], "I do not know --dry."),
        (["update", "remove"], "One thing at a time: update or remove."),
        (["--board"], "--board needs a value."),
        (["--board", "../tamsk"], "--board takes a name such as tamsk."),
        (["--state", "data"], "--state takes a folder by its whole path, such as /data/gnomon."),
        (["--state", "/"], "--state takes a folder by its whole path, such as /data/gnomon."),
        (["--state", "/my games"], "--state takes letters, digits, and / . _ - only."),
        (["install", "--purge"], "--purge goes with remove."),
    ],
)
def test_wrong_use_is_said_in_one_sentence(arguments: list[str], said: str) -> None:
    ran = install(*arguments, "--dry-run") if arguments != ["--board"] else install("--dry-run", *arguments)
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", f"install.sh: {said} See ./install.sh --help.\n")


def test_a_folder_that_does_not_hold_gnomon_is_refused(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        ran = install("--dry-run", "--from", folder)
        assert ran.returncode == 1
        assert re.fullmatch(r"install\.sh: .*(does not hold Gnomon: .*|There is no folder .*)\n", ran.stderr)


@pytest.mark.skipif(Path("/opt/gnomon").exists(), reason="Gnomon is installed on this machine")
class TestOnAMachineWithoutGnomon:
    def test_a_dry_run_goes_through_every_step_and_needs_no_rights(self) -> None:
        ran = install("--dry-run", "--simulated")
        assert ran.returncode == 0, ran.stderr
        steps = ("python3-venv", "user gnomon", "installed version", "board.toml", "gnomond.service", "restarted")
        places = [ran.stdout.find(step) for step in steps]
        assert places == sorted(places)
        assert -1 not in places
        assert "  done " not in ran.stdout
        assert ran.stdout.endswith(":8765/\n")
        assert not Path("/opt/gnomon").exists()

    def test_there_is_nothing_to_update_to_go_back_to_or_to_remove(self) -> None:
        assert (
            install("update", "--dry-run").stderr == "install.sh: Gnomon is not installed here yet: sudo ./install.sh\n"
        )
        assert install("rollback", "--dry-run").stderr == "install.sh: There is no version to go back to.\n"
        assert install("remove", "--dry-run").returncode == 0
        assert install("status").stdout == "Gnomon is not installed.\n"


def sources_of_a_stranger(folder: Path, ran: Path) -> Path:
    """Something that passes for Gnomon, in a repository whose configuration names a program for all that git does."""
    trap = folder / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {ran}\n", encoding="utf-8")
    trap.chmod(0o755)
    source = folder / "source"
    source.mkdir()
    (source / "pyproject.toml").write_text('[project]\nname = "gnomon"\nversion = "9.9"\n', encoding="utf-8")
    for name in ("README.md", "LICENSE"):
        (source / name).write_text("text", encoding="utf-8")
    for name in ("companion", "firmware"):
        (source / name).mkdir()
    for module in ("lgpio", "spidev", "sys", "argon2", "venv"):  # what Python would import from the current folder
        (source / f"{module}.py").write_text(f"open({str(ran)!r}, 'w')", encoding="utf-8")
    (source / ".gitattributes").write_text("* filter=trap diff=trap\n", encoding="utf-8")
    subprocess.run(["git", "init", "-q", source], check=True)
    for key in ("core.fsmonitor", "core.pager", "core.sshCommand", "filter.trap.clean", "diff.trap.command"):
        subprocess.run(["git", "-C", source, "config", key, str(trap)], check=True)
    return source


def test_a_dry_run_runs_no_program_of_the_folder_that_it_is_shown(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    source = sources_of_a_stranger(tmp_path, ran)
    for folder in (tmp_path, source):
        done = subprocess.run(
            [SCRIPT, "--dry-run", "--from", source], cwd=folder, capture_output=True, text=True, check=False
        )
        assert re.search(r"Gnomon 9\.9-[0-9a-f]{8} from ", done.stdout)
        assert not ran.exists()


def test_the_lock_is_where_nobody_else_may_write_or_open_it() -> None:
    script = SCRIPT.read_text(encoding="utf-8")
    (lock,) = re.findall(r"exec 9>(\S+)", script)
    assert Path(lock).parent == Path("/run")
    assert re.search(rf"umask 077\n\s+exec 9>{lock}\n\s+umask 022\n", script)


def test_the_help_names_every_action_and_option() -> None:
    said = install("--help").stdout
    script = SCRIPT.read_text(encoding="utf-8")
    options = set(re.findall(r"^ +(--[a-z-]+)\)", script, re.MULTILINE)) - {"--help"}
    assert options
    assert {name for name in options if name not in said} == set()


def link_shared(version: Path, current: Path, share: Path) -> str:
    """Run the part of install.sh that links manual pages and completions, in folders of our own."""
    text = SCRIPT.read_text(encoding="utf-8")
    body = text[text.index("link_shared() {") :]
    shared = next(line for line in text.splitlines() if line.startswith("SHARED="))
    said = "did() { echo done; }; left() { echo kept; }; DRY_RUN=no"
    script = f"{said}; CURRENT={current}; SHARE={share}; {shared}\n{body[: body.index(chr(10) + '}' + chr(10)) + 3]}"
    ran = subprocess.run(
        ["sh", "-eu", "-c", f"{script}\nlink_shared {version}"], capture_output=True, text=True, check=True
    )
    return ran.stdout.strip()


def test_manual_pages_and_completions_lead_into_the_version_that_runs(tmp_path: Path) -> None:
    old, new, share = tmp_path / "old", tmp_path / "new", tmp_path / "share"
    for version, pages in ((old, ("gnomon.1", "gnomon-gone.1")), (new, ("gnomon.1", "gnomon-new.1"))):
        for name in (*(f"man/man1/{page}" for page in pages), "zsh/site-functions/_gnomon", "man/man1/other.1"):
            (version / "share" / name).parent.mkdir(parents=True, exist_ok=True)
            (version / "share" / name).write_text(version.name)
    (share / "zsh/site-functions").mkdir(parents=True)
    (share / "zsh/site-functions/_gnomon").write_text("somebody else's")
    current = tmp_path / "current"
    current.symlink_to(old)
    assert [link_shared(old, current, share) for _ in range(2)] == ["done", "kept"]
    current.unlink()
    current.symlink_to(new)
    assert link_shared(new, current, share) == "done"
    found = {path.name: path.read_text() for path in share.rglob("*") if path.is_file()}
    assert found == {"gnomon.1": "new", "gnomon-new.1": "new", "_gnomon": "somebody else's"}
    assert link_shared(tmp_path / "nowhere", current, share) == "done"
    assert [path.name for path in share.rglob("*") if not path.is_dir()] == ["_gnomon"]


@pytest.mark.parametrize("script", ["install.sh", ".ci/run", ".ci/needs"])
def test_shellcheck_has_nothing_to_say(find_program: FindProgram, script: str) -> None:
    ran = subprocess.run(
        [find_program("shellcheck", package="shellcheck"), ROOT / script], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (0, "")
