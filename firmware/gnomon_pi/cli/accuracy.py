"""Run `gnomond accuracy`: measure this machine's timing with its board, and write a report."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import isnan
from pathlib import Path
from random import Random
from threading import Timer

import click

from gnomon.cli import localized
from gnomon.cli.words import command_words, say
from gnomon.records.journal.store import JournalError
from gnomon.refusals import statement
from gnomon.timekeeping.instants import MINUTE, Duration
from gnomon_pi import config
from gnomon_pi.cli._failures import give_up
from gnomon_pi.config.description import BOARDS, TAMSK, BoardDescription
from gnomon_pi.drivers.assembly import Drivers
from gnomon_pi.drivers.devices import open_devices
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.runtime.system.clock import MachineWatch, compare_clocks, discipline, sleep_until
from gnomon_pi.simulated import answers
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.tools.accuracy import Findings, answers_in, machine_facts, rate, report, watch_at_rest

_TOUCHES = 100
_EXPIRIES = 40


@localized.command(help="command.gnomond.accuracy")
@localized.option("--board", type=click.Choice(BOARDS), default=TAMSK, show_default=True, help="option.board")
@localized.option("--wiring", type=click.Path(path_type=Path), help="option.wiring")
@localized.option("--simulated", is_flag=True, help="option.gnomond.accuracy.simulated")
@localized.option(
    "--minutes",
    type=click.FloatRange(0.001, 1440),
    default=10.0,
    show_default=True,
    help="option.gnomond.accuracy.minutes",
)
@localized.option("--journal", type=click.Path(path_type=Path), help="option.gnomond.accuracy.journal")
@localized.option("--out", type=click.Path(path_type=Path), required=True, help="option.gnomond.accuracy.out")
@localized.option(
    "--touches", type=click.IntRange(1, 10_000), default=_TOUCHES, hidden=True, help="option.gnomond.accuracy.touches"
)
@localized.option(
    "--expiries",
    type=click.IntRange(1, 10_000),
    default=_EXPIRIES,
    hidden=True,
    help="option.gnomond.accuracy.expiries",
)
def accuracy(  # noqa: PLR0913 - one for each option
    *,
    board: str,
    wiring: Path | None,
    simulated: bool,
    minutes: float,
    journal: Path | None,
    out: Path,
    touches: int,
    expiries: int,
) -> None:
    """Measure how accurate this machine is with its board, and write a report."""
    if isnan(minutes):  # which is neither below a limit nor above
        raise click.BadParameter(say(statement("usage.no_number", value="'nan'")), param_hint="'--minutes'")
    watch = MachineWatch.of_this_boot()
    try:
        with _report_at(out):
            description = config.load_bundled(board) if wiring is None else config.load(wiring)
            told = answers_in(journal) if journal is not None else None
            before = discipline()
            click.echo(command_words()("accuracy.watching", minutes=minutes), err=True)
            with _drivers(description, watch, simulated=simulated) as drivers:
                found = watch_at_rest(
                    drivers,
                    description.inputs,
                    watch,
                    Duration(round(minutes * MINUTE)),
                    wait=sleep_until,
                    compare=compare_clocks,
                )
            after = discipline()
            if told is None:
                click.echo(command_words()("accuracy.timing"), err=True)
            answered = told or answers.measure(touches, expiries, Random(0))  # noqa: S311 - it only spreads the touches
            out.write_text(
                report(
                    Findings(
                        date=watch.wall().date().isoformat(),
                        board=description.board,
                        simulated=simulated,
                        machine=machine_facts(),
                        rate=rate(found.readings, before, after),
                        discipline=after,
                        rest=found,
                        answers=answered,
                        journal=told is not None,
                    )
                ),
                encoding="utf-8",
            )
    except (config.BoardError, DriverError, JournalError) as error:
        give_up("gnomond", say(error))
    except TimeoutError:
        give_up("gnomond", command_words()("accuracy.silent"))
    except OSError as error:
        give_up("gnomond", command_words()("cli.unwritable", file=out, detail=error.strerror))
    click.echo(command_words()("accuracy.report", file=out), err=True)


@contextmanager
def _report_at(out: Path) -> Iterator[None]:
    """See that the report can be written, and leave no empty one behind where none is. Raises OSError."""
    is_new = not out.exists()
    out.touch()  # ten minutes later would be late to find out that it cannot be written
    try:
        yield
    finally:
        if is_new and not out.stat().st_size:
            out.unlink()


@contextmanager
def _drivers(description: BoardDescription, watch: MachineWatch, *, simulated: bool) -> Iterator[Drivers]:
    """The board's drivers, on real wires or emulated ones, closed again at the end."""
    if simulated:
        board = SimulatedBoard(description, now=watch.now, later=lambda seconds, call: Timer(seconds, call).start())
        try:
            yield board.drivers
        finally:
            board.close()
        return
    drivers = open_devices(description, now=watch.now, later=lambda seconds, call: Timer(seconds, call).start())
    try:
        yield drivers
    finally:
        drivers.close()
