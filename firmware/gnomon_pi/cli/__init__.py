"""Subcommands of `gnomond`, each in its own module that is imported when the command is called."""

import os
import sys
from errno import EPIPE
from importlib import import_module
from typing import Final

import click

from gnomon.cli.signals import closing_on_end

NAMES: Final[tuple[str, ...]] = (
    "access",
    "accuracy",
    "calibrate",
    "check-config",
    "doctor",
    "join",
    "safe",
    "status",
    "walk",
    "wiring",
)
"""A command `check-config` is the function `check_config` of the module `gnomon_pi.cli.check_config`."""


class Commands(click.Group):
    """A group whose commands are the modules of this package."""

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
        return sorted(NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # likewise
        """The command of that name, or None."""
        if cmd_name not in NAMES:
            return None
        name = cmd_name.replace("-", "_")
        command: click.Command = getattr(import_module(f"{__name__}.{name}"), name)
        return command
