"""Publish a site from a source to a folder."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

from gnomon.web._templates import HERE, STATIC
from gnomon.web.publication._folder import Site, Written
from gnomon.web.publication._page_client import Ask, page_client
from gnomon.web.publication._page_set import gather
from gnomon.web.publication._sources import open_source
from gnomon.web.server.workers import Workers


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
    with open_source(publication.source) as app:
        return asyncio.run(_publish(site, publication, page_client(app, publication.languages)))


async def _publish(site: Site, publication: Publication, ask: Ask) -> Written:
    asyncio.get_running_loop().set_default_executor(Workers())
    return site.write(await gather(ask, publication.languages, _version(), site.manifest()))


@cache
def _version() -> str:
    """What pages are made with: another one makes them all again."""
    made_with = blake2b(version("gnomon").encode(), digest_size=12)
    for file in sorted(path for folder in (HERE / "templates", STATIC) for path in folder.rglob("*") if path.is_file()):
        made_with.update(file.read_bytes())
    return made_with.hexdigest()
