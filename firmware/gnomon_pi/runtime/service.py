"""Run the daemon as a service: its threads, its asyncio tasks, and the wake-ups of the loop."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Final, Literal

from gnomon.records.journal.rescue import Rescue
from gnomon.records.journal.store import JournalError
from gnomon.records.journal.writer import Journal
from gnomon.referee.game import Game
from gnomon.referee.opponents import WARNINGS
from gnomon.referee.setup import GameSetup
from gnomon.refusals import statement_of
from gnomon.timekeeping.instants import Instant
from gnomon.words import ENGLISH, Words
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.drivers.assembly import Drivers
from gnomon_pi.runtime._journal_writer import JournalWriter
from gnomon_pi.runtime._menu_desk import MenuDesk
from gnomon_pi.runtime.controller import BoardController, Simulation
from gnomon_pi.runtime.exercises import Tutor, puzzles_of
from gnomon_pi.runtime.health import Audience, Health
from gnomon_pi.runtime.live_game import Host
from gnomon_pi.runtime.outputs import Devices, Outputs, Poster, sides_of
from gnomon_pi.runtime.recovery import RecoveryError, recover
from gnomon_pi.runtime.runner import Runner
from gnomon_pi.runtime.scanner import InputEdge, Scanner, ScanSchedule, keep_scanning, period_of
from gnomon_pi.runtime.system.clock import Watch
from gnomon_pi.runtime.system.process import notify
from gnomon_pi.runtime.system.randomness import SYSTEM, Chance
from gnomon_pi.runtime.system.threads import BackgroundDisplay, CriticalThread
from gnomon_pi.runtime.tag_input import TagInput
from gnomon_pi.runtime.watchdog import PERIOD, Watchdog

if TYPE_CHECKING:
    from gnomon_pi.runtime.engine_play.coach import CoachDesk  # each is loaded by the first game that needs it
    from gnomon_pi.runtime.engine_play.opponent import EngineDesk

JOIN: Final = 2.0  # seconds for a thread to end when the daemon stops
LATE: Final = 15.0
"""Seconds for the start, of which people are told when it takes longer: the slowest Pi needs a third of them."""


@dataclass(frozen=True, slots=True)
class Orders:
    """What the daemon is to do with games; `setup` is of the one to start when none is unfinished, None starts none.

    `chance` throws and draws for nature when it is asked to,
    and `calibration` is the file of measured durations. The display has the words of a language. With `warns` games are
    begun that warn of blunders unless their settings say otherwise; in a tournament none does, nor has anybody help.
    """

    setup: GameSetup | None = None
    notify_socket: str | None = None
    chance: Chance = SYSTEM
    calibration: Path | None = None
    words: Words = ENGLISH
    is_tournament: bool = False
    warns: bool = False


def usual_settings(orders: Orders) -> Mapping[str, object]:
    """The settings of every game that is begun here and does not say otherwise."""
    return {WARNINGS: "on"} if orders.warns and not orders.is_tournament else {}


@dataclass(frozen=True, slots=True)
class Parts:
    """What the daemon runs on; `simulation` is there when the board is in software."""

    watch: Watch
    journal: Journal
    drivers: Drivers
    description: BoardDescription
    simulation: Simulation | None = None


class Service:
    """The running daemon; to be made in its asyncio loop."""

    def __init__(self, parts: Parts, orders: Orders, rescued: Rescue | None = None) -> None:
        """`rescued` is what was wrong with the journal."""
        self._parts = parts
        self._orders = orders
        self._rescued = rescued
        self._loop = asyncio.get_running_loop()
        self._stirred = asyncio.Event()
        self._failure: asyncio.Future[None] = self._loop.create_future()
        display = parts.drivers.display
        self._display = None if display is None else BackgroundDisplay(display, self._lose_picture_from_a_thread)
        self.health = Health(self._stir_from_a_thread)
        self._journal_writer = JournalWriter(parts.journal, parts.watch, version("gnomon"))
        sides = sides_of(parts.description)
        large = parts.description.display is not None and parts.description.display.letters == "large"
        self._show = Outputs(
            Devices(parts.drivers.lights, self._display, parts.drivers.sound, sides, large, orders.words), self.health
        )
        self._host = Host.of(parts.description)
        self.runner = Runner(parts.watch, self._journal_writer, self._show, self.health, self._host)
        sensors, reader = parts.drivers.sensors, parts.description.reader
        self._scanner = None if sensors is None else Scanner(sensors, parts.description.inputs, self.health)
        # Late scans of a board in software say something of somebody's computer, and nothing of a game.
        punctuality = self.health if parts.simulation is None else Health()
        self._beat = ScanSchedule(parts.watch.now(), punctuality, period_of(parts.description.sensors))
        codes = {} if reader is None else reader.codes
        puzzles = puzzles_of(parts.journal.path)
        self.controller = BoardController(
            self.runner,
            parts.simulation,
            orders.chance,
            orders.calibration,
            is_tournament=orders.is_tournament,
            puzzles=puzzles,
        )
        self._tutor = Tutor(self.runner, puzzles)
        self.controller.usual = usual_settings(orders)
        self._engine: EngineDesk | None = None
        self._coach: CoachDesk | None = None
        self._menu = None
        if self._display is not None:
            self._menu = MenuDesk(self.runner, self.controller, self._show, parts.watch, orders.words, large=large)
        self._reading = TagInput(self.runner, self.health, codes)
        self.runner.on_stir(self._stirred.set)
        if self._scanner is not None:
            self.runner.on_rescan(self._scanner.report_all)
        parts.journal.on_durable(lambda _: self._stir_from_a_thread())
        parts.journal.on_failed(lambda _: self._stir_from_a_thread())
        self._loop.set_exception_handler(self._callback_failed)

    async def run(
        self,
        stop: asyncio.Event,
        ready: Callable[[], None],
        *more: Coroutine[Any, Any, None],
        begin: Callable[[], Awaitable[None]] | None = None,
        late: Callable[[], None] | None = None,
    ) -> None:
        """Run, with `more` vital work, until told to stop.

        `begin` is awaited after the ordered game has started, `ready` called once everything runs, and `late` when that
        takes longer than `LATE`. Raises ControllerError when the ordered game cannot start, what `begin` raises, and
        whatever ends anything vital.
        """
        self._recover()
        self._hear_buttons()
        if self._parts.drivers.reader is not None:
            self._parts.drivers.reader.start(self._post_code)
        threads = [] if self._scanner is None else [CriticalThread("scans", partial(self._scan, self._scanner))]
        if self._display is not None:
            threads.append(CriticalThread("display", self._display.work))
        work = [
            self._keep_running(),
            self._keep_up(),
            self._play_for_engines(),
            self._tutor.work(),
            self._warn_of_blunders(),
            self._answer_draws(),
            *(() if self._menu is None else (self._menu.work(),)),
            *(thread.wait() for thread in threads),
            self._watch_for_failure(),
            *more,
        ]
        vital = [asyncio.create_task(each, name=getattr(each, "__qualname__", "")) for each in work]
        told = asyncio.create_task(stop.wait())
        # Apart, because it may wait for what has ended already: a journal, an engine, the first scan.
        start = asyncio.create_task(self._start(begin), name="start")
        warning = None if late is None else self._loop.call_later(LATE, late)
        try:
            await _first_end(vital, told, start)
            if start.done():
                start.result()
                ready()
                if warning is not None:
                    warning.cancel()
                await _first_end(vital, told)
        finally:
            for thread in threads:
                thread.stop()
            if self._display is not None:
                self._display.wake()
            if self._parts.simulation is not None:
                self._parts.simulation.stop_playing()
            if warning is not None:
                warning.cancel()
            await _cancel([*vital, told, start])
            for thread in threads:
                thread.join(JOIN)

    @property
    def has_display(self) -> bool:
        """Whether the board can show anything in words."""
        return self._display is not None

    def put_up(self, poster: Poster | None) -> None:
        """Show something besides at the board, or nothing more."""
        self._show.put_up(poster)
        self._stirred.set()

    def invite(self, address: Callable[[], str]) -> None:
        """Show at the board where its page is, as long as there is no game."""
        self._show.invite(address)
        self._stirred.set()

    def _recover(self) -> None:
        """Bring back the last game; one that cannot be brought back stays in the journal, and people are told."""
        is_cut = self._rescued is not None and not self._rescued.is_complete
        if self._rescued is not None:
            self.health.wrong("journal file", self._rescued.statement, Audience.PLAYERS)
        try:
            stored = self._parts.journal.last_game()
            if stored is None:
                return
            records = self._parts.journal.read(stored.id)
            recovered = recover(stored, records, self._journal_writer, self._parts.watch, self._host, is_cut=is_cut)
        except (RecoveryError, JournalError) as error:
            self.health.wrong("recovery", statement_of(error), Audience.PLAYERS)
            return
        for remark in recovered.remarks:
            self.health.wrong("recovery", remark, Audience.PLAYERS)
        if self._parts.simulation is not None:
            self._parts.simulation.restore(recovered.live_game)
        if self._scanner is not None:
            self._scanner.know_until(recovered.live_game.raw(recovered.live_game.last))
        self.runner.resume(recovered)

    def _hear_buttons(self) -> None:
        buttons = self._parts.drivers.buttons
        buttons.start(self._post_button)
        for _ in range(2):  # It takes two looks to believe that one is down already.
            buttons.check()

    async def _start(self, begin: Callable[[], Awaitable[None]] | None) -> None:
        """Start what the command line asks for."""
        if self._orders.setup is not None and not self.runner.is_unfinished:
            await self.controller.new_game(self._orders.setup)
        if begin is not None:
            await begin()

    async def _keep_running(self) -> None:
        while True:
            self._stirred.clear()
            wake = self.runner.run(self._parts.watch.now())
            alarm = None
            if wake is not None:
                alarm = self._loop.call_later(max(0, wake - self._parts.watch.now()) / 1_000_000, self._stirred.set)
            await self._stirred.wait()
            if alarm is not None:
                alarm.cancel()

    async def _until_a_game(self, needs: Callable[[Game], bool]) -> None:
        """Wait until there is a game that needs something."""
        changed = asyncio.Event()
        self.runner.on_change(changed.set)
        while (live := self.runner.live_game) is None or not needs(live.game):
            changed.clear()
            await changed.wait()

    async def _play_for_engines(self) -> None:
        """Play what engines play, from the first game on that one takes part in: most evenings never load this."""
        await self._until_a_game(lambda game: game.opponent is not None)
        from gnomon_pi.runtime.engine_play.opponent import EngineDesk

        self._engine = EngineDesk(self.runner, self.health)
        await self._engine.work()

    async def _warn_of_blunders(self) -> None:
        """Warn and help, from the first game on that wants it."""
        await self._until_a_game(lambda game: game.warns or bool(game.help))
        from gnomon_pi.runtime.engine_play.coach import CoachDesk

        self._coach = CoachDesk(self.runner, lambda: self.controller.is_tournament)
        self.controller.coach = self._coach.coach
        await self._coach.work()

    async def _answer_draws(self) -> None:
        """Answer for engines, from the first draw on that is offered in a game with one."""
        await self._until_a_game(lambda game: game.opponent is not None and game.draw is not None)
        from gnomon_pi.runtime.engine_play.draw_answers import DrawAnswers

        await DrawAnswers(self.runner).work()

    async def _keep_up(self) -> None:
        parts = self._parts.drivers
        drivers = [driver for driver in (parts.sensors, parts.sound) if driver is not None]
        beat = None if self._scanner is None else self._beat
        journal = self._parts.journal
        watchdog = Watchdog(self._parts.watch, self.health, beat, parts.buttons, drivers, parts.reader, journal)
        while True:
            await asyncio.sleep(PERIOD)
            if watchdog.look():
                notify(self._orders.notify_socket, "WATCHDOG=1")

    def _scan(self, scanner: Scanner, stop: Event) -> None:
        keep_scanning(scanner, self._beat, self._parts.watch, self._post, stop)

    def _post(self, edges: tuple[InputEdge, ...]) -> None:
        self._loop.call_soon_threadsafe(self.runner.post, edges)
        if self._display is not None:
            self._display.brighten()

    def _post_button(self, stamp: int, name: str, value: bool) -> None:  # noqa: FBT001 - the contract of ButtonDriver
        edge = InputEdge(Instant(stamp), name, value)
        if self._menu is None:
            self._post((edge,))
            return
        self._loop.call_soon_threadsafe(self._menu.hear, edge)
        if self._display is not None:
            self._display.brighten()

    def _post_code(self, stamp: int, code: str) -> None:
        self._loop.call_soon_threadsafe(self._reading.read, Instant(stamp), code)

    def _lose_picture_from_a_thread(self) -> None:
        self._loop.call_soon_threadsafe(self._show.lose_picture)
        self._stir_from_a_thread()

    def _stir_from_a_thread(self) -> None:
        self._loop.call_soon_threadsafe(self._stirred.set)

    async def _watch_for_failure(self) -> None:
        await self._failure

    def _callback_failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """A callback has failed: the daemon with it, but for a connection of the page, which fails alone."""
        if "transport" in context or "protocol" in context:
            loop.default_exception_handler(context)
        elif not self._failure.done():
            self._failure.set_exception(context.get("exception") or RuntimeError(context["message"]))


async def _first_end(
    vital: list[asyncio.Task[None]], told: asyncio.Task[Literal[True]], start: asyncio.Task[None] | None = None
) -> None:
    """Wait until it is told to stop, or has started. Raises what ends anything vital before that."""
    waiting: list[asyncio.Task[Any]] = [*vital, told] if start is None else [*vital, told, start]
    ended, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    if start in ended:
        return
    for task in vital:
        if task in ended:
            task.result()
            message = f"{task.get_name()} has ended by itself"
            raise RuntimeError(message)


async def _cancel(tasks: list[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
