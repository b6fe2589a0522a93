"""The only place that lists what `gnomond` does besides running a board; each command is imported when it is called."""

from importlib import import_module
from typing import Final

import click

NAMES: Final[tuple[str, ...]] = (
    "access",
    "accuracy",
    "calibrate",
    "check-config",
    "doctor",
    "safe",
    "status",
    "walk",
    "wiring",
)
"""A command `check-config` is the function `check_config` of the module `gnomon_pi.commands.check_config`."""


class Commands(click.Group):
    """A group whose commands are the modules of this package."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """The names of all commands."""
        return sorted(NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # likewise
        """The command of that name, or None."""
        if cmd_name not in NAMES:
            return None
        name = cmd_name.replace("-", "_")
        command: click.Command = getattr(import_module(f"{__name__}.{name}"), name)
        return command
