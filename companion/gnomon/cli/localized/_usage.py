"""Say what is wrong with a command line, in the words of a language instead of click's own."""

import os
import stat
from collections.abc import Sequence
from typing import IO, Any

import click

from gnomon.cli.words import say, words_of
from gnomon.refusals import Statement, statement
from gnomon.words import Words


class WrongUsageError(click.UsageError):
    """A command line that asks for what there is not: the usage, one sentence, and exit 2."""

    def __init__(self, why: Statement | Exception | str, ctx: click.Context | None = None) -> None:
        super().__init__(why if isinstance(why, str) else say(why), ctx)

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the usage of the command, where to find its help, and the sentence."""
        if self.ctx is not None:
            words = words_of(self.ctx)
            option = max(self.ctx.help_option_names, key=len)
            click.echo(self.ctx.get_usage(), file=file, err=file is None)
            click.echo(
                words("usage.try", command=self.ctx.command_path, option=option) + "\n", file=file, err=file is None
            )
        click.echo(words_of(self.ctx)("usage.error", why=self.message), file=file, err=file is None)


def localized_error(error: click.UsageError, ctx: click.Context) -> click.UsageError:
    """The same mistake in the language of a run; click does not tell of each in which context it was made."""
    if error.ctx is None:
        error.ctx = ctx
    is_told = isinstance(error, WrongUsageError | click.exceptions.NoArgsIsHelpError)
    return error if is_told else WrongUsageError(_describe(error), error.ctx)


def _describe(error: click.UsageError) -> str:
    words = words_of(error.ctx)
    match error:
        case click.MissingParameter(param=click.Parameter() as param):
            text = words(f"usage.missing.{param.param_type_name}", name=_name(error))
            if isinstance(param.type, click.Choice):
                text = f"{text} {words('usage.choose', choices=_choices(param.type))}"
            return text
        case click.BadParameter():
            return words("usage.invalid", name=_name(error), why=error.message)
        case click.NoSuchOption():
            text = words("usage.no_option", name=repr(error.option_name))
            return with_guesses(words, text, error.possibilities or ())
        case click.BadOptionUsage():
            key = "usage.takes_none" if _is_flag(error) else "usage.takes_one"
            return words(key, name=repr(error.option_name))
        case _ if (
            type(error) is click.UsageError and error.ctx is not None and isinstance(error.ctx.command, click.Group)
        ):
            return words("usage.missing.command")  # all else that click refuses so has been refused before
        case _:
            return error.format_message()


def _name(error: click.BadParameter) -> str:
    hint = error.param_hint or ("" if error.param is None else error.param.get_error_hint(error.ctx))
    return hint if isinstance(hint, str) else " / ".join(repr(each) for each in hint)


def with_guesses(words: Words, text: str, guesses: Sequence[str]) -> str:
    """A refusal of a name, with those that may have been meant."""
    if not guesses:
        return text
    return f"{text} {words.plural('usage.guess', len(guesses), names=', '.join(sorted(map(repr, guesses))))}"


def _is_flag(error: click.BadOptionUsage) -> bool:
    params = [] if error.ctx is None else error.ctx.command.get_params(error.ctx)
    return any(
        isinstance(each, click.Option) and each.is_flag
        for each in params
        if error.option_name in {*each.opts, *each.secondary_opts}
    )


def wrong_value(kind: click.ParamType[Any], value: object) -> Statement | None:
    """Why a value is none of a kind that click knows; None where click's own words have to do."""
    match kind:
        case click.Choice():
            return statement("usage.no_choice", value=repr(value), choices=_choices(kind))
        case click.IntRange() | click.FloatRange() if _is_number(value, kind):
            return _out_of_range(kind, value)
        case _ if kind.name.startswith(("integer", "float")):
            return statement(
                "usage.no_integer" if kind.name.startswith("integer") else "usage.no_number", value=repr(value)
            )
        case click.Path():
            return _wrong_path(kind, os.fsdecode(value) if isinstance(value, bytes) else str(value))
        case _:
            return None


def _choices(kind: click.Choice[Any]) -> str:
    return ", ".join(repr(str(each)) for each in kind.choices)


def _is_number(value: object, kind: click.ParamType[Any]) -> bool:
    try:
        (int if kind.name.startswith("integer") else float)(str(value))
    except ValueError:
        return False
    return True


def _out_of_range(kind: click.IntRange | click.FloatRange, value: object) -> Statement:
    if kind.min is None:
        return statement("usage.too_large", value=value, most=kind.max)
    if kind.max is None:
        return statement("usage.too_small", value=value, least=kind.min)
    return statement("usage.out_of_range", value=value, least=kind.min, most=kind.max)


def _wrong_path(kind: click.Path, path: str) -> Statement | None:
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - a Path would drop what was typed, as the end of `file/`
    except (OSError, ValueError):
        return statement("usage.no_path", file=repr(path))
    if stat.S_ISDIR(mode) and not kind.dir_okay:
        return statement("usage.is_folder", file=repr(path))
    if not stat.S_ISDIR(mode) and not kind.file_okay:
        return statement("usage.is_file", file=repr(path))
    return statement("usage.unreadable", file=repr(path)) if kind.readable else None


def first_wrong(param: click.Parameter, value: object, ctx: click.Context) -> object:
    """Of several values of a parameter, the first that is none of its kind."""
    for each in value if isinstance(value, Sequence) and not isinstance(value, str) else (value,):
        try:
            param.type.convert(each, param, ctx)
        except click.BadParameter:
            return each
    return value
