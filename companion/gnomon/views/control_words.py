"""Describe time controls in words, period by period, for both players."""

from typing import Final, assert_never

from gnomon.timekeeping.controls import (
    ByoYomi,
    Canadian,
    Hourglass,
    Main,
    Manner,
    Period,
    Schedule,
    TimeControl,
    UpCount,
)
from gnomon.timekeeping.instants import MINUTE, SECOND
from gnomon.timekeeping.notation import written_seconds
from gnomon.words import ENGLISH, Words

_MINUTES_UP_TO: Final = 180
"""Players say 90 minutes and not an hour and a half; beyond three hours they count hours."""
_HOUR: Final = 60

_MANNERS: Final = {Manner.FISCHER: "fischer", Manner.BRONSTEIN: "bronstein", Manner.DELAY: "delay"}


def describe(control: TimeControl, words: Words = ENGLISH) -> str:
    """What both players have, in words and without a full stop."""
    first, second = (_schedule_sentence(schedule, words) for schedule in control.sides)
    said = first if first == second else words("control.versus", first=first, second=second)
    return words("control.runs_on", control=said) if control.runs_on else said


def time_in_words(time: int) -> str:
    """A length of time with its units, which are the same in all languages: `25 min`, `1 min 30 s`, `7 h`."""
    minutes, rest = divmod(time, MINUTE)
    hours = 0
    if minutes > _MINUTES_UP_TO:
        hours, minutes = divmod(minutes, _HOUR)
    parts = [f"{hours} h"] * bool(hours) + [f"{minutes} min"] * bool(minutes)
    if rest or not parts:
        parts.append(f"{written_seconds(rest)} s")
    return " ".join(parts)


def _schedule_sentence(schedule: Schedule, words: Words) -> str:
    said, *later = (_period(period, words) for period in schedule)
    for each in later:
        said = words("control.then", first=said, last=each)
    return said


def _period(period: Period, words: Words) -> str:
    match period:
        case Main():
            return _main(period, words)
        case ByoYomi(spell, spells):
            return words.plural("control.spells", spells, time=time_in_words(spell))
        case Canadian(time, moves):
            return words.plural("control.block", moves, time=time_in_words(time))
        case Hourglass(time):
            return words("control.hourglass", time=time_in_words(time))
        case UpCount():
            return words("control.up")
        case _:
            assert_never(period)


def _main(period: Main, words: Words) -> str:
    time = time_in_words(period.time)
    said = time if period.moves is None else words.plural("control.moves", period.moves, time=time)
    if not period.extra:
        return said
    each = words(f"control.{_MANNERS[period.manner]}", seconds=written_seconds(period.extra))
    if period.time < SECOND and period.moves is None:
        return each
    return words("control.with", period=said, each=each)
