"""Run the hub of a hall, or a recorder, in its own thread, with database work in a second thread.

It waits for nothing but messages. The second thread does one piece of database work after the other; nothing is
acknowledged before that has returned, and while the database hangs, a hub goes on receiving the current state of
the boards.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, TypeVar

from gnomon.hall.hub._inbox import Inbox
from gnomon.hall.hub.changes import Listeners
from gnomon.hall.hub.hub import Hub, HubError, Send
from gnomon.hall.hub.recorder import Recorder
from gnomon.hall.messaging.bus import Bus, Message
from gnomon.hall.messaging.hall_names import hall_of
from gnomon.hall.messaging.messages import Topic
from gnomon.hall.rounds.result_entry import Scope
from gnomon.hall.rounds.work_queue import Agenda, Judge, JudgingTask
from gnomon.hall.store.database import StoreError
from gnomon.hall.store.records import RecordStore, Saved, WriteBatch
from gnomon.refusals import Statement, statement
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant, after

RETRY: Final = Duration(500 * MILLISECOND)
"""The first pause after the database has failed; each further one is twice as long."""
LONGEST_RETRY: Final = Duration(4 * SECOND)
"""Boards wait for the database, and people are told that it is away."""
GATHERED: Final = 0.02
"""Seconds for which states wait for others: taken one by one, those of a thousand boards cost a fifth more."""
SEND_AGAIN: Final = Duration(20 * MILLISECOND)
"""After the bus, with enough on its way, has not taken something on."""
_DROPPED: Final = "$SYS/broker/publish/messages/dropped"  # of Mosquitto: man mosquitto(8), "Broker status"
_LONGEST_COUNT: Final = 19  # digits
_LOOK_AGAIN: Final = 1.0  # seconds
_RETAINED: Final = (Topic.STATUS, Topic.STATE, Topic.LIVE, Topic.ACK, Topic.PACE)

Clock = Callable[[], Instant]
AnswerT = TypeVar("AnswerT")


class HubThread:
    """The hub at work on a bus and a database. Methods without a note may be called from any thread."""

    def __init__(  # noqa: PLR0913 - what it joins
        self,
        hub: Hub | Recorder,
        store: RecordStore,
        bus: Bus,
        *,
        clock: Clock,
        label: Callable[[], str],
        judge: Judge | None,
    ) -> None:
        """`clock` is monotonic, `label` tells the date and time of day. Nothing begins before `start` or `step`.

        Without a judge, others look after what follows from the records.
        """
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
        self._failed: Statement | None = None
        self._agenda = Agenda()
        self._is_working = False
        self._worker: ThreadPoolExecutor | None = None  # None: at once, in the thread that asks
        self._undecided: Statement | None = None
        self._dropped: tuple[int, int] | None = None  # the broker's first count, and its last
        self._thread: threading.Thread | None = None
        # What the bus would not take on. A dict that loses its first items is searched from its beginning each time.
        self._unsent: OrderedDict[tuple[str, bytes], Send] = OrderedDict()
        self.listeners = Listeners()

    def connect(self) -> None:
        """Hear the boards from now on."""
        self._bus.on_connection(self._inbox.connection)
        for pattern in self._hub.patterns:
            self._bus.subscribe(pattern, self._take)
        self._bus.subscribe(_DROPPED, self._broker_dropped)

    def start(self) -> None:
        """Begin, in a thread of its own."""
        self.connect()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="hub-database")
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
    def failed(self) -> Statement | None:
        """Why nothing can be written just now, or None."""
        return self._failed

    @property
    def undecided(self) -> Statement | None:
        """Why results cannot be entered just now, or None."""
        return self._undecided

    @property
    def dropped_by_broker(self) -> int:
        """How many messages a broker has dropped since it was asked first: what counts comes again, and costs time."""
        first, last = self._dropped or (0, 0)
        return max(0, last - first)

    @property
    def cut_off(self) -> Statement | None:
        """Why nothing is heard of the boards just now; None where the bus is there."""
        return self._bus.hindrance

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
                raise HubError(statement("hall.closed"))
            done.wait(_LOOK_AGAIN)
        if failure:
            raise failure[0]
        return outcome[0]

    def forget(self, board: str) -> None:
        """Take a board off the floor, with what is retained of it. Raises StoreError, and HubError after `close`."""
        self._store.forget(board)  # here, and not in the hub's thread: a database may let one wait
        self.order(partial(self._forget, board))

    def watch(self, boards: Sequence[str]) -> None:
        """Somebody looks at these boards for a while; nobody waits for that."""
        self._inbox.order(lambda: self._send(self._hub.watch(boards, self._clock())))

    def judge_again(self, *scopes: Scope) -> None:
        """Look at something again, for its rule has changed, and see what books have been told."""
        self._inbox.order(partial(self._agenda.add, *scopes))

    def step(self) -> None:
        """Take what has come, write it down, send what follows. For the thread itself, and for virtual time."""
        now = self._clock()
        orders, messages, dropped, is_connected_anew = self._inbox.take_all()
        for order in orders:
            order()
        for message in messages:
            self._hub.take(message, now)
        for what, count in dropped.items():
            self._hub.count_dropped(what, count)
        if is_connected_anew:
            self._hub.on_connect()
        if self._hub.take_recorded():
            self._agenda.hear()
        while self._works(now):
            pass
        self._send(self._hub.due(now))
        self.listeners.tell(self._hub.take_changed())

    def _take(self, message: Message) -> None:
        if self._hub.hears(message.topic):
            self._inbox.take(message)

    def _forget(self, board: str) -> None:
        self._hub.forget(board)
        if hall_of(board):
            return  # what is retained of it is another hall's
        self._send(Send(topic.of(board), b"", retain=True) for topic in _RETAINED)

    def _run(self) -> None:
        try:
            while not self._ends:
                self.step()
                self._wait()
            if self._worker is not None:
                self._worker.shutdown()
                self._worker = None
            self.step()
        finally:
            if not self._ends:  # this program is at fault; those who wait must not wait for ever
                self._failed = statement("hall.health.ended")

    def _wait(self) -> None:
        until = min(self._hub.deadline(), self._agenda.deadline())
        if self._retry_at is not None and not self._is_working:
            until = min(until, self._retry_at)
        if self._unsent and self._inbox.is_connected:
            until = min(until, after(self._clock(), SEND_AGAIN))
        with self._inbox.filled:
            if self._inbox.is_empty and not self._ends:
                self._inbox.filled.wait(max(0.0, (until - self._clock()) / SECOND))
            if not self._inbox.is_empty:
                self._inbox.filled.wait_for(lambda: self._ends or self._inbox.is_pressing, GATHERED)

    # The database

    def _works(self, now: Instant) -> bool:
        """Have the next piece of work done, if there is any; whether it was begun."""
        if self._is_working or (self._retry_at is not None and now < self._retry_at):
            return False
        pile, task = self._hub.pile(self._label(), now), self._task(now)
        if pile.is_empty and task.is_empty:
            return False
        self._is_working = True
        if self._worker is None:
            self._work(pile, task, _at_once)
        else:
            self._worker.submit(self._work, pile, task, self._inbox.order)
        return True

    def _task(self, now: Instant) -> JudgingTask:
        return JudgingTask() if self._judge is None else self._agenda.take(now)

    def _work(self, pile: WriteBatch, task: JudgingTask, tell: Callable[[Callable[[], None]], None]) -> None:
        """Write down and judge, in whatever thread that happens; `tell` has the hub's do what follows."""
        try:
            saved = Saved({}) if pile.is_empty else self._store.save(pile)
        except StoreError as error:
            tell(partial(self._not_written, error.statement))
            return
        except BaseException as error:
            tell(partial(_raise, error))
            raise
        tell(partial(self._commit, pile, saved))
        if self._judge is None:
            tell(partial(self._finish_judging, frozenset()))
            return
        try:
            task = task.and_also((*saved.noted, *(self._store.unjudged_entries() if task.looks or task.hears else ())))
            changed = task.done_by(self._judge)
            self._store.note_judged(task.noted or ())
        except StoreError as error:
            tell(partial(self._not_judged, error.statement))
        except BaseException as error:
            tell(partial(_raise, error))
            raise
        else:
            tell(partial(self._finish_judging, changed))

    def _commit(self, pile: WriteBatch, saved: Saved) -> None:
        if pile.is_empty:
            return
        self._retry_at, self._pause, self._failed = None, RETRY, None
        self._send(self._hub.commit(pile, saved, self._clock()))
        self.listeners.tell(tournaments=saved.answered)

    def _not_written(self, why: Statement) -> None:
        self._agenda.on_loss()
        self._is_working, self._failed = False, why
        self._retry_at = after(self._clock(), self._pause)
        self._pause = min(LONGEST_RETRY, Duration(self._pause * 2))

    def _finish_judging(self, changed: frozenset[str]) -> None:
        self._is_working, self._undecided = False, None
        self.listeners.tell(tournaments=changed)

    def _not_judged(self, why: Statement) -> None:
        self._agenda.on_failure(self._clock())
        self._is_working, self._undecided = False, why

    # The bus

    def _broker_dropped(self, message: Message) -> None:
        if message.payload.isdigit() and len(message.payload) < _LONGEST_COUNT:
            count = int(message.payload)
            first = count if self._dropped is None else self._dropped[0]
            self._dropped = (min(first, count), count)  # a broker that was started again counts from 0

    def _send(self, sends: Iterable[Send]) -> None:
        """Let go out what can; the rest waits, of each board the latest of its kind, and each request."""
        for send in sends:
            self._unsent[send.topic, b"" if send.expires is None else send.payload] = send
        while self._unsent:
            send = next(iter(self._unsent.values()))
            if not self._bus.publish(send.topic, send.payload, retain=send.retain, expires=send.expires):
                return
            self._unsent.popitem(last=False)


def _at_once(order: Callable[[], None]) -> None:
    order()


def _raise(error: BaseException) -> None:
    raise error
