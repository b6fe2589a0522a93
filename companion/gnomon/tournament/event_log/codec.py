"""Encode and decode tournament events and their envelopes as JSON.

`gnomon.tournament.events` alone defines the events: the fields are written as they are declared there and in that
order. A field with a default may be missing, so that JSON written before the field was added stays readable.
"""

import json
import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, NamedTuple, cast, get_args, get_origin, get_type_hints
from unicodedata import bidirectional, category

from gnomon.numbers import json_whole
from gnomon.refusals import Statement, statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import Event

SCHEMA: Final = 1
"""Of every line; another number means that something is written otherwise than this module reads it."""
KIND: Final = "kind"
KINDS: Final[Mapping[str, type[Event]]] = {kind.__name__: kind for kind in get_args(Event)}

_Read = Callable[[object, str], Any]
_PLAIN: Final = {
    str: statement("tournament.word.text"),
    int: statement("tournament.word.whole"),
    bool: statement("tournament.word.true_or_false"),
}
_EVENT: Final = statement("tournament.word.event")
_UNSHOWN: Final = {"Cc", "Cs", "Zl", "Zp"}  # of the Unicode character database
_TURNING: Final = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}  # they turn what stands after them
_FRACTION: Final = re.compile(r"-?[0-9]{1,40}(?:/[0-9]{1,40})?")  # 1e999999999 would be one too, and fill the memory
_ENVELOPE: Final = ("schema", "number", "at", "who", "why", "event")


class CodecError(TournamentError):
    """A text that tells no event, or an event that no text can tell; the sentence names the field."""


class LoggedEvent(NamedTuple):
    """An event as a tournament's book keeps it: its number from 1 up, and who told it, when and why.

    `at_wall` is wall time, a label for people that the shell gives, and never a measure.
    """

    number: int
    at_wall: str
    who: str
    why: str
    event: Event


class _FieldReader(NamedTuple):
    name: str
    read: _Read
    needed: bool


def event_text(event: Event) -> str:
    """An event as one line of JSON, always the same for the same event. Raises CodecError for a text that has none."""
    return _line(event_value(event))


def event_of(text: str) -> Event:
    """The event that a line of JSON tells. Raises CodecError when it tells none."""
    return event_from(_parse_value(text))


def event_value(event: Event) -> dict[str, object]:
    """An event in what JSON has: its kind and its fields. Raises CodecError for a text that JSON cannot tell."""
    kind = type(event).__name__
    return {KIND: kind, **_written_fields(event, kind)}


def event_from(value: object) -> Event:
    """The event that was written so. Raises CodecError for an unknown kind, and for fields that are not its own."""
    told = dict(_object(value, _EVENT))
    name = told.pop(KIND, None)
    if not isinstance(name, str) or name not in KINDS:
        if name is None:
            raise CodecError(statement("tournament.event.kindless", field=KIND, known=[*KINDS]))
        raise CodecError(statement("tournament.event.kind", kind=name, known=[*KINDS]))
    event: Event = _build(KINDS[name], told, name)
    return event


def told_text(told: LoggedEvent) -> str:
    """An event with its envelope as one line of JSON. Raises CodecError as `event_text` does."""
    return _line(told_value(told))


def told_of(text: str) -> LoggedEvent:
    """The event with its envelope that a line of JSON tells. Raises CodecError when it tells none."""
    return told_from(_parse_value(text))


def told_value(told: LoggedEvent) -> dict[str, object]:
    """An event with its envelope in what JSON has."""
    said = {"at": told.at_wall, "who": told.who, "why": told.why}
    labels = {name: _encode_value(text, f"event.{name}") for name, text in said.items()}
    return {"schema": SCHEMA, "number": told.number, **labels, "event": event_value(told.event)}


def told_from(value: object) -> LoggedEvent:
    """The event with its envelope that was written so. Raises CodecError when it is none, or of another schema."""
    line = _object(value, _EVENT)
    if line.get("schema") != SCHEMA:
        raise CodecError(statement("tournament.event.schema", schema=line.get("schema"), known=SCHEMA))
    _check_fields(line, _ENVELOPE, _ENVELOPE, _EVENT)
    number = _plain(int)(line["number"], "event.number")
    at_wall, who, why = (_plain(str)(line[name], f"event.{name}") for name in ("at", "who", "why"))
    return LoggedEvent(number, at_wall, who, why, event_from(line["event"]))


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _parse_value(text: str) -> object:
    try:
        return json.loads(text, parse_int=json_whole)
    except (ValueError, RecursionError) as error:
        raise CodecError(statement("tournament.event.not_json", text=str(error))) from error


def _written_fields(value: object, where: str) -> dict[str, object]:
    return {name: _encode_value(getattr(value, name), f"{where}.{name}") for name in _fields(type(value))}


