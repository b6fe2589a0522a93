"""Connect a board in virtual time with a real hub in memory, over a bad bus."""

from collections.abc import Callable
from pathlib import Path
from random import Random

from gnomon.hall.hub.hub import Hub, Send
from gnomon.hall.messaging.bus import Message
from gnomon.hall.messaging.memory_bus import MemoryBroker
from gnomon.hall.messaging.messages import Request, Status, Topic
from gnomon.hall.store.backend import open_database
from gnomon.hall.store.records import Key, RecordStore
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from gnomon_pi.hall_link._confirmation import Confirmations
from gnomon_pi.hall_link._link import HallLink, LinkSources, will_of
from gnomon_pi.runtime.controller import BoardSnapshot
from tests.daemon.halves import notebook
from tests.hall.empty_halls import begin_hall
from tests.hall.faults import Faults, FaultyBus
from tests.virtual_daemon import VirtualDaemon

BOARD = "t07"
BEAT = 0.25  # seconds between two looks of the hub


class Evening:
    """One board, one hub, and the bus between them, all in the daemon's virtual time."""

    def __init__(
        self,
        daemon: VirtualDaemon,
        folder: Path,
        faults: Faults | None = None,
        seed: int = 1,
        delay: Duration = Duration(0),
    ) -> None:
        self.daemon, self.watch, self.chance, self.delay = daemon, daemon.watch, Random(seed), delay
        self.broker = MemoryBroker()
        self.database = open_database(begin_hall(str(folder / "hall.sqlite")))
        self.store = RecordStore(self.database)
        self.hub = self.started_hub()
        self.states: list[Message] = []
        self.live: list[Message] = []
        self.broker.connect().subscribe(Topic.STATE.of(BOARD), self.states.append)
        self.broker.connect().subscribe(Topic.LIVE.of(BOARD), self.live.append)
        self.wishes: list[Request] = []
        self.faults = faults
        self.link, self.bus = self.started_link()
        self._look()

    def started_hub(self) -> Hub:
        """A hub that knows what its database says; with `faults` what it hears is lost, doubled and mixed up."""
        hub = Hub(self.store.marks(), now=self.watch.now())
        listening = FaultyBus(self.broker, self.chance)
        for topic in (Topic.STATUS, Topic.STATE, Topic.LIVE, Topic.RECORDS, Topic.ANSWER):
            listening.subscribe(topic.of_all, lambda message: self._heard(hub, message))
        self._hub_bus = listening
        hub.on_connect()
        return hub

    def started_link(self) -> tuple[HallLink, FaultyBus]:
        """The board's side, as the daemon starts it."""
        runner, health, book = self.daemon.runner, self.daemon.health, notebook(self.daemon)
        session = f"session {len(book.records)}"
        me = Status(BOARD, online=True, epoch=book.epoch, session=session, boot=self.watch.boot, delay=self.delay)
        bus = FaultyBus(self.broker, self.chance, self.faults, will_of(me))
        self.confirming = Confirmations(runner, health, book.read)
        link = HallLink(me, book, bus, LinkSources(self.watch.now, self.chance.random, lambda: "renewed"), health)

        def show() -> None:
            shown = BoardSnapshot(runner.shown, runner.shown_origin, runner.health(), runner.shown_number)
            link.show(shown, self.confirming.confirmed)

        runner.on_change(show)
        show()
        self._wake_later = _Waker(lambda: self._run(link), self.watch.later)
        link.join(lambda: self._wake_later(0), self.wishes.append)
        return link, bus

    def kill_hub(self) -> None:
        """The hub forgets everything but its database, and starts again."""
        self._hub_bus.close()
        self.hub = self.started_hub()

    def pass_by(self, seconds: float) -> None:
        """Let time pass."""
        self.daemon.pass_to(Instant(self.watch.now() + round(seconds * SECOND)))

    @property
    def key(self) -> Key:
        """The journal of the board."""
        return Key(BOARD, notebook(self.daemon).epoch)

    @property
    def mark(self) -> int:
        """How far the hall has the board's journal where no power cut takes it."""
        return self.store.marks().get(self.key, 0)

    def _heard(self, hub: Hub, message: Message) -> None:
        if hub is self.hub:
            hub.take(message, self.watch.now())

    def _run(self, link: HallLink) -> None:
        if link is self.link:
            due = link.run(self.watch.now())
            self._wake_later(max(0, due - self.watch.now()) / SECOND)

    def _look(self) -> None:
        """One round of the hub: what came is written down, then acknowledged, and what is due goes out."""
        self.link.stir()
        self.broker.deliver()
        pile = self.hub.pile("now", self.watch.now())
        sends = [] if pile.is_empty else self.hub.commit(pile, self.store.save(pile), self.watch.now())
        for send in [*sends, *self.hub.due(self.watch.now())]:
            self._publish(send)
        self.broker.deliver()
        self.watch.later(BEAT, self._look)

    def _publish(self, send: Send) -> None:
        self._hub_bus.publish(send.topic, send.payload, retain=send.retain, expires=send.expires)


class _Waker:
    """Calls once at the earliest of the times that were wished for since the last call."""

    def __init__(self, call: Callable[[], None], later: Callable[[float, Callable[[], None]], None]) -> None:
        self._call, self._later, self._number = call, later, 0

    def __call__(self, seconds: float) -> None:
        self._number += 1
        number = self._number
        self._later(seconds, lambda: self._call() if number == self._number else None)
