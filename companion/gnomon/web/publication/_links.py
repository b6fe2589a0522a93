"""Map the addresses of pages to files of a site, and rewrite links so that they work from any folder and from a disk.

A page `/tournaments/open?round=2` is the file `tournaments/open/round-2.html`, and every link names such a file
relative to the page on which it stands. So a site needs no server: it works in a folder of another site, and by
double-click.
"""

import re
from collections.abc import Sequence
from html import escape, unescape
from posixpath import dirname, relpath
from typing import Final
from urllib.parse import parse_qs, parse_qsl, urlsplit

TOURNAMENTS: Final = "/tournaments"
GAMES: Final = "/games"
HOMES: Final = (TOURNAMENTS, GAMES)
"""The pages with which sites begin: that of a hall, and that of one board."""
BOARDS: Final = "/boards"
"""Where the boards are, whose pages change with every move."""
PICTURES: Final = f"{BOARDS}?pictures=yes"
"""The list of boards with the position of each."""
NOW: Final = f"{BOARDS}/now.json"
"""What all boards show now."""
INDEX: Final = "index.html"
SHARED: Final = ("/static/", "/words/", "/board/", "/boards/now.json")
"""What is the same for every language."""
_LANGUAGE: Final = "/language/"
_LINK: Final = re.compile(r'(?<=\s)(href|src|data-(?:words|pictures|news|boards))="(/[^"]*)"')
_IMPORT: Final = re.compile(r'(?:from|import)\s*\(?"\./([\w.-]+\.js)"')
_FILE: Final = re.compile(r"\.[a-z0-9]{2,5}$")


def split_language(link: str, language: str) -> tuple[str, str]:
    """The address that a link leads to without what marks a place in it, and the language there."""
    address = unescape(link).partition("#")[0]
    if address.startswith(_LANGUAGE):
        parts = urlsplit(address)
        address, language = parse_qs(parts.query)["back"][0], parts.path.removeprefix(_LANGUAGE)
    return TOURNAMENTS if address == "/" else address, language


def file_of(address: str, language: str, languages: Sequence[str]) -> str:
    """The file of an address; the first language stands at the top, each other in a folder of its own."""
    parts = urlsplit(address)
    path = parts.path
    under = "" if language == languages[0] or path.startswith(SHARED) else f"{language}/"
    if _FILE.search(path):
        return f"{under}{path[1:]}"
    asked = "-".join(f"{key}-{value}" for key, value in parse_qsl(parts.query))
    name = f"{asked}.html" if asked else INDEX
    return f"{under}{name}" if path in HOMES else f"{under}{path.strip('/')}/{name}"


def links_of(html: str) -> list[str]:
    """The links of a page as they stand in it, each once."""
    return list(dict.fromkeys(link for _, link in _LINK.findall(html)))


def imports_of(script: str) -> list[str]:
    """The scripts of the same folder that a script imports."""
    return list(dict.fromkeys(_IMPORT.findall(script)))


def rewrite(html: str, file: str, language: str, languages: Sequence[str]) -> str:
    """A page with its links relative to the file in which it stands."""
    here = dirname(file) or "."

    def relative(found: re.Match[str]) -> str:
        address, there = split_language(found[2], language)
        _, mark, place = unescape(found[2]).partition("#")
        to = relpath(file_of(address, there, languages), here)
        return f'{found[1]}="{escape(to + mark + place)}"'

    return _LINK.sub(relative, html)
