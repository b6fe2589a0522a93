"""Ask Gnomon's own engine for the move that it would play for the player on turn.

It thinks in a process of its own, and the game is told to it in a thread: nothing waits for either.
"""

import asyncio
from dataclasses import replace
from typing import Final

from gnomon.engines.plugins import own_plugin
from gnomon.engines.process import EngineProcess, Go
from gnomon.referee.game import Game
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from gnomon_pi.runtime.engine_play.opponent import MoveLists, open_moves

_ADVICE: Final = Duration(3 * SECOND)
"""For so long it thinks at most."""


class Adviser:
    """The engine at a level, in one process for as long as the same game goes on; without a level, at its best."""

    def __init__(self, level: str = "") -> None:
        self._options = {"Level": level} if level else {}
        self._lists = MoveLists()
        self._process: EngineProcess | None = None
        self._of: tuple[object, ...] = ()

    async def advise(self, game: Game, now: Instant) -> str:
        """What it would play at game time `now`. Raises EngineFailedError, and RulesError."""
        of = game.rules.name, tuple(game.given)
        if self._process is None or self._of != of:
            await self.close()
            self._process, self._of = EngineProcess(own_plugin(game.rules.name, self._options), dict(game.given)), of
        moves = await asyncio.to_thread(self._lists.moves, game, now)
        choices = await asyncio.to_thread(open_moves, game, moves, now)
        moves = replace(moves, position=game.rules.elapse(game.position, now))
        return (await self._process.move(moves, Go(time=_ADVICE, moves=choices))).text

    async def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            await process.close()


async def advise(game: Game, now: Instant) -> str:
    """What Gnomon would play at its best, at game time `now`. Raises EngineFailedError, and RulesError."""
    adviser = Adviser()
    try:
        return await adviser.advise(game, now)
    finally:
        await adviser.close()
