"""The only place that gives a game which measured durations decide those of the board's own glasses.

They become part of the game's settings: its journal, its trace and its score sheet hold them, so that nothing that is
brought back or replayed asks for the file.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from gnomon.rules.tamsk_glasses import CALIBRATED, GLASS_NAMES, TIMER15, write_durations
from gnomon_pi.calibration import files
from gnomon_pi.calibration.guide import nominal_of
from gnomon_pi.description import TAMSK

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
