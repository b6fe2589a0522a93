"""Dispatch the `gnomon` command line to its subcommands, importing each one on demand."""

from collections.abc import Mapping
from typing import ClassVar, Final

import click

from gnomon.cli import localized
from gnomon.cli.command_group import CommandGroup
from gnomon.cli.words import words_of

_IN: Final[Mapping[str, str]] = {
    **dict.fromkeys(("check_game", "draw", "hint", "learn", "rules"), "game_commands."),
    **dict.fromkeys(("analyse", "guess", "journal", "people", "puzzles", "replay", "sheet"), "record_commands."),
    **dict.fromkeys(("hall", "league", "publish", "relay"), "hall_commands."),
    **dict.fromkeys(("engine", "tournament"), ""),
}
"""Where the module of each command is, which has its name, as its function does."""


class _Commands(CommandGroup):
    FUNCTIONS: ClassVar = {name.replace("_", "-"): f"gnomon.cli.{part}{name}:{name}" for name, part in _IN.items()}


@localized.group(cls=_Commands, invoke_without_command=True, help="command.gnomon")
@localized.words_option
@localized.language_option
@click.version_option(package_name="gnomon", cls=localized.Option, help="option.version")
@click.pass_context
def main(context: click.Context) -> None:
    """The companion of a physical game board."""
    if context.invoked_subcommand is None:
        click.echo(words_of(context)("cli.welcome"))
