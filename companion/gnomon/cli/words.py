"""Define the options of a command line for its words: their language, and a folder of more of them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import click

from gnomon.refusals import Refusal, RequestRefusedError, Statement, clause, sentence, statement, statement_of
from gnomon.words import ENGLISH, LANGUAGES, Words, WordsError, register, words

CommandT = TypeVar("CommandT", bound=Callable[..., Any] | click.Command)
FOLDER: Final = "GNOMON_WORDS"
LANGUAGE: Final = "GNOMON_LANGUAGE"
_KEPT: Final = "gnomon.words"
"""Under which a run keeps the words of its language."""


def command_words() -> Words:
    """The words of the language in which this run talks to people; English where nobody chose one."""
    context = click.get_current_context(silent=True)
    chosen: Words = ENGLISH if context is None else context.meta.get(_KEPT, ENGLISH)
    return chosen


def say(told: Statement | Exception) -> str:
    """A statement, or what an error states, in that language; as a part of a sentence, or as whole as its words are."""
    if isinstance(told, RequestRefusedError):
        return sentence(told.statement, command_words())
    return clause(statement_of(told) if isinstance(told, Exception) else told, command_words())


def say_sentence(told: Statement | Exception) -> str:
    """The same as one whole sentence."""
    if isinstance(told, Exception) and not isinstance(told, Refusal):
        return str(told)
    return sentence(statement_of(told) if isinstance(told, Exception) else told, command_words())


def say_line(told: Statement | Exception) -> str:
    """The same as `say` in one line, whatever was quoted in it."""
    return " ".join(say(told).split())


class CommandRefusedError(click.ClickException):
    """What a command refuses: one sentence in the language of this run, and exit 1."""

    def __init__(self, why: Statement | Exception) -> None:
        super().__init__(say_line(why))


class UnusableError(CommandRefusedError):
    """What a command is given and cannot use, as an unknown setting or a file that is not there: exit 2."""

    exit_code = 2

    @classmethod
    def in_file(cls, file: str, error: Exception) -> Self:
        """What is wrong in a file."""
        return cls(statement("cli.failed", file=file, why=statement_of(error)))


def folder_option(
    name: str, variable: str, add: Callable[[Path], None], text: str, *, is_eager: bool = False
) -> Callable[[CommandT], CommandT]:
    """An option for a folder of files with words, which `add` takes in; an eager one before other options are read."""

    def take(_context: click.Context, _parameter: click.Parameter, folder: Path | None) -> None:
        if folder is None:
            return
        try:
            add(folder)
        except WordsError as error:
            raise click.BadParameter(str(error)) from error

    return click.option(
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
    if language == ENGLISH.language:
        return  # no word is read before one is asked for
    if language not in LANGUAGES:
        message = f"{language!r} is not one of {', '.join(LANGUAGES)}"
        raise click.BadParameter(message)
    context.meta[_KEPT] = words(language)


words_option = folder_option(
    "--words",
    FOLDER,
    register,
    "A folder of words: additional languages, or changed words for existing ones.",
    is_eager=True,  # a language may be in that folder
)

language_option = click.option(
    "--language",
    metavar="CODE",
    default=ENGLISH.language,
    show_default=True,
    envvar=LANGUAGE,
    show_envvar=True,
    callback=_choose,
    expose_value=False,
    help="The language of messages, such as de or fr; help and the line protocol stay English.",
)
