"""Serve the daemon's pages over HTTP, in a thread apart from the referee."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from gnomon.records.journal.hidden_names import MaskedArchive
from gnomon.records.journal.people_file import PeopleFile
from gnomon.records.journal.writer import Journal
from gnomon.web.access import Authenticator, Role
from gnomon.web.app import application
from gnomon.web.app_context import AppContext, Demonstration
from gnomon.web.games.analyses import Analyses
from gnomon.web.live.delayed_feed import DelayedFeed
from gnomon.web.live.interfaces import LiveBoard, is_free
from gnomon.web.live.streams import AT_MOST, AT_MOST_OF_ONE, Readers
from gnomon.web.middleware.limits import Allowance
from gnomon.web.server.connections import Bounds
from gnomon.web.server.listener import PLAIN, Listener, Way
from gnomon.web.server.workers import Workers
from gnomon_pi.pages.live_board import LoopBridge, PageBoard
from gnomon_pi.runtime.controller import BoardController
from gnomon_pi.runtime.exercises import puzzles_of
from gnomon_pi.runtime.system.process import SETTLED, give_back_what_is_free
from gnomon_pi.runtime.system.threads import CriticalThread

if TYPE_CHECKING:
    from gnomon.web.api.operation import Operation

LOOKED_EACH: Final = 60.0  # seconds; nobody waits for a puzzle
BENCH: Final = "/bench/"
JOIN: Final = 2.0  # seconds for the thread to end when the daemon stops


@dataclass(frozen=True, slots=True)
class Room:
    """How much the pages may be asked: connections, requests, and readers in all and at one address.

    `delay` is by how many seconds spectators see the board later, and `looked_each` how many pass between two looks for
    games of which no puzzles have been made, where any are made.
    """

    bounds: Bounds = field(default_factory=Bounds)
    allowance: Allowance | None = field(default_factory=Allowance)
    readers: int = AT_MOST
    readers_of_one: int = AT_MOST_OF_ONE
    delay: float = 0.0
    looked_each: float = LOOKED_EACH
    makes_puzzles: bool = True


USUAL: Final = Room()


@dataclass(frozen=True, slots=True)
class Ways:
    """How pages come to the daemon from the loop in which they are served.

    `do` has the daemon's loop do something, and `answer` is how a stream of events is answered.
    """

    do: Callable[[Coroutine[Any, Any, Any]], Awaitable[Any]]
    answer: Callable[[Request, AsyncGenerator[str, None]], Response]


class SimulationPages(Protocol):
    """What the pages of a board in software have besides."""

    def demonstration(self, bridge: LoopBridge) -> Demonstration:
        """Hands that show a game."""
        ...

    def operations(self, ways: Ways, looking: Role) -> "Sequence[Operation]":
        """What people may do to the board in software; those who may do `looking` may see what is on it now."""
        ...


class _Shown(NamedTuple):
    """What the pages are about."""

    controller: BoardController
    journal: Journal
    door: Authenticator
    simulation: SimulationPages | None


class SparingPages:
    """Pages that keep nothing of what making the first of them needed: templates are read and compiled for it."""

    def __init__(self, pages: ASGIApp) -> None:
        self.pages = pages
        self._is_visited = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request. Raises what the pages raise."""
        if not self._is_visited:
            self._is_visited = True
            asyncio.get_running_loop().call_later(SETTLED, give_back_what_is_free)
        await self.pages(scope, receive, send)


