"""Run `gnomond check-config`: validate a board description, and print its summary or its mistakes."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import click

from gnomon.cli.words import command_words, say
from gnomon.refusals import Statement
from gnomon_pi import config
from gnomon_pi.cli._named_board import named_text
from gnomon_pi.config import image_overlays
from gnomon_pi.config.boot_lines import boot_lines, model_of
from gnomon_pi.config.description import BOARDS, TABLE, TAMSK, TAYU, BoardDescription, Chain, OnI2c, OnSpi, SpiDisplay
from gnomon_pi.config.power import FIVE, PI_MA, THREE, Load, budget, total_current
from gnomon_pi.config.sensors import scan_time

_WHAT: Final = {TAMSK: "a TAMSK board", TAYU: "a board of Tayu", TABLE: "a table that senses nothing"}
_WIDTH: Final = 24  # of the names of parts


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--board", type=click.Choice(BOARDS), help="Instead of a file: a board that comes with the program.")
@click.option("--variant", default="", metavar="NAME", help="With --board: another way to wire it.")
@click.option("--size", type=int, metavar="SQUARES", help="With --board tayu: squares along a side.")
def check_config(file: Path | None, board: str | None, variant: str, size: int | None) -> None:
    """Check a board description: show pins, buses and currents, or every mistake with its line."""
    try:
        name, text = named_text(file, board, size, variant, "the FILE of a description")
        result = config.examine_board(text, name)
    except config.BoardError as error:
        if file is None:
            message = f"{say(error)}."
            raise click.UsageError(message) from error
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
    yield f"{file} describes {_WHAT[description.board]}."
    yield ""
    yield "Inputs"
    yield from _inputs(description)
    yield ""
    yield "Pins (GPIO numbers)"
    for pin, purpose in pins.items():
        yield f"  {pin:>4}  {say(purpose)}"
    yield ""
    yield "Buses"
    yield from _buses(description)
    lines = [each.line for each in boot_lines(description, pins, model_of())]
    if on_the_image := image_overlays.FILE.exists():
        lines = [f"dtoverlay={name}" for name in image_overlays.overlays_of(description)]
    if lines:
        yield ""
        yield image_overlays.NAME if on_the_image else "config.txt"
        yield from (f"  {line}" for line in lines)
    yield ""
    yield f"{'Current at the worst':{_WIDTH + 8}}{'each':>11}{'together':>12}{'on average':>14}"
    yield from _currents(description)
    models = ", ".join(f"{amperes / 1000:g} A for a Pi {model}" for model, amperes in PI_MA.items())
    yield f"  The Pi has a supply of its own: {models}."


def _inputs(description: BoardDescription) -> Iterator[str]:
    sensors = description.sensors
    if sensors is not None:
        if isinstance(sensors, Chain):
            chips = f"{sensors.registers} registers 74HC165, one of them the canary"
        else:
            chips = f"{len(sensors.chips)} expanders MCP23017"
        light = f", {sum(sensors.strobed)} read by strobed light" if any(sensors.strobed) else ""
        yield f"  {len(sensors.inputs):>4}  on {chips}{light}"
    if description.buttons:
        names = ", ".join(button.name.removeprefix("button.") for button in description.buttons)
        yield f"  {len(description.buttons):>4}  buttons: {names}"


def _buses(description: BoardDescription) -> Iterator[str]:
    devices = list(_devices(description))
    for wires, what in devices:
        if isinstance(wires, OnSpi):
            yield f"  SPI{wires.port}  device {wires.device} at {wires.clock_hz / 1000:g} kHz: {what}"
    for bus in description.buses:
        here = [
            (wires.address, what) for wires, what in devices if isinstance(wires, OnI2c) and wires.bus == bus.number
        ]
        told = ", ".join(f"0x{address:02X} {what}" for address, what in sorted(here)) or "nothing"
        yield f"  I2C{bus.number}  data {bus.sda}, clock {bus.scl}, {bus.clock_hz / 1000:g} kHz: {told}"
    if description.sensors is not None:
        takes = 1000 * scan_time(description.sensors, description.buses)
        yield f"  A scan takes {takes:.1f} ms of every {1000 / description.sensors.scan_hz:g} ms."


def _devices(description: BoardDescription) -> Iterator[_Device]:
    sensors, display, lights, reader = description.sensors, description.display, description.lights, description.reader
    if isinstance(sensors, Chain):
        yield _Device(OnSpi(sensors.spi_port, sensors.spi_device, sensors.clock_hz), "sensors")
    elif sensors is not None:
        for number, chip in enumerate(sensors.chips):
            yield _Device(chip, f"chip {number}")
    if display is not None:
        yield _Device(display.wires.spi if isinstance(display.wires, SpiDisplay) else display.wires, "display")
    if lights is not None:
        yield _Device(OnSpi(lights.spi_port, lights.spi_device, lights.clock_hz), "lights")
    if reader is not None and reader.wires is not None:
        yield _Device(reader.wires, "reader")


def _currents(description: BoardDescription) -> Iterator[str]:
    loads, supply = budget(description), description.supply
    given = {FIVE: supply.five_volt_ma, THREE: supply.three_volt_ma} if supply is not None else {}
    for volts in (FIVE, THREE):
        here = [load for load in loads if load.volts == volts]
        for load in here:
            yield _current(load)
        if here:
            of = f" of {given[volts]} mA" if given else ""
            yield f"  {f'together at {volts:g} V':{_WIDTH + 17}}{total_current(loads, volts):>9.1f} mA{of}"


def _current(load: Load) -> str:
    numbers = f"{load.each_ma:>8.2f} mA{load.total_ma:>9.1f} mA{load.mean_ma:>11.1f} mA"
    return f"  {load.number:>4}  {load.what:{_WIDTH}}{numbers}"
