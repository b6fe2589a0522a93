"""Read and validate TOML, and report every mistake with its file and line.

The standard library's `tomllib` knows no lines of what it has read.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeGuard, TypeVar

from gnomon import bounded_toml
from gnomon.refusals import InvalidValueError, Statement, statement

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
_T = TypeVar("_T")

_MOST: Final = 1 << 20  # bytes, fifty times the longest description; /dev/zero would fill the memory


# Where each key stands


def lines_of(text: str) -> Mapping[Where, int]:
    """The line, from 1, of each key, table and item of `text`, which the TOML reader has found in order."""
    return _Walk(text).found


class _Walk:
    """One way through a text from its beginning to its end."""

    def __init__(self, text: str) -> None:
        self.found: dict[Where, int] = {}
        self.repeated: tuple[Where, int] | None = None  # the first key that is given again, and the line where it is
        self._given: dict[Where, int] = {}
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
        if brackets == 1:
            self._give(where, line)
        # A table may have been implied by the header of one inside it; its own header is where people look.
        self.found[where] = line if brackets == 1 else self.found[where]
        return where

    def _item(self, brackets: int) -> Where:
        """The table that a header adds to an array."""
        line = self._line()
        array = self._table(brackets)
        if array not in self._last and array in self._given:
            self._give(array, line)
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
        self._give(where, line)
        self._at += 1  # the equals sign
        self._value(where)

    def _give(self, where: Where, line: int) -> None:
        """Note that a key or a table is given here."""
        if where in self._given and self.repeated is None:
            self.repeated = (where, line)
        self._given.setdefault(where, line)

    def first_line(self, where: Where) -> int:
        """The line on which a key or a table was first given."""
        return self._given[where]

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
        return next(iter(bounded_toml.parse_toml(f"{written} = 0"))) if written[:1] in {'"', "'"} else written

    def _take(self, pattern: re.Pattern[str]) -> str | None:
        match = pattern.match(self._text, self._at)
        if match is None:
            return None
        self._at = match.end()
        return match[0]

    def _line(self) -> int:
        return bisect_left(self._ends, self._at) + 1


# Mistakes and tables


class MistakeError(InvalidValueError):
    """A file says something that it may not say; its words name the file and the line."""


class TomlMistake(NamedTuple):
    """What is wrong in a file, with the line it is about."""

    file: str
    line: int
    what: Statement

    @property
    def statement(self) -> Statement:
        """The same with file and line in front."""
        return statement("toml.mistake", file=self.file, number=self.line, what=self.what)

    def __str__(self) -> str:
        return self.statement.message


def text_of(path: Path) -> str:
    """The text of a file, without a mark of the encoding that some editors put in front.

    Raises FileNotFoundError where there is none, and MistakeError when it cannot be read or is no text.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(_MOST + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise MistakeError(statement("toml.unreadable", file=str(path), detail=error.strerror)) from error
    if len(raw) > _MOST:
        raise MistakeError(statement("toml.too_long", file=str(path), most=_MOST >> 20))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MistakeError(statement("toml.no_utf8", file=str(path), number=error.start + 1)) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse_toml(text: str, file: str) -> "TomlTable":
    """The outermost table of a TOML text; `file` is its name in messages. Raises MistakeError."""
    try:
        values = bounded_toml.parse_toml(text)
        lines = lines_of(text)
    except bounded_toml.TOMLDecodeError as error:
        raise MistakeError(_not_toml(text, file, str(error))) from error
    except bounded_toml.TomlDigitsError as error:
        raise MistakeError(statement("toml.digits", file=file)) from error
    except bounded_toml.TomlDepthError as error:
        raise MistakeError(statement("toml.nested", file=file)) from error
    return TomlTable(_Source(file, lines), (), values)


class TomlTable:
    """One table of the file: every value is asked for with what it may be.

    A mistake is noted and reading goes on with a value that stands in, so that one look finds every mistake. Code that
    compares values asks first whether the table is sound.
    """

    def __init__(
        self, source: "_Source", where: Where, values: Mapping[str, object], above: "TomlTable | None" = None
    ) -> None:
        self._source = source
        self._where = where
        self._values = values
        self._above = above
        self._asked: set[str] = set()
        self._faulty: set[str] = set()
        self._is_absent = False
        self.is_sound = True

    @property
    def mistakes(self) -> Sequence[TomlMistake]:
        """All that were noted in the file so far, in the order in which they were found."""
        return self._source.mistakes

    @property
    def asked_keys(self) -> frozenset[str]:
        """Every key of the file that was asked for, with the tables it stands in: `sensors.bits.places`."""
        return frozenset(self._source.asked)

    def note(self, what: Statement, key: str = "", item: int | None = None) -> None:
        """Write a mistake down that concerns this table, a key of it, or an item of the array there."""
        if not self._is_absent:
            self._source.mistakes.append(TomlMistake(self._source.file, self.line(key, item), _on_one_line(what)))
        self.spoil(key)

    def spoil(self, key: str) -> None:
        """Count a key as a mistake that was told elsewhere."""
        self._faulty.add(key)
        table: TomlTable | None = self
        while table is not None:
            table.is_sound = False
            table = table._above  # noqa: SLF001 - a table of the same file

    def line(self, key: str = "", item: int | None = None) -> int:
        """The line of this table, of a key of it, or of an item of the array there."""
        where: Where = self._where
        if key:
            where += (key,) if item is None else (key, item)
        return self._source.line(where)

    def is_faulty(self, key: str) -> bool:
        """Whether what was given for a key only stands in for a mistake."""
        return self._is_absent or key in self._faulty

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def has(self, key: str) -> bool:
        """Whether a key that may be missing is there."""
        self._ask(key)
        return key in self._values

    def integer(self, key: str, lowest: int, highest: int, default: int | None = None) -> int:
        """A whole number within bounds."""
        value = self._value(key, default)
        if _is_within(value, lowest, highest):
            return value
        self._refuse(key, statement("toml.number", least=lowest, most=highest), value)
        return lowest

    def address(self, key: str, lowest: int, highest: int, default: int | None = None) -> int:
        """An address of a bus, of seven bits; a refusal says it as data sheets do."""
        value = self._value(key, default)
        if _is_within(value, lowest, highest):
            return value
        wanted = statement("toml.number", least=f"0x{lowest:02X}", most=f"0x{highest:02X}")
        given: str | Statement = f"0x{value:02X}" if _is_within(value, 0, 0xFF) else _quote(value)
        # Some modules are labelled with eight bits, of which the last one says whether it is read or written.
        if _is_within(value, 2 * lowest, 2 * highest + 1):
            given = statement("toml.eight_bits", value=given, address=f"0x{value >> 1:02X}")
        if not self.is_faulty(key):
            self.note(statement("toml.must", key=key, wanted=wanted, value=given), key)
        return lowest

    def word(self, key: str, allowed: Sequence[str], default: str | None = None) -> str:
        """One of a few words."""
        value = self._value(key, default)
        if isinstance(value, str) and value in allowed:
            return value
        self._refuse(key, statement("toml.one_of", known=tuple(sorted(allowed))), value)
        return allowed[0]

    def flag(self, key: str, *, usual: bool = False) -> bool:
        """True or false; `usual` when it is not there."""
        value = self._value(key, default=usual)
        if isinstance(value, bool):
            return value
        self._refuse(key, statement("toml.truth"), value)
        return usual

    def text(self, key: str) -> str:
        """A text that is not empty."""
        value = self._value(key)
        if isinstance(value, str) and value:
            return value
        self._refuse(key, statement("toml.text"), value)
        return key

    def words(self, key: str) -> tuple[str, ...]:
        """A list of names."""
        value = self._value(key)
        if isinstance(value, list) and value and all(isinstance(item, str) and item for item in value):
            return tuple(value)
        if not self.is_faulty(key):
            self.note(statement("toml.names", key=key), key)
        return ()

    def integers(self, key: str, lowest: int, highest: int) -> tuple[int, ...]:
        """A list of whole numbers within bounds."""
        value = self._value(key)
        wanted = statement("toml.numbers", least=lowest, most=highest)
        if not isinstance(value, list):
            self._refuse(key, wanted, value)
            return ()
        wrong = [(item, each) for item, each in enumerate(value) if not _is_within(each, lowest, highest)]
        for item, each in wrong:
            self.note(statement("toml.must", key=key, wanted=wanted, value=_quote(each)), key, item)
        return () if wrong else tuple(value)

    def table(self, key: str, *, required: bool = True) -> "TomlTable":
        """A table inside this one; an empty one when it is missing."""
        value = self._value(key, default=None if required else {})
        if isinstance(value, dict):
            return TomlTable(self._source, (*self._where, key), value, self)
        if not self.is_faulty(key):
            self.note(statement("toml.table", key=key, table=self._name(key)), key)
        absent = TomlTable(self._source, (*self._where, key), {}, self)
        absent.is_sound, absent._is_absent = False, True
        return absent

    def tables(self, key: str, *, required: bool = True) -> Sequence["TomlTable"]:
        """The tables of an array, in their order; none when it is missing."""
        value = self._value(key, default=None if required else [])
        if isinstance(value, list) and all(isinstance(item, dict) for item in value):
            where = (*self._where, key)
            return [TomlTable(self._source, (*where, number), item, self) for number, item in enumerate(value)]
        if not self.is_faulty(key):
            self.note(statement("toml.tables", key=key, table=self._name(key)), key)
        return []

    def part(self, key: str, read: Callable[["TomlTable"], _T]) -> _T | None:
        """A device that a board may lack."""
        return read(self.table(key)) if self.has(key) else None

    def nothing_else(self) -> None:
        """Refuse the keys that nobody asked for: a misspelt setting must not be ignored."""
        known = tuple(sorted(self._asked)) or (statement("toml.none"),)
        for key in self._values:
            if key not in self._asked:
                self.note(statement("toml.no_key", title=self._title(), key=key, known=known), key)

    def _value(self, key: str, default: object = None) -> object:
        self._ask(key)
        if key in self._values:
            return self._values[key]
        if default is None:
            self.note(statement("toml.lacks", title=self._title(), key=key))
            self._faulty.add(key)
        return default

    def _refuse(self, key: str, wanted: Statement, value: object) -> None:
        if not self.is_faulty(key):
            self.note(statement("toml.must", key=key, wanted=wanted, value=_quote(value)), key)

    def _ask(self, key: str) -> None:
        self._asked.add(key)
        self._source.asked.add(self._name(key))

    def _title(self) -> Statement:
        return Statement.plain(f"[{self._name()}]") if self._where else statement("toml.the_file")

    def _name(self, *more: str) -> str:
        """The table's name, or that of a key in it, as its header would have it."""
        return ".".join([part for part in self._where if isinstance(part, str)] + list(more))


class _Source:
    """What the tables of one file share."""

    def __init__(self, file: str, lines: Mapping[Where, int]) -> None:
        self.file = file
        self.mistakes: list[TomlMistake] = []
        self.asked: set[str] = set()
        self._lines = lines

    def line(self, where: Where) -> int:
        """The line of a key; of what it would stand in where there is none."""
        while where and where not in self._lines:
            where = where[:-1]
        return self._lines.get(where, 1)


_TWICE: Final = ("Cannot overwrite a value", "Cannot declare", "Duplicate inline table key")  # tomllib's own words
_LONGEST = 60  # characters of a wrong value that a message shows


def _is_within(value: object, lowest: int, highest: int) -> TypeGuard[int]:
    """Whether a value is a whole number within bounds."""
    return isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest


def _quote(value: object) -> str:
    """A value as a message shows it."""
    try:
        shown = repr(value)
    except ValueError:  # Python refuses to write a number of thousands of digits.
        return "a number of thousands of digits"
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"


def _on_one_line(what: Statement) -> Statement:
    """The same with each of its texts in one line."""
    return what._replace(values={name: _cleaned_value(value) for name, value in what.values.items()})


def _cleaned_value(value: object) -> object:
    match value:
        case Statement():
            return _on_one_line(value)
        case str(text):
            return _in_one_line(text)
        case tuple():
            return tuple(map(_cleaned_value, value))
        case _:
            return value


def _in_one_line(message: str) -> str:
    """The message with whatever would break a line, or change a terminal, written as an escape."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in message)


def _not_toml(text: str, file: str, message: str) -> Statement:
    """The TOML reader's message with its line in front, where every other message has it."""
    match = re.fullmatch(r"(.*) \(at line (\d+), column \d+\)", message, re.DOTALL)
    said, line = (match[1], int(match[2])) if match else (message, text.rstrip("\n").count("\n") + 1)
    if said.startswith(_TWICE):
        # Up to its end that line is TOML: what is wrong is only that it is there again.
        walk = _Walk("".join(text.splitlines(keepends=True)[:line]))
        if walk.repeated is not None:
            where, again = walk.repeated
            name = ".".join(map(str, where))
            told = statement("toml.twice", key=_in_one_line(name), first=walk.first_line(where))
            return TomlMistake(file, again, told).statement
    return TomlMistake(file, line, Statement.plain(_in_one_line(said))).statement
