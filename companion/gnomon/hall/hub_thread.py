"""The only place where the hub lives: a thread that takes what comes, writes it down, and only then acknowledges it.

The bus hands messages to `take` in its own thread, which waits for nothing: of a board's state only the latest is
kept, and what is sure waits in a queue with an end; what finds no room there is lost, as any message may be.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol, TypeVar

from gnomon.hall.bus import Bus, Message
from gnomon.hall.changes import Listeners
from gnomon.hall.entering import Scope
from gnomon.hall.hub import Hub, HubError, Send
from gnomon.hall.inbox import Inbox
from gnomon.hall.messages import Topic
from gnomon.hall.store import Noted, Store
from gnomon.hall.store_database import StoreError
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant, after

RETRY: Final = Duration(500 * MILLISECOND)
"""The first pause after the database has failed; each further one is twice as long."""
LONGEST_RETRY: Final = Duration(30 * SECOND)
SEND_AGAIN: Final = Duration(20 * MILLISECOND)
"""After the bus, with enough on its way, has not taken something on."""
JUDGE_AGAIN: Final = Duration(5 * SECOND)
LOOK: Final = Duration(5 * SECOND)
"""How often it is looked whether another program has told a book something."""
_DROPPED: Final = "$SYS/broker/publish/messages/dropped"  # of Mosquitto: man mosquitto(8), "Broker status"
_LONGEST_COUNT: Final = 19  # digits
_LOOK_AGAIN: Final = 1.0  # seconds
_FROM_BOARDS: Final = (Topic.STATUS, Topic.STATE, Topic.RECORDS, Topic.ANSWER)

Clock = Callable[[], Instant]
AnswerT = TypeVar("AnswerT")


class Judge(Protocol):
    """What follows from new records beside their being kept: results."""

    def noted(self, noted: Sequence[Noted]) -> Iterable[str]:
        """Do what follows; the tournaments in which something has changed. Raises StoreError."""
        ...

    def again(self, scopes: Iterable[Scope]) -> Iterable[str]:
        """Do what follows from what is kept for something; the tournaments that it is about. Raises StoreError."""
        ...

    def everything(self) -> Iterable[str]:
        """Do what follows from everything that is kept: after a start, or a failure. Raises StoreError."""
        ...

    def looked(self) -> Iterable[str]:
        """See whether others have told a book something; the tournaments in which they have. Raises StoreError."""
        ...


class HubThread:
    """The hub at work on a bus and a database. Methods without a note may be called from any thread."""

    def __init__(  # noqa: PLR0913 - what it joins
        self, hub: Hub, store: Store, bus: Bus, *, clock: Clock, label: Callable[[], str], judge: Judge
    ) -> None:
        """`clock` is monotonic, `label` tells the date and time of day. Nothing begins before `start` or `step`."""
        self._hub = hub
        self._store = store
        self._bus = bus
        self._clock = clock
        self._label = label
        self._judge = judge
        self._inbox = Inbox()
        self._ends = False
        self._retry_at: Instant | None = None
        self._pause = RETRY
        self._failed: str | None = None
        self._to_judge: list[Noted] | None = None  # None: everything
        self._scopes: set[Scope] = set()
        self._judge_at = Instant(0)
        self._look_at = Instant(0)
        self._undecided: str | None = None
        self._dropped: tuple[int, int] | None = None  # the broker's first count, and its last
        self._thread: threading.Thread | None = None
        self._unsent: dict[tuple[str, bytes], Send] = {}  # what the bus would not take on
        self.listeners = Listeners()

    def connect(self) -> None:
        """Hear the boards from now on."""
        self._bus.on_connection(self._inbox.connection)
        for topic in _FROM_BOARDS:
            self._bus.subscribe(topic.of_all, self._inbox.take)
        self._bus.subscribe(_DROPPED, self._broker_dropped)

    def start(self) -> None:
        """Begin, in a thread of its own."""
        self.connect()
        self._thread = threading.Thread(target=self._run, name="hub", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write down what has come, as far as the database takes it, and end."""
        with self._inbox.filled:
            self._ends = True
            self._inbox.filled.notify_all()
        if self._thread is not None:
            self._thread.join()

    @property
    def failed(self) -> str | None:
        """Why nothing can be written just now, in one sentence, or None."""
        return self._failed

    @property
    def undecided(self) -> str | None:
        """Why results cannot be entered just now, in one sentence, or None."""
        return self._undecided

    @property
    def dropped_by_broker(self) -> int:
        """How many messages a broker has dropped since it was asked first: what counts comes again, and costs time."""
        first, last = self._dropped or (0, 0)
        return max(0, last - first)

    @property
    def is_alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread is not None and self._thread.is_alive()

    def order(self, order: Callable[[], AnswerT]) -> AnswerT:
        """Have something done in the hub's thread, and wait for it. Raises what it raises."""
        if self._thread is None or threading.current_thread() is self._thread:
            return order()
        done = threading.Event()
        outcome: list[AnswerT] = []
        failure: list[BaseException] = []

        def carry_out() -> None:
            try:
                outcome.append(order())
            except BaseException as error:  # noqa: BLE001 - it is raised again where it was ordered
                failure.append(error)
            finally:
                done.set()

        self._inbox.order(carry_out)
        while not done.is_set():
            if not self.is_alive:
                message = "the hall is closed: nothing more can be done in it"
                raise HubError(message)
            done.wait(_LOOK_AGAIN)
        if failure:
            raise failure[0]
        return outcome[0]

    def forget(self, board: str) -> None:
        """Take a board off the floor, with what is retained of it. In the hub's thread. Raises StoreError."""
        self._store.forget(board)
        self._hub.forget(board)
        self._send(Send(topic.of(board), b"", retain=True) for topic in (Topic.STATUS, Topic.STATE, Topic.ACK))

    def judge_again(self, *scopes: Scope) -> None:
        """Look at something again, for its rule has changed, and see what books have been told."""

        def look() -> None:
            self._scopes |= {*scopes}
            self._look_at = Instant(0)

        self._inbox.order(look)

    def step(self) -> None:
        """Take what has come, write it down, send what follows. For the thread itself, and for virtual time."""
        now = self._clock()
        orders, messages, dropped, is_connected_anew = self._inbox.emptied()
        for order in orders:
            order()
        for message in messages:
            self._hub.take(message, now)
        for what, count in dropped.items():
            self._hub.dropped(what, count)
        if is_connected_anew:
            self._hub.connected()
        if self._retry_at is None or now >= self._retry_at:
            self._write(now)
        if self._failed is None:
            self._results(now)
        self._send(self._hub.due(now))
        self.listeners.tell(self._hub.changed())

    def _run(self) -> None:
        try:
            while not self._ends:
                self.step()
                self._wait()
            self.step()
        finally:
            if not self._ends:  # this program is at fault; whoever waits must not wait for ever
                self._failed = "nothing is written down any more: the hub's thread has ended; start the hall again"

    def _wait(self) -> None:
        until = self._hub.deadline()
        if self._retry_at is not None:
            until = min(until, self._retry_at)
        if self._unsent and self._inbox.is_connected:
            until = min(until, after(self._clock(), SEND_AGAIN))
        with self._inbox.filled:
            if self._inbox.is_empty and not self._ends and (self._hub.waits == 0 or self._retry_at is not None):
                self._inbox.filled.wait(max(0.0, (until - self._clock()) / SECOND))

    def _write(self, now: Instant) -> None:
        try:
            while not (pile := self._hub.pile(self._label(), now)).is_empty:
                saved = self._store.save(pile)
                self._send(self._hub.kept(pile, saved, now))
                if self._to_judge is not None:
                    self._to_judge += saved.noted
                if not pile.records:
                    break
        except StoreError as error:
            self._to_judge = None
            self._failed = str(error)
            self._retry_at = after(now, self._pause)
            self._pause = min(LONGEST_RETRY, Duration(self._pause * 2))
        else:
            self._retry_at, self._pause, self._failed = None, RETRY, None

    def _results(self, now: Instant) -> None:
        """Enter what follows from what is kept; where that fails, from everything, some time later."""
        if now < self._judge_at:
            return
        try:
            changed = self._judged(now)
        except StoreError as error:
            self._to_judge, self._judge_at, self._undecided = None, after(now, JUDGE_AGAIN), str(error)
        else:
            self._undecided = None
            self.listeners.tell(tournaments=changed)

    def _judged(self, now: Instant) -> set[str]:
        """Do what is to be done, so far as there is anything. Raises StoreError."""
        changed: set[str] = set()
        if self._to_judge is None:
            changed.update(self._judge.everything())
        elif self._to_judge:
            changed.update(self._judge.noted(self._to_judge))
        self._to_judge = []
        if self._scopes:
            changed.update(self._judge.again(self._scopes))
            self._scopes.clear()
        if now >= self._look_at:
            changed.update(self._judge.looked())
            self._look_at = after(now, LOOK)
        return changed

    def _broker_dropped(self, message: Message) -> None:
        if message.payload.isdigit() and len(message.payload) < _LONGEST_COUNT:
            count = int(message.payload)
            first = count if self._dropped is None else self._dropped[0]
            self._dropped = (min(first, count), count)  # a broker that was started anew counts from 0

    def _send(self, sends: Iterable[Send]) -> None:
        """Let go out what can; the rest waits, of each board the latest of its kind, and each request."""
        for send in sends:
            self._unsent[send.topic, b"" if send.expires is None else send.payload] = send
        for key, send in tuple(self._unsent.items()):
            if not self._bus.publish(send.topic, send.payload, retain=send.retain, expires=send.expires):
                return
            del self._unsent[key]
