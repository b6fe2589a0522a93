"""Run `gnomond check-config`: validate a board description, and print its summary or its mistakes."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import click

from gnomon.cli import localized
from gnomon.cli.words import command_words, say
from gnomon.refusals import Statement, statement
from gnomon.words import Words
from gnomon_pi import config
from gnomon_pi.cli._named_board import named_text
from gnomon_pi.config import image_overlays
from gnomon_pi.config.boot_lines import boot_lines, model_of
from gnomon_pi.config.description import BOARDS, BoardDescription, Chain, OnI2c, OnSpi, SpiDisplay
from gnomon_pi.config.power import FIVE, PI_MA, THREE, Load, budget, total_current
from gnomon_pi.config.sensors import scan_time

_WIDTH: Final = 24  # of the names of parts


@localized.command(help="command.gnomond.check_config")
@localized.argument("file", required=False, type=click.Path(path_type=Path))
@localized.option("--board", type=click.Choice(BOARDS), help="option.gnomond.check_config.board")
@localized.option("--variant", default="", metavar="NAME", help="option.variant")
@localized.option("--size", type=int, metavar="SQUARES", help="option.size")
def check_config(file: Path | None, board: str | None, variant: str, size: int | None) -> None:
    """Check a board description: show pins, buses and currents, or every mistake with its line."""
    try:
        name, text = named_text(file, board, size, variant, statement("usage.description.file"))
        result = config.examine_board(text, name)
    except config.BoardError as error:
        if file is None:
            why = f"{say(error)}."
            raise localized.WrongUsageError(why) from error
        click.echo(say(error), err=True)
        sys.exit(1)
    if result.description is None:
        for mistake in sorted(result.mistakes, key=lambda mistake: mistake.line):
            click.echo(say(mistake.statement), err=True)
        click.echo(command_words().plural("config.has", len(result.mistakes), file=name), err=True)
        sys.exit(1)
    for line in summary(result.description, result.pins, name):
        click.echo(line)
    click.echo("\n" + command_words()("config.in_order", file=name))


# The table


class _Device(NamedTuple):
    wires: OnI2c | OnSpi
    what: str


def summary(description: BoardDescription, pins: Mapping[int, Statement], file: str) -> Iterator[str]:
    """The lines of a short table; `pins` says what each pin is for."""
    words = command_words()
    yield words(f"config.table.{description.board}", file=file)
    yield ""
    yield words("config.table.inputs")
    yield from _inputs(description, words)
    yield ""
    yield words("config.table.pins")
    for pin, purpose in pins.items():
        yield f"  {pin:>4}  {say(purpose)}"
    yield ""
    yield words("config.table.buses")
    yield from _buses(description, words)
    lines = [each.line for each in boot_lines(description, pins, model_of())]
    if on_the_image := image_overlays.FILE.exists():
        lines = [f"dtoverlay={name}" for name in image_overlays.overlays_of(description)]
    if lines:
        yield ""
        yield image_overlays.NAME if on_the_image else "config.txt"
        yield from (f"  {line}" for line in lines)
    yield ""
    heads = (words(f"config.table.{head}") for head in ("current", "each", "together", "mean"))
    yield "{:{width}}{:>11}{:>12}{:>14}".format(*heads, width=_WIDTH + 8)
    yield from _currents(description, words)
    supplies = [words("config.table.pi.each", amperes=f"{each / 1000:g}", model=model) for model, each in PI_MA.items()]
    yield f"  {words('config.table.pi', supplies=', '.join(supplies))}"


def _inputs(description: BoardDescription, words: Words) -> Iterator[str]:
    sensors = description.sensors
    if sensors is not None:
        if isinstance(sensors, Chain):
            inputs = words("config.table.registers", number=sensors.registers)
        else:
            inputs = words("config.table.expanders", number=len(sensors.chips))
        if any(sensors.strobed):
            inputs = words("config.table.strobed", inputs=inputs, number=sum(sensors.strobed))
        yield f"  {len(sensors.inputs):>4}  {inputs}"
    if description.buttons:
        names = ", ".join(button.name.removeprefix("button.") for button in description.buttons)
        yield f"  {len(description.buttons):>4}  {words('config.table.buttons', names=names)}"


def _buses(description: BoardDescription, words: Words) -> Iterator[str]:
    devices = list(_devices(description, words))
    for wires, what in devices:
        if isinstance(wires, OnSpi):
            khz = f"{wires.clock_hz / 1000:g}"
            yield f"  SPI{wires.port}  {words('config.table.spi', device=wires.device, khz=khz, what=what)}"
    for bus in description.buses:
        here = [
            (wires.address, what) for wires, what in devices if isinstance(wires, OnI2c) and wires.bus == bus.number
        ]
        told = ", ".join(f"0x{address:02X} {what}" for address, what in sorted(here)) or words("config.table.nothing")
        khz = f"{bus.clock_hz / 1000:g}"
        yield f"  I2C{bus.number}  {words('config.table.i2c', data=bus.sda, clock=bus.scl, khz=khz, what=told)}"
    if description.sensors is not None:
        takes = f"{1000 * scan_time(description.sensors, description.buses):.1f}"
        yield f"  {words('config.table.scan', takes=takes, has=f'{1000 / description.sensors.scan_hz:g}')}"


def _devices(description: BoardDescription, words: Words) -> Iterator[_Device]:
    sensors, display, lights, reader = description.sensors, description.display, description.lights, description.reader
    if isinstance(sensors, Chain):
        wires = OnSpi(sensors.spi_port, sensors.spi_device, sensors.clock_hz)
        yield _Device(wires, words("config.part.sensors"))
    elif sensors is not None:
        for number, chip in enumerate(sensors.chips):
            yield _Device(chip, words("config.part.chip", number=number))
    if display is not None:
        on = display.wires.spi if isinstance(display.wires, SpiDisplay) else display.wires
        yield _Device(on, words("config.part.display"))
    if lights is not None:
        yield _Device(OnSpi(lights.spi_port, lights.spi_device, lights.clock_hz), words("config.part.lights"))
    if reader is not None and reader.wires is not None:
        yield _Device(reader.wires, words("config.part.reader"))


def _currents(description: BoardDescription, words: Words) -> Iterator[str]:
    loads, supply = budget(description), description.supply
    given = {FIVE: supply.five_volt_ma, THREE: supply.three_volt_ma} if supply is not None else {}
    for volts in (FIVE, THREE):
        here = [load for load in loads if load.volts == volts]
        for load in here:
            yield _current(load, words)
        if here:
            draws = f"{total_current(loads, volts):.1f}"
            told = words("config.table.of", draws=draws, gives=given[volts]) if given else f"{draws} mA"
            before = " " * (9 - len(draws))
            yield f"  {words('config.table.sum', volts=f'{volts:g}'):{_WIDTH + 17}}{before}{told}"


def _current(load: Load, words: Words) -> str:
    numbers = f"{load.each_ma:>8.2f} mA{load.total_ma:>9.1f} mA{load.mean_ma:>11.1f} mA"
    return f"  {load.number:>4}  {load.name(words):{_WIDTH}}{numbers}"
