"""Dispatch the `gnomon` command line to its subcommands, importing each one on demand."""

from typing import ClassVar

import click

from gnomon.cli import localized
from gnomon.cli.command_group import CommandGroup
from gnomon.cli.words import words_of

_NAMES = (
    "analyse",
    "check_game",
    "draw",
    "engine",
    "guess",
    "hall",
    "hint",
    "journal",
    "league",
    "learn",
    "people",
    "publish",
    "puzzles",
    "relay",
    "replay",
    "rules",
    "sheet",
    "tournament",
)


class _Commands(CommandGroup):
    FUNCTIONS: ClassVar = {name.replace("_", "-"): f"gnomon.cli.{name}:{name}" for name in _NAMES}


@localized.group(cls=_Commands, invoke_without_command=True, help="command.gnomon")
@localized.words_option
@localized.language_option
@click.version_option(package_name="gnomon", cls=localized.Option, help="option.version")
@click.pass_context
def main(context: click.Context) -> None:
    """The companion of a physical game board."""
    if context.invoked_subcommand is None:
        click.echo(words_of(context)("cli.welcome"))
