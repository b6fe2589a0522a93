"""Provide files of halls in which nothing has happened yet: to make their tables takes longer than most tests."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from gnomon.hall.store import backend


def begin_hall(where: str) -> str:
    """Put the tables of a hall into the file of an address, where there is none yet; the address."""
    file = backend.file_of(where)
    if file is not None and not file.exists():
        file.write_bytes(_empty_hall())
    return where


@cache
def _empty_hall() -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "hall.db"
        backend.open_database(str(file)).close()
        return file.read_bytes()
