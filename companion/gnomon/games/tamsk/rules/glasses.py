"""Define the sand glasses of a new TAMSK game: their durations, and whether the players' eyes decide.

A glass is named by its owner and the corner on which it starts: red's stand on D1, A4 and G4, black's on A1, G1 and
D7. Each end of a glass that may be up has a duration of its own; the end that is down is the one whose pole the
socket shows, and every glass begins with its south end up.
"""

import re
from collections.abc import Sequence
from typing import Final

from gnomon.refusals import InvalidValueError, statement
from gnomon.rules.protocol import SettingsError
from gnomon.timekeeping.glasses import FIFTEEN_SECONDS, THREE_MINUTES, SandGlass
from gnomon.timekeeping.instants import Duration, parse_seconds

ELECTRONIC: Final = "electronic"  # the nominal durations decide
CALIBRATED: Final = "calibrated"  # the measured ones do
SAND: Final = "sand"  # the players' eyes do
TIMES: Final = (ELECTRONIC, CALIBRATED, SAND)

TIMER15: Final = "timer15"
GLASS_NAMES: Final = ("red1", "red2", "red3", "black1", "black2", "black3")
"""In the order of the glasses of a position."""

Durations = tuple[tuple[Duration, Duration], ...]
"""By glass, the 15-second glass last if it is there: how long it runs with its south end up, and with its north end."""

_WITH_SAND: Final = 2  # levels
_WITH_TIMER15: Final = 3
_ONE: Final = re.compile(r"([a-z0-9]+):([0-9.]+)/([0-9.]+)")


def read_durations(text: str) -> Durations:
    """Read what `write_durations` writes. Raises SettingsError with one sentence."""
    found: dict[str, tuple[Duration, Duration]] = {}
    for part in text.split(","):
        match = _ONE.fullmatch(part)
        if match is None:
            raise SettingsError(statement("told.setting.durations.notation", text=part))
        name, north_up, south_up = match.groups()
        if name in found or name not in (*GLASS_NAMES, TIMER15):
            raise SettingsError(statement("told.setting.durations.twice", glasses=GLASS_NAMES, glass=name))
        found[name] = (_duration(south_up), _duration(north_up))
    missing = [name for name in GLASS_NAMES if name not in found]
    if missing:
        raise SettingsError(statement("told.setting.durations.missing", glass=missing[0]))
    return tuple(found[name] for name in (*GLASS_NAMES, TIMER15) if name in found)


def write_durations(durations: Durations) -> str:
    """The durations as text: `red1:181.2/179.8,…`, in seconds, first with the north end up."""
    named = zip((*GLASS_NAMES, TIMER15), durations, strict=False)  # without a 15-second glass, six
    return ",".join(f"{name}:{_text(north_up)}/{_text(south_up)}" for name, (south_up, north_up) in named)


def check_durations(time: str, durations: Sequence[object], level: int) -> None:
    """Raise SettingsError unless durations are given exactly where they are needed."""
    if durations and time != CALIBRATED:
        raise SettingsError(statement("told.setting.durations.other_time", time=time))
    if time != CALIBRATED or level < _WITH_SAND:
        return
    if not durations:
        raise SettingsError(statement("told.setting.durations.none"))
    if level >= _WITH_TIMER15 and len(durations) == len(GLASS_NAMES):
        raise SettingsError(statement("told.setting.durations.timer15", level=level))


def glasses_at_start(time: str, durations: Durations, level: int) -> tuple[SandGlass, ...]:
    """The six glasses before the first turn (rules 10 and 12); none at level 1."""
    if level < _WITH_SAND:
        return ()
    run = durations[: len(GLASS_NAMES)] or ((THREE_MINUTES, THREE_MINUTES),) * len(GLASS_NAMES)
    return tuple(SandGlass.empty(each, by_eye=time == SAND) for each in run)


def timer15_at_start(time: str, durations: Durations, level: int) -> SandGlass | None:
    """The 15-second glass before it is first turned (rule 16); None below level 3."""
    if level < _WITH_TIMER15:
        return None
    run = durations[-1] if durations else (FIFTEEN_SECONDS, FIFTEEN_SECONDS)
    return SandGlass.empty(run, by_eye=time == SAND)


def _duration(text: str) -> Duration:
    try:
        duration = parse_seconds(text)
    except InvalidValueError as error:
        raise SettingsError(statement("told.setting.durations", cause=error.statement)) from error
    if not duration:
        raise SettingsError(statement("told.setting.durations.nothing"))
    return duration


def _text(duration: Duration) -> str:
    whole, rest = divmod(duration, 1_000_000)
    return f"{whole}.{rest:06d}".rstrip("0") if rest else str(whole)
