"""Group subcommands that are imported when they are called, and end them in order."""

import os
import sys
from collections.abc import Mapping
from errno import EPIPE
from importlib import import_module
from typing import ClassVar

import click

from gnomon.cli import localized
from gnomon.cli.signals import closing_on_end
from gnomon.cli.words import CommandRefusedError
from gnomon.refusals import statement


class CommandGroup(localized.Group):
    """A group whose commands are functions of modules; told to end, a command closes what it has opened."""

    FUNCTIONS: ClassVar[Mapping[str, str]]
    """Where each command is, by its name: as "module:function"."""

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
            file = error.filename or statement("cli.output")
            raise CommandRefusedError(statement("cli.failed", file=file, why=error.strerror)) from error

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return sorted(self.FUNCTIONS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        if cmd_name not in self.FUNCTIONS:
            return None
        module, _, function = self.FUNCTIONS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), function)
        return command
