"""Derive the API shape of corrections from the fields of their events, to parse and to describe them."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from gnomon.records.formats.traces import CORRECTIONS
from gnomon.referee.events import Correction
from gnomon.refusals import Statement, statement
from gnomon.timekeeping.instants import Duration, Instant
from gnomon.web.api.shapes import (
    Fields,
    ListOf,
    OneOf,
    OrNull,
    Schema,
    Seconds,
    Shape,
    ShapeError,
    TextShape,
    Truth,
    Whole,
)

EVENT: Final = "event"
_GIVEN: Final = ("at", "who")  # by the board and by who the visitor is, not by what they send


def shape_of(hint: object) -> Shape:
    """What a field of an event looks like. Raises TypeError for a type that no event has had yet."""
    plain: Mapping[Any, Shape] = {
        str: TextShape(4000),
        str | Statement: TextShape(4000),  # visitors say it in their own words
        int: Whole(),
        bool: Truth(),
        Duration: Seconds(),
        Instant: Seconds(),
    }
    if hint in plain:
        return plain[hint]
    parts = get_args(hint)
    if get_origin(hint) in (Union, UnionType) and len(parts) == 2 and NoneType in parts:  # noqa: PLR2004 - X | None
        return OrNull(shape_of(parts[0] if parts[1] is NoneType else parts[1]))
    if get_origin(hint) is tuple and parts[1:] == (...,):
        return ListOf(shape_of(parts[0]), 100)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return OneOf([str(each.value) for each in hint])
    message = f"say how the API reads {hint}"
    raise TypeError(message)


def _own(kind: type[Correction]) -> Fields:
    hints = get_type_hints(kind)
    own = [each for each in fields(kind) if each.name not in _GIVEN]
    optional = {each.name for each in own if each.default is not MISSING or each.default_factory is not MISSING}
    return Fields({each.name: shape_of(hints[each.name]) for each in own}, frozenset(optional))


class CorrectionShape:
    """The shape of any of some events by hand; which one, its field `event` says."""

    def __init__(self, kinds: Mapping[str, type[Correction]] = CORRECTIONS) -> None:
        self._kinds = kinds
        self._fields = {name: _own(kind) for name, kind in kinds.items()}

    def schema(self) -> Schema:
        """Its description."""
        return {"oneOf": [self._schema(name, own) for name, own in self._fields.items()]}

    def _schema(self, name: str, own: Fields) -> Schema:
        told = own.schema()
        return {
            **told,
            "title": name,
            "description": (self._kinds[name].__doc__ or "").strip(),
            "properties": {EVENT: {"const": name}, **told["properties"]},
            "required": [EVENT, *told["required"]],
        }

    def read(self, value: object, where: str) -> Correction:
        """The event, stamped by the board later and said by nobody yet. Raises ShapeError."""
        name = value.get(EVENT) if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(name, str) or name not in self._kinds:
            place = f"{where}/{EVENT}"
            raise ShapeError(place, statement("api.one_of", field=EVENT, known=tuple(self._kinds)))
        given = {key: each for key, each in value.items() if key != EVENT}
        return self.event(name, self._fields[name].read(given, where))

    def event(self, name: str, given: Mapping[str, Any]) -> Correction:
        """The event of that name with its own fields."""
        kind = self._kinds[name]
        hints = get_type_hints(kind)
        values = {key: _as(hints[key], value) for key, value in given.items()}
        event: Correction = kind(at=Instant(0), who="", **values)
        return event


def _as(hint: object, value: object) -> Any:  # noqa: ANN401 - a type and its value
    return hint(value) if isinstance(hint, type) and issubclass(hint, Enum) else value