def _encode_value(value: object, where: str) -> object:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, str):
        return _one_line(value, where)
    if is_dataclass(value) or hasattr(value, "_fields"):
        return _written_fields(value, where)
    if isinstance(value, tuple):
        return [_encode_value(each, f"{where}[{place}]") for place, each in enumerate(value)]
    return value


def _one_line(text: str, where: str) -> str:
    """The text. Raises CodecError for what breaks a line, controls a device, or is half a character."""
    wrong = next((one for one in text if category(one) in _UNSHOWN or bidirectional(one) in _TURNING), None)
    if wrong is not None:
        raise CodecError(statement("tournament.event.character", where=where, character=wrong))
    return text


def _build(kind: type[Any], told: Mapping[str, object], where: str) -> Any:  # noqa: ANN401 - whatever `kind` makes
    declared = _fields(kind)
    _check_fields(told, tuple(declared), tuple(one.name for one in declared.values() if one.needed), where)
    values = {name: declared[name].read(value, f"{where}.{name}") for name, value in told.items()}
    return kind(**values)


def _check_fields(
    told: Mapping[str, object], known: tuple[str, ...], needed: tuple[str, ...], where: str | Statement
) -> None:
    """Raise CodecError for a field that is missing, or one too many."""
    missing = next((name for name in needed if name not in told), None)
    if missing is not None:
        raise CodecError(statement("tournament.event.missing", where=where, field=missing))
    unknown = next((name for name in told if name not in known), None)
    if unknown is not None:
        raise CodecError(statement("tournament.event.unknown", where=where, field=unknown))


def _fields(kind: type[Any]) -> Mapping[str, _FieldReader]:
    """The fields of a dataclass or a NamedTuple, in their order, each with its reader."""
    return _fields_of(cast("Hashable", kind))  # classes are, which mypy does not know of those that set `__eq__`


@cache
def _fields_of(kind: object) -> Mapping[str, _FieldReader]:
    hints = get_type_hints(kind)
    if is_dataclass(kind):
        needed = {one.name: one.default is MISSING and one.default_factory is MISSING for one in fields(kind)}
    else:
        defaults = getattr(kind, "_field_defaults")  # noqa: B009 - of a NamedTuple, which `type` does not promise
        needed = {name: name not in defaults for name in getattr(kind, "_fields")}  # noqa: B009 - likewise
    return {name: _FieldReader(name, _reader(hints[name]), must) for name, must in needed.items()}


def _reader(hint: object) -> _Read:
    """What reads a value that is declared so. Raises TypeError for a declaration that no event has had so far."""
    if hint in _PLAIN:
        return _plain(hint)
    if hint is Fraction:
        return _fraction
    if isinstance(hint, UnionType) and NoneType in get_args(hint):
        return _optional(_reader(next(one for one in get_args(hint) if one is not NoneType)))
    if get_origin(hint) is tuple:
        return _several(_reader(get_args(hint)[0]))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _one_of(hint)
    if isinstance(hint, type) and (is_dataclass(hint) or hasattr(hint, "_fields")):
        return lambda value, where: _build(hint, _object(value, where), where)
    message = f"no event has had a field of {hint} so far: say here how it is read"
    raise TypeError(message)


def _plain(kind: type[str] | type[int] | type[bool]) -> _Read:
    def read(value: object, where: str) -> object:
        if type(value) is not kind:
            raise _wrong(where, value, _PLAIN[kind])
        return _one_line(value, where) if isinstance(value, str) else value

    return read


def _fraction(value: object, where: str) -> Fraction:
    try:
        found = Fraction(value) if isinstance(value, str) and _FRACTION.fullmatch(value) else None
    except ZeroDivisionError:
        found = None
    if found is None or str(found) != value:
        raise _wrong(where, value, statement("tournament.word.fraction"))
    return found


def _optional(read: _Read) -> _Read:
    return lambda value, where: None if value is None else read(value, where)


def _several(read: _Read) -> _Read:
    def several(value: object, where: str) -> tuple[object, ...]:
        if not isinstance(value, list):
            raise _wrong(where, value, statement("tournament.word.list"))
        return tuple(read(each, f"{where}[{place}]") for place, each in enumerate(value))

    return several


def _one_of(kind: type[Enum]) -> _Read:
    values = {member.value: member for member in kind}

    def one_of(value: object, where: str) -> Enum:
        if not isinstance(value, str) or value not in values:
            raise _wrong(where, value, statement("tournament.word.one_of", known=[*map(str, values)]))
        return values[value]

    return one_of


def _object(value: object, where: str | Statement) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise _wrong(where, value, statement("tournament.word.object"))
    return value


def _wrong(where: str | Statement, value: object, wanted: Statement) -> CodecError:
    said = json.dumps(value)
    shown = said if len(said) <= 40 else f"{said[:37]}..."  # noqa: PLR2004 - what fits in a sentence
    return CodecError(statement("tournament.event.value", where=where, value=shown, wanted=wanted))
