"""Install the sixth game as any installer does, in a folder of its own, and let Gnomon find it there."""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from gnomon.rules import registry
from gnomon.views.show import show

HERE = Path(__file__).parent
collect_ignore = ["checks"]  # they are run where the game is installed


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages with nothing but the sixth game, laid out as its wheel is.

    No network and no builder is asked: `make dist` builds the wheel itself.
    """
    folder = tmp_path_factory.mktemp("site")
    project = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]
    copytree(HERE / "hex7", folder / "hex7", ignore=ignore_patterns("__pycache__"))
    about = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    about.mkdir()
    named = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (about / "METADATA").write_text(named, "utf-8")
    entries = [
        f"[{group}]\n" + "".join(f"{name} = {part}\n" for name, part in each.items())
        for group, each in project["entry-points"].items()
    ]
    (about / "entry_points.txt").write_text("\n".join(entries), "utf-8")
    return folder


@pytest.fixture
def installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The game is there, in this process too."""
    monkeypatch.syspath_prepend(str(site))
    registry.look_again()
    yield site
    registry.look_again()
    show.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "hex7"]:
        del sys.modules[name]
