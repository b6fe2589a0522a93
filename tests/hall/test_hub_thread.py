"""The tests of the hub's thread: what waits for it, what it does when the database fails, and how it ends."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from gnomon.hall.hall import Hall, HallError, HallSources
from gnomon.hall.hub import _inbox as inbox_module
from gnomon.hall.hub._inbox import CROWDED, Inbox
from gnomon.hall.hub.changes import Changes, Listeners
from gnomon.hall.hub.hub import OVERSIZED
from gnomon.hall.hub.thread import LONGEST_RETRY, RETRY
from gnomon.hall.messaging import decoder
from gnomon.hall.messaging.bus import Bus, Message
from gnomon.hall.messaging.memory_bus import MemoryBroker, MemoryBus
from gnomon.hall.messaging.messages import LARGEST, Topic, encode
from gnomon.hall.rounds.board_assignment import BoardAssignment
from gnomon.hall.store import backend
from gnomon.hall.store.database import Database, StoreError, Transaction
from gnomon.hall.store.records import RecordStore
from gnomon.refusals import Statement, statement
from gnomon.timekeeping.instants import SECOND
from gnomon.tournament.events import TournamentOpened
from gnomon.tournament.state.settings import System, TournamentSettings
from tests.hall.boards import Clock, FaultyBus, ModelBoard
from tests.hall.servers import PostgreSql
from tests.hall.told import span

PATIENCE = 60.0  # seconds; a bound for a machine in trouble, never waited for


def message(board: int, kind: Topic = Topic.RECORDS, payload: bytes = b"{}", *, retained: bool = False) -> Message:
    return Message(kind.of(f"t{board}"), payload, retained)


# What waits


def test_of_a_boards_state_only_the_latest_waits_and_what_is_sure_comes_first() -> None:
    inbox = Inbox()
    for number in range(100):
        inbox.take(message(1, Topic.STATE, b"%d" % number))
    inbox.take(message(1))
    inbox.take(message(2, Topic.STATE, b"live"))
    inbox.take(message(2, Topic.STATE, b"retained", retained=True))
    _, messages, dropped, _ = inbox.take_all()
    assert [each.payload for each in messages] == [b"{}", b"99", b"live"]
    assert (not dropped, inbox.is_empty) == (True, True)


def test_states_wait_for_each_other_and_everything_else_is_pressing() -> None:
    inbox = Inbox()
    told: list[int] = []
    with inbox.filled:
        inbox.filled.notify_all = lambda: told.append(1)  # type: ignore[method-assign]  # it counts
        for number in range(3):
            inbox.take(message(number, Topic.STATE))
        assert (inbox.is_pressing, inbox.is_empty, len(told)) == (False, False, 1)
        inbox.take(message(1))
        assert (inbox.is_pressing, len(told)) == (True, 2)
    inbox.take_all()
    inbox.order(lambda: None)
    assert inbox.is_pressing
    inbox.take_all()
    inbox.connection(True)
    assert inbox.is_pressing


def test_what_waits_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox_module, "QUEUED", 3)
    monkeypatch.setattr(inbox_module, "QUEUED_BYTES", 1000)
    monkeypatch.setattr(inbox_module, "OF_ONE", 1)
    inbox = Inbox()
    for number in range(5):
        inbox.take(message(number))
        inbox.take(message(number, Topic.STATE))
    _, messages, dropped, _ = inbox.take_all()
    assert (len(messages), dropped) == (6, {CROWDED: 4})
    inbox.take(message(1, payload=b"x" * 1001))
    inbox.take(message(1, payload=b"x" * (LARGEST + 1)))
    assert inbox.take_all()[2] == {CROWDED: 1, OVERSIZED: 1}


def test_who_floods_the_hall_crowds_nobody_else_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox_module, "QUEUED", 40)
    monkeypatch.setattr(inbox_module, "QUEUED_BYTES", 20_000)
    inbox = Inbox()
    for _ in range(100):
        inbox.take(message(1))
        inbox.take(message(2, payload=b"x" * 600))
    inbox.take(message(3))
    _, messages, dropped, _ = inbox.take_all()
    assert ([each.topic for each in messages].count(Topic.RECORDS.of("t1")), dropped) == (2, {CROWDED: 198 - 1})
    inbox.take(message(1))
    assert not inbox.take_all()[2]


def test_a_connection_that_came_is_told_once() -> None:
    inbox = Inbox()
    for is_there in (True, False):
        inbox.connection(is_there)
    assert [inbox.take_all()[3] for _ in range(2)] == [True, False]


# Who listens


def test_a_listener_is_woken_once_however_much_changes_until_it_looks() -> None:
    listeners, woken = Listeners(), []
    listener = listeners.listen(lambda: woken.append("!"))
    for board in ("t1", "t2", "t1"):
        listeners.tell([board])
    listeners.tell(tournaments=["open"])
    listeners.tell()
    assert (woken, listener.take()) == (["!"], Changes(frozenset({"t1", "t2"}), frozenset({"open"})))
    listeners.tell(["t3"])
    assert woken == ["!", "!"]


def test_a_listener_whose_loop_is_closed_is_forgotten() -> None:
    def closed() -> None:
        message = "Event loop is closed"
        raise RuntimeError(message)

    listeners, woken = Listeners(), []
    listeners.listen(closed)
    listeners.listen(lambda: woken.append("!"))
    listeners.tell(["t1"])
    listeners.tell(["t1"])
    assert (woken, len(listeners._listeners)) == (["!"], 1)


# The thread itself


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def broker() -> MemoryBroker:
    return MemoryBroker()


def test_a_hall_at_work_hears_writes_answers_and_ends(tmp_path: Path, broker: MemoryBroker, clock: Clock) -> None:
    hall = Hall.open(str(tmp_path / "hall.db"), broker.connect(), HallSources(clock))
    heard = threading.Event()
    hall.listen(heard.set)
    hall.start()
    assert hall.thread.is_alive
    board = ModelBoard("t01", broker.connect(), clock)
    board.tell_state("empty")
    board.begin()
    board.run()
    broker.deliver()
    assert heard.wait(PATIENCE)
    with pytest.raises(HallError, match="t02 is not connected"):
        hall.notice("t02", "Hello", "Anna")
    hall.close()
    assert hall.thread.failed is None
    broker.deliver()
    assert board.outbox.waiting == 0
    with pytest.raises(HallError, match="the hall is closed"):
        hall.notice("t01", "Hello", "Anna")


def test_a_broker_that_drops_messages_is_told_of(tmp_path: Path, broker: MemoryBroker, clock: Clock) -> None:
    hall = Hall.open(str(tmp_path / "hall.db"), broker.connect(), HallSources(clock))
    hall.thread.connect()
    said: Bus = broker.connect()
    counts: list[int] = []
    for payload in (b"7", b"7", b"nonsense", b"9" * 30, b"12", b"0", b"1"):
        said.publish("$SYS/broker/publish/messages/dropped", payload)
        broker.deliver()
        counts.append(hall.thread.dropped_by_broker)
    assert counts == [0, 0, 0, 0, 5, 0, 1]
    assert wrong_with(hall) == (
        "the broker has dropped 1 messages: let it queue more; important messages are sent again",
    )
    hall.close()


class NarrowBus(MemoryBus):
    """A bus that takes on only so many messages at a time."""

    room = 0

    def publish(
        self, topic: str, payload: bytes, *, retain: bool = False, sure: bool = True, expires: int | None = None
    ) -> bool:
        if self.room <= 0:
            return False
        self.room -= 1
        return super().publish(topic, payload, retain=retain, sure=sure, expires=expires)


def test_what_the_bus_does_not_take_on_goes_out_later_and_only_the_latest_of_it(
    tmp_path: Path, broker: MemoryBroker, clock: Clock
) -> None:
    bus = NarrowBus(broker)
    hall = Hall.open(str(tmp_path / "hall.db"), bus, HallSources(clock))
    hall.thread.connect()
    boards: Bus = broker.connect()
    acks: list[str] = []
    boards.subscribe(Topic.ACK.of_all, lambda message: acks.append(message.topic))
    for first in (1, 3):
        for number in range(5):
            told = span(f"t{number}", first, first + 1)
            boards.publish(Topic.RECORDS.of(told.board), encode(told))
        broker.deliver()
        hall.thread.step()
    for _ in range(4):
        bus.room = 2
        hall.thread.step()
        broker.deliver()
    assert acks == [Topic.ACK.of(f"t{number}") for number in range(5)]
    assert {decoder.ack(topic, said).through for topic, said in broker.retained_messages("gnomon/1/+/ack").items()} == {
        4
    }
    hall.close()


# A database that fails


class Fragile:
    """A database that can be made to fail."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.is_broken = False
        self.attempts = 0
        self.is_server = False
        self.goes_on = threading.Event()
        self.hang: Callable[[], None] | None = None

    @property
    def name(self) -> str:
        return self._database.name

    @property
    def hall(self) -> str:
        return self._database.hall

    def within(self, hall: str) -> Database:
        return self._database.within(hall)

    @contextmanager
    def write_transaction(self) -> Iterator[Transaction]:
        self.attempts += 1
        self._check()
        if self.hang is not None:
            self.hang()
            assert self.goes_on.wait(PATIENCE)
        with self._database.write_transaction() as session:
            yield session

    def read_transaction(self) -> AbstractContextManager[Transaction]:
        self._check()
        return self._database.read_transaction()

    def close(self) -> None:
        self._database.close()

    def _check(self) -> None:
        if self.is_broken:
            message = "the database cannot be used: the disk is full"
            raise StoreError(message)


