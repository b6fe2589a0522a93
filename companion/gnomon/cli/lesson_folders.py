"""Define the option of a command line for a folder of lessons that a club has written."""

from pathlib import Path
from typing import Final

import click

from gnomon.words import WordsError

FOLDER: Final = "GNOMON_LESSONS"


def _add(_context: click.Context, _parameter: click.Parameter, folder: Path | None) -> None:
    if folder is None:
        return
    from gnomon.lessons import register

    try:
        register(folder)
    except WordsError as error:
        raise click.BadParameter(str(error)) from error


lessons_option = click.option(
    "--lessons",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    envvar=FOLDER,
    show_envvar=True,
    callback=_add,
    expose_value=False,
    help="A folder of additional lessons; see docs/writing-lessons.md.",
)
