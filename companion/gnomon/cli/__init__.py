"""The only place that lists the commands of `gnomon`; each is imported when it is called."""

from importlib import import_module

import click

_COMMANDS = {
    "draw": "gnomon.cli.draw",
    "journal": "gnomon.cli.journal",
    "replay": "gnomon.cli.replay",
    "rules": "gnomon.cli.rules",
    "sheet": "gnomon.cli.sheet",
}

_WELCOME = """\
Gnomon, the companion of a physical game board: it senses, keeps the time, rules, shows and records.
  gnomond --board tamsk --simulated   the whole board in software, with its page
  gnomon rules tamsk                  the rules as a line protocol: moves, play D1-D2, state, perft 3 ...
  gnomon replay|sheet|draw FILE       rulings of a recorded game; score sheets checked; pictures of any turn
  gnomon COMMAND --help               more about a command"""


class _Commands(click.Group):
    """A group whose commands are modules, each with a command of the module's own name."""

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
@click.version_option(package_name="gnomon")
@click.pass_context
def main(context: click.Context) -> None:
    """The companion of a physical game board."""
    if context.invoked_subcommand is None:
        click.echo(_WELCOME)
