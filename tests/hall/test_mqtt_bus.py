from collections.abc import Iterator
from random import Random
from threading import Condition
from typing import Final

import pytest

from gnomon.hall.bus import Bus, Will
from gnomon.hall.enrolment import NONE, Enrolment
from gnomon.hall.mqtt_bus import MqttBus, Patience
from tests.hall.bus_contract import WITHIN, BusContract, Inbox, Line
from tests.hall.servers import HOST, Mosquitto

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


class TestMqttBus(BusContract):
    @pytest.fixture(autouse=True)
    def on_a_broker(self, mosquitto: Mosquitto) -> Iterator[None]:
        self.broker = mosquitto
        self.buses: list[MqttBus] = []
        self.said = Said()
        yield
        for bus in self.buses:
            bus.close()
        assert all(bus.join(WITHIN) for bus in self.buses)

    def connecting(self, name: str, will: Will | None = None, patience: Patience = HASTE) -> MqttBus:
        enrolment = Enrolment(HOST, self.broker.port, name, "any", NONE)
        bus = MqttBus(enrolment, chance=Random(name), will=will, say=self.said, patience=patience)
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

    def test_after_the_broker_was_killed_everything_is_asked_for_again(self, topic: str) -> None:
        line, inbox, hub_line = Line(), Inbox(), Line()
        board, hub = self.connecting("board"), self.connecting("hub")
        hub.subscribe(f"{topic}/#", inbox)
        board.on_connection(line)
        hub.on_connection(hub_line)
        line.wait_for(True)
        hub_line.wait_for(True)
        assert board.publish(topic, b"before")
        self.settle(inbox, b"before")
        self.broker.kill()
        line.wait_for(True, False)
        hub_line.wait_for(True, False)
        assert not board.publish(topic, b"meanwhile")
        self.said.wait_for(f"the broker {HOST}:{self.broker.port} is not reached: Connection refused")
        assert "is not reached" in board.hindrance
        self.broker.start()
        line.wait_for(True, False, True)
        hub_line.wait_for(True, False, True)
        assert board.publish(f"{topic}/t1", b"after")
        self.settle(inbox, b"after")
        assert b"meanwhile" not in inbox.payloads
        assert board.hindrance == ""

    def test_a_frozen_broker_is_noticed(self) -> None:
        line = Line()
        self.connecting("board").on_connection(line)
        line.wait_for(True)
        self.broker.freeze()
        line.wait_for(True, False)
        self.broker.thaw()
        line.wait_for(True, False, True)
