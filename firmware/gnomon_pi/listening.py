"""The only place that serves a page at an address, in the daemon's own loop; what the page is, others say."""

import os
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

import uvicorn
from starlette.types import ASGIApp

BACKLOG: Final = 64


class PortError(OSError):
    """The page cannot be served there; the message is one sentence."""


class _Server(uvicorn.Server):
    """A server that leaves the signals to the daemon."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


class Listener:
    """An address for a page; the address is taken when this is made."""

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

    @property
    def hosts(self) -> frozenset[str]:
        """The names by which a browser may call this machine, beside `localhost` and plain addresses."""
        name = socket.gethostname()
        return frozenset({self._host, name, f"{name}.local"})

    async def listen(self, page: ASGIApp) -> None:
        """Serve until told to stop."""
        self._server = _Server(uvicorn.Config(page, lifespan="off", log_level="critical", access_log=False))
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
