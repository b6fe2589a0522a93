"""Carry MQTT over WebSocket (RFC 6455; MQTT 5, 6.0) in place of a bare connection.

Packets and frames need not begin together: what comes in binary frames is one stream of bytes. Nothing is compressed,
so no small frame becomes a large one.
"""

import asyncio
import base64
import binascii
from collections.abc import Iterator
from contextlib import suppress
from http import HTTPStatus
from typing import Final

from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Event,
    Ping,
    RejectConnection,
    Request,
    TextMessage,
)
from wsproto.frame_protocol import CloseReason
from wsproto.utilities import RemoteProtocolError

_SUBPROTOCOL: Final = "mqtt"
"""What a client has to name, and is told again (6.0.0-3, 6.0.0-4)."""
_KEY: Final = b"sec-websocket-key"
_KEY_BYTES: Final = 16
_CHUNK: Final = 16 * 1024
"""Bytes that are read at a time; then others have their turn."""


class WebSocketStream:
    """The bytes within the frames of a connection, in place of its reader and its writer."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, most: int) -> None:
        """`most`: bytes of a message at most, in however many frames it comes."""
        self._reader, self._writer, self._most = reader, writer, most
        self._web = WSConnection(ConnectionType.SERVER)
        self._bytes = bytearray()
        self._message = 0  # bytes of the message that is coming
        self._events: Iterator[Event] = iter(())
        self._is_open = False

    async def open(self) -> None:
        """Answer the request that begins a connection.

        Raises OSError where it is none; then the other one is told why in one line.
        """
        try:
            request = await self._request()
        except RemoteProtocolError as error:
            hint = error.event_hint if isinstance(error.event_hint, RejectConnection) else RejectConnection()
            raise self._refuse(str(error), HTTPStatus(hint.status_code), *hint.headers) from error
        except UnicodeError as error:
            message = "A header is not in ASCII"
            raise self._refuse(message) from error
        if not _has_key(request):
            message = "'Sec-WebSocket-Key' is no key"
            raise self._refuse(message)
        if _SUBPROTOCOL not in request.subprotocols:
            message = "Missing header, 'Sec-WebSocket-Protocol: mqtt'"
            raise self._refuse(message)
        self._writer.write(self._web.send(AcceptConnection(subprotocol=_SUBPROTOCOL)))
        self._is_open = True

    async def _request(self) -> Request:
        while chunk := await self._reader.read(_CHUNK):
            self._web.receive_data(chunk)
            for event in self._web.events():
                if isinstance(event, Request):
                    return event
        raise ConnectionResetError

    def _refuse(
        self, why: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST, *headers: tuple[bytes, bytes]
    ) -> ConnectionRefusedError:
        """Write why there is no connection; what is to be raised then."""
        body = f"{why}: this is an address for MQTT over WebSocket.\n".encode()
        told = (
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"content-length", b"%d" % len(body)),
            (b"connection", b"close"),
            *headers,
        )
        head = (f"HTTP/1.1 {status} {status.phrase}".encode(), *(b": ".join(each) for each in told))
        self._writer.write(b"\r\n".join((*head, b"", body)))
        return ConnectionRefusedError(why)

    # As of a reader

    async def readexactly(self, count: int) -> bytes:
        """So many bytes. Raises asyncio.IncompleteReadError where the connection ends before, and OSError."""
        while len(self._bytes) < count:
            # One at a time: what came before the end of the connection is answered before it ends.
            event = next(self._events, None)
            if event is not None:
                self._take(event)
            elif not self._is_open or not await self._hear_more():
                raise asyncio.IncompleteReadError(bytes(self._bytes), count)
        taken = bytes(self._bytes[:count])
        del self._bytes[:count]
        return taken

    async def _hear_more(self) -> bool:
        """Read on; whether something came."""
        await self._writer.drain()  # a client that asks for answers has to take them
        await asyncio.sleep(0)
        chunk = await self._reader.read(_CHUNK)
        self._web.receive_data(chunk)
        self._events = self._web.events()
        return bool(chunk)

    def _take(self, event: Event) -> None:
        match event:
            case BytesMessage():
                self._message += len(event.data)
                if self._message > self._most:
                    self._end(CloseReason.MESSAGE_TOO_BIG, f"a message has more than {self._most} bytes")
                    return
                self._bytes += event.data
                if event.message_finished:
                    self._message = 0
            case TextMessage():
                self._end(CloseReason.UNSUPPORTED_DATA, "MQTT comes in binary frames")  # 6.0.0-1
            case Ping():
                self._writer.write(self._web.send(event.response()))
            case CloseConnection():  # the other one's, or what is wrong with a frame
                self._end(event.code, event.reason)
            case _:  # an answer to a ping that nobody has sent
                pass

    def _end(self, code: int, reason: str | None) -> None:
        """Say that the connection ends, and take nothing more."""
        if self._is_open:
            self._is_open, self._events = False, iter(())
            self._writer.write(self._web.send(CloseConnection(code, reason)))

    # As of a writer

    @property
    def transport(self) -> asyncio.WriteTransport:
        """What the frames are written to."""
        return self._writer.transport

    def write(self, data: bytes) -> None:
        """Send bytes in a frame of their own, unless the connection has ended."""
        if self._is_open:
            self._writer.write(self._web.send(BytesMessage(data)))

    async def drain(self) -> None:
        """Wait until the other one has taken enough. Raises OSError."""
        await self._writer.drain()

    def is_closing(self) -> bool:
        """Whether nothing more is sent."""
        return not self._is_open or self._writer.is_closing()

    def close(self) -> None:
        """End the connection when everything is sent."""
        self._end(CloseReason.NORMAL_CLOSURE, None)
        self._writer.close()

    async def wait_closed(self) -> None:
        """Wait until it has ended. Raises OSError."""
        await self._writer.wait_closed()


def _has_key(request: Request) -> bool:
    """Whether a request has the key that belongs to it (RFC 6455, 4.2.1)."""
    key = next(value for name, value in request.extra_headers if name == _KEY)
    with suppress(binascii.Error):
        return len(base64.b64decode(key, validate=True)) == _KEY_BYTES
    return False
