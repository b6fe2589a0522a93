"""Serve an ASGI application at an address with uvicorn, with or without TLS, in the caller's loop.

asyncio accepts every connection, and writes a traceback for each one when the descriptors have run out. Here none is
accepted then, nor while all slots are taken: connections wait in the kernel's queue, and accepting gets a bounded
share of the time.

An error that strangers can cause as often as they like would fill the log, and writing it takes time from the game:
the first of a kind is logged at once, and repetitions are counted and reported at most once a minute.
"""

import asyncio
import errno
import os
import resource
import socket
import ssl
import sys
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from ipaddress import ip_address
from pathlib import Path
from threading import Lock
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from gnomon.refusals import Refusal, Statement, join, statement
from gnomon.web.server._slots import Bounds, ConnectionSlot, ConnectionSlots
from gnomon.web.server.connections import BUSY, LONGEST_HEAD, CountedConnection

EVERY: Final = 60.0
"""Seconds between two lines about the same."""
KINDS: Final = 64
"""Kinds of errors that are told apart; the one that was written longest ago is forgotten first."""


def _write(text: str) -> None:
    sys.stderr.write(text)


class ErrorLog:
    """Errors by their kind. Any thread may report."""

    def __init__(self, now: Callable[[], float], write: Callable[[str], None] = _write) -> None:
        """`now` answers seconds of a monotonic clock, as a loop's `time` does; `write` takes a text with line ends."""
        self._write = write
        self._now = now
        self._lock = Lock()
        self._kinds: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def report(self, kind: str, sentence: str, details: str = "") -> None:
        """Write a sentence about something that went wrong, with details the first time."""
        with self._lock:
            now = self._now()
            known = self._kinds.get(kind)
            if known is not None and now - known[0] < EVERY:
                self._kinds[kind] = (known[0], known[1] + 1)
                return
            self._kinds[kind] = (now, 0)
            self._kinds.move_to_end(kind)
            while len(self._kinds) > KINDS:
                self._kinds.popitem(last=False)
        if known is None:
            self._write(f"{sentence}\n{details}")
        else:
            self._write(f"{sentence} ({known[1] + 1} times since this was last written)\n")


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


def raise_descriptor_limit() -> int:
    """Let this process open so many descriptors if it may; return how many it may now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return WANTED
    most = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
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
        # asyncio does so only for sockets that name their protocol. Without it an answer in two pieces waits for 40 ms:
        # the second piece until the first is acknowledged, and that for more to acknowledge (RFC 1122, 4.2.3.4).
        with suppress(OSError):  # a client that has gone already waits for nothing
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
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


BACKLOG: Final = 256
"""Connections that wait in the kernel to be accepted."""
LOOK: Final = 2.0
"""Seconds to find out who has taken an address."""


EVERYWHERE: Final = ("", "0.0.0.0", "::")  # noqa: S104 - compared, not bound
ELSEWHERE: Final = ("192.0.2.1", 9)
"""An address that nobody has (RFC 5737), to ask the kernel which of ours it would be reached from; nothing is sent."""


class PortError(Refusal, OSError):
    """The page cannot be served there."""


class RunningError(PortError):
    """Gnomon serves pages there already."""


@dataclass(frozen=True, slots=True)
class Way:
    """How a browser's requests come here: with our own certificate or without, and through which proxies.

    `proxies` are the addresses whose word is taken for who asks and by which scheme (X-Forwarded-For and -Proto); of
    everybody else these headers are ignored. `names` are further names by which a browser may call this machine.
    """

    certificate: Path | None = None
    key: Path | None = None
    proxies: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise PortError for a certificate and a key that cannot be used."""
        if self.certificate is None:
            return
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(self.certificate, self.key)
        except (OSError, ssl.SSLError) as error:
            reason = error.reason if isinstance(error, ssl.SSLError) else error.strerror
            files = join(Statement.plain(str(each)) for each in (self.certificate, self.key) if each)
            raise PortError(
                statement("start.certificate", files=files, detail=reason or statement("start.certificate.no_pem"))
            ) from error


PLAIN: Final = Way()
WIDE: Final = Bounds()


class _Server(uvicorn.Server):
    """A server that leaves the signals to the program that runs it, and accepts within bounds."""

    def __init__(self, config: uvicorn.Config, bounds: Bounds, proxies: tuple[str, ...], log: ErrorLog) -> None:
        super().__init__(config)
        self._bounds = within(bounds, raise_descriptor_limit())
        self._places = ConnectionSlots(self._bounds, proxies)
        self._log = log
        self._acceptors: list[Acceptor] = []

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept at sockets that listen."""
        await self.lifespan.startup()
        self.servers = []
        self._acceptors = [
            Acceptor(each, self._places, self._protocol, self.config.ssl, self._log) for each in sockets or []
        ]
        for acceptor in self._acceptors:
            acceptor.start()
        self.started = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more, and end what is open."""
        self.stop_accepting()
        await super().shutdown(sockets)

    def stop_accepting(self) -> None:
        """Accept no more, also where the serving was cancelled."""
        for acceptor in self._acceptors:
            acceptor.stop()
        self._acceptors = []

    def _protocol(self, place: ConnectionSlot) -> CountedConnection:
        return CountedConnection(self.config, self.server_state, self.lifespan.state, place, self._bounds)


