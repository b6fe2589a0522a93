"""Check whether a folder is on a file system that survives a power cut."""

from pathlib import Path, PurePath
from typing import Final

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


def forgets(folder: PurePath, mounts: str) -> str:
    """Why nothing should be kept in a folder, in one sentence, or nothing when it can be."""
    kind = kind_of(folder, mounts)
    if kind not in _FORGETFUL:
        return ""
    return (
        f"{folder} stands on {kind}, which forgets everything when the power goes:"
        " keep the games on a partition that can be written (docs/install.md, A root that is only read)"
    )


def _plain(point: str) -> str:
    """A mount point with the octal escapes of /proc/self/mounts undone."""
    for escape, letter in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        point = point.replace(escape, letter)
    return point
