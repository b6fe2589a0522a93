"""Parse and build MQTT 5 packets as a broker does, from bytes to values and back.

The numbers in brackets are the sections of the standard (OASIS, MQTT Version 5.0).
"""

import struct
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from gnomon.hall.messaging.bus import Message, Will

LENGTH_BYTES: Final = 4
"""Bytes of a packet's length at most (1.5.5)."""
_MORE: Final = 0x80
_VERSION: Final = 5
_ASKING: Final = 0b0010
"""The flags of a subscription, and of its end (3.8.1, 3.10.1)."""


class MalformedError(ValueError):
    """A packet is none, or one that may not come here; `reason` is what the client is told."""

    def __init__(self, what: str, reason: "ReasonCode | None" = None) -> None:
        super().__init__(what)
        self.reason = ReasonCode.MALFORMED if reason is None else reason


class PacketKind(IntEnum):
    """The packets (2.1.2)."""

    CONNECT = 1
    CONNACK = 2
    PUBLISH = 3
    PUBACK = 4
    SUBSCRIBE = 8
    SUBACK = 9
    UNSUBSCRIBE = 10
    UNSUBACK = 11
    PINGREQ = 12
    PINGRESP = 13
    DISCONNECT = 14


class ReasonCode(IntEnum):
    """Why something is so (2.4)."""

    SUCCESS = 0x00
    WITH_WILL = 0x04
    NO_SUBSCRIPTION = 0x11
    MALFORMED = 0x81
    PROTOCOL_ERROR = 0x82
    OURS = 0x83
    """Implementation specific: we do not take it, and sent again it is not taken either."""
    OTHER_VERSION = 0x84
    NOT_AUTHORIZED = 0x87
    SHUTTING_DOWN = 0x8B
    KEEP_ALIVE = 0x8D
    TAKEN_OVER = 0x8E
    NO_TOPIC = 0x90
    TOO_LARGE = 0x95
    QUOTA = 0x97
    NO_SUCH_QUALITY = 0x9B
    NO_SHARING = 0x9E


class Property(IntEnum):
    """The properties that are of use here (2.2.2.2)."""

    SESSION_EXPIRY = 0x11
    WILL_DELAY = 0x18
    RECEIVE_MAXIMUM = 0x21
    MAXIMUM_QUALITY = 0x24
    LARGEST_PACKET = 0x27
    SUBSCRIPTION_NUMBERS = 0x29
    SHARING = 0x2A


class Connect(NamedTuple):
    """Somebody wants to come in; `keepalive` and `expiry` in seconds, `largest` in bytes, 0 for any."""

    user: str
    password: str
    clean_start: bool
    keepalive: int
    expiry: int
    largest: int
    will: Will | None


class Publish(NamedTuple):
    """A message; `number` is 0 where no acknowledgement is wanted."""

    topic: str
    payload: bytes
    retain: bool
    number: int


class Subscribe(NamedTuple):
    """Somebody wants what matches."""

    number: int
    patterns: tuple[str, ...]


class Unsubscribe(NamedTuple):
    """Somebody wants it no longer."""

    number: int
    patterns: tuple[str, ...]


class Acknowledged(NamedTuple):
    """The client has a message."""


class Ping(NamedTuple):
    """Somebody is still there."""


class Goodbye(NamedTuple):
    """Somebody leaves; `with_will`: and wants the will published."""

    with_will: bool


Packet = Connect | Publish | Subscribe | Unsubscribe | Acknowledged | Ping | Goodbye


# Reading

_FIXED: Final[Mapping[int, int]] = {
    **dict.fromkeys((0x01, 0x17, 0x19, 0x24, 0x25, 0x28, 0x29, 0x2A), 1),
    **dict.fromkeys((0x13, 0x21, 0x22, 0x23), 2),
    **dict.fromkeys((0x02, 0x11, 0x18, 0x27), 4),
}
_TEXTS: Final = frozenset((0x03, 0x08, 0x09, 0x12, 0x15, 0x16, 0x1A, 0x1C, 0x1F))
_SUBSCRIPTION: Final = 0x0B
_USER_PROPERTY: Final = 0x26


