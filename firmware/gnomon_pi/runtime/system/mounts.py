"""Find the file system on which a path stands, and tell whether a power cut empties it."""

import re
from pathlib import Path, PurePath
from typing import Final, NamedTuple

from gnomon.refusals import Statement, statement

MOUNTS: Final = Path("/proc/self/mounts")
_FORGETFUL: Final = ("overlay", "overlayroot", "ramfs", "tmpfs", "aufs")
"""File systems whose changes a Raspberry Pi with a protected root keeps in memory only."""


class Mount(NamedTuple):
    """A row of /proc/mounts."""

    device: str
    point: str
    kind: str
    options: tuple[str, ...]

    @property
    def is_read_only(self) -> bool:
        """Whether nothing can be written there."""
        return "ro" in self.options


def mount_of(path: PurePath, mounts: str) -> Mount | None:
    """The file system on which an absolute path stands, by the text of /proc/mounts; None when it does not say.

    The deepest mount point counts, and of several on one point the last, which hides those before it.
    """
    rows = [row.split()[:4] for row in mounts.splitlines()]
    points = {_unescape(row[1]): row for row in rows if len(row) == 4}  # noqa: PLR2004 - device, point, kind, options
    for folder in (path, *path.parents):
        if row := points.get(str(folder)):
            return Mount(_unescape(row[0]), str(folder), row[2], tuple(row[3].split(",")))
    return None


def forgets(folder: PurePath, mounts: str) -> Statement | None:
    """Why nothing should be kept in a folder, or None when it can be."""
    mount = mount_of(folder, mounts)
    if mount is None or mount.kind not in _FORGETFUL:
        return None
    return statement("start.forgetful", folder=str(folder), kind=mount.kind)


def _unescape(text: str) -> str:
    # Blanks in /proc/mounts are octal (man 5 fstab).
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), text)
