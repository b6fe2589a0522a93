"""The only place that bounds connections: how many there are, how slowly one may ask, and how slowly it may read.

uvicorn bounds none of these. A connection costs a descriptor of the process in which the journal is written, and with
none left nothing could be opened any more.
"""

import asyncio
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from gnomon.web.limits import asker

_SENTENCE: Final = b'{"error": "Too many connections: close other pages and try again in a moment."}'
BUSY: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 5\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%s" % (len(_SENTENCE), _SENTENCE)
)


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many connections there may be, and how long they may take, in seconds."""

    at_most: int = 640  # below the usual 1024 descriptors of a process, streams included
    at_most_of_one: int = 80
    head: float = 15.0  # for a request's first line and headers to come
    stuck: float = 30.0  # without anything being read of an answer


class Connection(H11Protocol):
    """A connection that has a place, or is told that there is none."""

    bounds: ClassVar[Bounds]
    proxies: ClassVar[Collection[str]]
    places: ClassVar[Counter[str]]

    _where = ""
    _head: asyncio.TimerHandle | None = None
    _stuck: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        """Take a place, or say that there is none and close."""
        super().connection_made(transport)
        where = asker(self.client)
        of_one = self.bounds.at_most if where in self.proxies else self.bounds.at_most_of_one
        if self.places.total() >= self.bounds.at_most or self.places[where] >= of_one:
            transport.write(BUSY)
            transport.close()
            return
        self._where = where
        self.places[where] += 1
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        if self._where:
            self.places[self._where] -= 1
            if not self.places[self._where]:
                del self.places[self._where]
        _cancel(self._head)
        _cancel(self._stuck)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take in what was sent; of a connection without a place nothing."""
        if not self._where:
            return
        super().data_received(data)
        self._expect_head()

    def _expect_head(self) -> None:
        """Wait for the rest of a request's head from its first byte on, and no longer."""
        if self.conn.their_state is not h11.IDLE:
            _cancel(self._head)
            self._head = None
        elif self._head is None:
            self._head = self.loop.call_later(self.bounds.head, self.transport.abort)

    def pause_writing(self) -> None:
        """More has been written than was read: wait for the reader, but not for ever."""
        super().pause_writing()
        self._stuck = self.loop.call_later(self.bounds.stuck, self.transport.abort)

    def resume_writing(self) -> None:
        """It was read after all."""
        _cancel(self._stuck)
        self._stuck = None
        super().resume_writing()


def bounded(limits: Bounds, trusted: Collection[str] = ()) -> type[Connection]:
    """The protocol of connections within these bounds; from the addresses of `trusted` proxies comes everybody."""

    class Bounded(Connection):
        bounds = limits
        proxies = frozenset(trusted)
        places: ClassVar[Counter[str]] = Counter()

    return Bounded


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
