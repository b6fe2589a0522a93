"""What the daemon needed for a moment it does not keep."""

import resource
from pathlib import Path

import pytest

from gnomon_pi.runtime.process import give_back_what_is_large

MEGABYTE = 1 << 20
PIECE = b"\x01" * MEGABYTE


def resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def test_what_a_large_picture_needed_goes_back_to_the_system() -> None:
    if not give_back_what_is_large():
        pytest.skip("this C library has no mallopt")
    before = resident()
    for megabytes in (24, 16):  # without the order the first one freed would teach the library to keep the second
        painted = PIECE * megabytes
        assert resident() > before + megabytes * MEGABYTE // 2
        del painted
    assert resident() < before + 4 * MEGABYTE
