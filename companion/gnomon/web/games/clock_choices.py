"""Parse the match clock fields of a form, and describe the chosen time control in words."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from gnomon.referee.clock_settings import CLOCK, FLAG, FLAGS, NO_CLOCK, PRESS, PRESSES, WARNING
from gnomon.refusals import InvalidValueError, Refusal, Statement, statement
from gnomon.rules.registry import BARE_CLOCK, kind_of
from gnomon.timekeeping.controls import ControlError, TimeControl
from gnomon.timekeeping.notation import ControlNotationError, format_time_control
from gnomon.timekeeping.presets import PRESETS, control_of
from gnomon.views.control_words import describe
from gnomon.words import Words, upper

OWN: Final = "own"
"""Chosen where a time control is written out."""
LONGEST: Final = 120
"""Letters of a time control: the longest that anybody plays has some forty."""
USUAL: Final = "club"
"""What stands first where there has to be a clock."""
MOST_WARNING: Final = 3600  # seconds, as the setting itself allows

WHICH: Final = "clock"
TEXT: Final = "clock-own"
SECOND: Final = "clock-second"
ENDS: Final = "clock-flag"
BY: Final = "clock-press"
WARN: Final = "clock-warning"

Sent = Mapping[str, str]


class ClockWishError(InvalidValueError):
    """No clock can be like this: the field that is wrong, and why."""

    def __init__(self, field: str, why: Statement | Refusal) -> None:
        super().__init__(why)
        self.field = field


class Offer(NamedTuple):
    """A preset as it is offered: its name, how it is written, and what it is for, in words."""

    name: str
    text: str
    purpose: str


def offers(say: Words) -> tuple[Offer, ...]:
    """The time controls that have a name, in the order of their list."""
    return tuple(Offer(each.name, each.text, say(f"control.preset.{each.name}")) for each in PRESETS.values())


def may_press(game: str) -> bool:
    """Whether it can be chosen what presses the clock: not where the board does, and not for the bare clock."""
    return game != BARE_CLOCK and not kind_of(game).own_board


def choose_clock(game: str, sent: Sent) -> dict[str, str]:
    """The settings of the clock that was chosen; none for a game without. Raises ClockWishError."""
    which = sent.get(WHICH, usual(game))
    if which == NO_CLOCK:
        if game == BARE_CLOCK:
            raise ClockWishError(WHICH, statement("clock.new.wrong.none"))
        return {}
    field, text = (TEXT, sent.get(TEXT, "")) if which == OWN else (WHICH, which)
    if which != OWN and which not in PRESETS:
        raise ClockWishError(WHICH, statement("players.new.wrong.choice"))
    control = parse_control(text, sent.get(SECOND, ""), field)
    settings = {CLOCK: format_time_control(control), FLAG: _one_of(ENDS, FLAGS, sent)}
    if may_press(game):
        settings[PRESS] = _one_of(BY, PRESSES, sent)
    warning = sent.get(WARN, "").strip()
    if warning:
        if not (warning.isascii() and warning.isdecimal() and len(warning) <= len(str(MOST_WARNING))):
            raise ClockWishError(WARN, statement("clock.new.wrong.warning"))
        settings[WARNING] = str(min(int(warning), MOST_WARNING))
    return settings


def usual(game: str) -> str:
    """What is chosen at first."""
    return USUAL if game == BARE_CLOCK else NO_CLOCK


def parse_control(text: str, second: str = "", field: str = TEXT) -> TimeControl:
    """The time control that was written or named, for both players, or with what the second one has instead.

    Raises ClockWishError with the field that is wrong, and why.
    """
    control = _parse(text, field)
    if not second.strip():
        return control
    other = _parse(second, SECOND)
    if control.sides[0] != control.sides[1] or other.sides[0] != other.sides[1]:
        raise ClockWishError(SECOND, statement("clock.new.wrong.twice"))
    try:
        return TimeControl((control.sides[0], other.sides[0]), control.runs_on or other.runs_on)
    except ControlError as error:
        raise ClockWishError(SECOND, error) from error


def in_words(control: TimeControl, say: Words) -> str:
    """What a time control means, as a sentence."""
    return f"{upper(describe(control, say))}."


def _parse(text: str, field: str) -> TimeControl:
    if not text.strip():
        raise ClockWishError(field, statement("clock.new.wrong.empty"))
    if len(text) > LONGEST:
        raise ClockWishError(field, statement("clock.new.wrong.long"))
    try:
        return control_of(text)
    except ControlNotationError as error:
        raise ClockWishError(field, error) from error


def _one_of(field: str, values: tuple[str, ...], sent: Sent) -> str:
    value = sent.get(field, values[0])
    if value not in values:
        raise ClockWishError(field, statement("players.new.wrong.choice"))
    return value
