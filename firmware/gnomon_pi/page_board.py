"""The only place that shows the daemon's desk to the pages of the core, as the board they are about."""

from collections.abc import AsyncIterator, Mapping, Sequence

from gnomon.referee.events import Correction
from gnomon.referee.games import AnyGame
from gnomon.referee.judgement import Temperament
from gnomon.referee.rulings import Ruling
from gnomon.timekeeping.instants import Instant
from gnomon_pi.desk import Desk


class PageBoard:
    """A desk as a LiveBoard; its refusals (DeskError) are the pages' RefusedError."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @property
    def games(self) -> Sequence[str]:
        """The games that can be started here."""
        return self._desk.games

    @property
    def buttons(self) -> Sequence[str]:
        """The inputs of the board's buttons."""
        return self._desk.buttons

    def now(self) -> Instant:
        """Board time of the game that is shown, in microseconds."""
        return self._desk.shown_now()

    def game(self) -> AnyGame | None:
        """The game as everyone may see it."""
        return self._desk.game()

    def health(self) -> tuple[str, ...]:
        """What is wrong with the machine."""
        return self._desk.health()

    async def changes(self) -> AsyncIterator[None]:
        """Yield at once, after every change and at least each second."""
        async for _ in self._desk.subscribe():
            yield

    async def correct(self, correction: Correction) -> tuple[Ruling, ...]:
        """Enter an event by hand. Raises DeskError."""
        return await self._desk.correct(correction)

    async def enter(self, text: str, who: str, why: str = "") -> tuple[Ruling, ...]:
        """Enter the next turn. Raises DeskError."""
        return await self._desk.enter(text, who, why)

    async def throw(self) -> tuple[Ruling, ...]:
        """Throw or draw for nature. Raises DeskError."""
        return await self._desk.throw()

    async def new_game(
        self, settings: Mapping[str, object], temperament: Temperament, abandoned_by: str = "", game: str = ""
    ) -> None:
        """Start a new game. Raises DeskError."""
        await self._desk.new_game(settings, temperament, abandoned_by, game)
