"""Make puzzles from a board's finished games in the background: one game at a time, the latest first."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from gnomon.engines.plugins import own_command
from gnomon.records.bundles import bundle
from gnomon.records.journal.entries import Archive, StoredGame
from gnomon.records.journal.store import JournalError
from gnomon.referee.exercises import is_exercise
from gnomon.rules.protocol import SettingsError
from gnomon.rules.registry import BARE_CLOCK, kind_of
from gnomon.web.games.analyses import Analyses, key_of
from gnomon.web.games.archive import outcome_of
from gnomon.web.server.workers import BusyError

MOST_GAMES: Final = 50
"""The latest games that puzzles are made from."""
MOST_KEPT: Final = 100
"""Files of puzzles that are kept, each of a game; older ones are deleted."""
MOST_OF_ONE: Final = 3
"""Puzzles of one game."""
LONGEST: Final = 600
"""Seconds of computing for one game; those in which the process is stopped do not count."""


def source_of(stored: StoredGame) -> str:
    """What the puzzles of a finished game are kept under: the game of that number in another journal is another one."""
    start = stored.start
    return key_of(stored.id, repr((start.boot, start.wall, start.board, stored.ended)).encode())


@dataclass
class PuzzleMaker:
    """What has puzzles made of the games of an archive: `made` does so, and knows whether somebody plays."""

    archive: Archive
    made: Analyses
    _left_out: set[str] = field(default_factory=set)

    @classmethod
    def into(cls, folder: Path, archive: Archive, is_busy: Callable[[], bool]) -> "PuzzleMaker":
        """One that writes to a folder of the journal's own."""
        command = own_command("puzzles", "-", "--most", str(MOST_OF_ONE), "--seconds", str(LONGEST))
        return cls(archive, Analyses(folder, is_busy, command, "gnomon.analysis.puzzles:load_puzzles", kept=MOST_KEPT))

    async def follow(self, looked_each: float) -> None:
        """Look for games without puzzles each so many seconds, for good."""
        while True:
            await asyncio.to_thread(self.look)
            await asyncio.sleep(looked_each)

    def look(self) -> bool:
        """Begin with the latest game of which no puzzles have been made; whether there is one."""
        if self.made.is_at_work or self.made.is_busy():
            return False
        with suppress(JournalError, BusyError, OSError):  # it is looked at again
            for stored in self._games():
                key = source_of(stored)
                with suppress(ValueError):  # a game of which not even a trace can be made
                    lines = bundle(stored, self.archive.read(stored.id)).lines()
                    self.made.ask(key, "".join(lines).encode())
                    self._left_out.add(key)  # once: what has failed would fail again
                    return True
                self._left_out.add(key)
        return False

    def _games(self) -> Iterator[StoredGame]:
        """The latest games that are over and have no file yet, the latest first."""
        known = {path.name.rpartition("-")[0] for path in self.made.folder.glob("*.json")} | self._left_out
        finished = [game for game in self.archive.games() if game.ended is not None and _has_turns(game)]
        latest = [game for game in finished[-MOST_GAMES:] if source_of(game) not in known]
        endings = self.archive.endings(latest[0].id) if latest else {}
        for game in reversed(latest):
            if endings.get(game.id) and not outcome_of(endings[game.id]).is_void:
                yield game


def _has_turns(stored: StoredGame) -> bool:
    """Whether turns were played there that an engine can weigh, and not a lesson or a puzzle."""
    if stored.start.game == BARE_CLOCK or is_exercise(stored.start.settings):
        return False
    try:
        return bool(kind_of(stored.start.game).engine)
    except SettingsError:
        return False  # a game that is not installed any more
