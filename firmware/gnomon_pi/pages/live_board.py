"""Adapt the daemon's controller to the LiveBoard interface of the pages, across event loops.

What is shown is an immutable value, handed over after each change: the pages make of it whatever they like, and the
referee does not depend on it. What people enter crosses into the daemon's loop.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final, Self, TypeVar

from gnomon.people.register import Register, RegisterError
from gnomon.records.journal.entries import Record, StoredGame
from gnomon.records.journal.people_file import PeopleFile
from gnomon.referee.events import Correction
from gnomon.referee.game import Game
from gnomon.referee.people import people
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import Ruling
from gnomon.referee.setup import GameSetup
from gnomon.refusals import Statement
from gnomon.timekeeping.instants import Instant
from gnomon_pi.runtime.controller import BoardController, BoardSnapshot

AnswerT = TypeVar("AnswerT")
BEAT: Final = 1.0  # seconds between summaries when nothing changes, so that a lost page notices it is lost
SPACING: Final = 0.1  # seconds at least between two summaries: ten pictures a second are enough for people


class LoopBridge:
    """The way from another loop into the daemon's."""

    def __init__(self, daemon: asyncio.AbstractEventLoop) -> None:
        self._daemon = daemon

    async def __call__(self, work: Coroutine[Any, Any, AnswerT]) -> AnswerT:
        """Have the daemon's loop do it, and answer what it answers. Raises what it raises.

        What has begun there is finished there, also when nobody waits for it any more: a game that was given up for a
        new one must have its successor.
        """
        return await asyncio.shield(asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._daemon)))


class PageBoard:
    """A controller as a LiveBoard, for one loop; its refusals (ControllerError) are the pages' RefusedError."""

    def __init__(
        self, controller: BoardController, bridge: LoopBridge, shown: BoardSnapshot, hidden: PeopleFile
    ) -> None:
        self._controller = controller
        self._cross = bridge
        self._shown = shown
        self._hidden = hidden
        self._masked: tuple[Game, Register | None, Game] | None = None  # a game, and as it is shown
        self._changed = asyncio.Event()

    @classmethod
    async def of(cls, controller: BoardController, bridge: LoopBridge, hidden: PeopleFile | None = None) -> Self:
        """The board of a controller, for the loop in which this is called; `hidden` says whose names are hidden."""
        pages = asyncio.get_running_loop()
        board = cls(controller, bridge, BoardSnapshot(None, Instant(0), ()), hidden or PeopleFile(None))

        def tell() -> None:
            shown = controller.snapshot()
            with suppress(RuntimeError):  # the pages' loop has been closed: the daemon is stopping
                pages.call_soon_threadsafe(board._take, shown)

        async def listen() -> None:
            controller.on_change(tell)
            tell()  # what is shown now comes the same way, so that nothing newer can come before it

        await bridge(listen())
        return board

    def _take(self, shown: BoardSnapshot) -> None:
        self._shown = shown
        self._changed.set()
        self._changed = asyncio.Event()

    # What is true now: each answer is of the same moment until the loop goes on

    @property
    def games(self) -> Sequence[str]:
        """The games that can be started here."""
        return self._controller.games

    @property
    def buttons(self) -> Sequence[str]:
        """The inputs of the board's buttons."""
        return self._controller.buttons

    def now(self) -> Instant:
        """Board time of the game that is shown, in microseconds; 0 without one."""
        return self._controller.time_since(self._shown.origin) if self._shown.game is not None else Instant(0)

    def game(self) -> Game | None:
        """The game as everyone may see it, the same object while nothing changes."""
        game = self._shown.game
        if game is None or not game.people:
            return game
        try:
            register = self._hidden.register()
        except RegisterError:  # whose names are hidden nobody knows
            register = None
        if register is not None and not register.forgotten:
            return game
        if self._masked is None or self._masked[0] is not game or self._masked[1] is not register:
            names = () if register is None else people({one.player: register.mask(one.name) for one in game.people})
            self._masked = game, register, replace(game, people=names)
        return self._masked[2]

    def health(self) -> tuple[Statement, ...]:
        """What is wrong with the machine."""
        return self._shown.health

    def notices(self) -> tuple[Statement, ...]:
        """What those at the board are told of it."""
        return self._shown.notices

    @property
    def replay(self) -> int:
        """The number of the game that is shown in the journal; 0 while there is none."""
        return self._shown.number

    @property
    def is_demonstrated(self) -> bool:
        """Whether hands in software play at it."""
        return self._controller.is_demonstrated

    async def changes(self) -> AsyncIterator[None]:
        """Yield at once, after every change (at most ten times a second) and at least each second."""
        while True:
            changed = self._changed
            yield
            await asyncio.sleep(SPACING)
            with suppress(TimeoutError):
                # `wait_for` of Python 3.11 may swallow being cancelled when the event comes at that moment.
                async with asyncio.timeout(BEAT - SPACING):
                    await changed.wait()

    # What may be entered by hand

    async def correct(self, correction: Correction, after: int | None = None) -> tuple[Ruling, ...]:
        """Enter an event by hand. Raises ControllerError."""
        return await self._cross(self._controller.correct(correction, after))

    async def enter(self, text: str, who: str, why: str = "", after: int | None = None) -> tuple[Ruling, ...]:
        """Enter the next turn. Raises ControllerError."""
        return await self._cross(self._controller.enter(text, who, why, after))

    async def throw(self, after: int | None = None) -> tuple[Ruling, ...]:
        """Throw or draw for nature. Raises ControllerError."""
        return await self._cross(self._controller.throw(after))

    async def new_game(self, setup: GameSetup, abandoned_by: str = "") -> None:
        """Start a new game. Raises ControllerError."""
        await self._cross(self._controller.new_game(setup, abandoned_by))

    async def take_up(self, stored: StoredGame, records: Sequence[Record]) -> None:
        """Bring a game that was put away back to the board. Raises ControllerError."""
        await self._cross(self._controller.take_up(stored, records))
