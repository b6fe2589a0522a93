"""Dispatch `gnomon engine` to what engines do."""

from typing import ClassVar

import click

from gnomon.cli.command_group import CommandGroup


class _Commands(CommandGroup):
    FUNCTIONS: ClassVar = {"luck": "gnomon.cli.engine_value:luck", "value": "gnomon.cli.engine_value:value"}


@click.group(cls=_Commands)
def engine() -> None:
    """Let engines play, and ask them."""
