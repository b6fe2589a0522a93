"""Tell whether a folder stands on a file system that a power cut empties."""

from pathlib import Path, PurePath
from typing import Final

from gnomon.refusals import Statement, statement

MOUNTS: Final = Path("/proc/self/mounts")
_FORGETFUL: Final = ("overlay", "overlayroot", "ramfs", "tmpfs", "aufs")
"""File systems whose changes a Raspberry Pi with a protected root keeps in memory only."""


def kind_of(folder: PurePath, mounts: str) -> str:
    """The file system on which an absolute folder stands, by the text of /proc/self/mounts; empty when none is named.

    The deepest mount point counts, and of several on one point the last.
    """
    deepest, kind = -1, ""
    for line in mounts.splitlines():
        _, point, name, *_ = (*line.split(" "), "", "", "")
        mounted = PurePath(_plain(point)) if point else None
        if mounted is not None and folder.is_relative_to(mounted) and len(mounted.parts) >= deepest:
            deepest, kind = len(mounted.parts), name
    return kind


def forgets(folder: PurePath, mounts: str) -> Statement | None:
    """Why nothing should be kept in a folder, or None when it can be."""
    kind = kind_of(folder, mounts)
    if kind not in _FORGETFUL:
        return None
    return statement("start.forgetful", folder=str(folder), kind=kind)


def _plain(point: str) -> str:
    """A mount point with the octal escapes of /proc/self/mounts undone."""
    for escape, letter in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        point = point.replace(escape, letter)
    return point
