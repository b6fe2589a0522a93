"""Find out from the journals, opened read-only, whether a game is being played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gnomon.records import files
from gnomon.records.store import JournalError
from gnomon_pi.runtime.recovery import RecoveryError, fold

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
            return f"{self.journal} holds no game."
        state = "is over" if not self.is_unfinished else "is paused" if self.is_paused else "is being played"
        return f"Game {self.number} of {self.journal}, {self.name}, begun {self.began}, {state}."

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
        sitting = fold(game, records).sitting
    except RecoveryError as error:
        return LastGame(journal, game.id, start.game, start.board, start.wall, is_unfinished=True, trouble=str(error))
    return LastGame(
        journal,
        game.id,
        start.game,
        start.board,
        start.wall,
        is_unfinished=sitting.is_unfinished,
        is_paused=sitting.game.paused_at is not None,
    )


def last_games(journals: Sequence[Path]) -> Sequence[LastGame]:
    """The last game of each journal."""
    return [last_game(journal) for journal in journals]
