"""The only place of the commands that write a tournament for others: files for programs, sheets for the wall."""

from typing import Final

import click

from gnomon.cli.tournament_commands.desk import Desk, reading


@click.command()
@reading
def export(*, desk: Desk) -> None:
    """Write it."""


@click.command("print")
@reading
def print_(*, desk: Desk) -> None:
    """Write it."""


COMMANDS: Final = {"export": export, "print": print_}
