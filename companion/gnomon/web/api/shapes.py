"""Define the shapes of API values, which both validate requests and generate their JSON schema.

What is read here and what the description promises cannot differ: both come from the same value. A shape that only
occurs in answers is described and never read.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from gnomon.refusals import InvalidValueError, Statement, statement
from gnomon.timekeeping.instants import SECOND, Duration

Schema = Mapping[str, Any]
"""JSON Schema 2020-12, as OpenAPI 3.1 has it."""

LONGEST: Final = 500  # signs of a text, unless told
GREATEST: Final = 2**31 - 1
LONGEST_TIME: Final = 1_000_000  # seconds: eleven days


class ShapeError(InvalidValueError):
    """A value has not its shape: `where` it stands, and what belongs there."""

    def __init__(self, where: str, why: Statement) -> None:
        super().__init__(why)
        self.where = where


class Shape(Protocol):
    """What a value looks like."""

    def schema(self) -> Schema:
        """Its description."""
        ...

    def read(self, value: object, where: str) -> Any:  # noqa: ANN401 - what each shape reads is its own
        """The value as the program has it. Raises ShapeError."""
        ...


@dataclass(frozen=True, slots=True)
class TextShape:
    """A text; `pattern` is that of all of it. What controls a terminal is read as a blank, as are ends of lines."""

    longest: int = LONGEST
    least: int = 0
    pattern: str = ""
    example: str = ""

    def schema(self) -> Schema:
        """Its description."""
        told: dict[str, Any] = {"type": "string", "minLength": self.least, "maxLength": self.longest}
        told |= {"pattern": f"^(?:{self.pattern})$"} if self.pattern else {}
        return told | ({"examples": [self.example]} if self.example else {})

    def read(self, value: object, where: str) -> str:
        """The text. Raises ShapeError."""
        if not isinstance(value, str):
            raise ShapeError(where, statement("api.text", field=_name_of(where)))
        if not self.least <= len(value) <= self.longest:
            raise ShapeError(
                where, statement("api.text.length", field=_name_of(where), least=self.least, most=self.longest)
            )
        if self.pattern and not re.fullmatch(self.pattern, value):
            if self.example:
                raise ShapeError(where, statement("api.text.sign.example", field=_name_of(where), example=self.example))
            raise ShapeError(where, statement("api.text.sign", field=_name_of(where)))
        return _CONTROLS.sub(" ", value).strip()


_CONTROLS: Final = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]+")


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number."""

    least: int = 0
    most: int = GREATEST

    def schema(self) -> Schema:
        """Its description."""
        return {"type": "integer", "minimum": self.least, "maximum": self.most}

    def read(self, value: object, where: str) -> int:
        """The number. Raises ShapeError."""
        if isinstance(value, float) and value.is_integer():  # 2.0 is a whole number to JSON
            value = int(value)
        if type(value) is not int or not self.least <= value <= self.most:
            raise ShapeError(where, statement("api.whole", field=_name_of(where), least=self.least, most=self.most))
        return value


@dataclass(frozen=True, slots=True)
class Seconds:
    """A length of time in seconds; read as microseconds."""

    def schema(self) -> Schema:
        """Its description."""
        return {"type": "number", "minimum": 0, "maximum": LONGEST_TIME}

    def read(self, value: object, where: str) -> Duration:
        """The duration. Raises ShapeError."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LONGEST_TIME:
            raise ShapeError(where, statement("api.seconds", field=_name_of(where), most=LONGEST_TIME))
        return Duration(round(value * SECOND))


@dataclass(frozen=True, slots=True)
class Truth:
    """True or false."""

    def schema(self) -> Schema:
        """Its description."""
        return {"type": "boolean"}

    def read(self, value: object, where: str) -> bool:
        """The value. Raises ShapeError."""
        if not isinstance(value, bool):
            raise ShapeError(where, statement("api.truth", field=_name_of(where)))
        return value


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some words."""

    words: Sequence[str] | Callable[[], Sequence[str]]
    """The words, or who tells them when they are asked for."""

    def schema(self) -> Schema:
        """Its description."""
        return {"type": "string", "enum": list(self._words)}

    def read(self, value: object, where: str) -> str:
        """The word. Raises ShapeError."""
        if not isinstance(value, str) or value not in self._words:
            raise ShapeError(where, statement("api.one_of", field=_name_of(where), known=tuple(self._words)))
        return value

    @property
    def _words(self) -> Sequence[str]:
        return self.words() if callable(self.words) else self.words


@dataclass(frozen=True, slots=True)
class OrNull:
    """A value of a shape, or null."""

    shape: Shape

    def schema(self) -> Schema:
        """Its description."""
        return {"anyOf": [self.shape.schema(), {"type": "null"}]}

    def read(self, value: object, where: str) -> Any:  # noqa: ANN401 - what the shape reads
        """The value. Raises ShapeError."""
        return None if value is None else self.shape.read(value, where)