@pytest.fixture
def fragile(tmp_path: Path) -> Fragile:
    return Fragile(backend.open_database(str(tmp_path / "hall.db")))


def run(hall: Hall, broker: MemoryBroker, board: ModelBoard) -> None:
    for _ in range(3):
        board.run()
        broker.deliver()
        hall.thread.step()
        broker.deliver()


def test_nothing_is_acknowledged_while_the_database_fails_and_it_is_tried_again_ever_later(
    fragile: Fragile, broker: MemoryBroker, clock: Clock
) -> None:
    hall = Hall(fragile, broker.connect(), HallSources(clock))
    hall.thread.connect()
    board = ModelBoard("t01", broker.connect(), clock)
    run(hall, broker, board)
    fragile.is_broken = True
    board.begin()
    run(hall, broker, board)
    assert (board.outbox.waiting, wrong_with(hall)) == (1, ("the database cannot be used: the disk is full",))
    fragile.attempts, pauses = 0, []
    for second in range(200):
        before = fragile.attempts
        clock.wait(1)
        hall.thread.step()
        if fragile.attempts > before:
            pauses.append(second)
    gaps = [later - earlier for earlier, later in pairwise(pauses)]
    assert gaps == sorted(gaps)
    assert (pauses[0], gaps[-1]) == (RETRY // SECOND, LONGEST_RETRY // SECOND)
    fragile.is_broken = False
    clock.wait(60)
    run(hall, broker, board)
    assert (board.outbox.waiting, wrong_with(hall)) == (0, ())
    hall.close()


def test_while_the_database_hangs_the_hub_hears_what_is_true_of_the_boards(
    fragile: Fragile, broker: MemoryBroker, clock: Clock
) -> None:
    hall = Hall(fragile, broker.connect(), HallSources(clock))
    changed, hangs = threading.Event(), threading.Event()
    listener = hall.listen(changed.set)
    fragile.hang = hangs.set
    hall.start()
    board = ModelBoard("t01", broker.connect(), clock)
    board.begin()
    board.run()
    broker.deliver()
    assert hangs.wait(PATIENCE)
    board.tell_state("running", urgent_us=7 * SECOND)
    broker.deliver()
    while hall.place("t01").urgent(clock()) is None:
        assert changed.wait(PATIENCE)
        changed.clear()
        listener.take()
    assert (hall.place("t01").lag, board.outbox.waiting) == (1, 1)
    fragile.goes_on.set()
    hall.close()
    broker.deliver()
    assert board.outbox.waiting == 0


def test_a_fault_of_the_program_ends_the_thread_and_is_said(
    fragile: Fragile, broker: MemoryBroker, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults: list[type[BaseException] | None] = []
    monkeypatch.setattr(threading, "excepthook", lambda told: faults.append(told.exc_type))
    hall = Hall(fragile, broker.connect(), HallSources(clock))

    def mistake() -> None:
        raise ZeroDivisionError

    fragile.hang = mistake
    fragile.goes_on.set()
    hall.start()
    ModelBoard("t01", broker.connect(), clock)
    broker.deliver()
    hall._thread._thread.join(PATIENCE)  # type: ignore[union-attr]  # it was started
    assert faults == [ZeroDivisionError]
    assert wrong_with(hall) == ("nothing is recorded any more: the hub's thread has ended; start the hall again",)
    hall.close()


def test_the_hubs_thread_does_not_wait_for_the_database_to_forget_a_board(
    tmp_path: Path, broker: MemoryBroker, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    where: list[threading.Thread] = []
    monkeypatch.setattr(RecordStore, "forget", lambda *_: where.append(threading.current_thread()))
    hall = Hall.open(str(tmp_path / "hall.db"), broker.connect(), HallSources(clock))
    hall.start()
    hall.forget("t01")
    hall.close()
    assert (where, hall.places()) == ([threading.current_thread()], ())


def test_a_book_that_fails_holds_nothing_else_up(fragile: Fragile, broker: MemoryBroker, clock: Clock) -> None:
    hall = Hall(fragile, broker.connect(), HallSources(clock))
    hall.thread.connect()
    hall.tell(
        "open", TournamentOpened(TournamentSettings("Open", System.SWISS, 3, tie_breaks=("BH",))), "Anna", after=0
    )
    hall.set_plan("open", BoardAssignment())
    run(hall, broker, ModelBoard("t02", broker.connect(), clock))
    clock.wait(60)
    with fragile.write_transaction() as session:
        session.run(
            "INSERT INTO hall_tournament_events (hall, tournament, number, told) VALUES (:hall, 'open', 2, '{}')"
        )
    board = ModelBoard("t01", broker.connect(), clock)
    board.begin()
    run(hall, broker, board)
    assert board.outbox.waiting == 0
    assert [one.startswith("open: ") for one in wrong_with(hall)] == [True]
    clock.wait(60)
    run(hall, broker, board)
    assert len(hall.health()) == 1
    hall.close()


def test_a_server_that_dies_and_comes_back_loses_nothing(
    postgresql: PostgreSql, broker: MemoryBroker, clock: Clock
) -> None:
    hall = Hall.open(postgresql.new_database(), broker.connect(), HallSources(clock))
    hall.thread.connect()
    board = ModelBoard("t01", broker.connect(), clock)
    board.begin()
    run(hall, broker, board)
    postgresql.kill()
    board.begin()
    run(hall, broker, board)
    assert board.outbox.waiting == 1
    assert wrong_with(hall)[0].startswith("the database postgresql://127.0.0.1:")
    postgresql.start()
    for _ in range(3):
        clock.wait(30)
        run(hall, broker, board)
    assert (board.outbox.waiting, wrong_with(hall)) == (0, ())
    assert [game.id for game in hall.archive("t01").games()] == [1, 2]
    hall.close()


# Memory and time


def test_a_thousand_boards_are_written_down_in_a_few_transactions(
    fragile: Fragile, broker: MemoryBroker, clock: Clock
) -> None:
    hall = Hall(fragile, broker.connect(), HallSources(clock))
    hall.thread.connect()
    boards: Bus = broker.connect()
    for number in range(1000):
        told = span(f"t{number}", 1, 5)
        boards.publish(Topic.RECORDS.of(told.board), encode(told))
    broker.deliver()
    fragile.attempts = 0
    hall.thread.step()
    assert fragile.attempts == 5
    assert len(broker.retained_messages("gnomon/1/+/ack")) == 1000
    hall.close()


def test_a_hall_that_does_not_reach_its_broker_says_so(broker: MemoryBroker, clock: Clock, tmp_path: Path) -> None:
    bus = CutOff(broker.connect(), Random(1))
    hall = Hall.open(str(tmp_path / "hall.db"), bus, HallSources(clock))
    assert hall.health() == ()
    bus.why = statement("hall.broker.not_reached", broker="hall.local:8883", text="Connection refused")
    assert hall.health() == (bus.why,)
    hall.close()


class CutOff(FaultyBus):
    """A bus that may have no connection."""

    why: Statement | None = None

    @property
    def hindrance(self) -> Statement | None:
        return self.why


def wrong_with(hall: Hall) -> tuple[str, ...]:
    """What a hall says is wrong with it, in English."""
    return tuple(each.message for each in hall.health())
