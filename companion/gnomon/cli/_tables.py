"""Lay out text tables that fit the terminal, counting East Asian wide characters as two columns."""

import shutil
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Final, NamedTuple
from unicodedata import category, east_asian_width

_GAP: Final = "  "
_LEAST: Final = 8  # columns that a shortened name keeps
_MORE: Final = "…"
_NARROWEST: Final = 80


class TextColumn(NamedTuple):
    """A heading; numbers stand to the right, and the text of a column that `gives` is shortened when room is short."""

    title: str
    right: bool = False
    gives: bool = False


def table(columns: Sequence[TextColumn], rows: Sequence[Sequence[str]], width: int | None = None) -> Iterator[str]:
    """The lines of a table with its headings; wider than `width`, or the terminal, only when no name can give way."""
    widths = [max([breadth(column.title), *(breadth(row[at]) for row in rows)]) for at, column in enumerate(columns)]
    over = sum(widths) + len(_GAP) * (len(columns) - 1) - (terminal_width() if width is None else width)
    for at in sorted((at for at, column in enumerate(columns) if column.gives), key=lambda at: -widths[at]):
        given = min(max(0, over), max(0, widths[at] - _LEAST))
        widths[at] -= given
        over -= given
    for row in ([column.title for column in columns], *rows):
        cells = zip(row, columns, widths, strict=True)
        yield _GAP.join(_pad(text, column, room) for text, column, room in cells).rstrip()


def terminal_width() -> int:
    """How many columns there are for a table: those of the terminal, but no fewer than 80."""
    return max(_NARROWEST, shutil.get_terminal_size().columns)


def hanging_lines(head: str, text: str) -> Iterator[str]:
    """A text behind its head, going on below itself where the terminal ends."""
    room = max(_LEAST, terminal_width() - breadth(head))
    for number, line in enumerate(wrap(text, room, break_on_hyphens=False)):
        yield f"{' ' * breadth(head) if number else head}{line}"


def breadth(text: str) -> int:
    """How many columns a text takes: letters of East Asia take two, marks over another letter none."""
    return sum(map(_columns, text))


def _columns(letter: str) -> int:
    if category(letter) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if east_asian_width(letter) in {"W", "F"} else 1


def _pad(text: str, column: TextColumn, room: int) -> str:
    shown = text if breadth(text) <= room else _shorten(text, room)
    filling = " " * (room - breadth(shown))
    return filling + shown if column.right else shown + filling


def _shorten(text: str, room: int) -> str:
    kept = ""
    for letter in text:
        if breadth(kept + letter) > room - 1:
            break
        kept += letter
    return kept.rstrip() + _MORE
