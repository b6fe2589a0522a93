"""Define the options for the words of a run: their language, and a folder of more of them."""

from collections.abc import Callable
from pathlib import Path

import click

from gnomon.cli.localized._commands import DecoratedT, option
from gnomon.cli.words import FOLDER, LANGUAGE, say, use_words
from gnomon.refusals import statement
from gnomon.words import ENGLISH, LANGUAGES, WordsError, register


def folder_option(
    name: str, variable: str, add: Callable[[Path], None], text: str, *, is_eager: bool = False
) -> Callable[[DecoratedT], DecoratedT]:
    """An option for a folder of files with words, which `add` takes in; an eager one before other options are read.

    `text` is the key of its help.
    """

    def take(_context: click.Context, _parameter: click.Parameter, folder: Path | None) -> None:
        if folder is None:
            return
        try:
            add(folder)
        except WordsError as error:
            raise click.BadParameter(str(error)) from error

    return option(
        name,
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        envvar=variable,
        show_envvar=True,
        callback=take,
        is_eager=is_eager,
        expose_value=False,
        help=text,
    )


def _choose(context: click.Context, _parameter: click.Parameter, language: str) -> None:
    if language != ENGLISH.language and language not in LANGUAGES:  # no word is read before one is asked for
        why = statement("usage.no_language", value=repr(language), choices=", ".join(LANGUAGES))
        raise click.BadParameter(say(why))
    use_words(context, language)


words_option = folder_option(
    "--words",
    FOLDER,
    register,
    "option.words",
    is_eager=True,  # a language may be in that folder
)

language_option = option(
    "--language",
    metavar="CODE",
    default=ENGLISH.language,
    show_default=True,
    envvar=LANGUAGE,
    show_envvar=True,
    callback=_choose,
    expose_value=False,
    help="option.language",
)
