"""Configure glibc's malloc to return large freed blocks to the system."""

import ctypes
from typing import Final

M_MMAP_THRESHOLD: Final = -3
"""Of glibc's malloc.h."""
LARGE: Final = 128 * 1024
"""Bytes: what glibc begins with (mallopt(3)); it raises this by itself, up to 32 MB, when something larger is freed."""


def give_back_what_is_large() -> bool:
    """Let every large piece of memory go back to the system as soon as it is free; say whether that can be had.

    One picture taken along as PNG needs bands of twelve megabytes. Once the first has been freed the library would
    keep the next ones for itself, in each thread anew: thirty megabytes for good.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # glibc's own; other libraries need none
    return mallopt is not None and bool(mallopt(M_MMAP_THRESHOLD, LARGE))
