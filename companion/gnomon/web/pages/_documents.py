"""Render the Markdown documents of the program, rules and builder's guides, as HTML pages.

Headings have the names that links to them use, and every numbered rule has its own: `#rule-11`.
Rules are read in the reader's language where a page has been translated, everything else in English.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from gnomon.rules.registry import GAMES, folder_of, games
from gnomon.words import Folder, keep_signs, words

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

GUIDES: Final = (
    "install", "walk", "doctor", "board-description", "timekeeping", "single-pole", "access", "walkthrough"
)  # fmt: skip
RULES: Final = "rules"
ENGLISH: Final = "en"
_INSIDE: Final = Path(__file__).parents[1] / "docs"
_BESIDE: Final = Path(__file__).parents[4] / "docs"
"""Installed, the documents lie in the program; in a working copy, where they are written."""

_DEFAULT: Final = 2  # the column of a table of settings that has the defaults

_FIT_TO_READ: Final = (
    # What is wider than a phone scrolls, and people without a pointer scroll it with the arrow keys.
    ("<table>", '<div class="wide" tabindex="0"><table>'),
    # Settings are words: they are wrapped, and on a phone each setting is a paragraph of its own.
    ('<table class="settings">', '<div class="settings"><table>'),
    ("</table>", "</table></div>"),
    ("<pre>", '<pre tabindex="0">'),
    ("<th></th>", "<td></td>"),  # a corner that heads nothing
)


class NoDocumentError(LookupError):
    """There is no such document here."""


class Document(NamedTuple):
    """A document ready for a page: its title and the rest as HTML; `sections` is it without what precedes the first.

    `language` is the one in which it is written.
    """

    title: str
    body: str
    sections: str
    language: str


def address(name: str) -> str:
    """Where a document is read: `rules/tamsk` at /rules/tamsk, `walk` at /guides/walk; empty for one not served."""
    folder, _, game = name.rpartition("/")
    if folder == RULES and game in rules_pages():
        return f"/{RULES}/{game}"
    return f"/guides/{name}" if name in GUIDES else ""


def rules_pages() -> tuple[str, ...]:
    """The games whose rules can be read here: of another distribution's those that bring a page."""
    return tuple(game for game in games() if game in GAMES or _page_of(game) is not None)


def _page_of(game: str, language: str = ENGLISH) -> Folder | None:
    """The page of rules that a game of another distribution brings, `rules.md` or, translated, `rules.de.md`."""
    folder = folder_of(game)
    page = None if folder is None else folder / (f"{RULES}.md" if language == ENGLISH else f"{RULES}.{language}.md")
    return page if page is not None and page.is_file() else None


@cache
def _markdown() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # noqa: PLC0415 - sixty modules, for people who read documents at a board

    return MarkdownIt("commonmark", {"html": False}).enable("table")


@cache
def document(name: str, language: str = ENGLISH) -> Document:
    """A document by its name, as `rules/tamsk`, in a language or else in English. Raises NoDocumentError."""
    if not address(name):
        raise NoDocumentError(name)
    found = _file(name, language)
    if found is None and language != ENGLISH:
        return document(name)
    if found is None:
        raise NoDocumentError(name)
    text = found.read_text(encoding="utf-8")
    tokens = _markdown().parse(text)
    title = keep_signs(tokens[1].content, language)  # every document begins with its heading
    rest = tokens[3:]
    _name_rules(rest)
    _name_headings(rest)
    _mark_settings(rest, words(language)("rules.setting"))
    _keep_signs(rest, language)
    resolved = list(_resolve_links(rest, _written_at(name, language), language))
    first = next((number for number, token in enumerate(resolved) if token.type == "heading_open"), 0)
    return Document(title, _render(resolved), _render(resolved[first:]), language)


