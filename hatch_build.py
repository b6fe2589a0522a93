"""Compile the search of TAMSK, for the working tree or as a part of a wheel.

A wheel that is built with `GNOMON_COMPILE=1` in its environment holds the compiled search beside its source, for the
Python and the processor that built it. Any other wheel is plain Python and runs everywhere.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCES: Final = Path(__file__).parent / "companion"
ENGINE: Final = Path("gnomon", "games", "tamsk", "engine")
COMPILERS: Final = ("mypy[mypyc]>=1.18", "setuptools")


def compile_search(folder: Path) -> list[Path]:
    """Compile the search into a folder: its libraries. Raises OSError with what the compiler said."""
    with tempfile.TemporaryDirectory() as work:
        source = Path(work, ENGINE, "_search.py")
        source.parent.mkdir(parents=True)
        for package in source.relative_to(work).parents[:-1]:
            Path(work, package, "__init__.py").touch()
        shutil.copy(SOURCES / ENGINE / source.name, source)
        ran = subprocess.run(  # noqa: S603 - the compiler, on a file of this tree
            [sys.executable, "-m", "mypyc", source.relative_to(work)],
            cwd=work,
            capture_output=True,
            text=True,
            check=False,
        )
        libraries = list(source.parent.glob("_search*.so"))
        if ran.returncode or not libraries:
            message = f"the search of TAMSK cannot be compiled: {ran.stdout}{ran.stderr}"
            raise OSError(message)
        return [Path(shutil.copy(library, folder)) for library in libraries]


class CompiledSearch(BuildHookInterface):  # type: ignore[type-arg]  # whatever configures the builder
    """Adds the compiled search to a wheel, if the environment asks for it."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What the build needs beyond hatchling."""
        return list(COMPILERS) if _is_asked_for() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the wheel is put together."""
        if version == "standard" and _is_asked_for():
            self.folder = tempfile.TemporaryDirectory()
            for library in compile_search(Path(self.folder.name)):
                build_data["force_include"][str(library)] = (ENGINE / library.name).as_posix()
            build_data["pure_python"] = False
            build_data["infer_tag"] = True

    def finalize(self, _version: str, _build_data: dict[str, Any], _artifact_path: str) -> None:
        """Clear away what was compiled: the wheel holds it."""
        if _is_asked_for():
            self.folder.cleanup()


def _is_asked_for() -> bool:
    return os.environ.get("GNOMON_COMPILE") == "1"


if __name__ == "__main__":
    compile_search(SOURCES / ENGINE)
