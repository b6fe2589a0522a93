"""Hold one MQTT connection through paho, from connect to disconnect, in the caller's thread.

No other module imports paho.
"""

import os
import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from typing import Final, Literal, Protocol, runtime_checkable

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from gnomon.hall.messaging.bus import Message, Will
from gnomon.hall.messaging.enrolment import Enrolment
from gnomon.hall.messaging.messages import LARGEST
from gnomon.refusals import Statement, statement

IN_FLIGHT: Final = 20
"""Sure messages that either side sends before the other has acknowledged the first (MQTT 5, receive maximum)."""
_HEADER: Final = 8 * 1024
"""Bytes of a packet beside its payload."""
_SILENT: Final = 0x8D
"""Keep alive timeout (MQTT 5, 2.4)."""
_SURE, _LATEST_WINS = 1, 0
"""Qualities of service: at least once, at most once."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a connection waits, in seconds.

    `keepalive`: after one and a half of it a broker gives up on who is silent, and so do we. `first` and `longest`:
    before it is tried again, doubled from try to try; of that at least a quarter, as chance has it, so that a hall's
    boards do not all come at once. `looks`: how often silence is looked at.
    """

    keepalive: int = 10
    first: float = 1.0
    longest: float = 30.0
    looks: float = 1.0
    connecting: float = 5.0


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What is to be published."""

    topic: str
    payload: bytes
    retain: bool
    sure: bool
    expires: int | None


@dataclass(frozen=True, slots=True)
class LinkTerms:
    """What each connection is made with; `tls` is None without TLS."""

    enrolment: Enrolment
    tls: ssl.SSLContext | None
    will: Will | None
    patience: Patience


class LinkListener(Protocol):
    """Who is told what happens on the link, in the thread that serves it."""

    def came_up(self) -> None:
        """The broker has let us in."""
        ...

    def took(self, message: Message) -> None:
        """A message came."""
        ...

    def on_acknowledge(self, number: int, refusal: str) -> None:
        """The broker has a message, or says why it does not want it."""
        ...

    def unheard(self, number: int, refusals: Sequence[str]) -> None:
        """The broker says of each pattern of a subscription why it refuses it, or nothing."""
        ...

    def on_failure(self, why: Statement) -> None:
        """The broker does not let us in, or the connection was lost."""
        ...

    def thrown_out(self, why: str) -> None:
        """The broker has ended the connection, and said why."""
        ...


@runtime_checkable
class _HasNumber(Protocol):
    """A socket, or what paho has put around one."""

    def fileno(self) -> int:
        """Its number."""
        ...


class _TlsSocket(ssl.SSLSocket):
    """A socket that does not stay open, with nobody to close it, when paho's handshake fails."""

    def do_handshake(self, block: bool = False) -> None:  # noqa: FBT001, FBT002 - as the base class has it
        """Agree on a key. Raises OSError, of which ssl.SSLError is one."""
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


