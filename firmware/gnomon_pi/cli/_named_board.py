"""Read the description that a command line names: a file, or a board that comes with the program."""

from pathlib import Path

import click

from gnomon_pi import config


def named_text(file: Path | None, board: str | None, size: int | None, variant: str, own: str) -> tuple[str, str]:
    """The name of a description and its text; `own` is how the command line names a file.

    Raises UsageError for none and for both, and BoardError for what cannot be read.
    """
    if (file is None) == (board is None):
        message = f"Name one: {own}, or --board for one that comes with the program."
        raise click.UsageError(message)
    if file is None:
        return config.bundled_text(board or "", size, variant)
    if variant or size is not None:
        message = "--variant and --size choose among the boards that come with the program: they need --board."
        raise click.UsageError(message)
    return str(file), config.read_board_text(file)
