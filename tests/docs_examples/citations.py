"""Find the rule numbers that code and tests cite, and say whose rules they are."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from gnomon.rules.registry import GAMES
from tests.docs_examples.pages import ROOT

_ONE = re.compile(r"\brule (\d+)", re.IGNORECASE)
_MORE = re.compile(r"\brules (\d+(?:(?:, | and |, and | or | to )\d+)*)", re.IGNORECASE)
_BARE = re.compile(r"\(([1-9]\d*(?:(?:, | and | to )\d+)*)\)")  # in docstrings of the rules
_LINE_END = re.compile(r"\s*\n\s*(?:#:?\s*|//\s*)?")
_RANGE = re.compile(r"(\d+) to (\d+)")

# Whose rules a file speaks of, where its own name does not say it: those of the board that the daemon was made for,
# or of any game where all of them are dealt with.
_OF_ANY_GAME = ("every_game", "table", "summary", "sheet", "records", "perft", "playthrough", "drawn.py")
_FIRST_BOARD = "tamsk"


class Citation(NamedTuple):
    """A number of a rule, the file that cites it, and the games of which it may be."""

    number: int
    path: Path
    games: tuple[str, ...]


def citations() -> Iterator[Citation]:
    """Every number of a rule that the code and the tests cite."""
    for path in sorted(_sources()):
        games = _games(path.relative_to(ROOT))
        for number in sorted(set(cited(path))):
            yield Citation(number, path.relative_to(ROOT), games)


def cited(path: Path) -> Iterator[int]:
    """The numbers of rules in one file: "rule 16", "rules 10 and 12", and "(16)" in the docstrings of rules."""
    text = path.read_text(encoding="utf-8")
    flowing = _LINE_END.sub(" ", text)
    lists = [*_ONE.findall(flowing), *_MORE.findall(flowing)]
    if "rules" in path.parts and path.suffix == ".py":
        lists += [found for docstring in _docstrings(text) for found in _BARE.findall(docstring)]
    for found in lists:
        for first, last in _RANGE.findall(found):
            yield from range(int(first), int(last))
        yield from map(int, re.findall(r"\d+", found))


def _sources() -> Iterator[Path]:
    for folder in ("companion", "firmware", "tests"):
        for suffix in ("py", "js", "html"):
            yield from (path for path in (ROOT / folder).rglob(f"*.{suffix}") if "docs" not in path.name)


def _games(path: Path) -> tuple[str, ...]:
    name = path.as_posix()
    # The longest names first: `tau` is in none of the others, but a file may speak of two games.
    own = tuple(game for game in GAMES if re.search(rf"(?<![a-z]){game.replace('-', '_')}(?![a-z])", name))
    if own:
        return own
    return tuple(GAMES) if any(word in name for word in _OF_ANY_GAME) else (_FIRST_BOARD,)


def _docstrings(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""
