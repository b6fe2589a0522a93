"""What the daemon needed for a moment it does not keep."""

import resource
from pathlib import Path

import pytest

from gnomon_pi.runtime.process import give_back_what_is_free, give_back_what_is_large

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


def test_what_is_free_between_pieces_that_stay_goes_back_to_the_system() -> None:
    give_back_what_is_free()  # the pieces must not fit into what earlier tests have left
    before = resident()
    pieces = [b"\x01" * (MEGABYTE // 16) for _ in range(16 * 32)]
    kept = pieces[::16]  # each of them holds what lies below it
    del pieces
    assert resident() > before + 24 * MEGABYTE
    if not give_back_what_is_free():
        pytest.skip("this C library has no malloc_trim")
    assert resident() < before + 6 * MEGABYTE
    assert len(kept) == 32