class FaultReporter:
    """A page whose own faults are written to standard error, where the people who run the daemon find them."""

    def __init__(self, page: ASGIApp, log: ErrorLog) -> None:
        self._page = page
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request. Raises what the page raises."""
        try:
            await self._page(scope, receive, send)
        except Exception as error:
            # As a value: an address may hold the end of a line and more lines after it.
            asked = f"{scope.get('method', '')} {scope.get('path', '')!r}"
            last = traceback.extract_tb(error.__traceback__)[-1]
            kind = f"{type(error).__name__} {last.filename} {last.lineno}"
            self._log.report(kind, f"The page failed at {asked}:", traceback.format_exc())
            raise


class Listener:
    """An address for a page; the address is taken when this is made."""

    def __init__(self, host: str, port: int, way: Way = PLAIN, bounds: Bounds = WIDE) -> None:
        """Raises PortError when the address is not to be had, and for a certificate that cannot be used."""
        way.check()
        self._way = way
        self._bounds = bounds
        self._host = host
        self._socket = _listen(host, port)
        self.port: int = self._socket.getsockname()[1]
        self._server: _Server | None = None

    @property
    def address(self) -> str:
        """What to type into a browser."""
        everywhere = self._host in EVERYWHERE
        name = socket.gethostname() if everywhere else f"[{self._host}]" if ":" in self._host else self._host
        return f"{'http' if self._way.certificate is None else 'https'}://{name}:{self.port}/"

    @property
    def is_exposed(self) -> bool:
        """Whether other machines reach the pages without encryption, as far as is known here."""
        return self._way.certificate is None and not self._way.proxies and not is_own(self._host)

    @property
    def for_phones(self) -> str:
        """The address for others in the same network, as it is now; empty when this page is not served to them.

        Behind a proxy only who set that up knows it. A certificate holds for names, a telephone may know no `.local`:
        so it is the name with one, and without one the number.
        """
        if self._way.proxies or is_own(self._host):
            return ""
        everywhere = self._host in EVERYWHERE
        if self._way.names:
            host = self._way.names[0]
        elif not everywhere:
            host = f"[{self._host}]" if ":" in self._host else self._host
        else:
            name = f"{socket.gethostname().removesuffix('.local')}.local"
            host = name if self._way.certificate is not None else _own_number() or name
        return f"{'http' if self._way.certificate is None else 'https'}://{host}:{self.port}/"

    @property
    def hosts(self) -> frozenset[str]:
        """The names by which a browser may call this machine, beside `localhost` and plain addresses."""
        name = socket.gethostname()
        return frozenset({self._host, name, f"{name}.local", *self._way.names})

    async def listen(self, page: ASGIApp) -> None:
        """Serve until told to stop."""
        log = ErrorLog(asyncio.get_running_loop().time)
        self._server = _Server(self._config(FaultReporter(page, log)), self._bounds, self._way.proxies, log)
        with closing(self._socket), _quiet(log):
            try:
                await self._server.serve(sockets=[self._socket])
            finally:
                self._server.stop_accepting()

    def _config(self, page: ASGIApp) -> uvicorn.Config:
        way = self._way
        return uvicorn.Config(
            page,
            ws="none",
            lifespan="off",
            log_level="critical",  # what fails in the page is told by FaultReporter, without the noise of cut streams
            access_log=False,
            server_header=False,
            # uvicorn would believe everyone on this machine by itself.
            proxy_headers=bool(way.proxies),
            forwarded_allow_ips=list(way.proxies),
            ssl_certfile=way.certificate,
            ssl_keyfile=way.key,
        )

    def close(self) -> None:
        """Let the address go, also when nothing was served there."""
        self._socket.close()

    def stop(self) -> None:
        """Stop serving; open streams are cut."""
        if self._server is not None:
            self._server.should_exit = self._server.force_exit = True


@contextmanager
def _quiet(log: ErrorLog) -> Iterator[None]:
    """What a connection fails with is one line a minute, not a traceback each time; the rest goes on as it was."""
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()

    def handle_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if "transport" in context or "protocol" in context:
            error = context.get("exception")
            kind = context["message"] if error is None else type(error).__name__
            log.report(f"connection {kind}", f"A connection to the pages failed: {error or context['message']}.")
        elif before is not None:
            before(loop, context)
        else:
            loop.default_exception_handler(context)

    loop.set_exception_handler(handle_error)
    try:
        yield
    finally:
        loop.set_exception_handler(before)


def _listen(host: str, port: int) -> socket.socket:
    # Of text Python makes an international name, and reads IDNA's tables for it: 0.2 MB.
    name = host.encode() if host.isascii() else host
    try:
        family, *_, address = socket.getaddrinfo(name or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[
            0
        ]
        return socket.create_server(address[:2], family=family, backlog=BACKLOG)
    except OSError as error:
        if error.errno == errno.EADDRINUSE and (there := _gnomon_at(host, port)):
            raise RunningError(statement("start.running.port", there=there)) from error
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror  # below 0: of a name
        raise PortError(statement("start.port", host=host, port=port, detail=reason)) from error


def _gnomon_at(host: str, port: int) -> str:
    """The address of Gnomon's first page there; empty when none answers, or something else."""
    from http.client import HTTPConnection, HTTPException  # noqa: PLC0415 - when a port is taken, and never else

    host = "localhost" if host in EVERYWHERE else host
    with closing(HTTPConnection(host, port, timeout=LOOK)) as asked:
        try:
            asked.request("GET", "/")
            is_ours = b"Gnomon" in asked.getresponse().read(LONGEST_HEAD)
        except (OSError, HTTPException):
            return ""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/" if is_ours else ""


def is_own(host: str) -> bool:
    """Whether only this machine itself reaches an address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _own_number() -> str:
    """The address of this machine in its network; empty without one."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asked:
        try:
            asked.connect(ELSEWHERE)
        except OSError:
            return ""
        number: str = asked.getsockname()[0]
        return number
