"""Collect this machine's commands, rights, disk space, GPIO lines and library versions for the checks."""

import grp
import os
import platform
import sqlite3
import struct
import subprocess
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Final

from gnomon_pi.runtime.system.clock import Watch
from gnomon_pi.tools.doctor._installation import normalise
from gnomon_pi.tools.doctor.machine import Machine, Space, UsedLine, UserAccount, debug_lines, used_lines

PATIENCE: Final = 5.0
"""Seconds for a command to answer."""

_DEBUG: Final = Path("/sys/kernel/debug/gpio")
_MODES: Final = {"read": os.R_OK, "write": os.W_OK}


def this_machine(watch: Watch) -> Machine:
    """The machine on which this runs, with the rights of the user who asks."""
    return Machine(
        root=Path("/"),
        watch=watch,
        command=answer_of(PATIENCE),
        may=lambda path, what: os.access(path, _MODES[what]),
        space=_space,
        lines=_lines,
        versions=_versions(),
        account=_account(),
        python=platform.python_version(),
        bits=struct.calcsize("P") * 8,
        environment=os.environ,
    )


def answer_of(patience: float) -> Callable[[Sequence[str]], str | None]:
    """What runs a command for at most so many seconds, in plain English, and gives its output or None."""

    def run(command: Sequence[str]) -> str | None:
        try:
            done = subprocess.run(  # noqa: S603 - commands of the checks only, never of a user
                command,
                capture_output=True,
                stdin=subprocess.DEVNULL,
                timeout=patience,
                check=False,
                env=os.environ | {"LC_ALL": "C"},
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None

    return run


def _space(path: Path) -> Space:
    told = os.statvfs(path)
    return Space(
        free=told.f_bavail * told.f_frsize,
        size=told.f_blocks * told.f_frsize,
        inodes=told.f_favail if told.f_files else None,
    )


def _lines() -> Sequence[UsedLine] | None:
    found = used_lines(sorted(Path("/dev").glob("gpiochip*")))
    if found is not None:
        return found
    try:
        return debug_lines(_DEBUG.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return None


def _versions() -> Mapping[str, str]:
    installed: dict[str, str] = {}
    for each in metadata.distributions():
        # A damaged installation may lack either; the first one found is the one that is imported.
        name, version = each.metadata["Name"], each.metadata["Version"]
        if name and version:
            installed.setdefault(normalise(name), version)
    return installed | {"sqlite": sqlite3.sqlite_version}


def _account() -> UserAccount:
    names = set()
    for number in {*os.getgroups(), os.getegid()}:
        try:
            names.add(grp.getgrgid(number).gr_name)
        except KeyError:  # a group without a name gives no right that is asked for
            continue
    return UserAccount(frozenset(names), is_root=os.geteuid() == 0)
