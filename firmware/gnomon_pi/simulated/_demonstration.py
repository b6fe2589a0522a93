"""Control an exhibition game of engines on the simulated board: start, pause, stop and pace."""

from secrets import randbits
from typing import Final

from gnomon.referee.events import Adjourned, Resumed
from gnomon.referee.game import Game
from gnomon.referee.opponents import WHO
from gnomon.referee.setup import GameSetup
from gnomon.refusals import statement
from gnomon_pi.pages.live_board import LoopBridge
from gnomon_pi.runtime.controller import ControllerError
from gnomon_pi.simulated.remote_control import RemoteControl

SEED_BITS: Final = 32


class BoardDemonstration:
    """The demonstration on a board in software, for pages that are served in another loop."""

    def __init__(self, remote: RemoteControl, bridge: LoopBridge) -> None:
        self._remote = remote
        self._cross = bridge

    @property
    def is_on(self) -> bool:
        """Whether hands are playing by themselves."""
        return self._remote.playground.is_playing

    @property
    def pace(self) -> str:
        """How fast they play, one of `PACES`."""
        return self._remote.playground.pace

    async def start(self) -> None:
        """Let hands play: on with an exhibition that was not played to its end, else a new one. Raises ControllerError.

        Somebody's unfinished game is put away first, so that it can be taken up again; a tournament's never is.
        """
        await self._cross(self._start())

    async def pause(self) -> None:
        """Let the hands rest and time stand still, until somebody lets the game go on. Raises ControllerError."""
        await self._cross(self._remote.pause())

    async def go_on(self) -> None:
        """Go on after a pause. Raises ControllerError."""
        await self._cross(self._remote.go_on())

    async def stop(self) -> None:
        """Let the hands go. Raises ControllerError.

        The game is put away, so that another may begin, unless it is one of people, who go on with it.
        """
        await self._cross(self._stop())

    async def set_pace(self, pace: str) -> None:
        """Play slower or faster from the next turn on. Raises ControllerError for a pace that there is not."""
        await self._cross(self._set_pace(pace))

    async def _start(self) -> None:
        controller = self._remote.controller
        if self._remote.playground.is_playing:
            return
        game = controller.game()
        if game is not None and game.outcome is None:
            if not _is_exhibition(game):
                if not game.adjourned and controller.is_tournament:
                    raise ControllerError(statement("told.demo.tournament"))
                if not game.adjourned:
                    await controller.correct(Adjourned(controller.now(), WHO))
            elif game.paused_at is not None:
                await controller.correct(Resumed(controller.now(), WHO))
        await self._remote.let_it_play(randbits(SEED_BITS), GameSetup(controller.games[0]))

    async def _stop(self) -> None:
        controller = self._remote.controller
        playground = self._remote.playground
        if not playground.is_playing:
            return
        playground.stop_playing()
        game = controller.game()
        if game is None or not (_is_exhibition(game) or playground.is_by_chance):
            return
        if game.outcome is None and not game.adjourned:
            await controller.correct(Adjourned(controller.now(), WHO))

    async def _set_pace(self, pace: str) -> None:
        self._remote.set_pace(pace)


def _is_exhibition(game: Game) -> bool:
    """Whether engines play every side: no person waits for their turn."""
    return game.opponent is not None and len(game.opponent.seats) == len(game.rules.seats)
