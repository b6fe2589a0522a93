"""Connect a running daemon to its hall: identity, bus, the thread of the link, and the callbacks between them."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from importlib.metadata import version
from secrets import SystemRandom, token_hex
from threading import Event, Thread
from typing import Final, NamedTuple

from gnomon.hall.home_assistant import BIRTH, ONLINE, descriptions
from gnomon.hall.messaging.bus import Bus, Message, Will
from gnomon.hall.messaging.messages import Answer, Fate, Request, Status
from gnomon.records.journal.writer import Journal
from gnomon.refusals import statement
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from gnomon_pi.hall_link._commands import HallCommands
from gnomon_pi.hall_link._confirmation import Confirmations
from gnomon_pi.hall_link._link import HallLink, LinkSources, will_of
from gnomon_pi.runtime.health import Health
from gnomon_pi.runtime.service import Service
from gnomon_pi.runtime.system.clock import Watch

_ID: Final = 8  # bytes of a name that is made by chance

OpenBus = Callable[[Will], AbstractContextManager[Bus]]
JOIN: Final = 2.0  # seconds for the thread to end when the daemon stops
AFTER_A_FAULT: Final = 5.0
"""Seconds before it is tried again: what was at fault may have been one message, or one moment."""
AT_ONCE: Final = 3 * SECOND
"""A connection that ends so soon after a description was ended by it: Mosquitto 2.0.11 ends that of a
client that writes where it may not."""


class LinkOptions(NamedTuple):
    """As which board it is in the hall, whether it describes itself to Home Assistant, and who is told what hinders.

    `delay` is by how much later than those at the board spectators may see it. `hall` is the name of the hall in
    topics, empty for protocol 1.
    """

    board: str
    home_assistant: bool = False
    say: Callable[[str], None] = print
    delay: Duration = Duration(0)
    hall: str = ""


@contextmanager
def join_hall(
    manner: LinkOptions, service: Service, journal: Journal, watch: Watch, open_bus: OpenBus
) -> Iterator[Status]:
    """Be in the hall for a while, with who it is there; to be called in the daemon's loop. Raises JournalError."""
    me = _status(manner, service, journal, watch)
    with open_bus(will_of(me)) as bus:
        world = LinkSources(watch.now, SystemRandom().random, partial(token_hex, _ID))
        link = HallLink(me, journal, bus, world, service.health)
        errands = HallCommands(service.controller, watch.now, me.session, link.put_up)
        errands.remember(journal)
        _listen(link, service, journal)
        if manner.home_assistant:
            HomeAssistantEntry(me, bus, watch.now, manner.say, manner.hall)
        do = partial(_hand_over, asyncio.get_running_loop(), errands, link)
        thread = LinkThread(link, do, watch.now, service.health)
        try:
            yield me
        finally:
            thread.stop()


def _status(manner: LinkOptions, service: Service, journal: Journal, watch: Watch) -> Status:
    host = service.runner.host
    return Status(
        board=manner.board,
        online=True,
        epoch=journal.epoch,
        session=token_hex(_ID),
        boot=watch.boot,
        version=version("gnomon"),
        kind=host.board,
        games=tuple(host.games),
        delay=manner.delay,
    )


def _listen(link: HallLink, service: Service, journal: Journal) -> None:
    """Tell the link of everything that changes at the board."""
    confirming = Confirmations(service.runner, service.health, journal.read)

    def show() -> None:
        link.show(service.controller.snapshot(), confirming.confirmed)

    service.runner.on_change(show)
    journal.on_durable(lambda _: link.stir())
    show()


def _hand_over(loop: asyncio.AbstractEventLoop, errands: HallCommands, link: HallLink, request: Request) -> None:
    """Have the daemon's loop carry out a wish."""
    doing = asyncio.run_coroutine_threadsafe(errands.do(request), loop)
    doing.add_done_callback(partial(_pass_answer, link, request.id))


def _pass_answer(link: HallLink, request: str, done: "Future[Answer]") -> None:
    if done.cancelled():  # the daemon is stopping
        return
    fault = done.exception()
    if fault is None:
        link.answer(done.result())
    else:
        why = statement("hall.answer.fault", fault=type(fault).__name__, detail=str(fault))
        link.answer(Answer(request, Fate.REFUSED, why))


# The thread of the link


class LinkThread:
    """Runs a link until it is stopped."""

    def __init__(
        self, link: HallLink, do: Callable[[Request], None], now: Callable[[], Instant], health: Health
    ) -> None:
        """`do` has the daemon carry out a wish; `now` is the board's raw clock."""
        self._link = link
        self._now = now
        self._health = health
        self._stirred, self._stop = Event(), Event()
        self._thread = Thread(target=self._work, name="hall", daemon=True)
        link.join(self._stirred.set, do)
        self._thread.start()

    def stop(self) -> None:
        """Let it say goodbye, and wait for its end, but not for long."""
        self._stop.set()
        self._stirred.set()
        self._thread.join(JOIN)

    def _work(self) -> None:
        while not self._stop.is_set():
            self._stirred.clear()
            try:
                due = self._link.run(self._now())
            except Exception as error:  # noqa: BLE001 - nothing about a hall is a reason to stop the clocks of a game
                self._health.wrong("hall", statement("health.hall.fault", detail=f"{type(error).__name__}: {error}"))
                self._stop.wait(AFTER_A_FAULT)
            else:
                self._stirred.wait(max(0, due - self._now()) / SECOND)
        self._link.goodbye()


# Home Assistant


class HomeAssistantEntry:
    """Describes a board each time that the connection, or Home Assistant, is there again."""

    def __init__(
        self, me: Status, bus: Bus, now: Callable[[], Instant], say: Callable[[str], None], hall: str = ""
    ) -> None:
        """`now` is the board's raw clock, `say` is told what hinders it, `hall` is named in the board's topics."""
        self._me = me
        self._bus = bus
        self._now = now
        self._say = say
        self._hall = hall
        self._described_at: Instant | None = None
        self._is_unwelcome = False
        bus.subscribe(BIRTH, self._on_birth)
        bus.on_connection(self._on_connection)

    def _on_birth(self, message: Message) -> None:
        if message.payload == ONLINE:
            self._describe()

    def _on_connection(self, is_there: bool) -> None:  # noqa: FBT001 - as a bus calls it
        if is_there:
            self._describe()
        elif self._described_at is not None and self._now() - self._described_at < AT_ONCE:
            self._is_unwelcome = True
            me = self._me.board
            self._say(f"{me} is not described to Home Assistant: let it by `gnomon hall enrol --home-assistant {me}`")

    def _describe(self) -> None:
        if self._is_unwelcome:  # once more would end the connection once more, and the hall would hear nothing
            return
        self._described_at = self._now()
        for each in descriptions(self._me, self._hall):
            self._bus.publish(each.topic, each.payload, retain=True)
