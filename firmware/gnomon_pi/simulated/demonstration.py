"""Show a game on the simulated board: hands begin it, go on with it, are stopped, slower and faster."""

from secrets import randbits
from typing import TYPE_CHECKING, Final

from gnomon.referee.events import Adjourned
from gnomon_pi.crossing import Crossing

if TYPE_CHECKING:
    from gnomon_pi.desk import Desk

LEVEL: Final = 2
"""The level of TAMSK that hands show to newcomers: with running glasses, without the hurry of level 3."""
SEED_BITS: Final = 32
WHO: Final = "the demonstration"


class Demonstration:
    """The demonstration of a desk, for pages that are served in another loop."""

    def __init__(self, desk: "Desk", crossing: Crossing) -> None:
        self._desk = desk
        self._cross = crossing
        self._number = 0  # of the game in the journal that was begun to be shown

    @property
    def is_on(self) -> bool:
        """Whether hands are playing by themselves."""
        return self._desk.is_playing

    @property
    def pace(self) -> str:
        """How fast they play, one of `PACES`."""
        return self._desk.pace

    async def start(self) -> None:
        """Let hands play: on with the game that was shown last, else a new one. Raises DeskError.

        Somebody's unfinished game is put away first, so that it can be taken up again.
        """
        await self._cross(self._start())

    async def stop(self) -> None:
        """Let the hands go; the game waits, paused. Raises DeskError."""
        await self._cross(self._stop())

    async def set_pace(self, pace: str) -> None:
        """Play slower or faster from the next turn on. Raises DeskError for a pace that there is not."""
        await self._cross(self._set_pace(pace))

    async def _start(self) -> None:
        desk = self._desk
        if desk.is_playing:
            return
        shown = desk.shown()
        if shown.game is not None and shown.game.outcome is None and not shown.game.adjourned:
            if shown.number == self._number:
                await desk.let_it_play(LEVEL, randbits(SEED_BITS))
                return
            await desk.correct(Adjourned(desk.now(), WHO))
        await desk.new_game({"level": LEVEL} if desk.shows_tamsk else {})
        await desk.let_it_play(LEVEL, randbits(SEED_BITS))
        self._number = desk.shown().number

    async def _stop(self) -> None:
        self._desk.stop_playing()

    async def _set_pace(self, pace: str) -> None:
        self._desk.set_pace(pace)
