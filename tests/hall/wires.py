"""Provide a wire that can be cut: a TCP connection whose bytes pass through the test."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from selectors import EVENT_READ, DefaultSelector
from threading import Lock, Thread

from tests.hall.servers import HOST


class Wire:
    """A port of this machine that leads to another, as long as the wire is not cut."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._lock = Lock()
        self._pairs: dict[socket.socket, socket.socket] = {}
        self._is_whole = True
        self._ends, self._end = socket.socketpair()
        self._listener = socket.create_server((HOST, 0))
        self.port = int(self._listener.getsockname()[1])
        self._selector = DefaultSelector()
        for end in (self._listener, self._ends):
            self._selector.register(end, EVENT_READ)
        self._thread = Thread(target=self._carry)
        self._thread.start()

    def cut(self) -> None:
        """End what goes through it, without a goodbye to either side, and let nobody through."""
        with self._lock:
            self._is_whole = False
            for end in list(self._pairs):
                self._drop(end)

    def mend(self) -> None:
        """Let everybody through again."""
        with self._lock:
            self._is_whole = True

    def remove(self) -> None:
        """Take the wire away."""
        self._end.send(b"\0")
        self._thread.join()
        for end in (self._listener, self._ends, self._end, *self._pairs):
            end.close()
        self._selector.close()

    def _carry(self) -> None:
        while True:
            for key, _ in self._selector.select():
                with self._lock:
                    if key.fileobj is self._ends:
                        return
                    if key.fileobj is self._listener:
                        self._join()
                    elif isinstance(key.fileobj, socket.socket) and key.fileobj in self._pairs:
                        self._pass_on(key.fileobj)

    def _join(self) -> None:
        near, _ = self._listener.accept()
        if not self._is_whole:
            near.close()
            return
        try:
            far = socket.create_connection((HOST, self._to))
        except OSError:
            near.close()
            return
        for end, other in ((near, far), (far, near)):
            self._pairs[end] = other
            self._selector.register(end, EVENT_READ)

    def _pass_on(self, end: socket.socket) -> None:
        try:
            said = end.recv(65_536)
            self._pairs[end].sendall(said)
        except OSError:
            said = b""
        if not said:
            self._drop(end)

    def _drop(self, end: socket.socket) -> None:
        other = self._pairs.pop(end, None)
        if other is None:
            return
        del self._pairs[other]
        for one in (end, other):
            self._selector.unregister(one)
            with suppress(OSError):
                one.close()


@contextmanager
def wire(to: int) -> Iterator[Wire]:
    """A wire to a port of this machine, taken away at the end."""
    made = Wire(to)
    try:
        yield made
    finally:
        made.remove()
