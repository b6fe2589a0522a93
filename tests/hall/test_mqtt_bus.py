from collections.abc import Iterator
from random import Random
from threading import Condition
from typing import Final

import pytest

from gnomon.hall.messaging.bus import Bus, Will
from gnomon.hall.messaging.enrolment import NONE, Enrolment
from gnomon.hall.messaging.messages import LARGEST
from gnomon.hall.messaging.mqtt_bus import MOST, MqttBus, Patience
from tests.hall.bus_contract import WITHIN, BusContract, Inbox, Line
from tests.hall.servers import HOST, Mosquitto
from tests.hall.wires import wire

HASTE: Final = Patience(keepalive=1, first=0.02, longest=0.05, looks=0.1, connecting=1)


class Said:
    """The sentences that a bus has said."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self._grew = Condition()

    def __call__(self, sentence: str) -> None:
        with self._grew:
            self.sentences.append(sentence)
            self._grew.notify_all()

    def wait_for(self, part: str) -> None:
        with self._grew:
            found = self._grew.wait_for(lambda: any(part in sentence for sentence in self.sentences), WITHIN)
            assert found, self.sentences


class MqttContract(BusContract):
    """What a connection over MQTT does with any broker."""

    buses: list[MqttBus]
    said: Said
    port: int
    web_path: str = ""

    def connecting(self, name: str, will: Will | None = None, port: int = 0) -> MqttBus:
        enrolment = Enrolment(HOST, port or self.port, name, "any", NONE, web_path=self.web_path)
        bus = MqttBus(enrolment, chance=Random(name), will=will, say=self.said, patience=HASTE)
        self.buses.append(bus)
        return bus

    def connected(self, name: str, will: Will | None = None) -> Bus:
        bus, line = self.connecting(name, will), Line()
        bus.on_connection(line)
        line.wait_for(True)
        return bus

    def vanish(self, bus: Bus) -> None:
        assert isinstance(bus, MqttBus)
        # A second one with its name comes, and the first is thrown out without a goodbye.
        self.connected(bus._enrolment.user)
        bus.close()

    def settle(self, inbox: Inbox, payload: bytes) -> None:
        inbox.wait_for(payload)

    def test_a_short_cut_publishes_no_will_and_a_long_one_does(self, topic: str) -> None:
        line, other, inbox = Line(), Line(), Inbox()
        self.ask(self.connected("hub"), f"{topic}/#", inbox)
        with wire(self.port) as short, wire(self.port) as long:
            self.connecting("board", Will(f"{topic}/board", b"gone", 1), short.port).on_connection(line)
            self.connecting("other", Will(f"{topic}/other", b"gone for long", 1), long.port).on_connection(other)
            line.wait_for(True)
            other.wait_for(True)
            short.cut()
            line.wait_for(True, False)
            short.mend()
            line.wait_for(True, False, True)
            long.cut()
            self.settle(inbox, b"gone for long")
            assert inbox.payloads == [b"gone for long"]

    def test_a_mistake_in_who_takes_a_message_does_not_end_the_connection(self, topic: str) -> None:
        line, inbox = Line(), Inbox()
        board, hub = self.connecting("board"), self.connected("hub")
        board.on_connection(line)
        line.wait_for(True)
        board.subscribe(f"{topic}/bad", lambda _: raise_(KeyError("of ours")))
        self.ask(board, f"{topic}/good", inbox)
        assert hub.publish(f"{topic}/bad", b"")
        line.wait_for(True, False, True)
        self.said.wait_for("after a fault of its own: KeyError: 'of ours'")
        self.published_and_there(hub, f"{topic}/good", b"good")
        self.settle(inbox, b"good")


class TestMqttBusOnMosquitto(MqttContract):
    @pytest.fixture(autouse=True)
    def on_mosquitto(self, mosquitto: Mosquitto) -> Iterator[None]:
        self.broker, self.port = mosquitto, mosquitto.port
        self.buses, self.said = [], Said()
        yield
        mosquitto.thaw()
        ended(self.buses)

    def test_after_the_broker_was_killed_everything_is_asked_for_again(self, topic: str) -> None:
        line, inbox, hub_line = Line(), Inbox(), Line()
        board, hub = self.connecting("board"), self.connecting("hub")
        board.on_connection(line)
        hub.on_connection(hub_line)
        line.wait_for(True)
        hub_line.wait_for(True)
        self.ask(hub, f"{topic}/#", inbox)
        assert board.publish(topic, b"before")
        self.settle(inbox, b"before")
        self.broker.kill()
        line.wait_for(True, False)
        hub_line.wait_for(True, False)
        assert not board.publish(topic, b"meanwhile")
        self.said.wait_for(f"the broker {HOST}:{self.port} cannot be reached: Connection refused")
        assert board.hindrance is not None
        assert board.hindrance.message.startswith(f"the broker {HOST}:{self.port} ")
        self.broker.start()
        line.wait_for(True, False, True)
        hub_line.wait_for(True, False, True)
        self.published_and_there(hub, f"{topic}-again", b"again")
        assert board.publish(f"{topic}/t1", b"after")
        self.settle(inbox, b"after")
        assert b"meanwhile" not in inbox.payloads
        assert board.hindrance is None

    def test_who_is_thrown_out_by_another_of_its_name_hears_that_it_may_be_so(self) -> None:
        first = self.connecting("hub")
        line = Line()
        first.on_connection(line)
        line.wait_for(True)
        self.connected("hub")
        self.said.wait_for(
            "has ended the connection without saying why: it was stopped, or another device has connected"
        )
        self.said.wait_for("as hub")

    def test_what_a_frozen_broker_does_not_take_is_bounded_and_forgotten(self, topic: str) -> None:
        line, inbox = Line(), Inbox()
        board = self.connecting("board")
        board.on_connection(line)
        line.wait_for(True)
        # The first fill the buffers of both machines, and then the latest replaces the one before.
        long = bytes(LARGEST)
        self.broker.freeze()
        taken = sum(board.publish(topic, b"a fact", expires=60) for _ in range(2 * MOST))
        replaced = all(board.publish(f"{topic}/state", long, sure=False) for _ in range(60))
        line.wait_for(True, False)
        self.said.wait_for("has said nothing for 1 s")
        self.broker.thaw()
        line.wait_for(True, False, True)
        assert taken == MOST
        assert replaced
        self.ask(board, f"{topic}/#", inbox)
        assert board.publish(f"{topic}/answer", b"end")
        self.settle(inbox, b"end")
        assert set(inbox.payloads) <= {b"a fact", long, b"end"}
        assert len(inbox.payloads) < 60


def ended(buses: list[MqttBus]) -> None:
    """Close connections, and see that their threads end."""
    for bus in buses:
        bus.close()
    assert all(bus.join(WITHIN) for bus in buses)


def raise_(error: Exception) -> None:
    """Raising as an expression."""
    raise error
