import socket
import struct
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from threading import Condition, Event, Thread
from typing import Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.hall.embedded_broker import WebDoor
from gnomon.hall.embedded_broker import _broker as broker
from gnomon.hall.embedded_broker import _packets as packets
from gnomon.hall.embedded_broker._broker import SmallBroker, _origin, _Strangers
from gnomon.hall.embedded_broker._packets import (
    Connect,
    Goodbye,
    MalformedError,
    PacketKind,
    Ping,
    Publish,
    ReasonCode,
    Subscribe,
    parse_packet,
)
from gnomon.hall.messaging.bus import Message, Will
from gnomon.hall.messaging.enrolment import NONE, Enrolment
from gnomon.hall.messaging.memory_bus import MemoryBroker
from gnomon.hall.messaging.messages import LARGEST
from gnomon.hall.messaging.mqtt_bus import MqttBus
from tests.hall.bus_contract import WITHIN, Inbox, Line
from tests.hall.servers import HOST
from tests.hall.test_mqtt_bus import HASTE, MqttContract, Said, ended


class OpenDoors:
    """Everybody may come in, and everything but one topic may be written and read."""

    put_out = ""
    is_news = False

    def lets_in(self, user: str, password: str) -> bool:
        return (user, password) != ("nobody", "any") and user != self.put_out

    def have_changed(self) -> bool:
        was_news, self.is_news = self.is_news, False
        return was_news

    def may_write(self, user: str, topic: str) -> bool:
        return topic != f"secret/{user}"

    def may_read(self, user: str, topic: str) -> bool:
        return topic != f"secret/{user}"


class Running:
    """A small broker that runs, over WebSocket besides where it is told so."""

    def __init__(self, web: WebDoor | None = None) -> None:
        self.memory = MemoryBroker()
        self.doors = OpenDoors()
        self.broker = SmallBroker(self.memory, self.doors, looks=0.05)
        self.port = self.broker.start(0, HOST, web=web)
        self.web_port = self.broker.web_port
        self._stop = Event()
        self._thread = Thread(target=self.memory.run, args=(self._stop,))
        self._thread.start()

    def end(self) -> None:
        self.broker.close()
        self._stop.set()
        self.memory.wake()
        self._thread.join()


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    made = Running()
    yield made
    made.end()


def test_strangers_who_say_nothing_are_few_at_once_and_the_oldest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "STRANGERS_OF_ONE", 2)
    running = Running()
    first, second, third = (socket.create_connection((HOST, running.port), WITHIN) for _ in range(3))
    assert first.recv(1) == b""  # sent away when the third came
    for each in (second, third):
        assert answered(each)
    with socket.create_connection((HOST, running.port), WITHIN) as fourth:
        assert answered(fourth)
    first.close()
    running.end()


def test_strangers_of_one_machine_take_the_place_of_no_other() -> None:
    strangers, ends = _Strangers(), [socket.socketpair() for _ in range(broker.STRANGERS + 20)]
    board, *flood = [one for one, _ in ends]
    strangers.add(board, "192.0.2.7")
    for number, came in enumerate(flood):
        strangers.add(came, f"2001:db8:0:{number % 8:x}::{number:x}")
    assert board in strangers._from
    assert len(strangers._from) == broker.STRANGERS
    for one, other in ends:
        one.close()
        other.close()


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:2", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)
def test_all_addresses_of_a_machine_are_one(address: str, origin: str) -> None:
    assert _origin(address) == origin


def test_a_client_that_introduces_itself_too_slowly_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "_GREETING", 0.05)
    running = Running()
    with socket.create_connection((HOST, running.port), WITHIN) as slow:
        slow.sendall(b"\x10\x20")
        assert slow.recv(1) == b""
    running.end()


def answered(stranger: socket.socket) -> bytes:
    """What a stranger hears who says nothing that can be understood."""
    stranger.sendall(b"\0")
    heard = b""
    while more := stranger.recv(100):
        heard += more
    stranger.close()
    return heard


