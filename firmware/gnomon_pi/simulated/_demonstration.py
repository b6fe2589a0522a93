"""Control an exhibition game of engines on the simulated board: start, stop and pace."""

from secrets import randbits
from typing import Final

from gnomon.referee.events import Adjourned, Resumed
from gnomon.referee.opponents import EVERY_SEAT, OPPONENT, PLAYS
from gnomon.referee.setup import GameSetup
from gnomon.refusals import statement
from gnomon_pi.config.description import TAMSK
from gnomon_pi.pages.live_board import LoopBridge
from gnomon_pi.runtime.controller import ControllerError
from gnomon_pi.simulated.remote_control import RemoteControl

LEVEL: Final = 2
"""The level of TAMSK that hands show to newcomers: with running glasses, without the hurry of level 3."""
ENGINES: Final = {OPPONENT: "3", PLAYS: EVERY_SEAT}
"""Engines of this level play; the lowest levels make mistakes that newcomers would learn from."""
SEED_BITS: Final = 32
WHO: Final = "the demonstration"


class BoardDemonstration:
    """The demonstration on a board in software, for pages that are served in another loop."""

    def __init__(self, remote: RemoteControl, bridge: LoopBridge) -> None:
        self._remote = remote
        self._cross = bridge
        self._number = 0  # of the game in the journal that was begun to be shown

    @property
    def is_on(self) -> bool:
        """Whether hands are playing by themselves."""
        return self._remote.playground.is_playing

    @property
    def pace(self) -> str:
        """How fast they play, one of `PACES`."""
        return self._remote.playground.pace

    async def start(self) -> None:
        """Let hands play: on with the game that was shown last, else a new one. Raises ControllerError.

        Somebody's unfinished game is put away first, so that it can be taken up again; a tournament's never is.
        """
        await self._cross(self._start())

    async def stop(self) -> None:
        """Let the hands go; the game is put away, so that another may begin. Raises ControllerError."""
        await self._cross(self._stop())

    async def set_pace(self, pace: str) -> None:
        """Play slower or faster from the next turn on. Raises ControllerError for a pace that there is not."""
        await self._cross(self._set_pace(pace))

    async def _start(self) -> None:
        controller = self._remote.controller
        if self._remote.playground.is_playing:
            return
        shown = controller.snapshot()
        game = shown.game
        is_unfinished = game is not None and game.outcome is None
        is_own = is_unfinished and shown.number == self._number
        if game is not None and is_unfinished and not is_own and not game.adjourned:
            if controller.is_tournament:
                raise ControllerError(statement("told.demo.tournament"))
            await controller.correct(Adjourned(controller.now(), WHO))
        if not is_own:
            own = controller.games[0]
            level: dict[str, object] = {"level": LEVEL} if own == TAMSK else {}
            await controller.new_game(GameSetup(own, level | ENGINES))
            self._number = controller.snapshot().number
        elif game is not None and game.paused_at is not None:
            await controller.correct(Resumed(controller.now(), WHO))
        await self._remote.let_it_play(LEVEL, randbits(SEED_BITS))

    async def _stop(self) -> None:
        controller = self._remote.controller
        if not self._remote.playground.is_playing:
            return
        self._remote.playground.stop_playing()
        game = controller.game()
        if game is not None and game.outcome is None and not game.adjourned:
            await controller.correct(Adjourned(controller.now(), WHO))

    async def _set_pace(self, pace: str) -> None:
        self._remote.set_pace(pace)
