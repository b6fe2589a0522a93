"""Say what a command has to say in the language of its run."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final, Self

import click

from gnomon.refusals import Refusal, RequestRefusedError, Statement, clause, sentence, statement, statement_of
from gnomon.words import ENGLISH, LANGUAGES, Words, WordsError, register, words

FOLDER: Final = "GNOMON_WORDS"
LANGUAGE: Final = "GNOMON_LANGUAGE"
_KEPT: Final = "gnomon.words"
"""Under which a run keeps the words of its language."""


def command_words() -> Words:
    """The words of the language in which this run talks to people; English where nobody chose one."""
    return words_of(click.get_current_context(silent=True))


def words_of(context: click.Context | None) -> Words:
    """The same for the run of a context, or for none."""
    chosen: Words = ENGLISH if context is None else context.meta.get(_KEPT, ENGLISH)
    return chosen


def use_words(context: click.Context, language: str) -> None:
    """Let a run speak a language from now on. Raises KeyError for one that there is not."""
    context.meta[_KEPT] = words(language)


def use_language_asked(context: click.Context, arguments: Sequence[str]) -> None:
    """Let a run speak the language that its arguments or the environment ask for, before they are read.

    So help, and what is wrong with the arguments themselves, is in that language too. A language or a folder that
    there is not changes nothing yet: the options refuse it.
    """
    given = _values_of_options(context, arguments)
    language = given.get("--language") or os.environ.get(LANGUAGE, ENGLISH.language)
    folder = given.get("--words") or os.environ.get(FOLDER, "")
    if language == ENGLISH.language:
        return  # no word is read before one is asked for
    with suppress(WordsError, OSError):
        if folder:
            register(Path(folder))
    if language in LANGUAGES:
        use_words(context, language)


def _values_of_options(context: click.Context, arguments: Sequence[str]) -> Mapping[str, str]:
    """What the arguments before the first command give options that take a value; of several values the last."""
    options = [each for each in context.command.params if isinstance(each, click.Option) and not each.is_flag]
    names = {name for each in options for name in each.opts}
    values: dict[str, str] = {}
    rest = iter(arguments)
    for text in rest:
        if not text.startswith("-") or text == "--":
            break
        name, sign, value = text.partition("=")
        if name in names:
            values[name] = value if sign else next(rest, "")
    return values


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
        self._words = command_words()

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the sentence."""
        click.echo(self._words("usage.error", why=self.format_message()), file=file, err=file is None)


class UnusableError(CommandRefusedError):
    """What a command is given and cannot use, as an unknown setting or a file that is not there: exit 2."""

    exit_code = 2

    @classmethod
    def in_file(cls, file: str, error: Exception) -> Self:
        """What is wrong in a file."""
        return cls(statement("cli.failed", file=file, why=statement_of(error)))
