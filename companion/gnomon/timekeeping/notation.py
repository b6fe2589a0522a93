"""Parse and write time controls: `25+10`, `40/90+30 then 30+30`, `10 then byo-yomi 5x30`.

Main times are minutes (`1:30` is a minute and a half), what a move is given is seconds, and moves stand before a
slash, as players write them (US Chess rule 5; PGN 9.6.1 has the same parts, in seconds). `+` is Fischer, `b`
Bronstein, `d` delay. There is one written form, and several are read: also `1:30:00`, `1h30m`, `90 s`, `G/25 d10`,
capitals, and spaces at any sensible place.
"""

import re
from typing import Final, assert_never

from gnomon.refusals import InvalidValueError, Refusal, statement
from gnomon.timekeeping.controls import (
    ByoYomi,
    Canadian,
    ControlError,
    Hourglass,
    Main,
    Manner,
    Period,
    Schedule,
    TimeControl,
    UpCount,
)
from gnomon.timekeeping.instants import MINUTE, SECOND, Duration, parse_seconds

_THEN: Final = " then "
_VERSUS: Final = " vs "
_RUNS_ON: Final = ", runs on"

HOUR: Final = Duration(60 * MINUTE)

_EXAMPLES: Final = (
    "25, 25+10, 25d10, 40/90+30 then 30+30, 10 then byo-yomi 5x30, 10 then canadian 20/5, hourglass 3, up"
)

_FRACTION = r"(?:\.[0-9]{1,6})?"
_TIME = rf"[0-9]{{1,6}}(?::[0-9]{{2}}){{0,2}}{_FRACTION}|(?:[0-9]{{1,6}}{_FRACTION}[hms])+"
_MAIN = re.compile(
    rf"(?:(?:(?P<moves>[0-9]{{1,4}})|g|sd)/)?(?P<time>{_TIME})(?:;?(?P<sign>[+bd])(?P<extra>[0-9]{{1,6}}{_FRACTION})s?)?"
)
_BYO_YOMI = re.compile(rf"byo-?yomi(?P<spells>[0-9]{{1,4}})[x×](?P<spell>{_TIME})")
_CANADIAN = re.compile(rf"canadian(?P<moves>[0-9]{{1,4}})/(?P<time>{_TIME})")
_HOURGLASS = re.compile(rf"hourglass(?P<time>{_TIME})")
_UP = re.compile("up(?:-?count)?")

_COLONS = re.compile(rf"(?:(?:(?P<hours>[0-9]+):)?(?P<minutes>[0-9]+):)?(?P<last>[0-9]+{_FRACTION})")
_UNITS = re.compile(rf"(?:([0-9]+{_FRACTION})h)?(?:([0-9]+{_FRACTION})m)?(?:([0-9]+{_FRACTION})s)?")


class ControlNotationError(Refusal, ValueError):
    """The text is no time control."""


def format_time_control(control: TimeControl) -> str:
    """The time control as people write it; `parse_time_control` reads it back exactly."""
    first, second = (_THEN.join(map(_format_period, schedule)) for schedule in control.sides)
    return (first if first == second else first + _VERSUS + second) + (_RUNS_ON if control.runs_on else "")


def parse_time_control(text: str) -> TimeControl:
    """Read a time control, for both sides or, with `vs`, the first player's before the second's.

    Raises ControlNotationError for anything else.
    """
    low = " ".join(text.lower().split())
    plain = low.removesuffix(_RUNS_ON)
    sides = plain.split(_VERSUS)
    if len(sides) > 2:  # noqa: PLR2004 -- there are two players
        raise ControlNotationError(statement("told.control.two", text=text))
    schedules = [_schedule(side) for side in sides]
    try:
        return TimeControl((schedules[0], schedules[-1]), runs_on=plain != low)
    except ControlError as error:
        raise ControlNotationError(statement("told.control.none", text=text, cause=error.statement)) from error


def written_time(time: int) -> str:
    """A time as main times are written: minutes when it is whole ones, `1:30` or `0:30.5` when it is not."""
    minutes, rest = divmod(time, MINUTE)
    if rest == 0:
        return str(minutes)
    return f"{minutes}:{rest // SECOND:02}{_places(rest)}"


def written_seconds(time: int) -> str:
    """A time as what a move is given is written: seconds with as many decimal places as it needs."""
    return f"{time // SECOND}{_places(time)}"


def _places(time: int) -> str:
    rest = time % SECOND
    return f".{rest:06}".rstrip("0") if rest else ""


def _format_period(period: Period) -> str:
    match period:
        case Main(time, extra, manner, moves):
            before = "" if moves is None else f"{moves}/"
            return before + written_time(time) + (manner.value + written_seconds(extra) if extra else "")
        case ByoYomi(spell, spells):
            return f"byo-yomi {spells}x{written_seconds(spell)}"
        case Canadian(time, moves):
            return f"canadian {moves}/{written_time(time)}"
        case Hourglass(time):
            return f"hourglass {written_time(time)}"
        case UpCount():
            return "up"
        case _:
            assert_never(period)


def _schedule(text: str) -> Schedule:
    return tuple(map(_period, text.split(_THEN)))


def _period(text: str) -> Period:
    plain = text.replace(" ", "")
    try:
        period = _main(plain) or _other(plain)
    except (ControlError, InvalidValueError) as error:
        raise ControlNotationError(statement("told.control.no_period", text=text, cause=error.statement)) from error
    if period is None:
        raise ControlNotationError(statement("told.control.unknown", text=text, examples=_EXAMPLES))
    return period


def _main(text: str) -> Main | None:
    found = _MAIN.fullmatch(text)
    if found is None:
        return None
    moves, sign = found["moves"], found["sign"]
    extra = parse_seconds(found["extra"]) if sign else Duration(0)
    return Main(_minutes(found["time"]), extra, Manner(sign or "+"), int(moves) if moves else None)


def _other(text: str) -> Period | None:
    if found := _BYO_YOMI.fullmatch(text):
        return ByoYomi(_time(found["spell"], SECOND), int(found["spells"]))
    if found := _CANADIAN.fullmatch(text):
        return Canadian(_minutes(found["time"]), int(found["moves"]))
    if found := _HOURGLASS.fullmatch(text):
        return Hourglass(_minutes(found["time"]))
    return UpCount() if _UP.fullmatch(text) else None


def _minutes(text: str) -> Duration:
    return _time(text, MINUTE)


def _time(text: str, unit: int) -> Duration:
    """Read a time; a bare number counts `unit`s. Raises InvalidValueError with the reason."""
    if found := _COLONS.fullmatch(text):
        if found["minutes"] is None:
            return _times(found["last"], unit)
        hours, minutes, last = found.groups("0")
        if parse_seconds(last) >= MINUTE or (found["hours"] and int(minutes) * MINUTE >= HOUR):
            raise InvalidValueError(statement("cause.control.sixty", text=text))
    elif found := _UNITS.fullmatch(text):
        hours, minutes, last = found.groups("0")
    else:
        raise InvalidValueError(statement("cause.control.order", text=text))
    return Duration(_times(hours, HOUR) + _times(minutes, MINUTE) + parse_seconds(last))


def _times(text: str, unit: int) -> Duration:
    """So many units, exactly: six decimal places of a unit of whole seconds are whole microseconds."""
    return Duration(parse_seconds(text) * (unit // SECOND))
