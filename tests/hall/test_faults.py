from random import Random

from gnomon.hall.messaging.bus import Will
from gnomon.hall.messaging.memory_bus import MemoryBroker
from tests.hall.bus_contract import Inbox, Line
from tests.hall.faults import Faults, FaultyBus

THOUSAND = [b"%d" % number for number in range(1000)]


def received(faults: Faults) -> list[bytes]:
    broker, inbox = MemoryBroker(), Inbox()
    bus = FaultyBus(broker, Random(1), faults)
    bus.subscribe("a", inbox)
    for payload in THOUSAND:
        bus.publish("a", payload)
    broker.deliver()
    return inbox.payloads


def test_without_faults_everything_comes_once_and_in_order() -> None:
    assert received(Faults()) == THOUSAND


def test_messages_are_lost_doubled_and_mixed_up() -> None:
    lost, doubled, late = (received(faults) for faults in (Faults(lost=0.3), Faults(doubled=0.3), Faults(late=0.3)))
    assert 600 < len(lost) < 800
    assert set(lost) < set(THOUSAND)
    assert sorted(set(doubled), key=int) == THOUSAND
    assert 1200 < len(doubled) < 1400
    assert len(late) > 990
    assert late != sorted(late, key=int)


def test_a_cut_connection_sends_nothing_and_asks_for_everything_again() -> None:
    broker, inbox, line = MemoryBroker(), Inbox(), Line()
    bus = FaultyBus(broker, Random(1), will=Will("will", b"gone", 10))
    bus.subscribe("+", inbox)
    bus.on_connection(line)
    bus.publish("a", b"kept", retain=True)
    bus.cut()
    assert not bus.publish("a", b"not sent")
    assert broker.deliver() == 0
    bus.mend()
    broker.deliver()
    assert inbox.payloads == [b"kept"]
    bus.cut(for_long=True)
    bus.mend()
    broker.deliver()
    assert inbox.payloads == [b"kept", b"kept", b"gone"]
    assert line.told == [True, False, True, False, True]