def parse_packet(first: int, body: bytes) -> Packet:
    """The packet of which `first` is the first byte and `body` what follows its length. Raises MalformedError."""
    fields, flags = _PacketFields(body), first & 0x0F
    match first >> 4:
        case PacketKind.CONNECT if flags == 0:
            return _connect(fields)
        case PacketKind.PUBLISH:
            return _publish(fields, flags)
        case PacketKind.SUBSCRIBE if flags == _ASKING:
            number, patterns = _packet_number(fields), tuple(_patterns(fields, has_options=True))
            return Subscribe(number, patterns)
        case PacketKind.UNSUBSCRIBE if flags == _ASKING:
            number, patterns = _packet_number(fields), tuple(_patterns(fields, has_options=False))
            return Unsubscribe(number, patterns)
        case PacketKind.PUBACK if flags == 0:
            return Acknowledged()
        case PacketKind.PINGREQ if flags == 0 and not body:
            return Ping()
        case PacketKind.DISCONNECT if flags == 0:
            return Goodbye(with_will=body[:1] == bytes([ReasonCode.WITH_WILL]))
        case _:
            message = f"a packet that begins with {first:#04x} does not come from a client"
            raise MalformedError(message, ReasonCode.PROTOCOL_ERROR)


def _connect(fields: "_PacketFields") -> Connect:
    if fields.text() != "MQTT" or fields.number(1) != _VERSION:
        message = "only MQTT 5 is spoken here"
        raise MalformedError(message, ReasonCode.OTHER_VERSION)
    flags, keepalive, properties = fields.number(1), fields.number(2), fields.properties()
    fields.text()  # the client's name for itself: it is known by its user
    will = None
    if flags & 0x04:
        delay = fields.properties().get(Property.WILL_DELAY, 0)
        will = Will(fields.text(), fields.binary(), delay)
    user = fields.text() if flags & 0x80 else ""
    password = fields.binary().decode("utf-8", "replace") if flags & 0x40 else ""
    fields.end()
    expiry, largest = properties.get(Property.SESSION_EXPIRY, 0), properties.get(Property.LARGEST_PACKET, 0)
    return Connect(user, password, bool(flags & 0x02), keepalive, expiry, largest, will)


def _publish(fields: "_PacketFields", flags: int) -> Publish:
    quality = flags >> 1 & 0b11
    if quality > 1:
        message = "exactly once is not spoken here"
        raise MalformedError(message, ReasonCode.NO_SUCH_QUALITY)
    topic = fields.text()
    number = fields.number(2) if quality else 0
    fields.properties()
    if quality and not number:
        message = "a message that wants an acknowledgement has no number"
        raise MalformedError(message, ReasonCode.PROTOCOL_ERROR)
    return Publish(topic, fields.rest(), bool(flags & 1), number)


def _packet_number(fields: "_PacketFields") -> int:
    number = fields.number(2)
    fields.properties()
    return number


def _patterns(fields: "_PacketFields", *, has_options: bool) -> Iterator[str]:
    if fields.is_at_end:
        message = "nothing is asked for"
        raise MalformedError(message, ReasonCode.PROTOCOL_ERROR)
    while not fields.is_at_end:
        yield fields.text()
        if has_options:
            fields.number(1)


