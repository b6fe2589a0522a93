"""MQTT over WebSocket at the small broker: what the standards ask for, and what nobody should send."""

import asyncio
import gc
import socket
import struct
from asyncio.sslproto import _SSLProtocolTransport
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Self, cast

import pytest

from gnomon.hall.broker import _authority
from gnomon.hall.embedded_broker import ListenError, SmallBroker, WebDoor
from gnomon.hall.embedded_broker import _broker as broker
from gnomon.hall.embedded_broker._packets import ReasonCode
from gnomon.hall.embedded_broker._web_socket import WebSocketStream
from gnomon.hall.messaging.enrolment import Enrolment
from gnomon.hall.messaging.memory_bus import MemoryBroker
from gnomon.hall.messaging.messages import LARGEST
from gnomon.hall.messaging.mqtt_bus import MqttBus
from gnomon.hall.relay import tls_of
from tests.debian_12 import abort_as_of_debian_12
from tests.hall.bus_contract import WITHIN, Inbox, Line
from tests.hall.servers import HOST
from tests.hall.test_embedded_broker import CONNECT, LAST_WORDS, OpenDoors, Running, answered, packet
from tests.hall.test_mqtt_bus import HASTE, MqttContract, Said, ended

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
NORMAL, GOING_AWAY, PROTOCOL_ERROR, UNSUPPORTED, NO_TEXT, TOO_BIG = 1000, 1001, 1002, 1003, 1007, 1009
MASK = b"\x37\xfa\x21\x3d"
KEY = "dGhlIHNhbXBsZSBub25jZQ=="
ACCEPTED = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
"""The example of RFC 6455, 1.3."""
HEAD = {
    "Host": "relay.example.org",
    "Upgrade": "websocket",
    "Connection": "keep-alive, Upgrade",
    "Sec-WebSocket-Key": KEY,
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Protocol": "mqttv3.1, mqtt",
}


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    made = Running(WebDoor(HOST, 0))
    yield made
    made.end()


def request(first: str = "GET /mqtt HTTP/1.1", **changed: str | None) -> bytes:
    """The request of a client; `changed` by the names of headers, None for one that is left out."""
    head = {**HEAD, **{name.replace("_", "-"): value for name, value in changed.items()}}
    lines = [f"{name}: {value}" for name, value in head.items() if value is not None]
    return "\r\n".join([first, *lines, "", ""]).encode("latin-1")


