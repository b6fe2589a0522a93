"""Read the English sentences of version 0.1.0 as the statements that stand in records now.

Version 0.1.0 wrote down in English what was corrected, what had to be put right, and why the machine stopped a game.
`old_sentences.json` has these sentences as they were then, each with the key that its words have today. It follows
when a key changes, and never when words do.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Final

from gnomon.records._objects import read_object
from gnomon.refusals import Statement

_NUMBERS: Final = frozenset({"count", "number", "seconds", "turns"})
"""Values that are numbers today, and stood as digits in the sentence."""
_SPACE: Final = "space"
_REPAIR: Final = "repair."
_PAUSED: Final = "paused"

MACHINE: Final = "gnomond"
"""Who stopped a game of which nobody asked it: anybody else gave their reason in their own words."""


def migrate(record: Mapping[str, object]) -> Mapping[str, object]:
    """A ruling or an event as it would be written down today, if it has sentences of version 0.1.0."""
    found = {name: _migrate_value(name, record[name]) for name in _fields_of(record) if name in record}
    return {**record, **found} if found else record


def _fields_of(record: Mapping[str, object]) -> Iterator[str]:
    """The fields in which a record of version 0.1.0 may have a sentence."""
    if "put_right" in record:
        yield "put_right"
    if isinstance(record.get("what"), str):
        yield from ("what", "who")
    if record.get("who") == MACHINE and (record.get("event") == _PAUSED or "what" in record):
        yield "why"


def _migrate_value(name: str, value: object) -> object:
    if isinstance(value, list):
        return [_migrate_value(name, each) for each in value]
    found = recognise(name, value) if isinstance(value, str) else None
    return value if found is None else found.dump()


def recognise(name: str, text: str) -> Statement | None:
    """What a sentence of version 0.1.0 states in a field of a record; None for words of somebody's own."""
    for key, pattern in _patterns()[name]:
        if found := pattern.fullmatch(text):
            try:
                values = {each: _value(each, told) for each, told in found.groupdict().items()}
            except ValueError:  # of no number, or of thousands of digits: nobody wrote so
                continue
            return Statement(key, {_SPACE: "", **values} if key.startswith(_REPAIR) else values)
    return None


def _value(name: str, told: str) -> object:
    return read_object(f'{{"it":{told}}}')["it"] if name in _NUMBERS else told


@cache
def _patterns() -> Mapping[str, tuple[tuple[str, re.Pattern[str]], ...]]:
    read = json.loads((files("gnomon") / "records" / "old_sentences.json").read_text(encoding="utf-8"))
    return {
        name: tuple((key, re.compile("".join(_parts(sentence)), re.DOTALL)) for sentence, key in told.items())
        for name, told in read.items()
    }


def _parts(sentence: str) -> Iterator[str]:
    for literal, name, _, _ in Formatter().parse(sentence):
        yield re.escape(literal)
        if name is not None:
            yield f"(?P<{name}>{'[0-9.e+-]+' if name in _NUMBERS else '.+?'})"
