"""Find the state folder and its journals, see whether one was moved, and rename damaged ones."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, Self

from gnomon.whole_files import sync

_COMPANIONS: Final = ("-wal", "-shm", "-journal", "-witness")
"""What stands beside a journal and belongs to it; what is in `-wal` is not yet in the file itself."""


@dataclass(frozen=True, slots=True)
class JournalFiles:
    """Which files stand under the names of a journal and its log, and when the journal itself was written last."""

    file: tuple[int, int] | None = None  # device and inode, None where there is none
    log: tuple[int, int] | None = None
    written: tuple[int, int] = (0, 0)  # size and time

    @classmethod
    def of(cls, path: Path) -> Self:
        """What stands there now."""
        file, log = _stat(path), _stat(path.with_name(path.name + "-wal"))
        return cls(
            None if file is None else (file.st_dev, file.st_ino),
            None if log is None else (log.st_dev, log.st_ino),
            (0, 0) if file is None else (file.st_size, file.st_mtime_ns),
        )

    def is_same_file(self, before: "JournalFiles") -> bool:
        """Whether both are the same files, whatever was written to them; a log may have come into being."""
        return self.file is not None and self.file == before.file and before.log in {None, self.log}


def state_folder(environment: Mapping[str, str]) -> Path:
    """Where state is kept: what systemd gives the service, or what the user's desktop says, or the usual place."""
    if given := environment.get("STATE_DIRECTORY"):
        return Path(given.split(":")[0])
    state = environment.get("XDG_STATE_HOME") or ""
    base = Path(state) if Path(state).is_absolute() else Path.home() / ".local" / "state"
    return base / "gnomon"


def journals_in(folder: Path) -> Sequence[Path]:
    """The journals in a folder, by name."""
    return sorted(folder.glob("*.journal"))


def keep_aside(path: Path, now: datetime) -> Path:
    """Give a journal, with all that belongs to it, a name that says when it was found damaged. Raises OSError.

    All parts get their new names before any loses its old one: cut off at any moment, nothing is lost. Where a file
    cannot have two names (a folder, FAT, or another owner's file) they are renamed, the journal itself last.
    """
    aside = free_name(path, now)
    parts = [(path.with_name(path.name + end), aside.with_name(aside.name + end)) for end in (*_COMPANIONS, "")]
    parts = [(old, new) for old, new in parts if old.exists()]
    try:
        for old, new in parts:
            os.link(old, new)
        sync(path.parent)
        for old, _ in parts:
            old.unlink()
    except PermissionError:
        for old, new in parts:
            if not new.is_dir():
                new.unlink(missing_ok=True)  # a second name of the same file: renaming onto it would do nothing
            old.rename(new)
    sync(path.parent)
    return aside


def free_name(path: Path, now: datetime) -> Path:
    """A name that no file in the folder has, and that says when this one was found damaged."""
    name = f"{path.name}.damaged-{now:%Y%m%d-%H%M%S}"
    count = 1
    aside = path.with_name(name)
    while aside.exists() or aside.with_name(aside.name + "-wal").exists():
        count += 1
        aside = path.with_name(f"{name}-{count}")
    return aside


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None
