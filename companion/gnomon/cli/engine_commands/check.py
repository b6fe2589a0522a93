"""Test whether an engine speaks the protocol and plays by the rules (`gnomon engine check`)."""

import asyncio
import shutil
from pathlib import Path
from random import Random
from typing import Any

import click

from gnomon.cli import localized
from gnomon.cli.engine_commands._plugged_in import chosen_rules, engines_option, plugin_named
from gnomon.cli.game_choice import GameChoice
from gnomon.cli.words import CommandRefusedError, command_words, say_line
from gnomon.engines.conformance import TrialGrade, examine
from gnomon.engines.plugins import EnginePlugin
from gnomon.engines.process import EngineFailedError
from gnomon.refusals import statement
from gnomon.rules.protocol import Rules
from gnomon.rules.registry import GAMES


@localized.command("check", context_settings={"ignore_unknown_options": True}, help="command.engine.check")
@localized.option("--game", type=GameChoice(GAMES), help="option.engine.check.game")
@localized.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="option.set")
@localized.option("--seed", type=int, default=1, show_default=True, help="option.engine.check.seed")
@engines_option
@localized.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def check_engine(
    *, game: str | None, settings: tuple[str, ...], seed: int, folder: Path | None, command: tuple[str, ...]
) -> None:
    """Check an engine: COMMAND starts it, or is its name if it is plugged in."""
    plugin = plugin_named(command[0], folder) if len(command) == 1 else None
    if plugin is None:
        found = shutil.which(command[0])
        if found is None:
            raise CommandRefusedError(statement("engine.file.program", text=command[0]))
        plugin = EnginePlugin(Path(command[0]).name, (found, *command[1:]))
    name = game or next(iter(plugin.games), None)
    if name is None:
        raise CommandRefusedError(statement("engine.check.which"))
    rules, given = chosen_rules(name, settings)
    plugin = EnginePlugin(
        plugin.name, plugin.command, plugin.games, {**given, **plugin.options}, plugin.memory, folder=plugin.folder
    )
    try:
        faults, remarks = asyncio.run(_examine(plugin, rules, seed))
    except EngineFailedError as error:
        raise CommandRefusedError(error) from error
    words = command_words()
    if faults:
        click.echo(words.plural("engine.check.faults", faults))
        raise SystemExit(1)
    click.echo(words("engine.check.well", engine=plugin.name, game=name) if not remarks else _remarks_text(remarks))


async def _examine(plugin: EnginePlugin, rules: Rules[Any, Any], seed: int) -> tuple[int, int]:
    counted = {TrialGrade.FINE: 0, TrialGrade.REMARK: 0, TrialGrade.FAULT: 0}
    words = command_words()
    async for finding in examine(plugin, rules, Random(seed)):  # noqa: S311 - it is to be repeated
        counted[finding.grade] += 1
        told = say_line(finding.what)
        if finding.why is None:
            click.echo(words("engine.check.fine", what=told))
        else:
            key = "engine.check.fault" if finding.grade is TrialGrade.FAULT else "engine.check.remark"
            click.echo(words(key, what=told, why=say_line(finding.why)))
    return counted[TrialGrade.FAULT], counted[TrialGrade.REMARK]


def _remarks_text(remarks: int) -> str:
    return command_words().plural("engine.check.remarks", remarks)
