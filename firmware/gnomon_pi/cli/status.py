"""Run `gnomond status`: report from the journals whether a game is being played, as text or JSON."""

import json
import os
from importlib.metadata import version
from pathlib import Path

import click

from gnomon_pi.system.games import PLAYING, last_games
from gnomon_pi.tools.safe_mode.journal_recovery import journals as journals_in


@click.command()
@click.option("--journal", "journals", type=click.Path(path_type=Path), multiple=True, help="May be repeated.")
@click.option("--state", type=click.Path(path_type=Path), help="Every journal in this folder.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def status(journals: tuple[Path, ...], state: Path | None, as_json: bool) -> None:  # noqa: FBT001 - click's way
    """Say whether a game is being played; a running daemon is not disturbed.

    The exit code is 0 whatever is said, also of a journal that is missing or cannot be read: that is said of it in
    words, and with --json in "trouble". It is 2 for an order that was not understood.
    """
    from gnomon.records.folders import state_folder

    games = last_games(journals or journals_in(state or state_folder(os.environ)))
    if as_json:
        found = {
            "version": version("gnomon"),
            PLAYING: any(game.is_played for game in games),
            "journals": [game.as_json() for game in games],
        }
        click.echo(json.dumps(found, indent=2))
        return
    for game in games:
        click.echo(game.sentence)
    if not games:
        click.echo("There is no journal yet.")