class PageServer(Listener):
    """The pages at an address; the address is taken when this is made."""

    def __init__(self, host: str, port: int, way: Way = PLAIN, room: Room = USUAL) -> None:
        """Raises PortError when the address is not to be had, and for a certificate that cannot be used."""
        super().__init__(host, port, way, room.bounds)
        self._room = room
        self._serving: tuple[asyncio.AbstractEventLoop, asyncio.Task[None]] | None = None

    async def serve(
        self,
        controller: BoardController,
        journal: Journal,
        door: Authenticator,
        simulation: SimulationPages | None = None,
    ) -> None:
        """Serve the pages of a controller and of the games in a journal until told to stop.

        To be called in the daemon's loop. Raises what ends the serving.
        """
        daemon = asyncio.get_running_loop()
        thread = CriticalThread("pages", partial(self._work, daemon, _Shown(controller, journal, door, simulation)))
        try:
            await thread.wait()
        finally:
            thread.stop()
            self._interrupt()
            # Not here: what the pages have begun ends in this loop, and they wait for it.
            await asyncio.to_thread(thread.join, JOIN)

    def _work(self, daemon: asyncio.AbstractEventLoop, shown: _Shown, stop: Event) -> None:
        with asyncio.Runner() as runner:
            try:
                runner.run(self._serve(daemon, shown, stop))
            except asyncio.CancelledError:
                if not stop.is_set():
                    raise

    async def _serve(self, daemon: asyncio.AbstractEventLoop, shown: _Shown, stop: Event) -> None:
        task = asyncio.current_task()
        assert task is not None, "a coroutine runs in a task"  # noqa: S101 - so that mypy knows it too
        loop = asyncio.get_running_loop()
        loop.set_default_executor(Workers())
        self._serving = (loop, task)
        if stop.is_set():  # it was told before it could be interrupted
            return
        bridge = LoopBridge(daemon)
        board = await PageBoard.of(shown.controller, bridge, PeopleFile.beside(shown.journal.path))
        past = DelayedFeed(board, shown.journal, self._room.delay) if self._room.delay else None
        context = self._context(bridge, shown, board, past)
        making = None
        if self._room.makes_puzzles:
            # A task without a watch: nothing vital.
            making = asyncio.create_task(_make_puzzles(context, self._room.looked_each), name="puzzles")
        try:
            if past is None:
                await self.listen(SparingPages(_pages(bridge, shown, context)))
                return
            async with asyncio.TaskGroup() as group:
                following = group.create_task(past.follow(), name="what spectators see")
                await self.listen(SparingPages(_pages(bridge, shown, context)))
                following.cancel()
        finally:
            if making is not None:
                making.cancel()

    def _context(self, bridge: LoopBridge, shown: _Shown, board: PageBoard, past: DelayedFeed | None) -> AppContext:
        room, simulation = self._room, shown.simulation
        readers = Readers(room.readers, room.readers_of_one)
        people = PeopleFile.beside(shown.journal.path)
        return AppContext(
            board,
            MaskedArchive(shown.journal, people),
            self.hosts,
            None if simulation is None else BENCH,
            door=shown.door,
            readers=readers,
            allowance=room.allowance,
            past=past,
            address=lambda: self.for_phones,
            demonstration=None if simulation is None else simulation.demonstration(bridge),
            people=people,
            advisor=lambda: bridge(shown.controller.advise()),
            doubter=lambda text: bridge(shown.controller.doubt(text)),
            hand_judge=lambda texts: bridge(shown.controller.judge_picked(texts)),
            threat_noter=lambda: bridge(shown.controller.note_threat()),
            is_tournament=lambda: shown.controller.is_tournament,
            analyses=Analyses.beside(shown.journal.path, lambda: _is_played(board)),
            solutions=Analyses.of_positions(shown.journal.path, lambda: _is_played(board)),
            puzzles=puzzles_of(shown.journal.path),
            makes_puzzles=room.makes_puzzles,
        )

    def _interrupt(self) -> None:
        """Cancel the serving, from the daemon's thread."""
        if self._serving is not None:
            pages, task = self._serving
            if not pages.is_closed():
                pages.call_soon_threadsafe(task.cancel)


def _pages(bridge: LoopBridge, shown: _Shown, context: AppContext) -> Starlette:
    if shown.simulation is None:
        return application(context)
    # The bench shows the board as it is, and nobody plays by what spectators see.
    looking = Role.SPECTATOR if context.past is None else Role.PLAYER
    operations = partial(shown.simulation.operations, Ways(bridge, context.readers.answer), looking)
    return application(context, operations=operations)


async def _make_puzzles(context: AppContext, looked_each: float) -> None:
    """Have puzzles made of the board's games, for good: while nobody plays, and nothing is made that somebody wants."""
    folder, wanted = context.puzzles, [each for each in (context.analyses, context.solutions) if each is not None]
    if folder is None:
        return

    def is_busy() -> bool:
        return context.is_tournament() or _is_played(context.board) or any(each.is_at_work for each in wanted)

    await asyncio.sleep(looked_each)
    from gnomon.web.games.puzzle_maker import PuzzleMaker  # with what a board at rest does not need

    await PuzzleMaker.into(folder, context.archive, is_busy).follow(looked_each)


def _is_played(board: LiveBoard) -> bool:
    """Whether people play at the board now."""
    return not is_free(board.game()) and not board.is_demonstrated