class TestMqttBusOnOurOwnBroker(MqttContract):
    @pytest.fixture(autouse=True)
    def on_our_own(self, running: Running) -> Iterator[None]:
        self.running, self.port = running, running.port
        self.buses, self.said = [], Said()
        yield
        ended(self.buses)

    def test_the_hub_beside_it_hears_and_is_heard(self, topic: str) -> None:
        hub, heard, told = self.running.memory.connect(), Inbox(), Inbox()
        board = self.connected("board")
        hub.subscribe(f"{topic}/+/state", heard)
        self.ask(board, f"{topic}/t1/ack", told)
        assert board.publish(f"{topic}/t1/state", b"here")
        heard.wait_for(b"here")
        assert hub.publish(f"{topic}/t1/ack", b"kept")
        told.wait_for(b"kept")

    def test_the_first_of_two_with_one_name_is_told_why_it_has_to_go(self) -> None:
        first = self.connected("board")
        self.connected("board")
        self.said.wait_for("has ended the connection: Session taken over")
        first.close()

    def test_two_of_one_name_who_throw_each_other_out_wait_longer_and_longer(self) -> None:
        waited: list[float] = []
        waits = Condition()

        class Chance(Random):
            def uniform(self, a: float, b: float) -> float:
                with waits:
                    waited.append(b)
                    waits.notify_all()
                return a / 10

        for _ in range(2):
            enrolment = Enrolment(HOST, self.port, "twin", "any", NONE)
            self.buses.append(MqttBus(enrolment, chance=Chance(1), patience=replace(HASTE, first=0.01, longest=0.32)))
        with waits:
            assert waits.wait_for(lambda: 0.32 in waited, WITHIN), waited
            assert waited[:2] == [0.02, 0.02]

    def test_who_asks_for_what_it_may_not_read_is_told(self) -> None:
        board, inbox = self.connected("board"), Inbox()
        board.subscribe("secret/board", inbox)
        self.said.wait_for("the broker does not let board read secret/board: Not authorized")
        self.ask(board, "secret/#", inbox)
        assert self.connected("other").publish("secret/board", b"hidden")
        assert self.connected("third").publish("secret/other", b"shown")
        inbox.wait_for(b"shown")
        assert inbox.payloads == [b"shown"]

    def test_what_is_asked_for_twice_comes_once(self, topic: str) -> None:
        board, inbox = self.connected("board"), Inbox()
        board.subscribe(topic, lambda _: None)
        self.ask(board, topic, inbox)
        assert board.publish(topic, b"once")
        assert board.publish(f"{topic}/end", b"")
        self.published_and_there(board, f"{topic}/then", b"then")
        assert inbox.payloads == [b"once"]

    def test_who_may_not_come_in_any_more_is_put_out(self) -> None:
        line = Line()
        self.connecting("board").on_connection(line)
        line.wait_for(True)
        self.running.doors.put_out, self.running.doors.is_news = "board", True
        line.wait_for(True, False)
        self.said.wait_for("has ended the connection: Not authorized")
        self.said.wait_for("does not let board in: Not authorized")
        self.running.doors.put_out = ""
        line.wait_for(True, False, True)

    def test_when_the_broker_ends_everybody_is_told(self) -> None:
        other, line = Running(), Line()
        self.connecting("board", port=other.port).on_connection(line)
        line.wait_for(True)
        other.end()
        line.wait_for(True, False)
        self.said.wait_for(f"the broker {HOST}:{other.port} has ended the connection: Server shutting down")


# What no library of a client would say

CONNECT = b"\x00\x04MQTT\x05\xc2\x00\x00\x00\x00\x01b\x00\x01b\x00\x03any"

LAST_WORDS = b"\x00\x04MQTT\x05\xe6\x00\x00\x00\x00\x01b\x00\x00\x07will/of\x00\x04gone\x00\x01b\x00\x03any"


def packet(kind: int, body: bytes) -> bytes:
    return packets._packet(PacketKind(kind >> 4), body, kind & 0x0F)


