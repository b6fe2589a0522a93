"""Parse and validate the JSON commands of the bench page.

Each refusal is one sentence that names the mistake.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from types import NoneType
from typing import Final, TypeVar, get_args, get_type_hints

from starlette.requests import Request

from gnomon.referee.events import Correction
from gnomon.timekeeping.instants import Duration, Instant, parse_seconds

LARGEST: Final = 4096
"""Bytes in the longest body that is read; the longest honest one has a few hundred."""
WHO: Final = "the bench"

Body = Mapping[str, object]
ValueT = TypeVar("ValueT")
ChoiceT = TypeVar("ChoiceT", bound=Enum)


class OrderError(ValueError):
    """The request makes no sense; the message is one sentence for people."""

    status = 400


class WrongTypeError(OrderError):
    """The body is of a type that a page from elsewhere may send without asking first."""

    status = 415


class TooLargeError(OrderError):
    """The body is longer than any honest one."""

    status = 413


@dataclass(frozen=True, slots=True)
class LetItPlay:
    """Let hands play by themselves from here on, or stop them (level None).

    Where no game goes on, `game` names the one to begin and `settings` what it is played by; empty: TAMSK at `level`.
    """

    level: int | None
    seed: int | None
    game: str = ""
    settings: Mapping[str, str | int] | None = None


async def body(request: Request) -> Body:
    """The JSON object in a request. Raises OrderError."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        message = "Send the command as application/json."
        raise WrongTypeError(message)
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > LARGEST:
            message = f"A command has at most {LARGEST} bytes."
            raise TooLargeError(message)
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        message = "The command is not JSON."
        raise OrderError(message) from None
    if not isinstance(value, dict):
        message = "A command is a JSON object."
        raise OrderError(message)
    return value


def field(order: Body, name: str, kind: type[ValueT]) -> ValueT:
    """A field that must be there, of exactly this kind. Raises OrderError."""
    if name not in order:
        message = f"The command lacks {name!r}."
        raise OrderError(message)
    value = order[name]
    if type(value) is not kind:  # a JSON true is no number here
        message = f"{name!r} is {_WORDS[kind]}."
        raise OrderError(message)
    return value


_WORDS: Final[Mapping[type, str]] = {str: "a text", int: "a whole number", bool: "true or false", dict: "an object"}


def only(order: Body, *names: str) -> None:
    """Refuse what nobody knows, so that a misspelt field is not overlooked. Raises OrderError."""
    unknown = sorted(order.keys() - set(names))
    if unknown:
        message = f"The command knows no {unknown[0]!r}."
        raise OrderError(message)


def choice(order: Body, name: str, choices: type[ChoiceT]) -> ChoiceT:
    """A field whose text is one of the values of an enumeration. Raises OrderError."""
    text = field(order, name, str)
    try:
        return choices(text)
    except ValueError:
        allowed = ", ".join(str(choice.value) for choice in choices)
        message = f"{name!r} is one of: {allowed}."
        raise OrderError(message) from None


def let_it_play(order: Body) -> LetItPlay:
    """Read the wish to watch, or to watch no longer. Raises OrderError."""
    only(order, "level", "seed", "stop", "game", "settings")
    if "stop" in order and field(order, "stop", bool):
        return LetItPlay(None, None)
    game = field(order, "game", str) if "game" in order else ""
    level = 1 if game and "level" not in order else field(order, "level", int)
    if level not in (1, 2, 3):
        message = "'level' is 1, 2 or 3."
        raise OrderError(message)
    seed = field(order, "seed", int) if "seed" in order else None
    return LetItPlay(level, seed, game, _settings(order) if "settings" in order else None)


def _settings(order: Body) -> Mapping[str, str | int]:
    settings: dict[str, str | int] = {}
    for name, value in field(order, "settings", dict).items():
        if type(value) not in (str, int):
            message = f"The setting {name!r} is a text or a whole number."
            raise OrderError(message)
        settings[name] = value
    return settings


def squares(order: Body) -> Sequence[str]:
    """Read on which squares hands are to do something. Raises OrderError."""
    names = order.get("squares")
    if not isinstance(names, list) or not all(type(name) is str for name in names):
        message = "'squares' is a list of texts."
        raise OrderError(message)
    return names


CORRECTIONS: Final = {
    "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in kind.__name__).lstrip("_"): kind
    for kind in get_args(Correction)
}
"""What can be entered by hand, by its name: `TurnsVoided` is "turns_voided"."""


def correction(order: Body) -> Correction:
    """Read an event by hand; the desk stamps it. Raises OrderError."""
    name = field(order, "event", str)
    kind = CORRECTIONS.get(name)
    if kind is None:
        message = f"'event' is one of: {', '.join(CORRECTIONS)}."
        raise OrderError(message)
    hints = get_type_hints(kind)
    wanted = [each.name for each in fields(kind) if each.name not in ("at", "who")]
    only(order, "event", *wanted)
    needed = {each.name for each in fields(kind) if each.default is MISSING}
    values = {each: _value(order, each, hints[each]) for each in wanted if each in order or each in needed}
    event: Correction = kind(at=Instant(0), who=WHO, **values)
    return event


def _value(order: Body, name: str, hint: object) -> object:
    if get_args(hint)[1:] == (NoneType,) and order.get(name, "") is None:
        return None
    if hint in (Duration, Duration | None):
        text = order.get(name)
        try:
            return parse_seconds(str(text) if type(text) in (str, int, float) else "")
        except ValueError:
            message = f"{name!r} is a number of seconds, at most six decimal places."
            raise OrderError(message) from None
    plain = get_args(hint)[0] if get_args(hint) else hint
    assert isinstance(plain, type)  # noqa: S101 - the fields of the events are plain types, or those or null
    value: object = field(order, name, plain)
    return value