class MqttLink:
    """One connection. Every method belongs to the one thread that made it."""

    def __init__(self, terms: LinkTerms, listener: LinkListener, wakes: socket.socket) -> None:
        """`wakes` ends every waiting when it can be read."""
        enrolment, will = terms.enrolment, terms.will
        self._enrolment, self._patience, self._listener = enrolment, terms.patience, listener
        # A broker publishes a will when its delay is over or when the session ends, whichever is first (MQTT 5,
        # 3.1.3.2.2): the session lasts as long, and one who comes back meanwhile continues it.
        self._linger = 0 if will is None else will.delay
        self._wakes = wakes
        self._selector = DefaultSelector()
        self._selector.register(wakes, EVENT_READ)
        # The client is known by its user's name: a second one of the same name throws the first out, and the hall sees
        # two sessions of one board by turns.
        transport: Literal["tcp", "websockets"] = "websockets" if enrolment.web_path else "tcp"
        client = Client(
            CallbackAPIVersion.VERSION2,
            enrolment.user,
            protocol=MQTTv5,
            transport=transport,
            reconnect_on_failure=False,
        )
        if enrolment.web_path:
            client.ws_set_options(enrolment.web_path)
        client.connect_timeout = terms.patience.connecting
        client.max_inflight_messages_set(IN_FLIGHT)
        client.username_pw_set(enrolment.user, enrolment.password)
        if terms.tls is not None:
            terms.tls.sslsocket_class = _TlsSocket
            client.tls_set_context(terms.tls)
        if will is not None:
            delayed = _properties(PacketTypes.WILLMESSAGE, WillDelayInterval=will.delay)
            client.will_set(will.topic, will.payload, _SURE, retain=True, properties=delayed)
        client.on_socket_open = self._on_socket_open
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message
        client.on_publish = self._on_publish
        client.on_subscribe = self._on_subscribe
        self._client = client

    def connect(self) -> None:
        """Reach the broker and ask to be let in. Raises OSError, of which ssl.SSLError is one."""
        properties = _properties(
            PacketTypes.CONNECT,
            SessionExpiryInterval=self._linger,
            ReceiveMaximum=IN_FLIGHT,
            MaximumPacketSize=LARGEST + _HEADER,
        )
        self._client.connect(
            self._enrolment.host,
            self._enrolment.port,
            self._patience.keepalive,
            clean_start=self._linger == 0,
            properties=properties,
        )
        own = self._client.socket()
        if own is not None:
            self._selector.register(own, EVENT_READ)

    @property
    def is_open(self) -> bool:
        """Whether the connection is not lost yet."""
        return self._client.socket() is not None

    @property
    def is_clear(self) -> bool:
        """Whether what was sent has left this machine."""
        return not self._client.want_write()

    def send(self, message: Outgoing) -> int:
        """Publish; the number under which it will be acknowledged."""
        properties = None
        if message.expires is not None:
            properties = _properties(PacketTypes.PUBLISH, MessageExpiryInterval=message.expires)
        quality = _SURE if message.sure else _LATEST_WINS
        return self._client.publish(message.topic, message.payload, quality, message.retain, properties).mid

    def subscribe(self, patterns: Sequence[str]) -> int | None:
        """Ask for what matches; the number under which that is answered, None when the connection is lost."""
        return self._client.subscribe([(pattern, _SURE) for pattern in patterns])[1]

    def wait(self) -> None:
        """Wait until something comes, something may be sent, or we are woken, and do what there is to do."""
        own = self._client.socket()
        if own is None:
            return
        self._selector.modify(own, EVENT_READ if self.is_clear else EVENT_READ | EVENT_WRITE)
        # What is decrypted already is no longer in the socket.
        self._selector.select(0 if _is_decrypted(own) else self._patience.looks)
        with suppress(BlockingIOError):
            self._wakes.recv(4096)
        self._client.loop_read()
        if self._client.want_write():
            self._client.loop_write()
        self._client.loop_misc()

    def close(self) -> None:
        """Say goodbye where somebody hears it, and end the connection."""
        self._selector.close()
        self._client.on_disconnect = None
        own = self._client.socket()
        self._client.disconnect()
        # Full buffers are not waited for: then the broker sees an end without a goodbye.
        if own is not None:
            own.close()

    # What paho calls

    def _on_socket_open(self, _client: Client, _: object, opened: object) -> None:
        # A message of a few hundred bytes goes out at once. Where there is a WebSocket around it, the option is set on
        # another name of the same socket.
        if isinstance(opened, socket.socket):
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        elif isinstance(opened, _HasNumber):
            with socket.socket(fileno=os.dup(opened.fileno())) as same:
                same.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _on_connect(
        self, _client: Client, _: object, _flags: ConnectFlags, reason: ReasonCode, _properties: Properties | None
    ) -> None:
        if reason.is_failure:
            # The end of the connection is no news after that.
            self._client.on_disconnect = None
            own = self._enrolment
            refused = statement("hall.broker.refused", broker=own.broker, user=own.user, text=str(reason))
            self._listener.on_failure(refused)
        else:
            self._listener.came_up()

    def _on_disconnect(
        self, _client: Client, _: object, flags: DisconnectFlags, reason: ReasonCode, _properties: Properties | None
    ) -> None:
        if flags.is_disconnect_packet_from_server:
            self._listener.thrown_out(str(reason))
        elif reason.value == _SILENT:
            seconds = self._patience.keepalive * 3 // 2
            self._listener.on_failure(statement("hall.broker.silent", broker=self._enrolment.broker, seconds=seconds))
        else:
            # Mosquitto 2.0 says nothing to whom another of the same name has thrown out, nor when it ends itself.
            own = self._enrolment
            self._listener.on_failure(statement("hall.broker.ended", broker=own.broker, user=own.user))

    def _on_message(self, _client: Client, _: object, message: MQTTMessage) -> None:
        self._listener.took(Message(message.topic, bytes(message.payload), message.retain))

    def _on_publish(self, _client: Client, _: object, number: int, reason: ReasonCode, _properties: Properties) -> None:
        self._listener.on_acknowledge(number, str(reason) if reason.is_failure else "")

    def _on_subscribe(
        self, _client: Client, _: object, number: int, reasons: list[ReasonCode], _properties: Properties | None
    ) -> None:
        self._listener.unheard(number, [str(reason) if reason.is_failure else "" for reason in reasons])


def _is_decrypted(own: object) -> bool:
    """Whether something has come that is no longer in the socket; a WebSocket over TLS tells it as TLS does."""
    ask = getattr(own, "pending", None)
    return ask is not None and ask() > 0


def _properties(packet: int, **values: int) -> Properties:
    properties = Properties(packet)  # type: ignore[no-untyped-call]  # paho has no types for it
    for name, value in values.items():
        setattr(properties, name, value)
    return properties
