"""End a command that cannot go on with one sentence on standard error."""

import sys
from typing import NoReturn

import click


def give_up(command: str, sentence: str, code: int = 1) -> NoReturn:
    """End with an exit code; a command is called as people type it."""
    click.echo(f"{command}: {sentence}", err=True)
    sys.exit(code)
