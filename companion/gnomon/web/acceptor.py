"""Accept connections only while places and file descriptors are free, in a bounded share of the time.

asyncio accepts every connection, and writes a traceback for each one when the descriptors have run out. Here none is
accepted then, nor while all places are taken: connections wait in the kernel's queue.
"""

import asyncio
import resource
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from gnomon.web.connections import BUSY
from gnomon.web.error_log import ErrorLog
from gnomon.web.places import Bounds, ConnectionSlot, ConnectionSlots

BATCH: Final = 16
"""Connections accepted at a time; then the pages get their turn."""
SHARE: Final = 0.1
"""Of the time, at most, that is spent on accepting and refusing."""
LONGEST: Final = 0.05
"""Seconds of a pause for that: what looks like long work is often another program that had the processor."""
PAUSE: Final = 0.1  # seconds until it is looked again whether a place has become free
EXHAUSTED: Final = 1.0  # seconds, where the machine has no descriptor or memory left
WANTED: Final = 4096  # descriptors of a process; Debian's usual soft limit is 1024
SPARE: Final = 256  # descriptors for everything but connections: journal, pins, pipes, files that are sent
FEWEST: Final = 16


def raise_descriptor_limit(wanted: int = WANTED) -> int:
    """Let this process open so many descriptors if it may; return how many it may now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft < most:
        with suppress(OSError, ValueError):  # forbidden by a filter of system calls: then it stays as it is
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def within(bounds: Bounds, descriptors: int) -> Bounds:
    """The bounds that hold with so many descriptors: some of them are for other things than connections."""
    at_most = max(FEWEST, min(bounds.at_most, descriptors - SPARE))
    return replace(bounds, at_most=at_most, kept=min(bounds.kept, at_most // 4))


class Acceptor:
    """Accepts at one socket, in the loop in which it is started."""

    def __init__(
        self,
        listening: socket.socket,
        places: ConnectionSlots,
        protocol: Callable[[ConnectionSlot], asyncio.Protocol],
        context: ssl.SSLContext | None,
        log: ErrorLog,
    ) -> None:
        """`protocol` makes what speaks over a connection that has a place; `context` is for TLS."""
        self._listening = listening
        self._places = places
        self._protocol = protocol
        self._context = context
        self._log = log
        self._loop = asyncio.get_running_loop()
        self._resuming: asyncio.TimerHandle | None = None
        self._begun: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Accept from now on."""
        self._listening.settimeout(0)
        self._resume()

    def stop(self) -> None:
        """Accept no more."""
        self._loop.remove_reader(self._listening)
        if self._resuming is not None:
            self._resuming.cancel()
        for task in self._begun:
            task.cancel()

    def _resume(self) -> None:
        self._resuming = None
        self._loop.add_reader(self._listening, self._accept)

    def _pause(self, seconds: float) -> None:
        self._loop.remove_reader(self._listening)
        self._resuming = self._loop.call_later(seconds, self._resume)

    def _accept(self) -> None:
        begun = self._loop.time()
        for _ in range(BATCH):
            if self._places.is_full(self._loop.time()):
                self._log.report("full", "All connections of the pages are taken: others wait.")
                self._pause(PAUSE)
                return
            try:
                accepted, address = self._listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                break
            except OSError as error:  # no descriptors or memory left, here or on the machine
                self._log.report("exhausted", f"No connection to the pages can be accepted now: {error.strerror}.")
                self._pause(EXHAUSTED)
                return
            accepted.settimeout(0)
            self._admit(accepted, str(address[0]))
        took = self._loop.time() - begun
        self._pause(min(LONGEST, took * (1 - SHARE) / SHARE))

    def _admit(self, accepted: socket.socket, address: str) -> None:
        place = self._places.enter(plain(address), self._loop.time())
        if place is None:
            self._log.report("refused", f"More connections than {address} may have were refused.")
            if self._context is None:
                with suppress(OSError):
                    accepted.send(BUSY)
            accepted.close()
            return
        task = self._loop.create_task(self._connect(accepted, place))
        place.close = task.cancel
        self._begun.add(task)
        task.add_done_callback(self._begun.discard)

    async def _connect(self, accepted: socket.socket, place: ConnectionSlot) -> None:
        """Let the protocol speak over a connection; with TLS, once both sides have agreed on it in time."""
        patience = None if self._context is None else self._places.bounds.head
        try:
            await self._loop.connect_accepted_socket(
                lambda: self._protocol(place), accepted, ssl=self._context, ssl_handshake_timeout=patience
            )
        except BaseException as error:
            self._places.leave(place)
            accepted.close()
            if not isinstance(error, OSError):  # the other side's fault, and nobody's here
                raise


def plain(address: str) -> str:
    """An address; one of IPv4 in the clothes of IPv6 without them."""
    return address.removeprefix("::ffff:")
