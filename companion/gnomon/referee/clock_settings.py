"""Parse the settings of a match clock: time control, flag, press and warning.

They stand among a game's settings but do not belong to its rules. `clock` is the time control, in the notation of
`gnomon.timekeeping.notation` or by the name of a preset; `flag` whether a fallen flag ends the game or is only shown;
`press` whether a whole turn presses the clock, or the player's own button alone; `warning` the number of seconds left
at which a warning sounds.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from gnomon.refusals import statement
from gnomon.rules.protocol import SettingsError
from gnomon.timekeeping.controls import TimeControl
from gnomon.timekeeping.instants import Duration, parse_seconds
from gnomon.timekeeping.notation import ControlNotationError
from gnomon.timekeeping.presets import control_of

CLOCK: Final = "clock"
FLAG: Final = "flag"
PRESS: Final = "press"
WARNING: Final = "warning"
CLOCK_SETTINGS: Final = (CLOCK, FLAG, PRESS, WARNING)

FLAGS: Final = ("ends", "shown")
PRESSES: Final = ("turn", "button")
NO_CLOCK: Final = "none"

_LONGEST_WARNING: Final = Duration(3_600_000_000)


class ClockTerms(NamedTuple):
    """What was agreed of the clock before the game; `warning` is 0 for none."""

    control: TimeControl
    flag_ends: bool = True
    by_button: bool = False
    warning: Duration = Duration(0)


def split_settings(settings: Mapping[str, object]) -> tuple[dict[str, object], dict[str, object]]:
    """The settings of the rules, and those of the clock."""
    of_rules = {name: value for name, value in settings.items() if name not in CLOCK_SETTINGS}
    return of_rules, {name: value for name, value in settings.items() if name in CLOCK_SETTINGS}


def terms_of(settings: Mapping[str, object]) -> ClockTerms | None:
    """The terms of the clock, or None for a game without one. Raises SettingsError with one sentence."""
    given = settings.get(CLOCK, NO_CLOCK)
    text = str(given).strip() if isinstance(given, str | int) and not isinstance(given, bool) else ""
    if text.lower() == NO_CLOCK:
        alone = next((name for name in CLOCK_SETTINGS if name in settings and name != CLOCK), None)
        if alone is not None:
            raise SettingsError(statement("told.setting.clock.alone", setting=alone))
        return None
    try:
        control = control_of(text)
    except ControlNotationError as error:
        raise SettingsError(statement("told.setting.clock", cause=error.statement)) from error
    flag = _one_of(FLAG, settings.get(FLAG, FLAGS[0]), FLAGS)
    press = _one_of(PRESS, settings.get(PRESS, PRESSES[0]), PRESSES)
    return ClockTerms(control, flag == FLAGS[0], press == PRESSES[1], _parse_warning(settings.get(WARNING, 0)))


def _one_of(name: str, value: object, values: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in values:
        raise SettingsError(statement("told.setting.one_of", setting=name, choices=values, value=value))
    return value


def _parse_warning(value: object) -> Duration:
    try:
        warning = parse_seconds(str(value))
    except ValueError as error:
        raise SettingsError(statement("told.setting.clock.warning", value=value)) from error
    if warning > _LONGEST_WARNING:
        raise SettingsError(statement("told.setting.clock.warning.most", value=value))
    return warning
