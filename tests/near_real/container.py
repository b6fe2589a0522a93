"""Run a root with systemd as a container of this computer: the kernel and the time are this computer's own."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.near_real.machine import Ran, run
from tests.near_real.roots import HERE

MOST_STARTS: Final = 5
APART: Final = ("unshare", "--mount", "--pid", "--net", "--ipc", "--uts", "--cgroup", "--fork", "--kill-child")
GROUPS: Final = Path("/sys/fs/cgroup")
NAME: Final = "gnomon-near-real"
LOOKS: Final = 100


def run_container(root: Path, log: Path, seconds: float) -> Ran:
    """Start a root again and again, as it restarts or its power is cut, until its story is told."""
    ran = Ran([], is_complete=False, seconds=0.0)
    with _devices_untouched(), _groups():
        for start in range(MOST_STARTS):
            words = (*APART, str(HERE / "disk/start-container"), str(root))
            one = run(words, log.with_name(f"{log.stem}-{start + 1}.log"), seconds)
            ran = Ran((*ran.found, *one.found), one.is_complete, ran.seconds + one.seconds, _processor_seconds())
            if one.is_complete:
                break
    return ran


def _processor_seconds() -> float:
    """What everything in the container has used so far: children of its systemd are not counted among ours."""
    folder = GROUPS if (GROUPS / "cgroup.controllers").exists() else GROUPS / "unified"
    told = (folder / NAME / "cpu.stat").read_text(encoding="ascii").split()
    return int(told[told.index("usage_usec") + 1]) / 1e6


@contextmanager
def _devices_untouched() -> Iterator[None]:
    """Make sure that what is started here leaves the computer's own devices alone.

    Raises:
        RuntimeError: who may use ``/dev/null`` has changed.

    """
    null = Path(os.devnull)
    before = null.stat()
    yield
    after = null.stat()
    if (before.st_mode, before.st_gid) != (after.st_mode, after.st_gid):
        os.chown(null, before.st_uid, before.st_gid)
        null.chmod(before.st_mode & 0o777)
        msg = f"the container has changed who may use {null}: it is as before again"
        raise RuntimeError(msg)


@contextmanager
def _groups() -> Iterator[None]:
    """Groups of processes of its own for what is started here: systemd takes those in which it starts for the first."""
    hierarchies = [GROUPS] if (GROUPS / "cgroup.controllers").exists() else [GROUPS / "systemd", GROUPS / "unified"]
    left = Path("/proc/self/cgroup").read_text(encoding="ascii").splitlines()
    before = {line.split(":")[1]: line.split(":")[2].lstrip("/") for line in left}
    for hierarchy in hierarchies:
        (hierarchy / NAME).mkdir(exist_ok=True)
        (hierarchy / NAME / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")
    try:
        yield
    finally:
        for hierarchy in hierarchies:
            own = before.get("name=systemd" if hierarchy.name == "systemd" else "", "")
            (hierarchy / own / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")
            _remove(hierarchy / NAME)


def _remove(group: Path) -> None:
    """Remove a group with those below it: they are empty a moment after their processes were killed."""
    for look in range(LOOKS):
        try:
            for folder, _, _ in os.walk(group, topdown=False):
                Path(folder).rmdir()
        except OSError:
            if look == LOOKS - 1:
                raise
            time.sleep(0.1)
        else:
            return
