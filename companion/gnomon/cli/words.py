"""Define the option that adds a folder of words to a command line."""

from pathlib import Path
from typing import Final

import click

from gnomon.words import WordsError, register

VARIABLE: Final = "GNOMON_WORDS"


def _add(_context: click.Context, _parameter: click.Parameter, folder: Path | None) -> None:
    if folder is None:
        return
    try:
        register(folder)
    except WordsError as error:
        raise click.BadParameter(str(error)) from error


words_option = click.option(
    "--words",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    envvar=VARIABLE,
    show_envvar=True,
    callback=_add,
    expose_value=False,
    help="A folder of words: more languages, or other words for those that there are.",
)
