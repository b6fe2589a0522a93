"""Compile the small C core of an engine at its first use, where there is a compiler.

Nothing needs it: an engine does the same without, more slowly. The library stays in the user's own cache, named by
its source and the machine, and nowhere where others can write.
"""

import ctypes
import hashlib
import os
import platform
import shutil
import subprocess
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

_COMPILERS: Final = ("cc", "gcc", "clang")
_OPTIONS: Final = ("-O3", "-ffp-contract=off", "-shared", "-fPIC")
_PATIENCE: Final = 120  # seconds: it is ten on a slow board


def compiled_library(core: str, environment: Mapping[str, str]) -> ctypes.CDLL | None:
    """The library that a C file makes, which is given as "package:file".

    None where it cannot be had, or where `GNOMON_NO_COMPILER` is set.
    """
    if environment.get("GNOMON_NO_COMPILER"):
        return None
    package, _, file = core.partition(":")
    text = (files(package) / file).read_bytes()
    machine = " ".join((platform.machine(), platform.system(), *platform.architecture(), *_OPTIONS))
    name = f"{package}-{hashlib.sha256(text + machine.encode()).hexdigest()[:16]}.so"
    try:
        folder = _folder(environment)
        if not (folder / name).exists():
            _compile(text, folder / name, environment)
        return ctypes.CDLL(str(folder / name))
    except (OSError, subprocess.SubprocessError):
        return None


def _folder(environment: Mapping[str, str]) -> Path:
    """The user's own folder for what was compiled. Raises OSError if others can write there."""
    cache = environment.get("XDG_CACHE_HOME") or ""
    folder = (Path(cache) if Path(cache).is_absolute() else Path.home() / ".cache") / "gnomon" / "cores"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    status = folder.stat()
    if status.st_uid != os.geteuid() or status.st_mode & 0o022:
        message = f"{folder} is not this user's alone"
        raise PermissionError(message)
    return folder


def _compile(text: bytes, library: Path, environment: Mapping[str, str]) -> None:
    """Compile a file, and give the library its name once it is complete."""
    compiler = next(filter(None, (shutil.which(name, path=environment.get("PATH")) for name in _COMPILERS)), None)
    if compiler is None:
        message = "there is no compiler"
        raise FileNotFoundError(message)
    with TemporaryDirectory(dir=library.parent) as folder:
        made, source = Path(folder) / library.name, Path(folder) / "core.c"
        source.write_bytes(text)
        command = [compiler, *_OPTIONS, "-o", str(made), str(source), "-lm"]
        subprocess.run(command, check=True, capture_output=True, timeout=_PATIENCE)  # noqa: S603 - our own file
        made.replace(library)
