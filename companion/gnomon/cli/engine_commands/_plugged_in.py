"""Find the engines that are plugged in, for the commands that use them."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from gnomon.cli import localized
from gnomon.cli._arguments import parse_settings
from gnomon.cli.words import CommandRefusedError
from gnomon.engines.plugins import VARIABLE, EnginePlugin, PluginError, plugin_folders, read_plugins
from gnomon.refusals import statement
from gnomon.rules.protocol import Rules, RulesError
from gnomon.rules.registry import BARE_CLOCK, rules_of

CommandT = TypeVar("CommandT", bound=Callable[..., object])


def engines_option(command: CommandT) -> CommandT:
    """The option for the folder of these engines."""
    return localized.option(
        "--engines",
        "folder",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        envvar=VARIABLE,
        show_envvar=True,
        help="option.engine.engines",
    )(command)


def plugins_in(folder: Path | None) -> tuple[Mapping[str, EnginePlugin], Sequence[PluginError]]:
    """The engines of a folder, or of the usual ones, and what is wrong with other files there."""
    return read_plugins([folder] if folder is not None else plugin_folders(os.environ))


def plugin_named(name: str, folder: Path | None) -> EnginePlugin | None:
    """The engine of that name, or None. Refuses with what is wrong with its file."""
    found, wrong = plugins_in(folder)
    for error in wrong:
        if Path(str(error.values["file"])).stem == name:
            raise CommandRefusedError(error)
    return found.get(name)


def chosen_rules(game: str, settings: Sequence[str]) -> tuple[Rules[Any, Any], Mapping[str, str]]:
    """The rules of a game and the settings as they are given on a command line, or a refusal of the command."""
    if game == BARE_CLOCK:
        raise CommandRefusedError(statement("cli.no_rules", game=game))
    try:
        given = parse_settings(settings)
        return rules_of(game, given), given
    except RulesError as error:
        raise CommandRefusedError(error) from error
