"""Test the wheel and the sdist: what is in them, and that both commands run where nothing but the locks is installed.

`make dist` runs these tests on what it built, and there the locked wheels are downloaded by their hashes.
"""

import os
import re
import signal
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "locks" / "board.txt"
BUILT = os.environ.get("DIST", "")
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
PATIENCE = 120  # seconds, on a busy machine


class Built(NamedTuple):
    """What was built."""

    wheel: Path
    sdist: Path


def run(*command: object, folder: Path, said: str = "", environment: Mapping[str, str] | None = None) -> str:
    """Run a command that must succeed, in an environment of its own; what it prints."""
    own = {"PATH": os.defpath, "HOME": str(folder), "LC_ALL": "C.UTF-8", **(environment or {})}
    ran = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=own,
        input=said,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def build(source: Path, folder: Path, *targets: str) -> None:
    run(sys.executable, "-m", "hatchling", "build", "-d", folder, *targets, folder=source)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Both of this tree, or what `make dist` built."""
    folder = Path(BUILT).resolve() if BUILT else tmp_path_factory.mktemp("dist")
    if not BUILT:
        build(ROOT, folder)
    (wheel,), (sdist,) = folder.glob("*-none-any.whl"), folder.glob("*.tar.gz")
    return Built(wheel, sdist)


def locked() -> list[str]:
    """The distributions that a board downloads."""
    return re.findall(r"^([a-z0-9-]+)==", LOCK.read_text("utf-8"), re.MULTILINE)


def link_locked(folder: Path) -> None:
    """Let a folder hold what the lock names and nothing else, from what is installed here."""
    for name in locked():
        try:
            files = distribution(name).files or ()
        except PackageNotFoundError:  # for another system
            continue
        for file in files:
            top = folder / file.parts[0]
            if file.parts[0] not in ("..", "__pycache__") and not top.exists():
                top.symlink_to(distribution(name).locate_file(file.parts[0]))  # type: ignore[arg-type]  # a path


@pytest.fixture(scope="module")
def bare(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The environment of a machine that has nothing but the wheel and what the lock names."""
    folder = tmp_path_factory.mktemp("bare") / "venv"
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--disable-pip-version-check")
    if BUILT:
        own = {name: value for name, value in os.environ.items() if name.startswith("PIP_") or "proxy" in name.lower()}
        hashed = ("--require-hashes", "--only-binary", ":all:", "-r", LOCK)
        run(*pip, *hashed, folder=folder, environment={**own, "HOME": os.environ.get("HOME", "/")})
    else:
        (packages,) = folder.glob("lib/python*/site-packages")
        link_locked(packages)
    run(*pip, "--no-index", "--no-deps", built.wheel, folder=folder)
    return folder


def names(built: Built) -> set[str]:
    with zipfile.ZipFile(built.wheel) as wheel:
        return {name for name in wheel.namelist() if not name.endswith("/")}


def test_the_version_is_that_of_the_project(built: Built) -> None:
    assert (built.wheel.name, built.sdist.name) == (
        f"gnomon-{VERSION}-py3-none-any.whl",
        f"gnomon-{VERSION}.tar.gz",
    )


def test_the_sdist_builds_the_same_wheel(built: Built, tmp_path: Path) -> None:
    run("tar", "-xf", built.sdist, folder=tmp_path)
    build(tmp_path / f"gnomon-{VERSION}", tmp_path, "-t", "wheel")
    with zipfile.ZipFile(built.wheel) as first, zipfile.ZipFile(tmp_path / built.wheel.name) as second:
        assert first.namelist() == second.namelist()
        assert [name for name in first.namelist() if first.read(name) != second.read(name)] == []


def test_the_wheel_holds_the_two_packages_and_what_shells_look_for(built: Built) -> None:
    data = f"gnomon-{VERSION}.data/data/share"
    shared = {name.removeprefix(f"{data}/") for name in names(built) if name.startswith(data)}
    pages = {f"man/man1/{path.name}" for path in (ROOT / "docs" / "man").iterdir()}
    completions = {
        f"{folder}/{file.format(program)}"
        for program in ("gnomon", "gnomond")
        for folder, file in (
            ("bash-completion/completions", "{}.bash"),
            ("zsh/site-functions", "_{}"),
            ("fish/vendor_completions.d", "{}.fish"),
        )
    }
    assert shared == pages | completions
    others = {name.partition("/")[0] for name in names(built)}
    assert others == {"gnomon", "gnomon_pi", f"gnomon-{VERSION}.data", f"gnomon-{VERSION}.dist-info"}