def frame(
    payload: bytes, kind: int = BINARY, *, is_last: bool = True, is_masked: bool = True, length: int | None = None
) -> bytes:
    """A frame as a client sends it, of the length that it says, or of another one."""
    size = len(payload) if length is None else length
    mask = 0x80 if is_masked else 0
    if size < 126:
        head = bytes([mask | size])
    elif size < 1 << 16:
        head = struct.pack(">BH", mask | 126, size)
    else:
        head = struct.pack(">BQ", mask | 127, size)
    key = (MASK * (len(payload) // 4 + 1))[: len(payload)]
    masked = (int.from_bytes(payload) ^ int.from_bytes(key)).to_bytes(len(payload))
    return bytes([0x80 * is_last | kind]) + head + (MASK + masked if is_masked else payload)


class Web:
    """A client without any manners."""

    def __init__(self, port: int, *, opens: bool = True) -> None:
        self._socket, self._raw = socket.create_connection((HOST, port), WITHIN), b""
        if opens:
            self.say(request())
            self.head = self.until(b"\r\n\r\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def say(self, *said: bytes) -> None:
        self._socket.sendall(b"".join(said))

    def until(self, end: bytes) -> str:
        while end not in self._raw:
            more = self._socket.recv(65_536)
            assert more, self._raw
            self._raw += more
        head, _, self._raw = self._raw.partition(end)
        return head.decode()

    def rest(self) -> str:
        """Everything until the broker ends the connection."""
        while more := self._socket.recv(65_536):
            self._raw += more
        return self._raw.decode()

    def frames(self, count: int = 0) -> list[tuple[int, bytes]]:
        """So many frames, or all until the broker ends the connection; none of them is masked."""
        found: list[tuple[int, bytes]] = []
        while not count or len(found) < count:
            head = self._bytes(2)
            if not head:
                break
            assert head[0] & 0xF0 == 0x80
            size = head[1]
            if size >= 126:
                size = int.from_bytes(self._bytes(2 if size == 126 else 8), "big")
            found.append((head[0] & 0x0F, self._bytes(size)))
        return found

    def _bytes(self, count: int) -> bytes:
        while len(self._raw) < count:
            try:
                more = self._socket.recv(65_536)
            except ConnectionResetError:  # what was not read any more resets it, after all that was said
                more = b""
            if not more:
                return b""
            self._raw += more
        taken, self._raw = self._raw[:count], self._raw[count:]
        return taken


CONNACK = bytes([0x20])
PINGREQ, PINGRESP = packet(0xC0, b""), packet(0xD0, b"")
DISCONNECT = packet(0xE0, b"")


def closed(code: int) -> bytes:
    return struct.pack(">H", code)


def test_a_client_hears_that_its_key_was_understood_and_that_mqtt_is_spoken(running: Running) -> None:
    with Web(running.web_port) as web:
        status, *lines = web.head.split("\r\n")
        told = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        assert status == "HTTP/1.1 101 Switching Protocols"
        assert told["sec-websocket-accept"] == ACCEPTED
        assert told["sec-websocket-protocol"] == "mqtt"
        assert "sec-websocket-extensions" not in told
        web.say(frame(packet(0x10, CONNECT)), frame(PINGREQ), frame(DISCONNECT), frame(closed(NORMAL), CLOSE))
        connack, ping, end = web.frames()
        assert (connack[0], connack[1][:1], ping) == (BINARY, CONNACK, (BINARY, PINGRESP))
        assert end == (CLOSE, closed(NORMAL))


def test_packets_and_frames_need_not_begin_together(running: Running) -> None:
    said = packet(0x10, CONNECT) + packet(0x32, b"\x00\x03x/y\x00\x09\x00!") + PINGREQ + DISCONNECT
    together = frame(said)
    one_by_one = b"".join(frame(bytes([byte])) for byte in said)
    in_fragments = frame(said[:5], is_last=False) + frame(b"", 0, is_last=False) + frame(said[5:], 0)
    between = frame(said[:5], is_last=False) + frame(b"there?", PING) + frame(said[5:], 0)
    for told in (together, one_by_one, in_fragments, between):
        with Web(running.web_port) as web:
            web.say(told)
            *heard, end = [each for each in web.frames() if each != (PONG, b"there?")]
        assert b"".join(payload for _, payload in heard).endswith(packet(0x40, b"\x00\x09\x00") + PINGRESP)
        assert {kind for kind, _ in heard} == {BINARY}
        assert end == (CLOSE, closed(NORMAL))


def test_a_ping_is_answered_before_somebody_says_who_they_are_and_a_pong_is_nothing(running: Running) -> None:
    with Web(running.web_port) as web:
        web.say(frame(b"", PONG), frame(b"are you there?", PING))
        assert web.frames(1) == [(PONG, b"are you there?")]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        pytest.param(frame(PINGREQ, is_masked=False), PROTOCOL_ERROR, id="no mask"),
        pytest.param(frame(b"CONNECT", TEXT), UNSUPPORTED, id="text"),
        pytest.param(frame(PINGREQ, TEXT), NO_TEXT, id="text that is none"),
        pytest.param(frame(PINGREQ, 3), PROTOCOL_ERROR, id="a kind of frame that is none"),
        pytest.param(frame(PINGREQ, 0x40 | BINARY), PROTOCOL_ERROR, id="compressed"),
        pytest.param(frame(PINGREQ, 0), PROTOCOL_ERROR, id="goes on with nothing"),
        pytest.param(frame(b"", is_last=False) + frame(PINGREQ), PROTOCOL_ERROR, id="begins within another"),
        pytest.param(frame(bytes(126), PING), PROTOCOL_ERROR, id="a long ping"),
        pytest.param(frame(b"", PING, is_last=False), PROTOCOL_ERROR, id="half a ping"),
        pytest.param(frame(b"\x03", CLOSE), PROTOCOL_ERROR, id="half a reason"),
        pytest.param(frame(closed(999), CLOSE), PROTOCOL_ERROR, id="a reason that is none"),
        pytest.param(frame(b"", length=1 << 63), PROTOCOL_ERROR, id="a length that is none"),
        pytest.param(b"\x82\xff" + bytes(8) + MASK, PROTOCOL_ERROR, id="a length in too many bytes"),
    ],
)
@pytest.mark.parametrize("is_in", [False, True])
def test_a_frame_that_breaks_the_standard_ends_the_connection_with_its_reason(
    running: Running, said: bytes, code: int, *, is_in: bool
) -> None:
    with Web(running.web_port) as web:
        web.say(frame(packet(0x10, CONNECT)) if is_in else b"", said)
        *heard, (kind, end) = web.frames()
        assert (kind, end[:2]) == (CLOSE, closed(code))
        assert [payload[:1] for _, payload in heard] == [CONNACK] * is_in


def test_a_message_is_no_longer_than_a_packet_may_be(running: Running) -> None:
    inbox = Inbox()
    running.memory.connect().subscribe("will/of", inbox)
    packets = [packet(0x30, b"\x00\x01a\x00" + bytes(LARGEST)) for _ in range(3)]
    with Web(running.web_port) as web:
        web.say(frame(packet(0x10, CONNECT)), *map(frame, packets), frame(PINGREQ))
        assert web.frames(2)[1] == (BINARY, PINGRESP), "together they may be longer"
    one, two, three = (frame(each, 0, is_last=False) for each in packets)
    for said in (
        [frame(b"".join(packets), length=1 << 40)],
        [frame(b"", is_last=False), one, two, three],
    ):
        with Web(running.web_port) as web:
            web.say(frame(packet(0x10, LAST_WORDS)), *said)
            _, (kind, end) = web.frames()
            assert (kind, end) == (CLOSE, closed(TOO_BIG) + b"a message has more than 524288 bytes")
    inbox.wait_for(b"gone")


def test_a_packet_that_is_too_long_is_refused_in_whatever_frames_it_comes(running: Running) -> None:
    with Web(running.web_port) as web:
        web.say(frame(packet(0x10, CONNECT)), frame(b"\x30\xff"), frame(b"\xff\xff\x7f"))
        assert web.frames()[1:] == [
            (BINARY, packet(0xE0, bytes([ReasonCode.TOO_LARGE]))),
            (CLOSE, closed(NORMAL)),
        ]


def test_a_client_that_closes_without_leaving_is_missed(running: Running) -> None:
    inbox = Inbox()
    running.memory.connect().subscribe("will/of", inbox)
    with Web(running.web_port) as web:
        web.say(frame(packet(0x10, LAST_WORDS)), frame(closed(GOING_AWAY) + b"to bed", CLOSE))
        assert web.frames()[1:] == [(CLOSE, closed(GOING_AWAY) + b"to bed")]
    inbox.wait_for(b"gone")


@pytest.mark.parametrize(
    ("said", "status", "why"),
    [
        (packet(0x10, CONNECT) + b"\r\n\r\n", "400 Bad Request", "Bad HTTP message"),
        (b"\x16\x03\x01\x02\x00\x01\r\n\r\n", "400 Bad Request", "Bad HTTP message"),
        (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 4000, "400 Bad Request", "Bad HTTP message"),
        (request(Host=None), "400 Bad Request", "Bad HTTP message"),
        (request("POST / HTTP/1.1"), "400 Bad Request", "Request method must be GET"),
        (request(Connection=None), "400 Bad Request", "Missing header, 'Connection: Upgrade'"),
        (request(Upgrade="h2c"), "400 Bad Request", "Missing header, 'Upgrade: websocket'"),
        (request(Sec_WebSocket_Key=None), "400 Bad Request", "Missing header, 'Sec-WebSocket-Key'"),
        (request(Sec_WebSocket_Key="c2hvcnQ="), "400 Bad Request", "'Sec-WebSocket-Key' is no key"),
        (request(Sec_WebSocket_Key="\xfc"), "400 Bad Request", "'Sec-WebSocket-Key' is no key"),
        (request(Sec_WebSocket_Version="8"), "426 Upgrade Required", "Missing header, 'Sec-WebSocket-Version'"),
        (request(Sec_WebSocket_Protocol=None), "400 Bad Request", "Missing header, 'Sec-WebSocket-Protocol: mqtt'"),
        (
            request(Sec_WebSocket_Protocol="mqttv3.1"),
            "400 Bad Request",
            "Missing header, 'Sec-WebSocket-Protocol: mqtt'",
        ),
        (request(Sec_WebSocket_Protocol="mqtt, \xfc"), "400 Bad Request", "A header is not in ASCII"),
        (request(Host="\xfc" * 70), "400 Bad Request", "A header is not in ASCII"),
    ],
)
def test_a_request_that_is_none_is_refused_with_one_line(
    running: Running, capfd: pytest.CaptureFixture[str], said: bytes, status: str, why: str
) -> None:
    with Web(running.web_port, opens=False) as web:
        web.say(said)
        head, body = web.rest().split("\r\n\r\n")
        assert head.split("\r\n")[0] == f"HTTP/1.1 {status}"
        assert body == f"{why}: this is an address for MQTT over WebSocket.\n"
        assert f"content-length: {len(body)}" in head
        assert ("Sec-WebSocket-Version: 13" in head) == status.startswith("426")
    assert capfd.readouterr() == ("", "")


def test_a_client_that_asks_too_slowly_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "_GREETING", 0.05)
    running = Running(WebDoor(HOST, 0))
    for said in (b"", b"GET /mqtt HTTP/1.1\r\nHost: ", request() + frame(b"\x10")):
        with Web(running.web_port, opens=False) as web:
            web.say(said)
            assert web.rest().count("\r\n\r\n") == (said[-1:] == b"\x10" or said.endswith(frame(b"\x10")))
    running.end()


