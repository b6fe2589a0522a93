"""Note the last durable entry of a journal in a small file beside it, to detect lost entries at a restart.

It is written after each commit and left to the kernel to bring to the disk, about every half minute: one page then,
however many entries there were. After a kill it is exact; after a power cut it may be behind, never ahead. Two slots
of one sector each are written in turn, so that a torn write leaves the previous one.
"""

import os
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple, Self

from gnomon.whole_files import sync

_MAGIC: Final = "gnomon-witness-1"
_SECTOR: Final = 512  # bytes, which a disk writes wholly or not at all
_SUM: Final = 32  # digits


class WitnessedEntry(NamedTuple):
    """The last entry of a journal that was durable: its number and link, and the version of the tables.

    `pages` is the sum of all pages then (`page_sums`), empty where that is not known.
    """

    seq: int
    link: bytes
    version: int
    pages: bytes = b""


class Witness:
    """The file, open to be written; while it cannot be, as when a stick was pulled out, `failed` says why."""

    failed: str | None = None

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None
        self._turn = 0

    @classmethod
    def beside(cls, journal: Path) -> Self:
        """The witness that every journal has."""
        return cls(path_beside(journal))

    def write(self, seen: WitnessedEntry) -> None:
        """Note what is durable."""
        try:
            if self._file is None:
                self._file = _open(self._path)
            os.pwrite(self._file, _pack(seen), self._turn * _SECTOR)
        except OSError as error:
            self.failed = f"{self._path} cannot be written: {error.strerror}"
            self.close()
        else:
            self._turn, self.failed = 1 - self._turn, None

    def sync(self) -> None:
        """Wait until the disk has it."""
        if self._file is not None:
            try:
                os.fsync(self._file)
            except OSError as error:
                self.failed = f"{self._path} cannot be written: {error.strerror}"

    def close(self) -> None:
        """Let the file go."""
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):
                os.close(file)


def path_beside(journal: Path) -> Path:
    """Where the witness of a journal stands."""
    return journal.with_name(journal.name + "-witness")


def read(path: Path) -> WitnessedEntry | None:
    """What was noted last, or None where nothing can be read."""
    try:
        with path.open("rb") as file:
            data = file.read(2 * _SECTOR)
    except OSError:
        return None
    seen = [_unpack(data[start : start + _SECTOR]) for start in (0, _SECTOR)]
    return max((each for each in seen if each is not None), key=lambda each: each.seq, default=None)


def _open(path: Path) -> int:
    """Open the file; one that is new is in its folder for good. Raises OSError."""
    is_new = not path.exists()
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        if is_new:
            os.ftruncate(file, 2 * _SECTOR)
            sync(path.parent)
    except OSError:
        os.close(file)
        raise
    return file


def _pack(seen: WitnessedEntry) -> bytes:
    said = f"{_MAGIC}\n{seen.seq}\n{seen.link.hex()}\n{seen.version}\n{seen.pages.hex()}\n".encode()
    return (said + _sum(said) + b"\n").ljust(_SECTOR, b"\0")


def _unpack(sector: bytes) -> WitnessedEntry | None:
    said, _, rest = sector.rstrip(b"\0").removesuffix(b"\n").rpartition(b"\n")
    if _sum(said + b"\n") != rest:
        return None
    try:
        magic, seq, link, version, *pages = said.decode().split("\n")
        seen = WitnessedEntry(int(seq), bytes.fromhex(link), int(version), *map(bytes.fromhex, pages[:1]))
    except ValueError:
        return None
    return seen if magic == _MAGIC else None


def _sum(said: bytes) -> bytes:
    return blake2b(said, digest_size=_SUM // 2).hexdigest().encode()
