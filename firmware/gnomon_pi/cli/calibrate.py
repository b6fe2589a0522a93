"""Run `gnomond calibrate`: measure sand glasses, and write their durations to a file."""

import os
import signal
import sys
from pathlib import Path
from random import Random
from threading import Event

import click

from gnomon.cli.signals import KILLS
from gnomon.timekeeping.calibration import FEWEST
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi import config
from gnomon_pi.config.description import BOARDS, TAMSK
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.runtime.clock import MachineWatch
from gnomon_pi.tools.calibration import files
from gnomon_pi.tools.calibration.files import CalibrationError, Measurements
from gnomon_pi.tools.calibration.guide import Guide, Said
from gnomon_pi.tools.calibration.sessions import CalibrationOptions, measure, simulate
from gnomon_pi.tools.calibration.table import table


class Keeper:
    """Keeps what was found as soon as a glass is done, and says what the guide says."""

    def __init__(self, path: Path) -> None:
        """Raises CalibrationError when what is there already cannot be read, or the file not be written."""
        self._path = path
        self.measurements: Measurements = files.read(path)
        files.prepare(path)

    def hear(self, at: Instant, _: Guide, said: Said) -> None:
        """Write a glass that is done to the file, and a sentence with its time to the terminal, which may be gone."""
        if said.found is not None:
            north_up, south_up = said.found
            found = {(said.glass, True): north_up, (said.glass, False): south_up}
            self.measurements = {**self.measurements, **found}
            files.keep(self._path, self.measurements)
        minutes, seconds = divmod(at // SECOND, 60)
        click.echo(f"{minutes:3d}:{seconds:02d}  {said.sentence}")


@click.command()
@click.option("--board", type=click.Choice(BOARDS), default=TAMSK, show_default=True, help="Which bundled board.")
@click.option("--wiring", type=click.Path(path_type=Path), help="Your own board description.  [default: the bundled]")
@click.option("--simulated", is_flag=True, help="Simulated glasses, measured in a moment, to see how it goes.")
@click.option("--light-sensor", "light", is_flag=True, help="The light sensor ends the runs, not a button.")
@click.option("--calibration", type=click.Path(path_type=Path), help="The file to keep.  [default: beside the journal]")
@click.option(
    "--glass", "glasses", type=click.Choice(files.GLASSES), multiple=True, help="Only this glass; may be repeated."
)
@click.option(
    "--runs", type=click.IntRange(FEWEST, 20), default=FEWEST, show_default=True, help="Runs in each direction."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the simulated glasses.")
def calibrate(  # noqa: PLR0913, PLR0917 - one for each option
    board: str,
    wiring: Path | None,
    simulated: bool,  # noqa: FBT001 - click hands options over by name
    light: bool,  # noqa: FBT001 - click hands options over by name
    calibration: Path | None,
    glasses: tuple[str, ...],
    runs: int,
    seed: int,
) -> None:
    """Measure how long each sand glass of a TAMSK board runs, in each direction.

    Put every glass on its own corner, all its sand below, and do what the display and this terminal say. Stop the
    daemon first, and stop this with Ctrl-C whenever you like: what is measured is kept.
    """
    from gnomon.records.folders import state_folder

    watch = MachineWatch.of_this_boot()
    default = f"simulated-{files.NAME}" if simulated else files.NAME
    path = calibration or state_folder(os.environ) / default
    wish = CalibrationOptions(glasses or files.GLASSES, watch.wall().date().isoformat(), runs, light)
    stop = Event()
    for number in (signal.SIGINT, *KILLS):
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup ignores a terminal that is closed
            signal.signal(number, lambda *_: stop.set())
    try:
        keeper = Keeper(path)
        description = config.bundled(board) if wiring is None else config.load(wiring)
        if simulated:
            simulate(description, wish, keeper.hear, stop, random=Random(seed))  # noqa: S311 - nobody's secret
        else:
            measure(description, wish, keeper.hear, stop)
    except (config.BoardError, CalibrationError, DriverError) as error:
        click.echo(f"gnomond: {error}", err=True)
        sys.exit(1)
    click.echo()
    for line in table(keeper.measurements, light=light):
        click.echo(line)
    _end(keeper.measurements, wish, path)


def _end(measurements: Measurements, wish: CalibrationOptions, path: Path) -> None:
    """Say where it is kept; exit 1 when a glass that was asked for has not been measured."""
    missing = [glass for glass in wish.glasses if (glass, True) not in measurements]
    if measurements:
        click.echo(f"Kept in {path}. A game is decided by it with --set time=calibrated.")
    if missing:
        click.echo(f"Not measured: {', '.join(missing)}.", err=True)
        sys.exit(1)
