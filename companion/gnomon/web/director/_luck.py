"""Compute the standings with even luck that are shown beside the real ones.

The luck in each game is worked out in the background, when somebody first asks for the standings, and kept in a file:
one game on each line. An estimate is kept only as long as there is no table of exact values.
"""

import asyncio
import json
import os
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from gnomon.engines.tables import tables_folder
from gnomon.hall.hall import Hall
from gnomon.hall.luck import GainedByLuck, LuckWorker, games_with_luck, trace_of
from gnomon.hall.rounds.results import PairingGame
from gnomon.hall.store.archive import BoardArchive
from gnomon.records.journal.store import JournalError
from gnomon.tournament.standings.even_luck import LuckOfGame

FILE: Final = "luck.jsonl"
"""In the folder of a hall's data."""
_TOLD_EACH: Final = 5.0  # seconds between two words about one tournament

Key = tuple[str, str, int, int, str]
"""A board, its journal, the game there, the record that ruled its end, and a player of the rules."""


class LuckSoFar(NamedTuple):
    """The luck in games of a tournament, in how many others it is being worked out, and whether all of it is exact."""

    games: tuple[LuckOfGame, ...] = ()
    missing: int = 0
    exact: bool = True

    @property
    def key(self) -> Hashable:
        """What changes with it."""
        return tuple(self)


class LuckFile(NamedTuple):
    """Where it is kept what luck gave in games, None for nowhere.

    Pages that are written to files `wait` until everything is known.
    """

    path: Path | None = None
    waits: bool = False


class LuckDesk:
    """The luck in the games of all tournaments of a hall. To be used in one loop.

    `archive` has what may be read of a journal, and `changed` is told of a tournament of which more is known.
    """

    def __init__(
        self,
        archive: Callable[[str, str], BoardArchive],
        changed: Callable[[str], None],
        kept: LuckFile,
    ) -> None:
        self._archive = archive
        self._changed = changed
        self._file = kept.path
        self._waits = kept.waits
        self._known: dict[Key, GainedByLuck | None] | None = None
        self._wanted: dict[Key, tuple[str, PairingGame]] = {}
        self._times: Counter[str] = Counter()  # that more was known
        self._work: asyncio.Task[None] | None = None

    def version(self, name: str) -> str:
        """What changes when more is known of the luck in games of a tournament; nothing where pages wait for all."""
        return "" if self._waits else f"{self._times[name]}"

    async def of(self, name: str, games: Mapping[Key, PairingGame]) -> LuckSoFar:
        """The luck in some games of a tournament, as far as it is known; the rest is begun with."""
        if self._known is None:
            self._known = await asyncio.to_thread(self._read)
        self._wanted |= {key: (name, game) for key, game in games.items() if key not in self._known}
        if self._wanted and (self._work is None or self._work.done()):
            self._work = asyncio.create_task(self._work_out(self._known), name="luck")
        if self._waits and self._work is not None:
            await asyncio.shield(self._work)
        known = {key: found for key in games if (found := self._known.get(key)) is not None}
        told = tuple(
            LuckOfGame(of.round, of.first, of.second, found.gained)
            for key, found in known.items()
            for of in (games[key].seating,)
        )
        missing = sum(key not in self._known for key in games)
        return LuckSoFar(told, missing, all(found.exact for found in known.values()))

    async def _work_out(self, known: dict[Key, GainedByLuck | None]) -> None:
        """Work out what is wanted, one game after the other."""
        loop = asyncio.get_running_loop()
        worker: LuckWorker | None = None
        told = loop.time()
        try:
            while self._wanted:
                key, (name, game) = next(iter(self._wanted.items()))
                found = None
                try:
                    trace = await asyncio.to_thread(self._trace_of, game)
                    if worker is None:
                        worker = await asyncio.to_thread(LuckWorker)
                    found = await asyncio.to_thread(worker.ask, trace, game.seating.player)
                except (OSError, JournalError):  # the process has ended, or the database is away: it is not asked again
                    if worker is not None:
                        worker.close()
                    worker = None
                except ValueError:
                    pass  # a game that cannot be read says nothing of luck
                del self._wanted[key]
                known[key] = found
                if found is not None:
                    await asyncio.to_thread(self._write, key, found)
                if loop.time() >= told + _TOLD_EACH or all(of != name for of, _ in self._wanted.values()):
                    told = loop.time()
                    self._times[name] += 1
                    self._changed(name)
        finally:
            if worker is not None:
                worker.close()

    def _trace_of(self, game: PairingGame) -> bytes:
        return trace_of(self._archive(game.device, game.epoch), game)

    def _read(self) -> dict[Key, GainedByLuck | None]:
        """What was worked out before; a line that was not written to its end is left out."""
        known: dict[Key, GainedByLuck | None] = {}
        has_tables = any(tables_folder(os.environ).glob("*.table"))
        with suppress(OSError):
            for line in [] if self._file is None else self._file.read_text(encoding="utf-8").splitlines():
                with suppress(ValueError, TypeError):
                    key, gained, exact = json.loads(line)
                    board, epoch, game, seq, player = key
                    if exact or not has_tables:
                        known[board, epoch, game, seq, player] = GainedByLuck(float(gained), bool(exact))
        return known

    def _write(self, key: Key, found: GainedByLuck) -> None:
        if self._file is not None:
            with suppress(OSError), self._file.open("a", encoding="utf-8") as file:  # it can be worked out again
                file.write(f"{json.dumps([key, *found])}\n")


def wanted_games(hall: Hall, name: str) -> Mapping[Key, PairingGame]:
    """The games of a tournament in which luck can be told from play. Raises StoreError, BookError, TournamentError."""
    return {
        (game.device, game.epoch, game.game, game.ruled.seq, game.seating.player): game
        for game in games_with_luck(hall.proposals(name))
        if game.ruled is not None
    }
