"""What a board downloads is locked by hash, and no floor admits a release with a hole that was published."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
LOCKS = ("board.txt", "pins.txt")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
# The first releases that mended a published hole: CVE-2025-27516, -43859, -62727, 2026-25990, -26209, and
# GHSA-v9pg-7xvm-68hf.
FLOORS = {
    "jinja2": "3.1.6",
    "h11": "0.16",
    "starlette": "0.49.1",
    "pillow": "12.1.1",
    "cbor2": "5.9",
    "python-multipart": "0.0.31",
}


def releases(lock: str) -> dict[str, list[str]]:
    """The versions of each distribution that a lock names; each must have a hash."""
    found: dict[str, list[str]] = {}
    text = (ROOT / "locks" / lock).read_text(encoding="utf-8")
    for entry in re.split(r"\n(?=[a-z])", text.partition("make lock\n")[2]):
        released = re.match(r"([a-z0-9-]+)==([^ ]+)", entry)
        assert released, entry
        name, version = released.groups()
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry
        found.setdefault(name, []).append(version)
    return found


@pytest.mark.parametrize(("lock", "extra"), [("board.txt", ""), ("pins.txt", "pi")])
def test_a_lock_has_a_release_of_all_that_a_board_needs_with_its_hashes(lock: str, extra: str) -> None:
    locked = releases(lock)
    needed = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["build"]]
    needed += PROJECT["project"]["optional-dependencies"][extra] if extra else []
    for requirement in map(Requirement, needed):
        versions = locked[requirement.name.replace(".", "-")]
        assert all(requirement.specifier.contains(version) for version in versions), requirement
    assert "://" not in (ROOT / "locks" / lock).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FLOORS)
def test_no_floor_admits_a_release_with_a_hole_that_is_known(name: str) -> None:
    told = next(one for one in map(Requirement, PROJECT["project"]["dependencies"]) if one.name == name)
    floor = next(one for one in told.specifier if one.operator == ">=")
    assert Requirement(f"x>={FLOORS[name]}").specifier.contains(floor.version)


def audited(folder: Path, said: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run the audit where pip-audit says something."""
    (folder / "pip_audit").mkdir()
    (folder / "pip_audit/__init__.py").touch()  # or the real one, where it is installed, comes first
    (folder / "pip_audit/__main__.py").write_text(f"print({said!r})\nraise SystemExit({code})", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, str(ROOT / ".ci/audit"), "lock"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def report(*releases_: dict[str, object]) -> str:
    return json.dumps({"dependencies": [{"name": "x", "version": "1", **one} for one in releases_]})


@pytest.mark.parametrize(
    ("said", "code", "sentence"),
    [
        (report({"vulns": []}, {"skip_reason": "?"}), 0, "1 of 2 releases were audited, 0 holes are published"),
        (report({"vulns": [{"id": "CVE-1", "fix_versions": ["2"]}]}), 1, "x 1 has CVE-1, mended in 2"),
        (report({"skip_reason": "not found"}), 0, "nothing was audited: the service knows none of the 1 releases"),
        ("no network", 0, "nothing was audited: pip-audit says nothing"),
    ],
)
def test_the_audit_fails_for_a_hole_alone_and_says_what_could_not_be_asked(
    tmp_path: Path, said: str, code: int, sentence: str
) -> None:
    ran = audited(tmp_path, said, code)
    assert (ran.returncode, sentence in ran.stdout) == (code, True), ran.stdout


def test_the_installer_downloads_by_hash_alone() -> None:
    script = (ROOT / "install.sh").read_text(encoding="utf-8")
    body = script[script.index("install_with_pip() {") :]
    body = body[: body.index("\n}\n")]
    locked = body[: body.index("*) $pip")]
    downloads = [line for line in locked.splitlines() if "$pip " in line]
    assert len(downloads) == 3
    assert all("--require-hashes" in line or "--no-index" in line for line in downloads)
