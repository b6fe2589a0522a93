"""Keep the files of a site on the disk until all are made: a thousand games are more than some memory holds."""

import os
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Final

from gnomon.refusals import statement
from gnomon.web.publication._page_client import PublicationError

IN_MEMORY: Final = 16 * 1024 * 1024
"""Bytes up to which nothing is written: what is new with each look is less."""


class Spool(MutableMapping[str, bytes]):
    """Files by name, one behind the other in a file without a name, until `close`."""

    def __init__(self, folder: Path) -> None:
        """`folder` is made if there is need of it. It is on the disk that the site is on: /tmp may be memory."""
        self._folder = folder
        self._file: SpooledTemporaryFile[bytes] = SpooledTemporaryFile(max_size=IN_MEMORY, mode="w+b", dir=str(folder))  # noqa: SIM115 - closed by `close`
        self._places: dict[str, tuple[int, int]] = {}

    def close(self) -> None:
        """Forget all of them."""
        self._file.close()

    def __setitem__(self, name: str, content: bytes) -> None:
        """Keep a file. Raises PublicationError where the disk has no room."""
        try:
            begin = self._file.seek(0, os.SEEK_END)
            if begin + len(content) > IN_MEMORY:
                self._folder.mkdir(parents=True, exist_ok=True)
            self._file.write(content)
        except OSError as error:
            folder, text = str(self._folder), str(error.strerror)
            raise PublicationError(statement("publication.failed.folder", folder=folder, text=text)) from error
        self._places[name] = begin, len(content)

    def __getitem__(self, name: str) -> bytes:
        begin, size = self._places[name]
        self._file.seek(begin)
        return self._file.read(size)

    def __delitem__(self, name: str) -> None:
        del self._places[name]

    def __contains__(self, name: object) -> bool:
        return name in self._places  # and nothing is read for it

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
