from collections.abc import Iterator
from threading import Event, Thread

import pytest

from gnomon.hall.messaging.bus import Bus, Message, Will
from gnomon.hall.messaging.memory_bus import WAITING, MemoryBroker, MemoryBus
from tests.hall.bus_contract import BusContract, Inbox


class MemoryBusContract(BusContract):
    @pytest.fixture(autouse=True)
    def in_memory(self) -> None:
        self.broker = MemoryBroker()

    def connected(self, name: str, will: Will | None = None) -> Bus:  # noqa: ARG002 - in memory nobody has a name
        return self.broker.connect(will)

    def vanish(self, bus: Bus) -> None:
        assert isinstance(bus, MemoryBus)
        bus.lose()


class TestMemoryBusInVirtualTime(MemoryBusContract):
    def settle(self, inbox: Inbox, payload: bytes) -> None:
        self.broker.deliver()
        assert payload in inbox.payloads


class TestMemoryBusInAThread(MemoryBusContract):
    @pytest.fixture(autouse=True)
    def in_a_thread(self, in_memory: None) -> Iterator[None]:  # noqa: ARG002 - the broker is there
        stop = Event()
        thread = Thread(target=self.broker.run, args=(stop,))
        thread.start()
        yield
        stop.set()
        self.broker.wake()
        thread.join()

    def settle(self, inbox: Inbox, payload: bytes) -> None:
        inbox.wait_for(payload)


def test_nothing_is_handed_over_before_somebody_delivers() -> None:
    broker, inbox = MemoryBroker(), Inbox()
    bus = broker.connect()
    bus.subscribe("a", inbox)
    bus.publish("a", b"1")
    assert inbox.payloads == []
    assert broker.deliver() == 1
    assert inbox.payloads == [b"1"]
    assert broker.deliver() == 0


def test_nothing_is_handed_over_after_the_goodbye() -> None:
    broker, inbox = MemoryBroker(), Inbox()
    taking, giving = broker.connect(), broker.connect()
    taking.subscribe("a", inbox)
    giving.publish("a", b"before")
    taking.close()
    giving.publish("a", b"after")
    assert broker.deliver() == 0
    assert inbox.payloads == []


def test_what_nobody_hands_over_does_not_fill_the_memory_and_telemetry_goes_first() -> None:
    broker = MemoryBroker()
    bus = broker.connect()
    bus.subscribe("a", Inbox())
    taken = sum(bus.publish("a", b"", sure=False) for _ in range(WAITING))
    assert 0 < taken < WAITING
    assert bus.publish("a", b"a fact")
    assert sum(bus.publish("a", b"") for _ in range(WAITING)) == WAITING - taken - 1
    broker.deliver()
    assert bus.publish("a", b"", sure=False)


def test_what_is_retained_can_be_looked_at() -> None:
    broker = MemoryBroker()
    broker.connect().publish("a/b", b"1", retain=True)
    broker.connect(Will("a/c", b"gone", 5)).lose()
    assert broker.retained_messages("a/+") == {"a/b": b"1", "a/c": b"gone"}
    assert broker.retained_messages("b/#") == {}


def test_two_who_want_the_same_both_get_it_in_the_order_in_which_they_asked() -> None:
    broker = MemoryBroker()
    taken: list[tuple[str, Message]] = []
    bus = broker.connect()
    bus.subscribe("a", lambda message: taken.append(("first", message)))
    bus.subscribe("a", lambda message: taken.append(("second", message)))
    bus.publish("a", b"1")
    broker.deliver()
    assert taken == [("first", Message("a", b"1")), ("second", Message("a", b"1"))]


def test_those_who_share_a_pattern_are_handed_each_message_by_turns_and_nothing_that_was_retained() -> None:
    broker = MemoryBroker()
    giving, everybody = broker.connect(), Inbox()
    giving.publish("a/1", b"retained", retain=True)
    sharing = [(broker.connect(), Inbox()) for _ in range(3)]
    for bus, inbox in sharing:
        bus.subscribe("$share/group/a/+", inbox)
    giving.subscribe("a/+", everybody)
    for number in range(6):
        giving.publish("a/1", b"%d" % number)
    broker.deliver()
    assert [inbox.payloads for _, inbox in sharing] == [[b"0", b"3"], [b"1", b"4"], [b"2", b"5"]]
    assert len(everybody.payloads) == 7
    sharing[0][0].close()
    giving.publish("a/1", b"6")
    giving.publish("a/1", b"7")
    broker.deliver()
    assert len(sharing[0][1].payloads) == 2
    assert (b"6" in sharing[1][1].payloads) != (b"6" in sharing[2][1].payloads)
