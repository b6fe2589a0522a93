"""Record the address of the daemon's pages in the lock file of its journal.

The lock file is the one by which the journal is locked, so the address is true for as long as the lock is held.
Another daemon reads it when it finds the journal locked (issue 11).
"""

from contextlib import suppress
from pathlib import Path


def write(journal: Path, address: str) -> None:
    """Note the address for others; empty without a page. To be called by the process that has the journal open."""
    with suppress(OSError):  # A full disk must not end a game; others are then told without an address.
        _note(journal).write_text(address, encoding="utf-8")


def address(journal: Path) -> str:
    """The address that the daemon has noted that has the journal open; empty when it has none."""
    with suppress(OSError, UnicodeDecodeError):
        return _note(journal).read_text(encoding="utf-8")
    return ""


def _note(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}-lock")