class Raw:
    """A connection without any manners."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection((HOST, port), WITHIN)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def say(self, *said: bytes) -> None:
        self._socket.sendall(b"".join(said))

    def heard(self) -> list[tuple[int, bytes]]:
        """All packets until the broker ends the connection."""
        raw = b""
        while more := self._socket.recv(65_536):
            raw += more
        found = []
        while raw:
            found.append((raw[0], raw[2 : 2 + raw[1]]))
            raw = raw[2 + raw[1] :]
        return found


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ([packet(0x10, CONNECT), packet(0x10, CONNECT)], ReasonCode.PROTOCOL_ERROR),
        ([packet(0x10, CONNECT), packet(0x34, b"\x00\x01a\x00\x01\x00")], ReasonCode.NO_SUCH_QUALITY),
        ([packet(0x10, CONNECT), packet(0x30, b"\x00\x01+\x00")], ReasonCode.NO_TOPIC),
        ([packet(0x10, CONNECT), packet(0x30, b"\x00\x01\xff\x00")], ReasonCode.MALFORMED),
        ([packet(0x10, CONNECT), packet(0x82, b"\x00\x01\x00\x00\x02a#\x00")], ReasonCode.MALFORMED),
        ([packet(0x10, CONNECT), packet(0x82, b"\x00\x01\x00")], ReasonCode.PROTOCOL_ERROR),
    ],
)
def test_who_does_not_keep_to_the_standard_is_told_and_put_out(
    running: Running, said: list[bytes], reason: ReasonCode
) -> None:
    with Raw(running.port) as raw:
        raw.say(*said)
        assert raw.heard()[-1] == (0xE0, bytes([reason]))


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", ReasonCode.PROTOCOL_ERROR),
        (packet(0x10, CONNECT.replace(b"MQTT\x05", b"MQTT\x04")), ReasonCode.OTHER_VERSION),
        (packet(0xC0, b""), ReasonCode.PROTOCOL_ERROR),
        (b"\x10\xff\xff\xff\xff\x01", ReasonCode.MALFORMED),
        (b"\x10\xff\xff\xff\x7f", ReasonCode.TOO_LARGE),
    ],
)
def test_who_is_not_in_yet_is_not_disconnected_but_not_let_in(
    running: Running, said: bytes, reason: ReasonCode
) -> None:
    """MQTT 5, 3.14: no DISCONNECT before a CONNACK that lets somebody in."""
    with Raw(running.port) as raw:
        raw.say(said)
        assert raw.heard() == [(0x20, bytes([0, reason, 0]))]


def test_who_is_not_let_in_hears_that(running: Running) -> None:
    for greeting in (
        CONNECT.replace(b"\x01b\x00\x03", b"\x06nobody\x00\x03"),
        b"\x00\x04MQTT\x05\x02\x00\x00\x00\x00\x01b",
    ):
        with Raw(running.port) as raw:
            raw.say(packet(0x10, greeting))
            assert raw.heard() == [(0x20, bytes([0, ReasonCode.NOT_AUTHORIZED, 0]))]


def test_who_is_silent_for_too_long_is_put_out(running: Running) -> None:
    with Raw(running.port) as raw:
        raw.say(packet(0x10, CONNECT.replace(b"\xc2\x00\x00", b"\xc2\x00\x01")), packet(0xC0, b""))
        assert [kind for kind, _ in raw.heard()] == [0x20, 0xD0, 0xE0]


def test_what_is_asked_for_no_longer_does_not_come(running: Running) -> None:
    asked = packet(0x82, b"\x00\x07\x00\x00\x03x/y\x01")
    over = packet(0xA2, b"\x00\x08\x00\x00\x03x/y\x00\x03x/z")
    with Raw(running.port) as raw:
        raw.say(packet(0x10, CONNECT), asked, over, packet(0x32, b"\x00\x03x/y\x00\x09\x00!"), packet(0xE0, b""))
        _, *heard = raw.heard()
    assert heard == [(0x90, b"\x00\x07\x00\x00"), (0xB0, b"\x00\x08\x00\x00\x11"), (0x40, b"\x00\x09\x00")]


def test_who_leaves_with_its_will_has_it_published(running: Running) -> None:
    inbox = Inbox()
    running.memory.connect().subscribe("will/of", inbox)
    with Raw(running.port) as raw:
        raw.say(packet(0x10, LAST_WORDS), packet(0xE0, b"\x04"))
        raw.heard()
    inbox.wait_for(b"gone")


def test_a_payload_that_is_too_long_is_refused_and_the_connection_stays(running: Running) -> None:
    with Raw(running.port) as raw:
        long = packet(0x32, b"\x00\x01a\x00\x05\x00" + bytes(LARGEST + 1))
        raw.say(packet(0x10, CONNECT), long, packet(0xC0, b""), packet(0xE0, b""))
        assert raw.heard()[1:] == [(0x40, b"\x00\x05" + bytes([ReasonCode.OURS])), (0xD0, b"")]


PUBACK_REASONS = {0x00, 0x10, 0x80, 0x83, 0x87, 0x90, 0x91, 0x97, 0x99}
"""MQTT 5, table 3-4."""
SUBACK_REASONS = {0x00, 0x01, 0x02, 0x80, 0x83, 0x87, 0x8F, 0x91, 0x97, 0x9E, 0xA1, 0xA2}
"""MQTT 5, table 3-8."""


def test_what_is_acknowledged_has_a_reason_that_the_standard_has(running: Running) -> None:
    messages = [(b"a", b"!"), (b"secret/b", b"!"), (b"a", bytes(LARGEST + 1))]
    wanted = [b"a", b"secret/b", b"$share/group/a", b"$share"] + [b"t/%d" % number for number in range(70)]
    sent = [
        packet(0x32, struct.pack(">H", len(topic)) + topic + b"\x00\x05\x00" + payload) for topic, payload in messages
    ]
    asked = [packet(0x82, b"\x00\x07\x00" + struct.pack(">H", len(each)) + each + b"\x00") for each in wanted]
    with Raw(running.port) as raw:
        raw.say(packet(0x10, CONNECT), *sent, *asked, packet(0xE0, b""))
        heard = raw.heard()[1:]
    published = [body[2] for kind, body in heard if kind == 0x40]
    subscribed = [body[3] for kind, body in heard if kind == 0x90]
    assert published == [0x00, 0x87, 0x83]
    assert subscribed[:4] == [0x00, 0x87, 0x9E, 0x9E]
    assert set(published) <= PUBACK_REASONS
    assert set(subscribed) <= SUBACK_REASONS


def test_who_takes_nothing_is_let_go_before_the_memory_is_full(running: Running) -> None:
    inbox, hub = Inbox(), running.memory.connect()
    hub.subscribe("will/of", inbox)
    with Raw(running.port) as raw:
        raw.say(packet(0x10, LAST_WORDS), packet(0x82, b"\x00\x07\x00\x00\x05flood\x00"))
        while not running.memory.retained_messages("flood"):
            raw.say(packet(0x33, b"\x00\x05flood\x00\x09\x00!"))
        for _ in range(60):
            assert hub.publish("flood", bytes(LARGEST))
        inbox.wait_for(b"gone")


def test_a_will_is_under_the_same_law_as_all_that_is_published(running: Running) -> None:
    with Raw(running.port) as raw:
        raw.say(packet(0x10, LAST_WORDS.replace(b"\x00\x07will/of", b"\x00\x08secret/b")))
        assert raw.heard() == [(0x20, bytes([0, ReasonCode.NOT_AUTHORIZED, 0]))]


def test_a_port_that_is_taken_is_said(running: Running) -> None:
    with pytest.raises(OSError, match="in use"):
        SmallBroker(MemoryBroker(), OpenDoors()).start(running.port, HOST)


# The packets


def refusal(first: int, body: bytes) -> ReasonCode:
    """Why a packet is refused, SUCCESS when it is not."""
    try:
        parse_packet(first, body)
    except MalformedError as error:
        return error.reason
    return ReasonCode.SUCCESS


@given(st.integers(0, 255), st.binary(max_size=40))
def test_no_bytes_are_taken_for_what_they_are_not(first: int, body: bytes) -> None:
    reason = refusal(first, body)
    assert reason is ReasonCode.SUCCESS or reason >= 0x80


@given(st.binary(max_size=24))
def test_no_greeting_is_taken_for_what_it_is_not(rest: bytes) -> None:
    for greeting in (CONNECT[:7] + rest, CONNECT[:10] + rest, CONNECT[:-2] + rest):
        reason = refusal(0x10, greeting)
        assert reason is ReasonCode.SUCCESS or reason >= 0x80


def test_a_greeting_says_everything_that_matters() -> None:
    properties = b"\x11\x00\x00\x00\x0a" + b"\x27\x00\x01\x00\x00" + b"\x26\x00\x01k\x00\x01v" + b"\x15\x00\x01m"
    body = b"".join(
        (
            b"\x00\x04MQTT\x05\xe4\x00\x0f",
            bytes([len(properties)]) + properties,
            b"\x00\x02id",
            b"\x05\x18\x00\x00\x00\x07\x00\x01t\x00\x01p",
            b"\x00\x04user\x00\x06secret",
        )
    )
    will = Will("t", b"p", 7)
    assert parse_packet(0x10, body) == Connect("user", "secret", False, 15, 10, 65_536, will)


def test_other_packets_are_read() -> None:
    assert parse_packet(0x33, b"\x00\x03a/b\x00\x09\x05\x02\x00\x00\x00\x0fpayload") == Publish(
        "a/b", b"payload", True, 9
    )
    assert parse_packet(0x82, b"\x00\x09\x02\x0b\x01\x00\x01+\x01\x00\x01#\x00") == Subscribe(9, ("+", "#"))
    assert parse_packet(0xC0, b"") == Ping()
    assert parse_packet(0xE0, b"") == Goodbye(with_will=False)


def test_long_packets_say_how_long_they_are() -> None:
    for size, header in ((1, 2), (122, 2), (123, 3), (16_378, 3), (16_379, 4), (LARGEST, 4)):
        written = packets.publish(Message("abc", bytes(size - 1)))
        length = sum((byte & 0x7F) << 7 * place for place, byte in enumerate(written[1:header]))
        assert (len(written), length) == (header + 6 + size - 1, 6 + size - 1)
        assert struct.unpack(">H", written[header : header + 2]) == (3,)
