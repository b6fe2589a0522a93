"""Run `gnomond check-config`: validate a board description, and print its summary or its mistakes."""

import sys
from pathlib import Path

import click

from gnomon_pi import config
from gnomon_pi.config.description import BOARDS
from gnomon_pi.config.summary import summary


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--board", type=click.Choice(BOARDS), help="In place of a file: a board that comes with the program.")
@click.option("--variant", default="", metavar="NAME", help="With --board: one of its other ways to be wired.")
@click.option("--size", type=int, metavar="SQUARES", help="With --board tayu: squares along a side.")
def check_config(file: Path | None, board: str | None, variant: str, size: int | None) -> None:
    """Check a board description: show pins, buses and currents, or every mistake with its line."""
    if (file is None) == (board is None):
        message = "Name one: the FILE of a description, or --board for one that comes with the program."
        raise click.UsageError(message)
    if board is None and (variant or size is not None):
        message = "--variant and --size choose among the boards that come with the program: they need --board."
        raise click.UsageError(message)
    try:
        name, text = (str(file), config.written(file)) if file is not None else _bundled(board or "", size, variant)
        result = config.examined(text, name)
    except config.BoardError as error:
        click.echo(error, err=True)
        sys.exit(1)
    if result.description is None:
        for mistake in sorted(result.mistakes, key=lambda mistake: mistake.line):
            click.echo(mistake, err=True)
        many = f"{len(result.mistakes)} mistakes" if len(result.mistakes) > 1 else "one mistake"
        click.echo(f"{name} has {many}.", err=True)
        sys.exit(1)
    for line in summary(result.description, result.pins, name):
        click.echo(line)
    click.echo(f"\n{name} is in order.")


def _bundled(board: str, size: int | None, variant: str) -> tuple[str, str]:
    try:
        return config.bundled_text(board, size, variant)
    except config.BoardError as error:
        message = f"{error}."
        raise click.UsageError(message) from error
