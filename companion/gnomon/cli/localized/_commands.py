"""Define click's commands and options with help texts that are keys of words."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, TypeVar, overload

import click

from gnomon.cli.localized._usage import WrongUsageError, first_wrong, localized_error, with_guesses, wrong_value
from gnomon.cli.words import command_words, say, use_language_asked, words_of

if TYPE_CHECKING:  # click itself loads it for a shell that completes, and never else
    from click.shell_completion import CompletionItem

DecoratedT = TypeVar("DecoratedT", bound=Callable[..., Any] | click.Command)
GroupT = TypeVar("GroupT", bound="Group")
_METAVARS: Final[Mapping[str, str]] = {
    "[OPTIONS]": "usage.metavar.options",
    "COMMAND [ARGS]...": "usage.metavar.command",
    "[COMMAND] [ARGS]...": "usage.metavar.optional",
}
"""What click writes into a line of usage, and the entry that is written instead."""


class _WithHelp:
    """Something whose help text is the key of an entry."""

    _help: str | None = None

    @property
    def help(self) -> str | None:
        """The text in the language of the run; what is no key stands as it is."""
        return None if self._help is None else command_words().name_of(self._help, self._help)

    @help.setter  # noqa: A003 - the name is click's
    def help(self, key: str | None) -> None:
        self._help = key


class _Parameter(click.Parameter):
    """A parameter that says in the language of the run why it cannot take a value."""

    def type_cast_value(self, ctx: click.Context, value: object) -> object:
        """The value as the parameter's type has it. Raises BadParameter."""
        try:
            return super().type_cast_value(ctx, value)
        except click.BadParameter as error:
            why = wrong_value(self.type, first_wrong(self, value, ctx))
            if why is None or error.param is not self:
                raise
            raise click.BadParameter(say(why), ctx, self) from error


class Option(_WithHelp, _Parameter, click.Option):
    """An option; its `help` is the key of an entry."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """How it is written, and what it does; None for a hidden one."""
        record = super().get_help_record(ctx)
        if record is None:
            return None
        words, extra = words_of(ctx), self.get_help_extra(ctx)
        more = [words("usage.variable", name=", ".join(extra["envvars"]))] if "envvars" in extra else []
        more += [words("usage.default", value=extra["default"])] if "default" in extra else []
        more += [extra["range"]] if "range" in extra else []
        more += [words("usage.required")] if "required" in extra else []
        texts = [self.help or "", f"[{', '.join(more)}]" if more else ""]
        return record[0], "  ".join(filter(None, texts))

    def get_error_hint(self, ctx: click.Context | None) -> str:
        """How it is written, for a refusal, and the variable that may have given its value."""
        hint = click.Parameter.get_error_hint(self, ctx)
        variable = words_of(ctx)("usage.variable", name=repr(self.envvar)) if self.show_envvar and self.envvar else ""
        return f"{hint} ({variable})" if variable else hint

    def make_metavar(self, ctx: click.Context) -> str:
        """What stands for its value: TEXT, INTEGER, in the language of the run."""
        written = super().make_metavar(ctx)
        is_named = self.metavar is not None or written != self.type.name.upper()
        return written if is_named else words_of(ctx).name_of(f"usage.metavar.{self.type.name.split()[0]}", written)


class Argument(_Parameter, click.Argument):
    """An argument."""


class Command(_WithHelp, click.Command):
    """A command; its `help` is the key of an entry."""

    _asked_help: click.Option | None = None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the arguments; those of a whole program choose its language, also for what is wrong with them.

        Raises UsageError in the language of the run.
        """
        if ctx.parent is None:
            use_language_asked(ctx, args)
        is_strict, ctx.allow_extra_args = not ctx.allow_extra_args, True
        try:
            rest = super().parse_args(ctx, args)
        except click.UsageError as error:
            raise localized_error(error, ctx) from error
        ctx.allow_extra_args = not is_strict
        if rest and is_strict and not ctx.resilient_parsing:
            raise WrongUsageError(words_of(ctx).plural("usage.extra", len(rest), given=" ".join(rest)), ctx)
        return rest

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """The option --help."""
        if self._asked_help is None:
            holder = click.Command(None)
            click.help_option(*ctx.help_option_names, cls=Option, help="option.help")(holder)
            self._asked_help = next(each for each in holder.params if isinstance(each, click.Option))
        return self._asked_help

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """What a shell may complete to, each with its help in the language of the run."""
        with ctx.scope(cleanup=False):
            return super().shell_complete(ctx, incomplete)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """What stands behind the command in its line of usage."""
        words = words_of(ctx)
        return [words(_METAVARS[piece]) if piece in _METAVARS else piece for piece in super().collect_usage_pieces(ctx)]

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the line of usage."""
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, f"{words_of(ctx)('usage.usage')} ")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write all options."""
        options = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
        with section(ctx, formatter, "usage.options"):
            formatter.write_dl([record for each in options if (record := each.get_help_record(ctx)) is not None])


class Group(Command, click.Group):
    """A group of commands; its `help` is the key of an entry."""

    command_class = Command

    def invoke(self, ctx: click.Context) -> object:
        """Run a command of the group. Raises UsageError in the language of the run."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            raise localized_error(error, ctx) from error

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names, and the arguments behind it. Raises UsageError for none."""
        name, *rest = args
        command = self.get_command(ctx, name)
        if command is None and not ctx.resilient_parsing:
            words = words_of(ctx)
            guesses = get_close_matches(name, self.list_commands(ctx))
            raise WrongUsageError(with_guesses(words, words("usage.no_command", name=repr(name)), guesses), ctx)
        return None if command is None else name, command, rest

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write all options, and then all commands."""
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write all commands, each with its first sentence."""
        named = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        commands = [(name, command) for name, command in named if command is not None and not command.hidden]
        limit = formatter.width - 6 - max(len(name) for name, _ in commands)
        with section(ctx, formatter, "usage.commands"):
            formatter.write_dl([(name, command.get_short_help_str(limit)) for name, command in commands])


def section(ctx: click.Context, formatter: click.HelpFormatter, key: str) -> AbstractContextManager[None]:
    """A section of a help text under the heading of an entry, whose colon click writes."""
    return formatter.section(words_of(ctx)(key).removesuffix(":"))


def command(
    name: str | None = None, cls: type[Command] = Command, **more: Any
) -> Callable[[Callable[..., Any]], Command]:
    """A decorator that makes a function a command; `help` is the key of an entry."""
    return click.command(name, cls, **more)


@overload
def group(*, cls: type[GroupT], **more: Any) -> Callable[[Callable[..., Any]], GroupT]: ...
@overload
def group(**more: Any) -> Callable[[Callable[..., Any]], Group]: ...
def group(*, cls: type[Group] = Group, **more: Any) -> Callable[[Callable[..., Any]], Group]:
    """A decorator that makes a function a group of commands; `help` is the key of an entry."""
    return click.group(None, cls, **more)


def option(*names: str, **more: Any) -> Callable[[DecoratedT], DecoratedT]:
    """A decorator that gives a command an option; `help` is the key of an entry."""
    return click.option(*names, cls=Option, **more)


def argument(*names: str, **more: Any) -> Callable[[DecoratedT], DecoratedT]:
    """A decorator that gives a command an argument."""
    return click.argument(*names, cls=Argument, **more)
