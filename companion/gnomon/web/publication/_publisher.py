"""Publish a site from a source to a folder, once or again and again."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

from gnomon.web._templates import HERE, STATIC
from gnomon.web.publication._folder import Site, Written
from gnomon.web.publication._live import LiveBoards
from gnomon.web.publication._page_client import Ask, PublicationError
from gnomon.web.publication._page_set import gather
from gnomon.web.publication._sources import open_source
from gnomon.web.server.workers import Workers

Report = Callable[[Written | PublicationError], None]


@dataclass(frozen=True, slots=True)
class Publication:
    """What is published where: the source as it was named, the folder, and the languages, the first one at the top."""

    source: str
    folder: Path
    languages: Sequence[str] = ("en",)


def publish(publication: Publication) -> Written:
    """Publish once. Raises PublicationError; then the site is as it was."""
    site = Site(publication.folder)
    site.check()
    with open_source(publication.source, publication.languages) as ask:
        return asyncio.run(_publish_once(site, publication, ask))


def keep_published(publication: Publication, every: float, report: Report) -> None:
    """Publish again and again, every so many seconds, until KeyboardInterrupt; a failure is reported, and tried again.

    Raises PublicationError where the first time fails.
    """
    site = Site(publication.folder)
    site.check()
    with open_source(publication.source, publication.languages) as ask:
        asyncio.run(_keep_published(site, publication, ask, every, report))


async def _publish_once(site: Site, publication: Publication, ask: Ask, *, with_boards: bool = True) -> Written:
    asyncio.get_running_loop().set_default_executor(Workers())
    pages = await gather(ask, publication.languages, _version(), site.manifest(), with_boards=with_boards)
    if with_boards:
        site.write_live(pages.live, is_all=True)
    return site.write(pages)


async def _keep_published(site: Site, publication: Publication, ask: Ask, every: float, report: Report) -> None:
    written = await _publish_once(site, publication, ask)
    report(written)
    boards = LiveBoards(ask, site, publication.languages) if site.has_boards else None
    is_well = True
    while True:
        await asyncio.sleep(every)
        try:
            if boards is not None:
                await boards.look(every)
            written = await _publish_once(site, publication, ask, with_boards=False)
        except PublicationError as error:
            if is_well:
                report(error)
            is_well = False
        else:
            if written.changed or written.removed or not is_well:
                report(written)
            is_well = True


@cache
def _version() -> str:
    """What pages are made with: another one makes them all again."""
    made_with = blake2b(version("gnomon").encode(), digest_size=12)
    for file in sorted(path for folder in (HERE / "templates", STATIC) for path in folder.rglob("*") if path.is_file()):
        made_with.update(file.read_bytes())
    return made_with.hexdigest()
