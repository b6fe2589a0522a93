"""Run `gnomond calibrate`: measure sand glasses, and write their durations to a file."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Event
from typing import Final

import click

from gnomon.cli import localized
from gnomon.cli.signals import KILLS
from gnomon.cli.words import command_words, say
from gnomon.timekeeping.calibration import FEWEST, Measured
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi import config
from gnomon_pi.cli._failures import give_up
from gnomon_pi.config.description import BOARDS, TAMSK
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.runtime import calibration as durations
from gnomon_pi.runtime.calibration import ENDS, GLASSES, CalibrationError, Measurements, nominal_of
from gnomon_pi.runtime.system.clock import MachineWatch
from gnomon_pi.tools.calibration.guide import Guide, GuideMessage, socket_of
from gnomon_pi.tools.calibration.measurement import CalibrationOptions, measure

_COLUMNS: Final = ("glass", "place", "up", "mean", "off", "spread", "range", "runs", "date")
_GAP: Final = "   "


class Keeper:
    """Keeps what was found as soon as a glass is done, and says what the guide says."""

    def __init__(self, path: Path) -> None:
        """Raises CalibrationError when what is there already cannot be read, or the file not be written."""
        self._path = path
        self.measurements: Measurements = durations.read(path)
        durations.prepare(path)

    def hear(self, at: Instant, _: Guide, said: GuideMessage) -> None:
        """Write a glass that is done to the file, and what is told with its time to the terminal, which may be gone."""
        if said.found is not None:
            north_up, south_up = said.found
            found = {(said.glass, True): north_up, (said.glass, False): south_up}
            self.measurements = {**self.measurements, **found}
            durations.keep(self._path, self.measurements)
        minutes, seconds = divmod(at // SECOND, 60)
        click.echo(f"{minutes:3d}:{seconds:02d}  {say(said.told)}")


@localized.command(help="command.gnomond.calibrate")
@localized.option("--board", type=click.Choice(BOARDS), default=TAMSK, show_default=True, help="option.board")
@localized.option("--wiring", type=click.Path(path_type=Path), help="option.wiring")
@localized.option("--simulated", is_flag=True, help="option.gnomond.calibrate.simulated")
@localized.option("--light-sensor", "light", is_flag=True, help="option.gnomond.calibrate.light_sensor")
@localized.option("--calibration", type=click.Path(path_type=Path), help="option.gnomond.calibrate.calibration")
@localized.option(
    "--glass", "glasses", type=click.Choice(durations.GLASSES), multiple=True, help="option.gnomond.calibrate.glass"
)
@localized.option(
    "--runs", type=click.IntRange(FEWEST, 20), default=FEWEST, show_default=True, help="option.gnomond.calibrate.runs"
)
@localized.option("--seed", type=int, default=0, show_default=True, help="option.gnomond.calibrate.seed")
def calibrate(  # noqa: PLR0913 - one for each option
    *,
    board: str,
    wiring: Path | None,
    simulated: bool,
    light: bool,
    calibration: Path | None,
    glasses: tuple[str, ...],
    runs: int,
    seed: int,
) -> None:
    """Measure how long each sand glass of a TAMSK board runs, in each direction."""
    from gnomon.records.journal.folders import state_folder

    watch = MachineWatch.of_this_boot()
    default = f"simulated-{durations.NAME}" if simulated else durations.NAME
    path = calibration or state_folder(os.environ) / default
    wish = CalibrationOptions(glasses or durations.GLASSES, watch.wall().date().isoformat(), runs, light)
    stop = Event()
    for number in (signal.SIGINT, *KILLS):
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup ignores a terminal that is closed
            signal.signal(number, lambda *_: stop.set())
    try:
        keeper = Keeper(path)
        description = config.load_bundled(board) if wiring is None else config.load(wiring)
        if simulated:
            from gnomon_pi.simulated.calibration import simulate

            words = command_words()
            simulate(description, wish, keeper.hear, stop, words=words, random=Random(seed))  # noqa: S311 - nobody's secret
        else:
            measure(description, wish, keeper.hear, stop, command_words())
    except (config.BoardError, CalibrationError, DriverError) as error:
        give_up("gnomond", say(error))
    click.echo()
    for line in table(keeper.measurements, light=light):
        click.echo(line)
    _end(keeper.measurements, wish, path)


def _end(measurements: Measurements, wish: CalibrationOptions, path: Path) -> None:
    """Say where it is kept; exit 1 when a glass that was asked for has not been measured."""
    missing = [glass for glass in wish.glasses if (glass, True) not in measurements]
    if measurements:
        click.echo(command_words()("calibrate.kept", file=path))
    if missing:
        click.echo(command_words()("calibrate.missing", glasses=", ".join(missing)), err=True)
        sys.exit(1)


def table(measurements: Measurements, *, light: bool) -> Iterator[str]:
    """The lines of the table, and below it what is in the figures."""
    words = command_words()
    head = [words(f"calibrate.column.{column}") for column in _COLUMNS]
    rows = [
        _row(glass, found, up=up)
        for glass in GLASSES
        for up in ENDS.values()
        if (found := measurements.get((glass, up))) is not None
    ]
    widths = [max(map(len, cells)) for cells in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        yield _GAP.join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
    yield ""
    yield words("calibrate.by_light" if light else "calibrate.by_hand")
    yield words("calibrate.scans")


def _row(glass: str, found: Measured, *, up: bool) -> list[str]:
    words, nominal = command_words(), nominal_of(glass)
    return [
        glass,
        socket_of(glass),
        words("calibrate.north" if up else "calibrate.south"),
        f"{found.mean / SECOND:7.2f}",
        f"{100 * (found.mean - nominal) / nominal:+7.2f} %",
        f"{found.deviation / SECOND:7.2f} s",
        words("calibrate.range", first=found.shortest / SECOND, last=found.longest / SECOND),
        f"{found.runs:4}",
        found.date,
    ]
