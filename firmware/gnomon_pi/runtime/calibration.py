"""Keep the measured durations of a board's glasses in `calibration.toml`, and put them into a game's settings.

The file lies beside the journal unless another path is given. Durations become part of the settings of a game that
they decide: its journal, its trace and its score sheet hold them, so that neither recovery nor replay needs the file.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from gnomon.games.tamsk.rules.glasses import CALIBRATED, GLASS_NAMES, TIMER15, write_durations
from gnomon.refusals import Refusal, statement
from gnomon.timekeeping.calibration import FEWEST, Measured, which
from gnomon.timekeeping.glasses import FIFTEEN_SECONDS, THREE_MINUTES
from gnomon.timekeeping.instants import Duration
from gnomon.whole_files import READABLE, write_whole
from gnomon_pi.config.checked_toml import MistakeError, TomlTable, parse_toml, text_of
from gnomon_pi.config.description import TAMSK

NAME: Final = "calibration.toml"
GLASSES: Final = (*GLASS_NAMES, TIMER15)
ENDS: Final[Mapping[str, bool]] = {"north_up": True, "south_up": False}

Measurements = Mapping[tuple[str, bool], Measured]
"""By the name of a glass, and whether its north end is up."""

_LONGEST: Final = 3_600_000_000  # µs
_MOST_RUNS: Final = 1_000
_TIME: Final = "time"
_DURATIONS: Final = "durations"
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_HEAD: Final = """\
# How long the sand glasses of this board run, as `gnomond calibrate` measured them; see docs/timekeeping.md.
# All durations are microseconds; the deviation is that of one run.
"""


class CalibrationError(Refusal):
    """The measured durations cannot be read, kept or used; the message is one sentence for people."""


def read(path: Path) -> Measurements:
    """Everything that was measured; nothing when there is no such file. Raises CalibrationError."""
    try:
        text = text_of(path)
    except FileNotFoundError:
        return {}
    except MistakeError as error:
        raise CalibrationError(error) from error
    return parse(text, str(path))


def parse(text: str, file: str) -> Measurements:
    """What a text says was measured; `file` is its name in messages. Raises CalibrationError."""
    try:
        top = parse_toml(text, file)
    except MistakeError as error:
        raise CalibrationError(error) from error
    found: dict[tuple[str, bool], Measured] = {}
    for glass in GLASSES:
        if top.has(glass):
            table = top.table(glass)
            found |= {(glass, up): _parse_measured(table.table(end)) for end, up in ENDS.items() if table.has(end)}
            table.nothing_else()
    top.nothing_else()
    if not top.is_sound:
        raise CalibrationError(top.mistakes[0].statement)
    return found


def format_measurements(measurements: Measurements) -> str:
    """The text of a file, which reads back as the same measurements."""
    return _HEAD + "".join(_lines(measurements))


def keep(path: Path, measurements: Measurements) -> None:
    """Write the file whole or not at all: a power cut leaves the old one. Raises CalibrationError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, format_measurements(measurements), READABLE)
    except OSError as error:
        raise CalibrationError(statement("calibration.unwritable", file=str(path), detail=error.strerror)) from error


def prepare(path: Path) -> None:
    """See that the file can be kept, before hours are spent on measuring. Raises CalibrationError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}."):
            pass
    except OSError as error:
        raise CalibrationError(statement("calibration.unwritable", file=str(path), detail=error.strerror)) from error


def durations(measurements: Measurements, path: Path) -> str:
    """The setting `durations` of a game that is decided by these measurements.

    Raises CalibrationError when one of the six glasses has not been measured both ways.
    """
    missing = [(glass, up) for glass in GLASS_NAMES for up in ENDS.values() if (glass, up) not in measurements]
    if missing:
        glass, up = missing[0]
        raise CalibrationError(statement("told.host.not_measured", file=str(path), glass=which(glass, north_up=up)))
    names = [glass for glass in GLASSES if all((glass, up) in measurements for up in ENDS.values())]
    return write_durations(tuple((measurements[name, False].mean, measurements[name, True].mean) for name in names))


def with_durations(game: str, settings: Mapping[str, object], path: Path) -> Mapping[str, object]:
    """The settings with the measured durations in them, where those decide.

    Raises CalibrationError when they are needed and have not been measured.
    """
    if not _lacks_durations(game, settings):
        return settings
    return {**settings, _DURATIONS: durations(read(path), path)}


def with_nominal_durations(game: str, settings: Mapping[str, object]) -> Mapping[str, object]:
    """The settings with durations in them whatever was measured, so that the rest of them can be judged beforehand."""
    if not _lacks_durations(game, settings):
        return settings
    return {**settings, _DURATIONS: write_durations(tuple((nominal_of(name), nominal_of(name)) for name in GLASSES))}


def nominal_of(glass: str) -> Duration:
    """How long a glass should run."""
    return FIFTEEN_SECONDS if glass == TIMER15 else THREE_MINUTES


def _lacks_durations(game: str, settings: Mapping[str, object]) -> bool:
    return game == TAMSK and settings.get(_TIME) == CALIBRATED and _DURATIONS not in settings


def _parse_measured(table: TomlTable) -> Measured:
    shortest = table.integer("shortest_us", 1, _LONGEST)
    longest = table.integer("longest_us", 1, _LONGEST)
    mean = table.integer("mean_us", 1, _LONGEST)
    date = table.text("date")
    result = Measured(
        mean=Duration(mean),
        deviation=Duration(table.integer("deviation_us", 0, _LONGEST)),
        shortest=Duration(shortest),
        longest=Duration(longest),
        runs=table.integer("runs", FEWEST, _MOST_RUNS),
        date=date,
    )
    table.nothing_else()
    if table.is_sound and not shortest <= mean <= longest:
        table.note(statement("calibration.mean", value=mean), "mean_us")
    if table.is_sound and not _DAY.fullmatch(date):
        table.note(statement("calibration.date", value=repr(date)), "date")
    return result


def _lines(measurements: Measurements) -> Iterator[str]:
    for glass in GLASSES:
        for end, up in ENDS.items():
            found = measurements.get((glass, up))
            if found is not None:
                yield (
                    f"\n[{glass}.{end}]\nmean_us = {found.mean}\ndeviation_us = {found.deviation}\n"
                    f"shortest_us = {found.shortest}\nlongest_us = {found.longest}\n"
                    f'runs = {found.runs}\ndate = "{found.date}"\n'
                )