def test_strangers_at_both_doors_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "STRANGERS_OF_ONE", 2)
    running = Running(WebDoor(HOST, 0))
    # Each has been taken in before the next comes: of two that wait at two doors, nobody knows who goes first.
    with Web(running.web_port) as first, Web(running.web_port) as second:
        third = socket.create_connection((HOST, running.port), WITHIN)
        assert first.frames() == []  # sent away when the third came
        assert answered(third)
        second.say(frame(packet(0x10, CONNECT)), frame(closed(NORMAL), CLOSE))
        assert second.frames()[0][1][:1] == CONNACK
    running.end()


def test_who_takes_nothing_is_let_go_before_the_memory_is_full(running: Running) -> None:
    inbox, hub = Inbox(), running.memory.connect()
    hub.subscribe("will/of", inbox)
    with Web(running.web_port) as web:
        web.say(frame(packet(0x10, LAST_WORDS)), frame(packet(0x82, b"\x00\x07\x00\x00\x05flood\x00")))
        assert len(web.frames(2)) == 2
        for _ in range(60):
            assert hub.publish("flood", bytes(LARGEST))
        inbox.wait_for(b"gone")


class Full:
    """A writer of whose bytes none are taken."""

    def __init__(self) -> None:
        self.written = b""

    def write(self, data: bytes) -> None:
        self.written += data

    async def drain(self) -> None:
        await asyncio.Event().wait()


