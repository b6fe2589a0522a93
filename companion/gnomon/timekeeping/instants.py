"""Define instants and durations as integers of microseconds."""

import re
from collections.abc import Iterable
from typing import Final, NewType

from gnomon.refusals import InvalidValueError, statement

Instant = NewType("Instant", int)
"""A point in time: microseconds of one monotonic clock, or since a game began. Never wall time."""

Duration = NewType("Duration", int)
"""A length of time in microseconds."""

MILLISECOND: Final = Duration(1_000)
SECOND: Final = Duration(1_000_000)
MINUTE: Final = Duration(60_000_000)

_SECONDS = re.compile(r"([0-9]{1,12})(?:\.([0-9]{1,6}))?")


def after(instant: Instant, duration: int) -> Instant:
    """The instant `duration` microseconds later (earlier when negative)."""
    return Instant(instant + duration)


def earliest(instants: Iterable[Instant | None]) -> Instant | None:
    """The first of the instants that there are; None when there is none."""
    return min((instant for instant in instants if instant is not None), default=None)


def parse_seconds(text: str) -> Duration:
    """Read decimal seconds with at most six places, exactly: "1.25" is 1 250 000 µs.

    Raises InvalidValueError for anything else.
    """
    match = _SECONDS.fullmatch(text)
    if match is None:
        raise InvalidValueError(statement("told.seconds", text=text))
    whole, places = match.groups(default="")
    return Duration(int(whole) * SECOND + int(places.ljust(6, "0")))


def seconds(duration: int) -> int | float:
    """The duration in seconds for JSON and people: a whole number when it is one."""
    whole, rest = divmod(duration, SECOND)
    return duration / SECOND if rest else whole
