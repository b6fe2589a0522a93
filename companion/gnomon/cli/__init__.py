"""Dispatch the `gnomon` command line to its subcommands, importing each one on demand."""

import os
import sys
from errno import EPIPE
from importlib import import_module

import click

from gnomon.cli.signals import closing_on_end
from gnomon.cli.words import words_option

_COMMANDS = {
    "draw": "gnomon.cli.draw",
    "hall": "gnomon.cli.hall",
    "journal": "gnomon.cli.journal",
    "replay": "gnomon.cli.replay",
    "rules": "gnomon.cli.rules",
    "sheet": "gnomon.cli.sheet",
    "tournament": "gnomon.cli.tournament",
}

_WELCOME = """\
Gnomon, the companion of a physical game board: it senses, keeps the time, rules, shows and records.
  gnomond --board tamsk --simulated     the whole board in software, with its page
  gnomon rules tamsk                    the rules as a line protocol: moves, play D1-D2, state, perft 3 ...
  gnomon replay|sheet|draw FILE         rulings of a recorded game; score sheets checked; pictures of any turn
  gnomon tournament new "Club evening"  entries, pairings, results, standings and printed sheets
  gnomon hall --demo 12                 a hall of many boards and its pages, here with twelve that play themselves
  gnomon COMMAND --help                 more about a command"""


class _Commands(click.Group):
    """A group whose commands are modules, each with a command of the module's own name."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; an output that cannot be written is one sentence, and exit 1."""
        try:
            with closing_on_end():
                return super().invoke(ctx)
        except OSError as error:
            if error.errno == EPIPE:
                raise  # a reader that has gone away: click ends quietly
            # What is still in the buffer cannot be written either, and must not be tried again at the exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            message = f"{error.filename or 'the output'}: {error.strerror}"
            raise click.ClickException(message) from error

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """The names of all commands."""
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # likewise
        """The command of that name, or None."""
        module = _COMMANDS.get(cmd_name)
        if module is None:
            return None
        command: click.Command = getattr(import_module(module), cmd_name)
        return command


@click.group(cls=_Commands, invoke_without_command=True)
@words_option
@click.version_option(package_name="gnomon")
@click.pass_context
def main(context: click.Context) -> None:
    """The companion of a physical game board."""
    if context.invoked_subcommand is None:
        click.echo(_WELCOME)
