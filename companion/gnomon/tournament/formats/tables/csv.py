"""Decode and encode CSV: character sets, separators, quoting (RFC 4180), and escaping of spreadsheet formulas.

No other module of the core imports csv.
"""

import csv
import re
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Final, NamedTuple

from gnomon.refusals import Statement, statement
from gnomon.tournament.errors import TournamentError, quote

SEPARATORS: Final = ";,\t"
# What a spreadsheet would take for a formula when it begins a cell; results such as -/+ and numbers it does not.
_FORMULA: Final = re.compile(r"[=@\t\r]|[+-].*[A-Za-z(|]", re.DOTALL)


class CsvError(TournamentError):
    """A table that cannot be taken; `row` is counted from 1 with the header, `why` is told without it."""

    def __init__(self, cause: Statement, row: int | None = None, column: str = "") -> None:
        self.row: Final = row
        self.why: Final = statement("tournament.table.column", column=quote(column), cause=cause) if column else cause
        if row is None:
            super().__init__(self.why)
        elif column:
            super().__init__(statement("tournament.table.cell", row=row, cause=self.why))
        else:
            super().__init__(statement("tournament.table.row", row=row, cause=cause))


class CsvRow(NamedTuple):
    """One row of a table and the line at which it begins, as an editor counts."""

    line: int
    cells: tuple[str, ...]


def check_text(raw: bytes) -> None:
    """Raise CsvError for what is no text, such as a spreadsheet's own format."""
    if b"\0" in raw:
        raise CsvError(statement("tournament.table.no_text"))


def decode(raw: bytes) -> str:
    """The text of a file: UTF-8, with a mark of byte order or without, or else Latin-1 as older programs write it.

    Raises CsvError as `check_text` does.
    """
    check_text(raw)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Windows' letters between 0x80 and 0x9f are not in Latin-1; five of them mean nothing in either.
        return raw.decode("cp1252", errors="replace")


def rows_of(text: str) -> tuple[CsvRow, ...]:
    """The rows that say anything, the separator as in the first. Raises CsvError for a cell without an end."""
    plain = text.removeprefix("\ufeff")
    reader = csv.reader(StringIO(plain, newline=""), delimiter=_separator(plain), strict=True)
    rows, begins = [], 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append(CsvRow(begins, tuple(map(_read, cells))))
            begins = reader.line_num + 1
    except csv.Error as error:
        raise CsvError(statement("tournament.table.endless"), begins) from error
    return tuple(rows)


def text_of(header: Sequence[str], rows: Iterable[Sequence[object]], separator: str = ",") -> str:
    """A table as text, with CR and LF at the ends of lines (RFC 4180); no cell begins as a formula of a spreadsheet."""
    out = StringIO(newline="")
    writer = csv.writer(out, delimiter=separator, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([_cell(cell) for cell in row] for row in rows)
    return out.getvalue()


def _separator(text: str) -> str:
    first = next((line for line in text.splitlines() if line.strip()), "")
    outside = re.sub(r'"[^"]*"', "", first)
    return max(SEPARATORS, key=outside.count) if any(sign in outside for sign in SEPARATORS) else ","


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    # An apostrophe is how spreadsheets mark text.
    return f"'{text}" if _FORMULA.match(text.lstrip("'")) else text


def _read(cell: str) -> str:
    text = cell.strip()
    return text[1:] if text.startswith("'") and _FORMULA.match(text.lstrip("'")) else text
