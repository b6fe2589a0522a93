"""Serve HTTP/1.1 over admitted connections and bound how slowly clients may send and read.

uvicorn bounds neither.
"""

import asyncio
import json
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from gnomon.web.access.gate import CONNECTION
from gnomon.web.server._slots import Bounds, ConnectionSlot, SlotTerms

__all__ = ["BUSY", "Bounds", "CountedConnection"]


def _refusal(status: bytes, sentence: str, *headers: bytes) -> bytes:
    body = json.dumps({"error": sentence}).encode()
    head = (b"HTTP/1.1 " + status, b"content-type: application/json", b"connection: close", *headers)
    return b"\r\n".join((*head, b"content-length: %d" % len(body), b"", body))


BUSY: Final = _refusal(
    b"503 Service Unavailable",
    "Too many connections: close other pages and try again in a moment.",
    b"retry-after: 5",
)
MALFORMED: Final = _refusal(b"400 Bad Request", "This is not a request that can be understood.")
LONGEST_HEAD: Final = 16 * 1024
"""Bytes of a request's first line and headers; ours need less than two thousand."""
HEARD_OUT: Final = 1.0
"""Seconds for which it is waited that somebody stops sending who has been refused."""
LONG_HEAD: Final = _refusal(
    b"431 Request Header Fields Too Large",
    f"The first line and the headers of a request may have {LONGEST_HEAD // 1024} KiB at most.",
)


class _BoundedHeads(h11.Connection):
    """A connection that takes no longer head than it may have.

    h11 bounds only what it keeps while it waits for the rest: a head that comes in one piece may be of any length.
    """

    is_head_long = False

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """As h11's. Raises RemoteProtocolError for a head that is too long, too."""
        try:
            event = super().next_event()
        except h11.RemoteProtocolError as error:
            self.is_head_long = error.error_status_hint == HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise
        if isinstance(event, h11.Request) and _length(event) > LONGEST_HEAD:
            self.is_head_long = True
            message = "the head is too long"
            raise h11.RemoteProtocolError(message)
        return event


def _length(head: h11.Request) -> int:
    """Bytes of a head as it is written; blanks beyond what it needs are not counted."""
    line = len(head.method) + len(head.target) + len("  HTTP/1.1\r\n")
    return line + sum(len(name) + len(value) + len(": \r\n") for name, value in head.headers)


class CountedConnection(H11Protocol):
    """A connection that has a place."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        place: ConnectionSlot,
        bounds: Bounds,
    ) -> None:
        """`place` is given back when the connection ends; requests find it in their state."""
        super().__init__(config, server_state, {**app_state, CONNECTION: place})
        self.conn: _BoundedHeads = _BoundedHeads(h11.SERVER, LONGEST_HEAD)
        self._place = place
        self._bounds = bounds
        self._head: asyncio.TimerHandle | None = None
        self._stuck: asyncio.TimerHandle | None = None
        self._visit: asyncio.TimerHandle | None = None
        self._last: asyncio.TimerHandle | None = None
        self._is_deaf = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        """Expect the first request."""
        super().connection_made(transport)
        self._place.close = self._abort
        if self._place.standing is SlotTerms.GUEST:
            self._visit = self.loop.call_later(self._bounds.guest, self._end_visit)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self._place.places.leave(self._place)
        for timer in (self._head, self._stuck, self._visit, self._last):
            _cancel(timer)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take in what was sent."""
        if not self._is_deaf:
            super().data_received(data)
            self._expect_head()

    @property
    def _is_answering(self) -> bool:
        cycle = getattr(self, "cycle", None)  # none before the first request
        return cycle is not None and not cycle.response_complete

    def handle_events(self) -> None:
        """Act on what was sent; a connection whose other side breaks the protocol ends here, without a word."""
        try:
            super().handle_events()
        except h11.ProtocolError:
            self._let_go()
        self._place.is_busy = self._is_answering
        self._place.has_asked = self._place.has_asked or self._place.is_busy

    def on_response_complete(self) -> None:
        """Wait for the next request; a guest has been answered and goes."""
        self._place.is_busy = False
        if self._place.standing is SlotTerms.GUEST:
            self.transport.close()
        else:
            super().on_response_complete()

    def send_400_response(self, _msg: str) -> None:
        """Say once that this is no request, where nothing else is being answered, and let the connection go."""
        if not self._is_answering and self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            self.transport.write(LONG_HEAD if self.conn.is_head_long else MALFORMED)
            self._hear_out()
        else:
            self._let_go()

    def _hear_out(self) -> None:
        """Say no more, and drop what still comes: closed meanwhile, the connection would be reset, the answer lost."""
        self._is_deaf = True
        if self.transport.can_write_eof():
            self.transport.write_eof()
            self._last = self.loop.call_later(HEARD_OUT, self._abort)
        else:  # over TLS
            self.transport.close()

    def _let_go(self) -> None:
        """End the connection, and let what is being answered over it know."""
        if self._is_answering:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self._abort()

    def _end_visit(self) -> None:
        if self._place.standing is SlotTerms.GUEST:
            self._abort()

    def _abort(self) -> None:
        """End the connection at once."""
        # Over TLS the asyncio of Python 3.11.2 (Debian 12) finds nothing to abort once a transport was closed twice.
        with suppress(AttributeError):
            self.transport.abort()

    def _expect_head(self) -> None:
        """Wait for the rest of a request's head from its first byte on, and no longer."""
        if self.conn.their_state is not h11.IDLE:
            _cancel(self._head)
            self._head = None
        elif self._head is None:
            self._head = self.loop.call_later(self._bounds.head, self._abort)

    def pause_writing(self) -> None:
        """More has been written than was read: wait for the reader, but not for ever."""
        super().pause_writing()
        self._stuck = self.loop.call_later(self._bounds.stuck, self._abort)

    def resume_writing(self) -> None:
        """It was read after all."""
        _cancel(self._stuck)
        self._stuck = None
        super().resume_writing()


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
