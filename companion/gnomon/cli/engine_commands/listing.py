"""List the available engines (`gnomon engine list`)."""

from pathlib import Path

import click

from gnomon.cli import localized
from gnomon.cli.engine_commands._plugged_in import engines_option, plugins_in
from gnomon.cli.words import command_words, say_line
from gnomon.engines import engine_of
from gnomon.rules.registry import games, kind_of, rules_of


@localized.command("list", help="command.engine.list")
@engines_option
def list_engines(folder: Path | None) -> None:
    """List the engines: Gnomon's own for each game, and those that are plugged in."""
    words = command_words()
    for game in games():
        levels = len(engine_of(rules_of(game, {})).levels)
        key = "engine.list.own" if kind_of(game).engine else "engine.list.plain"
        click.echo(words(key, game=game, number=levels))
    found, wrong = plugins_in(folder)
    for name, plugin in sorted(found.items()):
        click.echo(
            words("engine.list.plugged_in", engine=name, games=", ".join(plugin.games), command=plugin.command[0])
        )
    for error in wrong:
        click.echo(say_line(error), err=True)
    if wrong:
        raise SystemExit(1)
