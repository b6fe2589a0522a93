"""Write files atomically: after a power cut each has its old or its new content."""

import os
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

READABLE: Final = 0o644
"""Everybody may read it."""
SECRET: Final = 0o600
"""Only its owner may."""


def write_whole(path: Path, text: str, mode: int, owner: tuple[int, int] | None = None) -> None:
    """Write a text to a file, which has it whole or is as it was; `owner` is a user and a group. Raises OSError."""
    prefix = f".{path.name}."
    with NamedTemporaryFile("w", dir=path.parent, prefix=prefix, encoding="utf-8", newline="", delete=False) as file:
        new = Path(file.name)
        try:
            file.write(text)
            file.flush()
            os.fchmod(file.fileno(), mode)
            if owner is not None:
                os.fchown(file.fileno(), *owner)
            os.fsync(file.fileno())
            new.replace(path)
        except BaseException:
            with suppress(OSError):
                new.unlink()
            raise
    sync(path.parent)


def sync(path: Path) -> None:
    """Wait until the disk has a file, or the names in a folder (man 2 fsync). Raises OSError."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
