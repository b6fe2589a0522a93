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

from gnomon.cli.signals import KILLS
from gnomon.timekeeping.calibration import FEWEST
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi import config
from gnomon_pi.config.description import BOARDS, TAMSK
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.runtime import calibration as durations
from gnomon_pi.runtime.calibration import ENDS, GLASSES, CalibrationError, Measurements, nominal_of
from gnomon_pi.runtime.clock import MachineWatch
from gnomon_pi.tools.calibration.guide import Guide, GuideMessage, socket_of
from gnomon_pi.tools.calibration.measurement import CalibrationOptions, measure

BY_HAND: Final = (
    "A press comes some tenths of a second after the last grain: that is in the mean, and its unevenness in the spread."
)
BY_LIGHT: Final = "The light sensor ended the runs: nobody's reaction is in these figures."
_SCANS: Final = "A run begins with the scan that sees the glass stand, at most 10 ms late."


class Keeper:
    """Keeps what was found as soon as a glass is done, and says what the guide says."""

    def __init__(self, path: Path) -> None:
        """Raises CalibrationError when what is there already cannot be read, or the file not be written."""
        self._path = path
        self.measurements: Measurements = durations.read(path)
        durations.prepare(path)

    def hear(self, at: Instant, _: Guide, said: GuideMessage) -> None:
        """Write a glass that is done to the file, and a sentence with its time to the terminal, which may be gone."""
        if said.found is not None:
            north_up, south_up = said.found
            found = {(said.glass, True): north_up, (said.glass, False): south_up}
            self.measurements = {**self.measurements, **found}
            durations.keep(self._path, self.measurements)
        minutes, seconds = divmod(at // SECOND, 60)
        click.echo(f"{minutes:3d}:{seconds:02d}  {said.sentence}")


@click.command()
@click.option("--board", type=click.Choice(BOARDS), default=TAMSK, show_default=True, help="Which bundled board.")
@click.option("--wiring", type=click.Path(path_type=Path), help="Your own board description.  [default: the bundled]")
@click.option("--simulated", is_flag=True, help="Simulated glasses, measured in a moment, to see how it goes.")
@click.option("--light-sensor", "light", is_flag=True, help="The light sensor ends the runs, not a button.")
@click.option("--calibration", type=click.Path(path_type=Path), help="The file to keep.  [default: beside the journal]")
@click.option(
    "--glass", "glasses", type=click.Choice(durations.GLASSES), multiple=True, help="Only this glass; may be repeated."
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


def table(measurements: Measurements, *, light: bool) -> Iterator[str]:
    """The lines of the table, and below it what is in the figures."""
    yield "glass     stands on  end up   mean s    off nominal   spread of a run   shortest to longest   runs  date"
    for glass in GLASSES:
        for up in ENDS.values():
            found = measurements.get((glass, up))
            if found is None:
                continue
            nominal = nominal_of(glass)
            off = 100 * (found.mean - nominal) / nominal
            span = f"{found.shortest / SECOND:.2f} to {found.longest / SECOND:.2f}"
            yield (
                f"{glass:<10}{socket_of(glass):<11}{'north' if up else 'south':<7}{found.mean / SECOND:>8.2f}   "
                f"{off:>+8.2f} %     {found.deviation / SECOND:>8.2f} s       {span:<20} {found.runs:>5}  {found.date}"
            )
    yield ""
    yield BY_LIGHT if light else BY_HAND
    yield _SCANS