def _file(name: str, language: str) -> Folder | None:
    """Where a document lies in a language, if it is written in it."""
    written = _written_at(name, language)
    ours = (folder / f"{written}.md" for folder in (_INSIDE, _BESIDE))
    found = next((page for page in ours if page.is_file()), None)
    return found or _page_of(name.removeprefix(f"{RULES}/"), language)


def _written_at(name: str, language: str) -> str:
    """Where among the documents one lies in a language: `rules/tamsk` in German at `rules/de/tamsk`."""
    if language == ENGLISH:
        return name
    *folders, page = name.split("/")
    return "/".join((*folders, language, page))


def _render(tokens: "Sequence[Token]") -> str:
    body: str = _markdown().renderer.render(tokens, _markdown().options, {})
    for plain, fit in _FIT_TO_READ:
        body = body.replace(plain, fit)
    return body


def anchor(heading: str) -> str:
    """The name of a heading, as links to it are written."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def _name_rules(tokens: "Sequence[Token]") -> None:
    """Give each numbered rule its name; of two with one number it is the first, for rules come before examples."""
    named: set[str] = set()
    for token in tokens:
        if token.type == "list_item_open" and token.info and token.info not in named:
            named.add(token.info)
            token.attrSet("id", f"rule-{token.info}")


def _name_headings(tokens: "Sequence[Token]") -> None:
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", anchor(inline.content))


def _keep_signs(tokens: "Sequence[Token]", language: str) -> None:
    """Keep signs on the line of their word, but in what programs read as it is written."""
    for part in (part for token in tokens for part in token.children or () if part.type == "text"):
        part.content = keep_signs(part.content, language)


def _mark_settings(tokens: "Sequence[Token]", heading: str) -> None:
    """Mark the tables of settings, which are those whose first column is headed so.

    Their defaults bear the heading of their column: on a phone, where a table is a list, it stands beside them.
    """
    starts = [number for number, token in enumerate(tokens) if token.type == "table_open"]
    for start in starts:
        table = tokens[start : next(n for n in range(start, len(tokens)) if tokens[n].type == "table_close")]
        heads = [inline.content for token, inline in pairwise(table) if token.type == "th_open"]
        if heads[0] != heading:
            continue
        tokens[start].attrSet("class", "settings")
        for number, cell in enumerate(token for token in table if token.type == "td_open"):
            if number % len(heads) == _DEFAULT:
                cell.attrSet("data-heading", heads[_DEFAULT])


def _resolve_links(tokens: "Sequence[Token]", name: str, language: str) -> "Sequence[Token]":
    """The tokens, whose links lead to pages; a link to what is not served here is plain text."""
    for token in tokens:
        if token.children:
            token.children = list(_resolve(token.children, name, language))
    return tokens


def _resolve(tokens: "Iterable[Token]", name: str, language: str) -> "Iterable[Token]":
    dropped = False
    for token in tokens:
        if token.type == "link_open":
            target = _target(str(token.attrGet("href")), name, language)
            dropped = not target
            if dropped:
                continue
            token.attrSet("href", target)
        elif token.type == "link_close" and dropped:
            dropped = False
            continue
        yield token


def _target(link: str, name: str, language: str) -> str:
    """Where a link in a document leads, or empty when that is not served.

    `name` is where the document lies. A reader who follows a link to a page that has been translated reads it in their
    language; a link from one language to another asks for that one.
    """
    path, _, part = link.partition("#")
    if not path:
        return link
    if not path.endswith(".md"):
        return ""
    parts = [*name.split("/")[:-1]]
    for step in path.removesuffix(".md").split("/"):
        if step == ".." and not parts:
            return ""
        parts = parts[:-1] if step == ".." else [*parts, step]
    folders, page = parts[:-1], parts[-1]
    other = folders.pop() if folders[:-1] == [RULES] else ENGLISH
    where = address("/".join((*folders, page)))
    if where and folders == [RULES] and other != language:
        where = f"{where}?language={other}"
    return f"{where}#{part}" if where and part else where
