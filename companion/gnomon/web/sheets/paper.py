"""Render a sheet as a self-contained HTML file for printing.

Nothing is loaded, no colour is needed, and no letter is cut off, whatever font there is.
"""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from markupsafe import Markup

from gnomon.web.template_folder import templates_in
from gnomon.words import Words

_ENVIRONMENT: Final = templates_in(Path(__file__).parents[1] / "templates")


class Paper(StrEnum):
    """The sheets that printers hold; the value is the name that CSS has for it."""

    A4 = "A4"
    LETTER = "letter"


_UPRIGHT: Final = {Paper.A4: 265, Paper.LETTER: 247}
"""Millimetres from margin to margin of an upright page, less one against rounding."""


class PaperColumn(NamedTuple):
    """A column of a table: its heading, and how it is set: `number`, `name`, `mark` in the middle, or `blank`."""

    title: str
    kind: str = "name"


class PaperTable(NamedTuple):
    """Rows under headings, which are repeated on every page; `title` stands above where there are several."""

    columns: tuple[PaperColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""


class PrintedSheet(NamedTuple):
    """What is printed: a title, what it is of, the template that sets it out and what that needs.

    `about` and `remark` stand below the title, `notes` at the end.
    """

    title: str
    event: str
    subtitle: str = ""
    template: str = "sheet_tables.html"
    parts: Mapping[str, object] = {}
    notes: tuple[str, ...] = ()
    landscape: bool = False
    remark: str = ""
    about: str = ""


def render(sheet: PrintedSheet, words: Words, paper: Paper = Paper.A4, label: str = "") -> str:
    """The sheet as one HTML file; `label` stands small below every page, such as the day and the seal of the book."""
    return _ENVIRONMENT.get_template(sheet.template).render(
        sheet=sheet,
        say=words,
        size=f"{paper.value}{' landscape' if sheet.landscape else ''}",
        upright=_UPRIGHT[paper],
        below=_css_text(" · ".join(filter(None, (sheet.event, sheet.title, sheet.subtitle, label)))),
        **sheet.parts,
    )


def _css_text(text: str) -> Markup:
    """A text as a string of CSS, in which nothing can end the string or the style."""
    plain = (letter if letter.isascii() and letter.isalnum() else f"\\{ord(letter):06x}" for letter in text)
    return Markup('"{}"').format(Markup("".join(plain)))  # noqa: S704 - letters, digits and escapes only
