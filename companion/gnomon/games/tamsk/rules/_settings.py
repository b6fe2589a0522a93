"""Define the settings of TAMSK, their choices and defaults."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from gnomon.games.tamsk.rules.glasses import ELECTRONIC, TIMES, Durations, check_durations, read_durations
from gnomon.refusals import statement
from gnomon.rules.protocol import SettingsError

_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "level": ("1", "2", "3"),
    "ring": ("optional", "auto"),
    "full_space": ("loses", "take_back"),
    "late": ("two_rings", "skip_turn"),
    "time": TIMES,
}
_OF_THE_RULES: Final = ("level", "ring", "full_space", "late", "stall")
_WHOLE_NUMBER: Final = re.compile(r"[0-9]{1,6}")


@dataclass(frozen=True, slots=True)
class TamskSettings:
    """One choice of settings.

    `ring=auto` lets the ring always fall, without forgotten rings and stalls; `full_space` (rule 5) is obeyed by
    the referee, the rules refuse such a move in any case; `late` is rule 18 or 21; `stall` is rule 9, 0 for never.
    `time` says what decides that sand has run out: the nominal durations, the measured `durations`, or the players'
    eyes.
    """

    level: int = 1
    ring: str = "optional"
    full_space: str = "loses"
    late: str = "two_rings"
    stall: int = 64
    time: str = ELECTRONIC
    durations: Durations = ()

    @classmethod
    def from_mapping(cls, settings: Mapping[str, object]) -> Self:
        """Read settings as text or numbers. Raises SettingsError with one sentence."""
        read: dict[str, Any] = {name: _read(name, value) for name, value in settings.items()}
        made = cls(**read)
        check_durations(made.time, made.durations, made.level)
        return made

    @property
    def auto(self) -> bool:
        """Whether the ring always falls."""
        return self.ring == "auto"

    @property
    def stalls_after(self) -> int:
        """Consecutive turns without a ring that end the game (rule 9), or 0."""
        return 0 if self.auto else self.stall


def _read(name: str, value: object) -> str | int | Durations:
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if name == "stall":
        if not _WHOLE_NUMBER.fullmatch(text):
            raise SettingsError(statement("told.setting.tamsk.stall", value=value))
        return int(text)
    if name == "durations":
        return read_durations(text)
    if name not in _CHOICES:
        raise SettingsError(statement("told.setting.none", game="TAMSK", setting=name, known=_OF_THE_RULES))
    if text not in _CHOICES[name]:
        raise SettingsError(statement("told.setting.one_of", setting=name, choices=_CHOICES[name], value=value))
    return int(text) if name == "level" else text
