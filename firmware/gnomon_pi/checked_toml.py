"""The only place that reads TOML so that every mistake is named with its file and line."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

_T = TypeVar("_T")


class MistakeError(ValueError):
    """A file says something that it may not say; the message is one sentence that names the file and the line."""


def checked(text: str, file: str) -> "Table":
    """The outermost table of a TOML text; `file` is its name in messages. Raises MistakeError."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MistakeError(_not_toml(file, str(error))) from error
    return Table(_Source(file, text), "", values)


class Table:
    """One table of the file: every value is asked for with what it may be."""

    def __init__(self, source: "_Source", name: str, values: Mapping[str, object], nth: int = 0) -> None:
        self._source = source
        self._name = name
        self._nth = nth
        self._values = values
        self._asked: set[str] = set()

    def fault(self, message: str, key: str = "", text: str = "") -> MistakeError:
        """The error for a key of this table, or for the text in its value."""
        return MistakeError(f"{self._source.file}:{self.line(key, text)}: {message}")

    def line(self, key: str = "", text: str = "") -> int:
        """The line of a key, of `text` in its value, or of the table."""
        return self._source.line(self._name, self._nth, key, text)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def integer(self, key: str, lowest: int, highest: int, default: int | None = None) -> int:
        """A whole number within bounds."""
        value = self._value(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
            message = f"{key} must be a whole number from {lowest} to {highest}, not {value!r}"
            raise self.fault(message, key)
        return value

    def word(self, key: str, allowed: Mapping[str, object] | Sequence[str], default: str | None = None) -> str:
        """One of a few words."""
        value = self._value(key, default)
        if not isinstance(value, str) or value not in allowed:
            message = f"{key} must be one of {', '.join(sorted(allowed))}, not {value!r}"
            raise self.fault(message, key)
        return value

    def flag(self, key: str) -> bool:
        """True or false; false when it is not there."""
        value = self._value(key, default=False)
        if not isinstance(value, bool):
            message = f"{key} must be true or false, not {value!r}"
            raise self.fault(message, key)
        return value

    def text(self, key: str) -> str:
        """A text that is not empty."""
        value = self._value(key)
        if not isinstance(value, str) or not value:
            message = f"{key} must be a text, not {value!r}"
            raise self.fault(message, key)
        return value

    def words(self, key: str) -> tuple[str, ...]:
        """A list of names."""
        value = self._value(key)
        if not isinstance(value, list) or not value or not all(isinstance(item, str) and item for item in value):
            message = f"{key} must be a list of names"
            raise self.fault(message, key)
        return tuple(value)

    def table(self, key: str, *, required: bool = True) -> "Table":
        """A table inside this one; an empty one when it may be missing and is."""
        value = self._value(key, default=None if required else {})
        name = f"{self._name}.{key}" if self._name else key
        if not isinstance(value, dict):
            message = f"{key} must be a table: [{name}]"
            raise self.fault(message, key)
        return Table(self._source, name, value)

    def tables(self, key: str) -> Sequence["Table"]:
        """The tables of an array, in their order."""
        value = self._value(key)
        name = f"{self._name}.{key}"
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            message = f"{key} must be tables: [[{name}]]"
            raise self.fault(message, key)
        return [Table(self._source, name, item, nth) for nth, item in enumerate(value)]

    def part(self, key: str, read: Callable[["Table"], _T]) -> _T | None:
        """A device that a board may lack."""
        return read(self.table(key)) if key in self._values else None

    def nothing_else(self) -> None:
        """Refuse the keys that nobody asked for: a misspelt setting must not be ignored."""
        for key in self._values:
            if key not in self._asked:
                table = f"[{self._name}]" if self._name else "the file"
                may = ", ".join(sorted(self._asked)) or "none"
                message = f"{table} has no key {key}; it may have: {may}"
                raise self.fault(message, key)

    def _value(self, key: str, default: object = None) -> object:
        self._asked.add(key)
        if key in self._values:
            return self._values[key]
        if default is None:
            where = f"[{self._name}]" if self._name else "the file"
            message = f"{where} lacks {key}"
            raise self.fault(message)
        return default


class _Source:
    """The text of a description, to find the line of a key again: the TOML reader does not keep it."""

    _HEADER: Final = re.compile(r"\s*\[\[?\s*([\w.-]+)\s*\]")
    _KEY: Final = re.compile(r'\s*(?:"([^"]+)"|([\w-]+))\s*=')

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self._lines = text.splitlines()
        self._found: dict[tuple[str, int, str], int] = {}
        seen: dict[str, int] = {}
        name, nth = "", 0
        for number, line in enumerate(self._lines, start=1):
            if header := self._HEADER.match(line):
                name = header[1]
                nth = seen[name] = seen.get(name, -1) + 1
                self._found[name, nth, ""] = number
            elif key := self._KEY.match(line):
                self._found.setdefault((name, nth, key[1] or key[2]), number)

    def line(self, table: str, nth: int, key: str, text: str = "") -> int:
        """The line of a key, or of `text` in its value; of the table's header when there is no such key."""
        number = self._found.get((table, nth, key)) or self._found.get((table, nth, ""))
        # A table may stand under its own header or behind its key.
        number = number or self._found.get((f"{table}.{key}".strip("."), 0, "")) or self._found.get(("", 0, table), 1)
        if text:
            for later in range(number, len(self._lines) + 1):
                if f'"{text}"' in self._lines[later - 1]:
                    return later
        return number


def _not_toml(file: str, message: str) -> str:
    """The TOML reader's message with its line in front, where every other message has it."""
    match = re.fullmatch(r"(.*) \(at line (\d+), column \d+\)", message)
    return f"{file}:{match[2]}: {match[1]}" if match else f"{file}: {message}"
