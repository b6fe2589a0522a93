"""Find the line number of every key, table and item in a TOML text.

The standard library's `tomllib` does not report them.
"""

import re
import tomllib
from bisect import bisect_left
from collections.abc import Mapping
from typing import Final

Where = tuple[str | int, ...]
"""A key by the keys that lead to it; a number stands for an item of an array, counted from 0."""

_BLANK: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE: Final = re.compile(r"[ \t]*")
_KEY: Final = re.compile(r"""[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+)[ \t]*""")
# Up to two quotes may stand before the three that end a text.
_TEXT: Final = re.compile(
    r'''"""(?:[^\\]|\\.)*?"{3,5}|\'{3}.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*\'''',
    re.DOTALL,
)
_BARE: Final = re.compile(r"[^,\]}#\n]*")


def lines_of(text: str) -> Mapping[Where, int]:
    """The line, from 1, of each key, table and item of `text`, which the TOML reader has found in order."""
    return _Walk(text).found


class _Walk:
    """One way through a text from its beginning to its end."""

    def __init__(self, text: str) -> None:
        self.found: dict[Where, int] = {}
        self._text = text
        self._at = 0
        self._ends = [match.start() for match in re.finditer("\n", text)]
        self._last: dict[Where, int] = {}  # of an array of tables, the number of the table that is open
        self._document()

    def _document(self) -> None:
        table: Where = ()
        while self._take(_BLANK) is not None and self._at < len(self._text):
            if self._text.startswith("[[", self._at):
                table = self._item(2)
            elif self._text.startswith("[", self._at):
                table = self._table(1)
            else:
                self._pair(table)

    def _table(self, brackets: int) -> Where:
        """The table that a header opens."""
        line = self._line()
        self._at += brackets
        where: Where = ()
        for key in self._keys():
            where = (*self._open(where), key)
            self.found.setdefault(where, line)
        self._at += brackets
        # A table may have been implied by the header of one inside it; its own header is where people look.
        self.found[where] = line if brackets == 1 else self.found[where]
        return where

    def _item(self, brackets: int) -> Where:
        """The table that a header adds to an array."""
        line = self._line()
        array = self._table(brackets)
        self._last[array] = self._last.get(array, -1) + 1
        item = self._open(array)
        self.found[item] = line
        return item

    def _open(self, where: Where) -> Where:
        return (*where, self._last[where]) if where in self._last else where

    def _pair(self, table: Where) -> None:
        line, where = self._line(), table
        for key in self._keys():
            where = (*where, key)
            self.found.setdefault(where, line)
        self._at += 1  # the equals sign
        self._value(where)

    def _value(self, where: Where) -> None:
        self._take(_SPACE)
        if self._text.startswith("[", self._at):
            self._array(where)
        elif self._text.startswith("{", self._at):
            self._inline_table(where)
        elif self._take(_TEXT) is None:
            self._take(_BARE)

    def _array(self, where: Where) -> None:
        self._at += 1
        number = 0
        while not self._closes("]"):
            self.found[*where, number] = self._line()
            self._value((*where, number))
            number += 1
        self._at += 1

    def _inline_table(self, where: Where) -> None:
        self._at += 1
        while not self._closes("}"):
            self._pair(where)
        self._at += 1

    def _closes(self, bracket: str) -> bool:
        """Whether no more value follows."""
        self._take(_BLANK)
        if self._text.startswith(",", self._at):
            self._at += 1
            self._take(_BLANK)
        return self._text.startswith(bracket, self._at)

    def _keys(self) -> list[str]:
        keys = [self._key()]
        while self._text.startswith(".", self._at):
            self._at += 1
            keys.append(self._key())
        return keys

    def _key(self) -> str:
        written = (self._take(_KEY) or "").strip(" \t")
        # What a quoted key means is the TOML reader's business.
        return next(iter(tomllib.loads(f"{written} = 0"))) if written[:1] in {'"', "'"} else written

    def _take(self, pattern: re.Pattern[str]) -> str | None:
        match = pattern.match(self._text, self._at)
        if match is None:
            return None
        self._at = match.end()
        return match[0]

    def _line(self) -> int:
        return bisect_left(self._ends, self._at) + 1
