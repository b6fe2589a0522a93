"""Define the settings of TAU, their ranges and defaults."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final, Self

from gnomon.refusals import statement
from gnomon.rules.bids import DIGITS, digits, number
from gnomon.rules.protocol import SettingsError

# [D] Rule 1 sets no bound: this one is beyond any sheet of paper, and its products are still quickly written.
LONGEST: Final = 999
_SIDE: Final = re.compile(r"[1-9][0-9]{0,2}")


@dataclass(frozen=True, slots=True)
class TauSettings:
    """One choice of settings: the grid (rule 1), and the LIMIT where it is given and not negotiated (rule 2)."""

    rows: int = 10
    columns: int = 10
    limit: int | None = None

    @classmethod
    def from_mapping(cls, settings: Mapping[str, object]) -> Self:
        """Read settings as text or numbers. Raises SettingsError with one sentence."""
        read = cls(**{name: _read(name, value) for name, value in settings.items()})
        if read.rows == read.columns == 1:
            raise SettingsError(statement("told.setting.tau.one"))
        return read

    @property
    def turns(self) -> int:
        """How many turns the game lasts (rule 3)."""
        return -(-(self.rows + self.columns) // 3)


def _read(name: str, value: object) -> int:
    if name not in (known := [field.name for field in fields(TauSettings)]):
        raise SettingsError(statement("told.setting.none", game="TAU", setting=name, known=known))
    text = digits(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str):
        raise SettingsError(statement("told.setting.whole", setting=name, value=value))
    if name != "limit" and not _SIDE.fullmatch(text):
        raise SettingsError(statement("told.setting.number", setting=name, least=1, most=LONGEST, value=text))
    if not DIGITS.fullmatch(text):
        raise SettingsError(statement("told.setting.upwards", value=text))
    return number(text)
