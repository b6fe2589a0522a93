"""Read a published site as a browser does, and check that it holds together."""

import os
import re
from collections.abc import Iterator
from html import unescape
from os.path import normpath
from pathlib import Path
from typing import Final

LINK: Final = re.compile(r'(?<=\s)(?:href|src|action|data-[a-z]+)="([^"]*)"')


def files(site: Path) -> list[Path]:
    """Every file of a site; that of a board is in a folder to which a link leads."""
    return sorted(Path(folder, name) for folder, _, names in os.walk(site, followlinks=True) for name in names)


def pages(site: Path) -> list[Path]:
    """Every page of a site."""
    return [file for file in files(site) if file.suffix == ".html"]


def links(page: Path) -> Iterator[str]:
    """Where the links of a page lead, as they stand in it."""
    for link in re.findall(r'(?<=\s)(?:href|src)="([^"]*)"', page.read_text(encoding="utf-8")):
        yield unescape(link)


def dead_links(site: Path) -> list[tuple[str, str]]:
    """Links that lead to no file of the site, each with its page."""
    dead = []
    for page in pages(site):
        for link in links(page):
            file = link.partition("#")[0]
            if file.startswith("/") or ":" in file or (file and not Path(normpath(page.parent / file)).is_file()):
                dead.append((str(page.relative_to(site)), link))
    return dead


def unreached(site: Path) -> set[str]:
    """Pages to which no link leads from the first one."""
    seen, waiting = set(), ["index.html"]
    while waiting:
        page = waiting.pop()
        if page in seen:
            continue
        seen.add(page)
        there = (link.partition("#")[0] for link in links(site / page) if ".html" in link)
        waiting += [normpath(Path(page).parent / link) for link in there]
    return {str(page.relative_to(site)) for page in pages(site)} - seen


def contents(site: Path) -> dict[str, bytes]:
    """Every file of a site."""
    return {str(file.relative_to(site)): file.read_bytes() for file in files(site)}
