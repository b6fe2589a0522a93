"""Run `gnomond status`: report from the journals whether a game is being played, as text or JSON.

The journals are opened read-only.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final

import click

from gnomon.cli import localized
from gnomon.cli.words import say
from gnomon.records import files
from gnomon.records.journal.store import JournalError
from gnomon.refusals import Statement, statement
from gnomon_pi.runtime.recovery import RecoveryError, fold
from gnomon_pi.tools.safe_mode.journal_recovery import journals as journals_in

PLAYING: Final = "playing"


@dataclass(frozen=True, slots=True)
class LastGame:
    """The last game of a journal: `number` in it, or None when it holds none; `trouble` is why it cannot be told."""

    journal: Path
    number: int | None = None
    name: str = ""
    board: str = ""
    began: str = ""  # wall time, a label
    is_unfinished: bool = False
    is_paused: bool = False
    trouble: str = ""

    @property
    def is_played(self) -> bool:
        """Whether people are playing it, as far as the journal knows: neither over nor paused."""
        return self.is_unfinished and not self.is_paused

    @property
    def sentence(self) -> str:
        """What is to be said of it."""
        if self.trouble:
            doubt = "; it counts as being played" if self.is_played else ""
            return f"{self.trouble[:1].upper()}{self.trouble[1:]}{doubt}."
        if self.number is None:
            return say(statement("cli.status.empty", file=self.journal))
        state = "over" if not self.is_unfinished else "paused" if self.is_paused else "played"
        values = {"number": self.number, "file": self.journal, "name": self.name, "began": self.began}
        return say(Statement(f"cli.status.game.{state}", values))

    def as_json(self) -> Mapping[str, object]:
        """The same for programs."""
        return {
            "journal": str(self.journal),
            "game": self.number,
            "name": self.name,
            "board": self.board,
            "began": self.began,
            "unfinished": self.is_unfinished,
            "paused": self.is_paused,
            PLAYING: self.is_played,
            "trouble": self.trouble,
        }


def last_game(journal: Path) -> LastGame:
    """The last game of a journal; one that is unfinished and cannot be understood counts as played."""
    try:
        stored = files.stored_games(journal)
        if not stored:
            return LastGame(journal)
        game, records = files.stored_game(journal, stored[-1].id)
    except JournalError as error:
        return LastGame(journal, trouble=str(error))
    start = game.start
    known = LastGame(journal, game.id, start.game, start.board, start.wall, is_unfinished=game.ended is None)
    if not known.is_unfinished:
        return known
    try:
        live_game = fold(game, records).live_game
    except RecoveryError as error:
        return LastGame(journal, game.id, start.game, start.board, start.wall, is_unfinished=True, trouble=str(error))
    return LastGame(
        journal,
        game.id,
        start.game,
        start.board,
        start.wall,
        is_unfinished=live_game.is_unfinished,
        is_paused=live_game.game.paused_at is not None,
    )


@localized.command(help="command.gnomond.status")
@localized.option(
    "--journal", "journals", type=click.Path(path_type=Path), multiple=True, help="option.gnomond.status.journal"
)
@localized.option("--state", type=click.Path(path_type=Path), help="option.gnomond.status.state")
@localized.option("--json", "as_json", is_flag=True, help="option.gnomond.status.json")
def status(*, journals: tuple[Path, ...], state: Path | None, as_json: bool) -> None:
    """Say whether a game is being played; a running daemon is not disturbed."""
    from gnomon.records.journal.folders import state_folder

    games = [last_game(journal) for journal in journals or journals_in(state or state_folder(os.environ))]
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
        click.echo(say(statement("cli.status.none")))
