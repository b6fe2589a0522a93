"""Insert the measured durations into the settings of a game that is timed by the board's own glasses.

They become part of the game's settings: its journal, its trace and its score sheet hold them, so that neither
recovery nor replay needs the file.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from gnomon.games.tamsk.rules.glasses import CALIBRATED, GLASS_NAMES, TIMER15, write_durations
from gnomon_pi.config.description import TAMSK
from gnomon_pi.tools.calibration import files
from gnomon_pi.tools.calibration.guide import nominal_of

_TIME: Final = "time"
_DURATIONS: Final = "durations"


def completed(game: str, settings: Mapping[str, object], path: Path) -> Mapping[str, object]:
    """The settings with the measured durations in them, where those decide.

    Raises CalibrationError when they are needed and have not been measured.
    """
    if not _lacks_durations(game, settings):
        return settings
    return {**settings, _DURATIONS: files.durations(files.read(path), path)}


def as_if_measured(game: str, settings: Mapping[str, object]) -> Mapping[str, object]:
    """The settings with durations in them whatever was measured, so that the rest of them can be judged beforehand."""
    if not _lacks_durations(game, settings):
        return settings
    nominal = tuple((nominal_of(name), nominal_of(name)) for name in (*GLASS_NAMES, TIMER15))
    return {**settings, _DURATIONS: write_durations(nominal)}


def _lacks_durations(game: str, settings: Mapping[str, object]) -> bool:
    return game == TAMSK and settings.get(_TIME) == CALIBRATED and _DURATIONS not in settings