@dataclass(frozen=True, slots=True)
class ListOf:
    """Values of one shape."""

    shape: Shape
    most: int | None = None

    def schema(self) -> Schema:
        """Its description."""
        return {"type": "array", "items": self.shape.schema()} | ({} if self.most is None else {"maxItems": self.most})

    def read(self, value: object, where: str) -> tuple[Any, ...]:
        """The values. Raises ShapeError."""
        if not isinstance(value, list) or (self.most is not None and len(value) > self.most):
            if self.most is None:
                raise ShapeError(where, statement("api.list", field=_name_of(where)))
            raise ShapeError(where, statement("api.list.most", field=_name_of(where), most=self.most))
        return tuple(self.shape.read(each, f"{where}/{number}") for number, each in enumerate(value))


@dataclass(frozen=True, slots=True)
class AnyOf:
    """A value of the first shape that fits."""

    shapes: Sequence[Shape]
    key: str
    """Of the words that say what it is, which ask for `field`."""

    def schema(self) -> Schema:
        """Its description."""
        return {"anyOf": [shape.schema() for shape in self.shapes]}

    def read(self, value: object, where: str) -> Any:  # noqa: ANN401 - what the shape reads
        """The value. Raises ShapeError."""
        for shape in self.shapes:
            try:
                return shape.read(value, where)
            except ShapeError:
                continue
        raise ShapeError(where, Statement(self.key, {"field": _name_of(where)}))


@dataclass(frozen=True, slots=True)
class Named:
    """Values of one shape by names of their own."""

    shape: Shape
    name: str
    most: int

    def schema(self) -> Schema:
        """Its description."""
        names = {"pattern": f"^(?:{self.name})$"}
        return {
            "type": "object",
            "additionalProperties": self.shape.schema(),
            "propertyNames": names,
            "maxProperties": self.most,
        }

    def read(self, value: object, where: str) -> dict[str, Any]:
        """The values. Raises ShapeError."""
        if not isinstance(value, dict) or len(value) > self.most:
            raise ShapeError(where, statement("api.named", field=_name_of(where), most=self.most))
        for name in value:
            if not re.fullmatch(self.name, name):
                raise ShapeError(where, statement("api.named.name", field=_name_of(where)))
        return {name: self.shape.read(each, f"{where}/{name}") for name, each in value.items()}


@dataclass(frozen=True, slots=True)
class Fields:
    """An object with fields; those in `optional` may be missing. `is_open`: an answer that may have more later."""

    fields: Mapping[str, Shape]
    optional: frozenset[str] = frozenset()
    is_open: bool = False

    def schema(self) -> Schema:
        """Its description."""
        told: dict[str, Any] = {
            "type": "object",
            "properties": {name: shape.schema() for name, shape in self.fields.items()},
            "required": [name for name in self.fields if name not in self.optional],
        }
        return told if self.is_open else told | {"additionalProperties": False}

    def read(self, value: object, where: str) -> dict[str, Any]:
        """The fields that are there. Raises ShapeError, also for one that nobody knows."""
        if not isinstance(value, dict):
            raise ShapeError(where, statement("api.object", field=_name_of(where)))
        unknown = sorted(value.keys() - self.fields.keys())
        if unknown:
            if not self.fields:
                raise ShapeError(where, statement("api.no_fields", field=unknown[0]))
            raise ShapeError(where, statement("api.unknown_field", field=unknown[0], known=tuple(self.fields)))
        for name in self.fields:
            if name not in value and name not in self.optional:
                place = f"{where}/{name}"
                raise ShapeError(place, statement("api.missing", field=name))
        return {
            name: shape.read(value[name], f"{where}/{name}") for name, shape in self.fields.items() if name in value
        }


@dataclass(frozen=True, slots=True)
class DescribedShape:
    """What only answers have: a description of its own, by `name` where it is one of the components."""

    what: Schema = field(default_factory=dict)

    def schema(self) -> Schema:
        """Its description."""
        return self.what

    def read(self, value: object, where: str) -> Any:  # noqa: ANN401 - never read
        """Nothing: nobody sends it. Raises ShapeError."""
        del value
        raise ShapeError(where, statement("api.answers_only", field=_name_of(where)))


def answer(**fields: Shape) -> Fields:
    """What an answer looks like; later versions may tell more."""
    return Fields(fields, is_open=True)


NUMBER: Final = DescribedShape({"type": "number"})
ANYTHING: Final = DescribedShape()


def _name_of(where: str) -> str | Statement:
    """What people call the value that stands there."""
    return where.rpartition("/")[2] or statement("api.sent")
