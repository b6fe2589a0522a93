"""Checksum the pages of a journal as they are written, to detect changed bytes at the next start.

Following the chain takes SQLite and Python some microseconds an entry; hashing the file takes a tenth of that. The
checksum adds up the hashes of all pages, each with its number, so that a commit changes it only by the pages that it
wrote. They are read from the log right after each commit: what becomes of them on the disk later does not enter the
checksum, and so is detected.
"""

import os
from hashlib import blake2b
from pathlib import Path
from typing import Final, Self

PAGE: Final = 4096  # bytes, as SQLite makes every database since version 3.12
LOG_HEADER: Final = 32
FRAME_HEADER: Final = 24
_FRAME: Final = FRAME_HEADER + PAGE
_SALTS: Final = slice(16, 24)  # of the log's header: they change whenever the log is begun again
_SALTS_OF_FRAME: Final = slice(8, 16)
_SUM: Final = 16  # bytes
_ALL: Final = 2 ** (8 * _SUM)
_AT_ONCE: Final = 256 * PAGE


class PageSums:
    """The sums of all pages as of the last commit, those in the log included."""

    def __init__(self, path: Path) -> None:
        """Raises OSError."""
        self._log = path.with_name(path.name + "-wal")
        self._sums = bytearray()
        self._total = 0
        self._salts, self._end = b"", LOG_HEADER
        with path.open("rb", buffering=0) as file:
            while data := file.read(_AT_ONCE):
                for start in range(0, len(data), PAGE):
                    self._sums += _sum_of(1 + len(self._sums) // _SUM, data[start : start + PAGE])
        for start in range(0, len(self._sums), _SUM):
            self._total += int.from_bytes(self._sums[start : start + _SUM], "big")
        self.follow()

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """The sums of a journal as it stands, or None where it cannot be read."""
        try:
            return cls(path)
        except OSError:
            return None

    @property
    def total(self) -> bytes:
        """The sum of all pages."""
        return (self._total % _ALL).to_bytes(_SUM, "big")

    def follow(self) -> None:
        """Take in what was committed to the log since the last call. Raises OSError."""
        try:
            log = os.open(self._log, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return
        try:
            self._follow(log)
        finally:
            os.close(log)

    def _follow(self, log: int) -> None:
        salts = os.pread(log, LOG_HEADER, 0)[_SALTS]
        if salts != self._salts:
            self._salts, self._end = salts, LOG_HEADER
        at = self._end
        written: dict[int, bytes] = {}
        while len(frame := os.pread(log, _FRAME, at)) == _FRAME and frame[_SALTS_OF_FRAME] == salts:
            at += _FRAME
            number, pages = int.from_bytes(frame[:4], "big"), int.from_bytes(frame[4:8], "big")
            written[number] = frame[FRAME_HEADER:]
            if pages > len(self._sums) // _SUM + len(written) or not number:
                break  # nobody wrote that: a file grows by what is written to it
            if pages:  # the last frame of a commit, with the size of the file after it
                self._take_in(written, pages)
                written, self._end = {}, at

    def _take_in(self, written: dict[int, bytes], pages: int) -> None:
        before = len(self._sums) // _SUM
        for number in range(pages, before):
            self._total -= int.from_bytes(self._sums[_SUM * number :][:_SUM], "big")
        self._sums = self._sums[: _SUM * pages].ljust(_SUM * pages, b"\0")
        for number, page in written.items():
            if number <= pages:
                place = slice(_SUM * (number - 1), _SUM * number)
                new = _sum_of(number, page)
                self._total += int.from_bytes(new, "big") - int.from_bytes(self._sums[place], "big")
                self._sums[place] = new


def _sum_of(number: int, page: bytes) -> bytes:
    return blake2b(page, digest_size=_SUM, person=number.to_bytes(8, "big")).digest()