def test_who_asks_for_answers_and_takes_none_is_not_heard_any_more() -> None:
    async def ask() -> bytes:
        reader, full = asyncio.StreamReader(), Full()
        stream = WebSocketStream(reader, cast("asyncio.StreamWriter", full), LARGEST)
        reader.feed_data(request())
        await stream.open()
        opened = len(full.written)
        reader.feed_data(100 * frame(b"there?", PING))
        with suppress(TimeoutError):
            await asyncio.wait_for(stream.readexactly(1), 0.05)
        return full.written[opened:]

    assert asyncio.run(ask()) == b""


def test_a_broker_that_ends_says_so() -> None:
    running = Running(WebDoor(HOST, 0))
    with Web(running.web_port) as web:
        web.say(frame(packet(0x10, CONNECT)))
        assert web.frames(1)[0][1][:1] == CONNACK
        running.end()
        said = (BINARY, packet(0xE0, bytes([ReasonCode.SHUTTING_DOWN])))
        assert web.frames() == [said, (CLOSE, closed(NORMAL))]


def test_a_port_that_is_taken_is_said_and_the_other_is_free_again(running: Running) -> None:
    tried = SmallBroker(MemoryBroker(), OpenDoors())
    with socket.create_server((HOST, 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(ListenError, match="in use") as refused:
        tried.start(port, HOST, web=WebDoor(HOST, running.web_port))
    assert refused.value.port == running.web_port
    socket.create_server((HOST, port)).close()


# paho-mqtt leaves the socket of a request that is not answered to Python, which closes it.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
class TestMqttBusOverWebSocket(MqttContract):
    @pytest.fixture(autouse=True)
    def on_our_own(self, running: Running) -> Iterator[None]:
        self.running, self.port, self.web_path = running, running.web_port, "/any/path"
        self.buses, self.said = [], Said()
        yield
        ended(self.buses)

    def test_clients_at_both_doors_hear_each_other(self, topic: str) -> None:
        web, inbox, heard = self.connected("web"), Inbox(), Inbox()
        self.port, self.web_path = self.running.port, ""
        bare = self.connected("bare")
        self.ask(web, f"{topic}/web", inbox)
        self.ask(bare, f"{topic}/bare", heard)
        assert bare.publish(f"{topic}/web", b"over WebSocket")
        assert web.publish(f"{topic}/bare", bytes(LARGEST))
        inbox.wait_for(b"over WebSocket")
        heard.wait_for(bytes(LARGEST))

    def test_over_tls_too(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr(_SSLProtocolTransport, "abort", abort_as_of_debian_12)
        by = _authority.authority("Club")
        issued = _authority.server([HOST], by)
        (tmp_path / "relay.pem").write_text(issued.certificate + issued.key, encoding="utf-8")
        other, line = Running(WebDoor(HOST, 0, tls_of(tmp_path / "relay.pem", None))), Line()
        enrolment = Enrolment(HOST, other.web_port, "board", "any", by.certificate, web_path="/mqtt")
        self.buses.append(MqttBus(enrolment, chance=Random("board"), say=self.said, patience=HASTE))
        self.buses[0].on_connection(line)
        line.wait_for(True)
        other.end()
        self.said.wait_for("has ended the connection: Server shutting down")
        gc.collect()  # asyncio tells of a task that failed when it goes
        assert [record for record in caplog.records if record.name == "asyncio"] == []
