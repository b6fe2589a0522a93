"""Define the settings of Tabik, their ranges and defaults."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final, Self

from gnomon.refusals import statement
from gnomon.rules.protocol import SettingsError

SMALLEST: Final = 2
LARGEST: Final = 19
_CHOICES: Final = {"yes": True, "no": False}
_WHOLE_NUMBER: Final = re.compile(r"[1-9][0-9]?")


@dataclass(frozen=True, slots=True)
class TabikSettings:
    """One choice of settings: squares along a side (rule 1), and whether White may swap sides (rule 8)."""

    size: int = 8
    pie: bool = True

    @classmethod
    def from_mapping(cls, settings: Mapping[str, object]) -> Self:
        """Read settings as text or numbers. Raises SettingsError with one sentence."""
        unknown = [name for name in settings if name not in ("size", "pie")]
        if unknown:
            known = [field.name for field in fields(cls)]
            raise SettingsError(statement("told.setting.none", game="Tabik", setting=unknown[0], known=known))
        default = cls()
        return cls(
            size=_size(settings.get("size", default.size)),
            pie=_pie(settings.get("pie", "yes" if default.pie else "no")),
        )


def _size(value: object) -> int:
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if not _WHOLE_NUMBER.fullmatch(text) or not SMALLEST <= int(text) <= LARGEST:
        raise SettingsError(statement("told.setting.number", setting="size", least=SMALLEST, most=LARGEST, value=value))
    return int(text)


def _pie(value: object) -> bool:
    if not isinstance(value, str) or value not in _CHOICES:
        raise SettingsError(statement("told.setting.one_of", setting="pie", choices=[*_CHOICES], value=value))
    return _CHOICES[value]
