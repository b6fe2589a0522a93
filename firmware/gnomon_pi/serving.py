"""The only place that serves the daemon's page, in the daemon's own loop."""

import os
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

import uvicorn
from starlette.routing import Mount

from gnomon.records.journal import Journal
from gnomon.web.app import application
from gnomon.web.house import House
from gnomon_pi.bench.app import application as bench
from gnomon_pi.desk import Desk
from gnomon_pi.page_board import PageBoard

BACKLOG: Final = 64
BENCH: Final = "/bench/"


class PortError(OSError):
    """The page cannot be served there; the message is one sentence."""


class _Server(uvicorn.Server):
    """A server that leaves the signals to the daemon."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


class Page:
    """The page at an address; the address is taken when this is made."""

    def __init__(self, host: str, port: int) -> None:
        """Raises PortError when the address is not to be had."""
        self._host = host
        self._socket = _listening(host, port)
        self.port: int = self._socket.getsockname()[1]
        self._server: _Server | None = None

    @property
    def address(self) -> str:
        """What to type into a browser."""
        everywhere = self._host in ("", "0.0.0.0", "::")  # noqa: S104 - compared, not bound
        name = socket.gethostname() if everywhere else f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{name}:{self.port}/"

    async def serve(self, desk: Desk, journal: Journal) -> None:
        """Serve the pages of a desk and of the games in a journal, and the bench, until told to stop."""
        name = socket.gethostname()
        hosts = {self._host, name, f"{name}.local"}
        house = House(PageBoard(desk), journal, hosts, BENCH if desk.board is not None else None)
        app = application(house, Mount(BENCH.rstrip("/"), bench(desk, hosts)))
        self._server = _Server(uvicorn.Config(app, lifespan="off", log_level="critical", access_log=False))
        with closing(self._socket):
            await self._server.serve(sockets=[self._socket])

    def close(self) -> None:
        """Let the address go, also when nothing was served there."""
        self._socket.close()

    def stop(self) -> None:
        """Stop serving; open streams are cut."""
        if self._server is not None:
            self._server.should_exit = self._server.force_exit = True


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, *_, address = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[
            0
        ]
        return socket.create_server(address[:2], family=family, backlog=BACKLOG)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror  # below 0: of a name
        message = f"The page cannot be served at {host}:{port}: {reason}; choose another --port."
        raise PortError(message) from error
