"""Tell systemd, other processes and glibc what the daemon's process does."""

import ctypes
import socket
from contextlib import suppress
from pathlib import Path
from typing import Final

M_MMAP_THRESHOLD: Final = -3
M_ARENA_MAX: Final = -8
"""Of glibc's malloc.h."""
LARGE: Final = 128 * 1024
"""Bytes: what glibc begins with (mallopt(3)); it raises this by itself, up to 32 MB, when something larger is freed."""
SETTLED: Final = 3.0
"""Seconds after which what begins has been put together."""


def notify(address: str | None, state: str) -> bool:
    """Send a state such as "READY=1" to the socket at `address` and say whether it went out.

    The address is a path, or begins with @ for the abstract name space; None or empty when no one listens. A
    manager that does not listen is no reason to stop the clocks: failure is an answer, not an error.
    """
    if not address:
        return False
    if address.startswith("@"):
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK) as out:
            out.sendto(state.encode(), address)
    except OSError:
        return False
    return True


def keep_one_heap() -> bool:
    """Have all threads take memory from one heap, and say whether that can be had; before the first thread begins.

    glibc gives each thread a heap of its own, eight for each core, and none uses what is free in another: half a
    megabyte with the threads of the pages. Python's lock lets threads ask one by one anyway.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # glibc's own; other libraries need none
    return mallopt is not None and bool(mallopt(M_ARENA_MAX, 1))


def give_back_what_is_large() -> bool:
    """Let every large piece of memory go back to the system as soon as it is free; say whether that can be had.

    One picture taken along as PNG needs bands of twelve megabytes. Once the first has been freed the library would
    keep the next ones for itself, in each thread again: thirty megabytes for good.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # as above
    return mallopt is not None and bool(mallopt(M_MMAP_THRESHOLD, LARGE))


def give_back_what_is_free() -> bool:
    """Give what start-up has freed back to the system, and say whether that can be had.

    What imports and the first pictures leave free stands between pieces that stay, and glibc keeps it: one and a half
    megabytes, and another half when the first page has been made.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # as above
    return trim is not None and bool(trim(0))


def note_address(journal: Path, address: str) -> None:
    """Note the address of the pages for others; empty without a page.

    It stands in the lock file of the journal, and so is true for as long as the lock is held. To be called by the
    process that has the journal open.
    """
    with suppress(OSError):  # A full disk must not end a game; others are then told without an address.
        _lock_file(journal).write_text(address, encoding="utf-8")


def noted_address(journal: Path) -> str:
    """The address of the pages of the daemon that has the journal open; empty when it has none."""
    with suppress(OSError, UnicodeDecodeError):
        return _lock_file(journal).read_text(encoding="utf-8")
    return ""


def _lock_file(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}-lock")