def test_the_wheel_holds_every_file_of_the_packages(built: Built) -> None:
    for source in ("companion/gnomon", "firmware/gnomon_pi"):
        there = {
            path.relative_to((ROOT / source).parent).as_posix() for path in (ROOT / source).rglob("*") if path.is_file()
        }
        # What `make compile` leaves beside the sources goes into a wheel of its own.
        assert {name for name in there if "__pycache__" not in name and not name.endswith(".so")} <= names(built)


@pytest.mark.skipif(not BUILT, reason="make dist compiles it")
def test_a_second_wheel_holds_the_compiled_search_besides(built: Built, tmp_path: Path) -> None:
    (compiled,) = built.wheel.parent.glob(f"gnomon-{VERSION}-cp*.whl")
    environment = tmp_path / "venv"
    venv.create(environment, with_pip=False)
    pip = (sys.executable, "-m", "pip", "--python", environment / "bin" / "python", "install", "--quiet")
    run(*pip, "--no-index", "--no-deps", "--disable-pip-version-check", compiled, folder=tmp_path)
    with zipfile.ZipFile(compiled) as packed:
        added = {name for name in packed.namelist() if not name.startswith(f"gnomon-{VERSION}")} - names(built)
    assert {name.partition(".")[0] for name in added} == {
        f"gnomon/games/tamsk/engine/_search{part}" for part in ("", "__mypyc")
    }
    said = "from gnomon.games.tamsk.engine import _search; print(_search.__file__)"
    assert run(environment / "bin" / "python", "-I", "-c", said, folder=tmp_path).strip().endswith(".so")


@pytest.mark.parametrize("program", ["gnomon", "gnomond"])
def test_each_command_says_its_version_and_its_help(bare: Path, tmp_path: Path, program: str) -> None:
    assert VERSION in run(bare / "bin" / program, "--version", folder=tmp_path)
    assert run(bare / "bin" / program, "--help", folder=tmp_path).startswith(f"Usage: {program} ")
    assert (bare / "share" / "man" / "man1" / f"{program}.1").is_file()


def test_the_rules_are_played(bare: Path, tmp_path: Path) -> None:
    said = run(bare / "bin" / "gnomon", "rules", "tamsk", folder=tmp_path, said="play D1-D2\nturn\nquit\n")
    assert said.splitlines() == ["ok", "ok black"]


def test_the_daemon_starts_on_a_simulated_board_and_ends_when_it_is_told_to(bare: Path, tmp_path: Path) -> None:
    command: list[str | Path] = [
        bare / "bin" / "gnomond",
        "--board",
        "tamsk",
        "--simulated",
        "--port",
        "0",
        "--journal",
        "a.journal",
    ]
    own = {"PATH": os.defpath, "HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, cwd=tmp_path, env=own, stdout=subprocess.PIPE, text=True) as daemon:
        assert daemon.stdout is not None
        said = ""
        try:
            while "http://" not in said:
                line = daemon.stdout.readline()
                assert line, said
                said += line
        finally:
            daemon.send_signal(signal.SIGTERM)
        daemon.communicate(timeout=PATIENCE)
    assert daemon.returncode == 0
    assert (tmp_path / "a.journal").is_file()


def test_the_library_is_imported_without_the_tests_and_tools(bare: Path, tmp_path: Path) -> None:
    said = "import gnomon; print(gnomon.__version__, gnomon.begin('tabik', {}).rules.name)"
    assert run(bare / "bin" / "python", "-I", "-c", said, folder=tmp_path).split() == [VERSION, "tabik"]


def test_a_game_of_its_own_builds_with_its_words_and_its_entry_point(tmp_path: Path) -> None:
    build(ROOT / "tests" / "sixth_game", tmp_path, "-t", "wheel")
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        assert {"hex7/rules.md", *(f"hex7/words/{language}.json" for language in ("en", "de", "fr"))} <= {
            *packed.namelist()
        }
        entries = packed.read("gnomon_hex7-1.0.dist-info/entry_points.txt").decode()
    assert entries.split() == ["[gnomon.games]", "hex7", "=", "hex7:KIND"]
