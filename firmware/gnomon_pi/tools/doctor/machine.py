"""Define the interface by which checks read a machine: files, commands, rights and library versions.

The checks take a Machine as an argument, so that a test can give them a folder that looks like one.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from gnomon_pi.runtime.clock import Watch
from gnomon_pi.tools.doctor.gpio_lines import UsedLine

LONGEST: Final = 1_000_000  # bytes that are read of a file
BOOT_FOLDERS: Final = ("boot/firmware", "boot")
"""Where the boot partition is mounted: since Bookworm, and before."""


class Space(NamedTuple):
    """What is left where a file stands; `inodes` is None on file systems that count none."""

    free: int  # bytes that the user may take
    size: int
    inodes: int | None = None


def exists(path: Path) -> bool:
    """Whether a file is there as far as this user may know: Path.exists raises PermissionError."""
    try:
        path.stat()
    except (OSError, ValueError):
        return False
    return True


def number(text: str) -> int | None:
    """The whole number that a file tells; None for anything else, and for one that no file means."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text) else None


@dataclass(frozen=True, slots=True)
class Account:
    """The user who asks; `groups` are names."""

    groups: frozenset[str]
    is_root: bool = False


@dataclass(frozen=True)
class Machine:
    """What the checks may ask; `root` is `/`, or a folder that looks like it.

    `command` runs a program and gives what it writes, None when it fails, is missing or takes too long; `may` says
    whether the user may "read" or "write" a path; `space` raises OSError; `lines` are the pins of the header that the
    kernel says are used, None when it does not say; `versions` are those of the installed distributions by their
    normalised names, and `sqlite`.
    """

    root: Path
    watch: Watch
    command: Callable[[Sequence[str]], str | None]
    may: Callable[[Path, str], bool]
    space: Callable[[Path], Space]
    lines: Callable[[], Sequence[UsedLine] | None]
    versions: Mapping[str, str]
    account: Account
    python: str
    bits: int
    environment: Mapping[str, str] = field(default_factory=dict)

    def path(self, name: str) -> Path:
        """Where an absolute path of the machine is to be found."""
        return self.root / name.lstrip("/")

    def text(self, name: str) -> str:
        """What a file says, without blanks and zero bytes at its ends; empty when it cannot be read."""
        return self.data(name).decode("utf-8", "replace").strip(" \t\r\n\0")

    def data(self, name: str) -> bytes:
        """The first bytes of a file; empty when it cannot be read."""
        with suppress(OSError, ValueError), self.path(name).open("rb") as file:
            return file.read(LONGEST)
        return b""

    def has(self, name: str) -> bool:
        """Whether there is a file of that name."""
        return exists(self.path(name))

    def names(self, pattern: str) -> Sequence[str]:
        """The absolute paths that match a pattern, in order."""
        with suppress(OSError, ValueError):
            return sorted(f"/{path.relative_to(self.root)}" for path in self.root.glob(pattern.lstrip("/")))
        return ()

    def boot_file(self, name: str) -> str:
        """The path of a file on the boot partition; empty when it is not there."""
        return next((f"/{folder}/{name}" for folder in BOOT_FOLDERS if self.has(f"{folder}/{name}")), "")
