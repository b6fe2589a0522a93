"""Read a published site as a browser does, and check that it holds together."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Final

LINK: Final = re.compile(r'(?<=\s)(?:href|src|action|data-[a-z]+)="([^"]*)"')


def pages(site: Path) -> list[Path]:
    """Every page of a site."""
    return sorted(site.rglob("*.html"))


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
            if file.startswith("/") or ":" in file or (file and not (page.parent / file).resolve().is_file()):
                dead.append((str(page.relative_to(site)), link))
    return dead


def unreached(site: Path) -> set[str]:
    """Pages to which no link leads from the first one."""
    site = site.resolve()
    seen, waiting = set(), [site / "index.html"]
    while waiting:
        page = waiting.pop()
        if page in seen:
            continue
        seen.add(page)
        waiting += [(page.parent / link.partition("#")[0]).resolve() for link in links(page) if ".html" in link]
    return {str(page.relative_to(site)) for page in pages(site) if page not in seen}


def contents(site: Path) -> dict[str, bytes]:
    """Every file of a site."""
    return {str(file.relative_to(site)): file.read_bytes() for file in sorted(site.rglob("*")) if file.is_file()}