class _PacketFields:
    """The fields of a packet, one after another. Raises MalformedError where there are none any more."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._at = 0

    @property
    def is_at_end(self) -> bool:
        return self._at == len(self._body)

    def end(self) -> None:
        if not self.is_at_end:
            message = "a packet goes on after its end"
            raise MalformedError(message)

    def rest(self) -> bytes:
        return self._take(len(self._body) - self._at)

    def number(self, size: int) -> int:
        return int.from_bytes(self._take(size), "big")

    def binary(self) -> bytes:
        return self._take(self.number(2))

    def text(self) -> str:
        try:
            text = self.binary().decode("utf-8")
        except UnicodeDecodeError as error:
            message = "a text is not in UTF-8"
            raise MalformedError(message) from error
        if "\0" in text:
            message = "a text has a NUL in it"
            raise MalformedError(message)
        return text

    def length(self) -> int:
        value = 0
        for place in range(LENGTH_BYTES):
            byte = self.number(1)
            value |= (byte & ~_MORE) << 7 * place
            if not byte & _MORE:
                return value
        message = "a length has more than four bytes"
        raise MalformedError(message)

    def properties(self) -> Mapping[int, int]:
        """The numbers among the properties; the texts are passed over."""
        size = self.length()
        end = self._at + size
        found: dict[int, int] = {}
        while self._at < end:
            kind = self.length()
            if kind in _FIXED:
                found[kind] = self.number(_FIXED[kind])
            elif kind == _SUBSCRIPTION:
                self.length()
            elif kind in _TEXTS:
                self.binary()
            elif kind == _USER_PROPERTY:
                self.binary()
                self.binary()
            else:
                message = f"there is no property {kind:#04x}"
                raise MalformedError(message)
        if self._at != end:
            message = "the properties go on after their end"
            raise MalformedError(message)
        return found

    def _take(self, size: int) -> bytes:
        taken = self._body[self._at : self._at + size]
        if len(taken) < size:
            message = "a packet ends before its end"
            raise MalformedError(message)
        self._at += size
        return taken


# Writing


def connack(reason: ReasonCode, *, largest: int, in_flight: int) -> bytes:
    """Whether somebody is let in, and what is spoken here: at least once at most, no sessions, no sharing."""
    if reason is not ReasonCode.SUCCESS:
        return _packet(PacketKind.CONNACK, bytes([0, reason, 0]))
    properties = b"".join(
        (
            struct.pack(">BH", Property.RECEIVE_MAXIMUM, in_flight),
            struct.pack(">BB", Property.MAXIMUM_QUALITY, 1),
            struct.pack(">BI", Property.LARGEST_PACKET, largest),
            struct.pack(">BB", Property.SUBSCRIPTION_NUMBERS, 0),
            struct.pack(">BB", Property.SHARING, 0),
        )
    )
    return _packet(PacketKind.CONNACK, bytes([0, reason, len(properties)]) + properties)


def publish(message: Message) -> bytes:
    """A message for a client, which is not asked to acknowledge it: the connection loses nothing by itself."""
    topic = message.topic.encode()
    body = b"".join((struct.pack(">H", len(topic)), topic, b"\0", message.payload))
    return _packet(PacketKind.PUBLISH, body, int(message.retained))


def puback(number: int, reason: ReasonCode) -> bytes:
    """What became of a message."""
    return _packet(PacketKind.PUBACK, struct.pack(">HB", number, reason))


def suback(number: int, reasons: Sequence[ReasonCode]) -> bytes:
    """What became of each pattern of a subscription: SUCCESS is `at most once`."""
    return _packet(PacketKind.SUBACK, struct.pack(">HB", number, 0) + bytes(reasons))


def unsuback(number: int, reasons: Sequence[ReasonCode]) -> bytes:
    """What became of each pattern that is wanted no longer."""
    return _packet(PacketKind.UNSUBACK, struct.pack(">HB", number, 0) + bytes(reasons))


def pingresp() -> bytes:
    """The broker is still there."""
    return _packet(PacketKind.PINGRESP, b"")


def disconnect(reason: ReasonCode) -> bytes:
    """The broker ends the connection, and says why."""
    return _packet(PacketKind.DISCONNECT, bytes([reason]))


def _packet(kind: PacketKind, body: bytes, flags: int = 0) -> bytes:
    return bytes([kind << 4 | flags]) + _length(len(body)) + body


def _length(value: int) -> bytes:
    written = bytearray()
    while True:
        value, seven = divmod(value, _MORE)
        written.append(seven | (_MORE if value else 0))
        if not value:
            return bytes(written)
