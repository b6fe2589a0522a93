"""Read the documents: numbered rules, tables, drawings and dialogues."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

_RULE = re.compile(r"^(\d+)\. ", re.MULTILINE)
_TABLE = re.compile(r"^\|.*\n\| -.*\n(?:\|.*\n)+", re.MULTILINE)
_DRAWING = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_DIALOGUE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`]*)`")

Row = Mapping[str, str]


def page(name: str) -> str:
    """The text of a document."""
    return (DOCS / name).read_text(encoding="utf-8")


def rules_page(game: str) -> str:
    """The rules page of a game."""
    return page(f"rules/{game}.md")


def numbered_rules(text: str) -> list[int]:
    """The numbers of the rules on a page, in order."""
    return [int(number) for number in _RULE.findall(text)]


def tables(text: str) -> Iterator[list[Row]]:
    """Every table: its rows, each by the headings of its columns."""
    for table in _TABLE.findall(text):
        heading, _, *rows = map(_cells, table.splitlines())
        yield [dict(zip(heading, row, strict=True)) for row in rows]


def table(text: str, *headings: str) -> list[Row]:
    """The rows of the one table whose headings begin like this."""
    found = [rows for rows in tables(text) if tuple(rows[0])[: len(headings)] == headings]
    assert len(found) == 1, f"{len(found)} tables begin with {headings}"
    return found[0]


def drawings(text: str) -> Sequence[str]:
    """Every block of plain text."""
    return _DRAWING.findall(text)


def dialogues(text: str) -> Sequence[str]:
    """Every dialogue with a command: its first line is the command, `> ` stands before what is typed."""
    return _DIALOGUE.findall(text)


def sections(text: str) -> Mapping[str, str]:
    """The text of every section, by its heading."""
    _, *parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def codes(cell: str) -> list[str]:
    """What stands between backquotes in a cell."""
    return _CODE.findall(cell)


def settings(cell: str) -> dict[str, str]:
    """The settings, written `key=value`, of a cell."""
    return dict(code.split("=", 1) for code in codes(cell))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]
