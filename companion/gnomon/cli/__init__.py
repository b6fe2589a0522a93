"""Dispatch the `gnomon` command line to its subcommands, importing each one on demand."""

from typing import ClassVar

import click

from gnomon.cli.command_group import CommandGroup
from gnomon.cli.words import language_option, words_option

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
_WELCOME = """\
Gnomon, the companion of a physical game board: it senses, keeps the time, rules, shows and records.
  gnomond --board tamsk --simulated     the whole board in software, with its page
  gnomon rules tamsk                    the rules as a line protocol; gnomon learn teaches, engine plays, hint advises
  gnomon replay|sheet|draw FILE         the rulings of a recorded game, a check of its sheet, a picture of any turn
  gnomon tournament new "Club evening"  entries, pairings, results, standings and printed sheets
  gnomon hall --demo 12                 a hall of many boards and its pages, here with twelve that play by themselves
  gnomon COMMAND --help                 more about a command"""


class _Commands(CommandGroup):
    FUNCTIONS: ClassVar = {name.replace("_", "-"): f"gnomon.cli.{name}:{name}" for name in _NAMES}


@click.group(cls=_Commands, invoke_without_command=True)
@words_option
@language_option
@click.version_option(package_name="gnomon")
@click.pass_context
def main(context: click.Context) -> None:
    """The companion of a physical game board."""
    if context.invoked_subcommand is None:
        click.echo(_WELCOME)
