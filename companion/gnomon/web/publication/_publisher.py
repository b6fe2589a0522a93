"""Publish a site from a source to a folder, once or again and again."""

import asyncio
import os
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Final

from gnomon.refusals import statement
from gnomon.web._templates import HERE, STATIC
from gnomon.web.publication._folder import Site, Written
from gnomon.web.publication._live import LiveBoards
from gnomon.web.publication._page_client import PublicationError, Source
from gnomon.web.publication._page_set import Making, gather
from gnomon.web.publication._sources import open_source
from gnomon.web.publication._targets import copy_site
from gnomon.web.server.workers import Workers

IN_MEMORY: Final = 16 * 1024 * 1024
"""Bytes up to which nothing is written: what is new with each look is less."""

Report = Callable[[Written | PublicationError], None]


@dataclass(frozen=True, slots=True)
class Publication:
    """What is published where: the source as it was named, the folder, and the languages, the first one at the top.

    `targets` are where the folder is copied to.
    """

    source: str
    folder: Path
    languages: Sequence[str] = ("en",)
    targets: Sequence[str] = ()


def publish(publication: Publication) -> Written:
    """Publish once. Raises PublicationError; then the site is as it was, or is not copied everywhere."""
    site = Site(publication.folder.absolute())
    site.check()
    with open_source(publication.source, publication.languages) as opened:
        written = asyncio.run(_publish_once(site, publication, opened))
    for target in publication.targets:
        copy_site(site, target)
    return written


def keep_published(publication: Publication, every: float, report: Report) -> None:
    """Publish again and again, every so many seconds, until KeyboardInterrupt; a failure is reported, and tried again.

    Raises PublicationError where the first time fails.
    """
    site = Site(publication.folder.absolute())
    site.check()
    with open_source(publication.source, publication.languages) as opened:
        asyncio.run(_keep_published(site, publication, opened, every, report))


async def _publish_once(site: Site, publication: Publication, opened: Source, *, with_boards: bool = True) -> Written:
    asyncio.get_running_loop().set_default_executor(Workers())
    with closing(Spool(site.sets)) as made:
        making = Making(_version(), site.manifest(), made)
        pages = await gather(opened, publication.languages, making, with_boards=with_boards)
        boards = site.write_live(pages.live, is_all=True) if with_boards else 0
        written = site.write(pages)
        return written._replace(changed=written.changed + boards)


async def _keep_published(site: Site, publication: Publication, opened: Source, every: float, report: Report) -> None:
    report(await _publish_once(site, publication, opened))
    keeper = _Keeper(site, publication, opened)
    told: set[str] = set()
    while True:
        wrong = await keeper.copy()
        await asyncio.sleep(every)
        try:
            written = await keeper.look(every)
        except PublicationError as error:
            wrong.append(error)
        else:
            if written is not None:
                report(written)
        for each in wrong:
            if str(each) not in told:  # what goes wrong again and again is told once
                report(each)
        told = {str(each) for each in wrong}


class _Keeper:
    """A site that is kept as its source is, and copied to its targets."""

    def __init__(self, site: Site, publication: Publication, opened: Source) -> None:
        self._site = site
        self._publication = publication
        self._opened = opened
        self._boards = LiveBoards(opened.ask, site, publication.languages) if site.has_boards else None
        self._to_copy = set(publication.targets)

    async def look(self, seconds: float) -> Written | None:
        """Publish what is new after so many seconds; None where nothing is but of boards. Raises PublicationError."""
        if self._boards is not None and await self._boards.look(seconds):
            self._to_copy.update(self._publication.targets)
        written = await _publish_once(self._site, self._publication, self._opened, with_boards=False)
        if not written.changed and not written.removed:
            return None
        self._to_copy.update(self._publication.targets)
        return written

    async def copy(self) -> list[PublicationError]:
        """Copy what is new to each target; why some of them have it not yet."""
        wrong = []
        for target in sorted(self._to_copy):
            try:
                await asyncio.to_thread(copy_site, self._site, target)
            except PublicationError as error:
                wrong.append(error)
            else:
                self._to_copy.discard(target)
        return wrong


@cache
def _version() -> str:
    """What pages are made with: another one makes them all again."""
    made_with = blake2b(version("gnomon").encode(), digest_size=12)
    for file in sorted(path for folder in (HERE / "templates", STATIC) for path in folder.rglob("*") if path.is_file()):
        made_with.update(file.read_bytes())
    return made_with.hexdigest()


class Spool(MutableMapping[str, bytes]):
    """Files by name, one behind the other in a file without a name, until `close`.

    They are on the disk until all are made: a thousand games are more than some memory holds.
    """

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
