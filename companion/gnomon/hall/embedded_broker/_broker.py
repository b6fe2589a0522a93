"""Serve MQTT 5 as the built-in broker of a club evening, so that nothing has to be installed.

It is a front end to the bus in memory, for some dozens of boards: no sessions, no queues for absent clients, each
message sent once over a connection that loses nothing by itself. What has to arrive is sent again until the hall has
acknowledged it, here as with any other broker. A hall of hundreds of boards uses Mosquitto.
"""

import asyncio
import gc
import socket
import ssl
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from ipaddress import ip_address, ip_network
from threading import Thread
from typing import Final, NamedTuple, Protocol

from gnomon.hall.embedded_broker import _packets as packets
from gnomon.hall.embedded_broker._packets import Connect, MalformedError, Packet, PacketKind, Publish, ReasonCode
from gnomon.hall.embedded_broker._web_socket import WebSocketStream
from gnomon.hall.messaging.bus import Message
from gnomon.hall.messaging.memory_bus import MemoryBroker, MemoryBus
from gnomon.hall.messaging.messages import LARGEST
from gnomon.hall.messaging.topic_filters import checked_pattern, checked_topic, is_topic

MOST: Final = 256
"""Connections at once; more than a club has boards, fewer than a thread of Python serves with ease."""
_PACKET: Final = 2 * LARGEST
_WAITING: Final = 4 * 1024 * 1024
"""Bytes that wait for one client; a client that takes no more is let go, and comes again."""
_IN_FLIGHT: Final = 100
_GREETING: Final = 10.0
"""Seconds for somebody to say who they are, from the first byte of TLS to the last one of the greeting."""
_SUBSCRIPTIONS: Final = 64
STRANGERS: Final = 64
"""Connections at once of those who have not said who they are; each has 256 kB of room for its TLS."""
STRANGERS_OF_ONE: Final = 16
"""Those of one address, or of one network of IPv6, which a single machine has to itself: /64."""
_OF_ONE_MACHINE: Final = 64
_FAREWELL: Final = 2.0
_BREATH: Final = 0.1
_BROKEN_OFF: Final = 50


class BrokerAuth(Protocol):
    """Who may come in, and who may read and write what."""

    def lets_in(self, user: str, password: str) -> bool:
        """Whether that is the user's password."""
        ...

    def have_changed(self) -> bool:
        """Whether somebody was let in or put out since it was last asked."""
        ...

    def may_write(self, user: str, topic: str) -> bool:
        """Whether a user may publish under a topic."""
        ...

    def may_read(self, user: str, topic: str) -> bool:
        """Whether a user is told what is published under a topic."""
        ...


class WebDoor(NamedTuple):
    """Where clients are served over WebSocket, besides: an address and a port, 0 for any free one, with TLS or not."""

    host: str
    port: int
    tls: ssl.SSLContext | None = None


class ListenError(OSError):
    """The broker cannot listen at `port`."""

    def __init__(self, port: int, error: OSError) -> None:
        super().__init__(error.errno, error.strerror or str(error))
        self.port = port


class _ListeningSocket(NamedTuple):
    """A socket that listens, and what is spoken there."""

    listens: socket.socket
    tls: ssl.SSLContext | None
    is_web: bool = False


class SmallBroker:
    """A broker in a thread of its own, from `start` to `close`."""

    def __init__(
        self, memory: MemoryBroker, doors: BrokerAuth, tls: ssl.SSLContext | None = None, *, looks: float = 1.0
    ) -> None:
        """`looks`: seconds after which it is seen who was enrolled or revoked meanwhile."""
        self.memory, self.doors, self._looks = memory, doors, looks
        self._tls = tls
        self._seats: dict[str, _Client] = {}
        self._strangers = _Strangers()
        self._broken_off = 0
        """Handshakes that came to nothing."""
        self._parting: dict[str, tuple[asyncio.TimerHandle, MemoryBus]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread: Thread | None = None
        self.web_port = 0
        """Where it listens for WebSocket, if it does."""

    def start(self, port: int, *hosts: str, web: WebDoor | None = None) -> int:
        """Listen at some addresses, or at every one, and say at which port: `port`, or any free one for 0.

        Raises ListenError.
        """
        doors = [_ListeningSocket(each, self._tls) for each in _listen(port, hosts or [""])]
        if web is not None:
            try:
                doors += [_ListeningSocket(each, web.tls, is_web=True) for each in _listen(web.port, [web.host])]
            except ListenError:
                for door in doors:
                    door.listens.close()
                raise
            self.web_port = doors[-1].listens.getsockname()[1]
        serving: Future[None] = Future()
        self._thread = Thread(target=self._run, args=(doors, serving), name="broker", daemon=True)
        self._thread.start()
        serving.result()
        return int(doors[0].listens.getsockname()[1])

    def close(self) -> None:
        """End every connection, and listen no more."""
        if self._loop is not None and self._stop is not None:
            with suppress(RuntimeError):  # it has ended already
                self._loop.call_soon_threadsafe(self._stop.set)
        if self._thread is not None:
            self._thread.join(_FAREWELL)

    def _run(self, doors: Sequence[_ListeningSocket], serving: "Future[None]") -> None:
        try:
            asyncio.run(self._serve(doors, serving))
        except OSError as error:  # such as too many open files
            serving.set_exception(ListenError(doors[0].listens.getsockname()[1], error))

    async def _serve(self, doors: Sequence[_ListeningSocket], serving: "Future[None]") -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        serving.set_result(None)
        accepting = [asyncio.create_task(self._accept(door), name="at the door") for door in doors]
        while not self._stop.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), self._looks)
            if self.doors.have_changed():
                self._put_out()
        for task, door in zip(accepting, doors, strict=True):
            task.cancel()
            door.listens.close()
        for client in list(self._seats.values()):
            client.end(ReasonCode.SHUTTING_DOWN)
        for timer, bus in self._parting.values():
            timer.cancel()
            bus.close()

    async def _accept(self, door: _ListeningSocket) -> None:
        """Open the door to everybody who comes."""
        loop = asyncio.get_running_loop()
        coming: set[asyncio.Task[None]] = set()
        while True:
            try:
                came, address = await loop.sock_accept(door.listens)
            except OSError:  # such as too many open files: they become fewer
                await asyncio.sleep(_BREATH)
                continue
            self._strangers.add(came, str(address[0]))
            task = asyncio.create_task(self._shake_hands(door, came))
            coming.add(task)
            task.add_done_callback(coming.discard)

    async def _shake_hands(self, door: _ListeningSocket, came: socket.socket) -> None:
        """Let somebody speak, over TLS where it is asked for, and for so long only until they say who they are."""
        loop = asyncio.get_running_loop()

        def stream() -> asyncio.StreamReaderProtocol:
            serve = partial(self._came, door, came)
            return asyncio.StreamReaderProtocol(asyncio.StreamReader(_PACKET, loop), serve, loop)

        end = loop.call_later(_GREETING, self._strangers.send_away, came)
        try:
            await loop.connect_accepted_socket(stream, came, ssl=door.tls)
        except OSError:
            end.cancel()
            self._strangers.remove(came)
            self._broken_off += 1
            # asyncio leaves 256 kB in a circle each time, which Python's collector takes for a few small things.
            if self._broken_off % _BROKEN_OFF == 0:
                gc.collect()

    async def _came(
        self, door: _ListeningSocket, came: socket.socket, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        web = WebSocketStream(reader, writer, _PACKET) if door.is_web else None
        client = _Client(self, web or reader, web or writer, came)
        try:
            if web is not None:
                await web.open()
            await client.serve()
        except MalformedError as error:
            client.end(error.reason)
        except TimeoutError:
            client.end(ReasonCode.KEEP_ALIVE)
        except (OSError, asyncio.IncompleteReadError):
            pass  # it has gone without a word, which is what its will is for
        except asyncio.CancelledError:
            pass  # the broker closes; asyncio would tell of that as of a fault
        finally:
            self._strangers.remove(came)
            self._forget_client(client)
            # Closing twice leaves nothing to abort over TLS, and the asyncio of Python 3.11.2 (Debian 12) fails there.
            if not writer.is_closing():
                client.writer.close()
            with suppress(OSError, TimeoutError):
                await asyncio.wait_for(writer.wait_closed(), _FAREWELL)
            writer.transport.abort()

    # Who is there; in the broker's thread

    def seat(self, client: "_Client", connect: Connect) -> ReasonCode:
        """Let a client in, in the place of an earlier one of its name, or say why not."""
        if not connect.user or not self.doors.lets_in(connect.user, connect.password):
            return ReasonCode.NOT_AUTHORIZED
        earlier = self._seats.get(connect.user)
        if earlier is None and len(self._seats) >= MOST:
            return ReasonCode.QUOTA
        if connect.will is not None and not self.doors.may_write(connect.user, connect.will.topic):
            return ReasonCode.NOT_AUTHORIZED
        if earlier is not None:
            earlier.end(ReasonCode.TAKEN_OVER)
            self._forget_client(earlier)
        # One who comes back in time takes up the session, and its will is not published (3.1.3.2.2).
        parting = self._parting.pop(connect.user, None)
        if parting is not None:
            timer, bus = parting
            timer.cancel()
            (bus.lose if connect.clean_start else bus.close)()
        self._strangers.remove(client.came)
        client.was_let_in = True
        client.bus = self.memory.connect(connect.will)
        self._seats[connect.user] = client
        return ReasonCode.SUCCESS

    def _put_out(self) -> None:
        for client in list(self._seats.values()):
            if not self.doors.lets_in(client.user, client.password):
                client.end(ReasonCode.NOT_AUTHORIZED)

    def _forget_client(self, client: "_Client") -> None:
        bus, client.bus = client.bus, None
        if bus is None:
            return
        for asked in client.asked.values():
            asked.close()
        if self._seats.get(client.user) is client:
            del self._seats[client.user]
        delay = 0 if bus.will is None else min(bus.will.delay, client.expiry)
        if client.said_goodbye or self._loop is None:
            bus.close()
        elif delay == 0:
            bus.lose()
        else:
            self._parting[client.user] = (self._loop.call_later(delay, self._disconnect_user, client.user), bus)

    def _disconnect_user(self, user: str) -> None:
        parting = self._parting.pop(user, None)
        if parting is not None:
            parting[1].lose()


class _Strangers:
    """Clients that are connected and have not been let in yet: so many of one address, and so many in all.

    Where one is too many, the oldest client of the address with the most of them goes: a machine that fills the room
    loses its own places, and a board that has one is not among the most.
    """

    def __init__(self) -> None:
        self._from: dict[socket.socket, str] = {}  # the oldest first
        self._at: Counter[str] = Counter()

    def add(self, came: socket.socket, address: str) -> None:
        """Add a newcomer, and send away the one who has to make room for them."""
        origin = _origin(address)
        if self._at[origin] >= STRANGERS_OF_ONE:
            self._send_away_the_oldest(origin)
        elif len(self._from) >= STRANGERS:
            self._send_away_the_oldest(max(self._at, key=self._at.__getitem__))
        self._from[came] = origin
        self._at[origin] += 1

    def remove(self, came: socket.socket) -> None:
        """Somebody is no stranger any more, or has gone."""
        origin = self._from.pop(came, None)
        if origin is not None:
            self._at[origin] -= 1
            if not self._at[origin]:
                del self._at[origin]

    def send_away(self, came: socket.socket) -> None:
        """End the connection of somebody who is still a stranger."""
        if came in self._from:
            self.remove(came)
            with suppress(OSError):  # it has ended already
                came.shutdown(socket.SHUT_RDWR)

    def _send_away_the_oldest(self, origin: str) -> None:
        self.send_away(next(came for came, of in self._from.items() if of == origin))


def _origin(address: str) -> str:
    """The machine behind an address, as far as an address tells: of IPv6 the first 64 bits."""
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if known.version == 6 and known.ipv4_mapped is None:  # noqa: PLR2004 - as the standard library has it
        return str(ip_network((known, _OF_ONE_MACHINE), strict=False))
    return str(getattr(known, "ipv4_mapped", None) or known)


def _listen(port: int, hosts: Sequence[str]) -> list[socket.socket]:
    """Sockets that listen at addresses, all at one port; "" is every one of this machine. Raises ListenError."""
    doors: list[socket.socket] = []
    try:
        for host in hosts:
            both = not host and socket.has_dualstack_ipv6()
            family = socket.getaddrinfo(host, port)[0][0] if host else socket.AF_INET6 if both else socket.AF_INET
            at = doors[0].getsockname()[1] if doors else port
            doors.append(socket.create_server((host, at), family=family, backlog=MOST, dualstack_ipv6=both))
            doors[-1].setblocking(False)  # noqa: FBT003 - as the standard library has it
    except OSError as error:
        for door in doors:
            door.close()
        raise ListenError(port, error) from error
    return doors


@dataclass(eq=False)
class _Client:
    """One connection, in the broker's thread."""

    broker: SmallBroker
    reader: asyncio.StreamReader | WebSocketStream
    writer: asyncio.StreamWriter | WebSocketStream
    came: socket.socket
    user: str = ""
    password: str = field(default="", repr=False)
    expiry: int = 0
    largest: int = 0
    was_let_in: bool = False
    said_goodbye: bool = False
    bus: MemoryBus | None = None
    asked: dict[str, MemoryBus] = field(default_factory=dict)

    async def serve(self) -> None:
        """Let the client in, and do what it asks until it leaves. Raises what ended it."""
        connect = await self._packet()
        if not isinstance(connect, Connect):
            return
        self.user, self.password = connect.user, connect.password
        reason = self.broker.seat(self, connect)
        self.expiry, self.largest = connect.expiry, connect.largest
        self.writer.write(packets.connack(reason, largest=_PACKET, in_flight=_IN_FLIGHT))
        if reason is not ReasonCode.SUCCESS:
            return
        silence = connect.keepalive * 1.5 if connect.keepalive else None
        while not self.said_goodbye and self.bus is not None:
            self._do(await asyncio.wait_for(self._packet(), silence))
            await asyncio.wait_for(self.writer.drain(), silence)

    def end(self, reason: ReasonCode) -> None:
        """Say why the connection ends, and end it; a client that was not let in yet is not disconnected (3.14)."""
        if self.writer.is_closing():
            return
        with suppress(OSError, RuntimeError):
            if self.was_let_in:
                self.writer.write(packets.disconnect(reason))
            else:
                self.writer.write(packets.connack(reason, largest=_PACKET, in_flight=_IN_FLIGHT))
            self.writer.close()

    async def _packet(self) -> Packet:
        first = (await self.reader.readexactly(1))[0]
        if self.bus is None and first >> 4 != PacketKind.CONNECT:
            message = "somebody does not say who they are"
            raise MalformedError(message, ReasonCode.PROTOCOL_ERROR)
        length = 0
        for place in range(packets.LENGTH_BYTES):
            byte = (await self.reader.readexactly(1))[0]
            length |= (byte & 0x7F) << 7 * place
            if byte < 0x80:  # noqa: PLR2004 - the highest bit says that there is more (MQTT 5, 1.5.5)
                break
        else:
            message = "a length has more than four bytes"
            raise MalformedError(message)
        if length > _PACKET:
            message = f"a packet has {length} bytes"
            raise MalformedError(message, ReasonCode.TOO_LARGE)
        return packets.parse_packet(first, await self.reader.readexactly(length))

    def _do(self, packet: Packet) -> None:
        match packet:
            case Publish():
                self._publish(packet)
            case packets.Subscribe(number, patterns):
                self.writer.write(packets.suback(number, [self._subscribe(pattern) for pattern in patterns]))
            case packets.Unsubscribe(number, patterns):
                reasons = [self._unsubscribe(pattern) for pattern in patterns]
                self.writer.write(packets.unsuback(number, reasons))
            case packets.Ping():
                self.writer.write(packets.pingresp())
            case packets.Acknowledged():
                pass
            case packets.Goodbye(with_will):
                self.said_goodbye = not with_will
                if with_will:
                    raise ConnectionResetError
            case Connect():
                message = "somebody says twice who they are"
                raise MalformedError(message, ReasonCode.PROTOCOL_ERROR)

    def _publish(self, packet: Publish) -> None:
        reason = self._take_publish(packet)
        if packet.number:
            self.writer.write(packets.puback(packet.number, reason))

    def _take_publish(self, packet: Publish) -> ReasonCode:
        try:
            checked_topic(packet.topic)
        except ValueError as error:
            raise MalformedError(str(error), ReasonCode.NO_TOPIC) from error
        if not self.broker.doors.may_write(self.user, packet.topic):
            return ReasonCode.NOT_AUTHORIZED
        if len(packet.payload) > LARGEST:
            return ReasonCode.OURS  # too large, for which an acknowledgement has no other word (3.4.2.1)
        sure, retain = bool(packet.number), packet.retain
        taken = self.bus is not None and self.bus.publish(packet.topic, packet.payload, retain=retain, sure=sure)
        return ReasonCode.SUCCESS if taken else ReasonCode.QUOTA

    def _subscribe(self, pattern: str) -> ReasonCode:
        if pattern.split("/", 1)[0] == "$share":
            return ReasonCode.NO_SHARING
        try:
            checked_pattern(pattern)
        except ValueError as error:
            raise MalformedError(str(error)) from error
        if is_topic(pattern) and not self.broker.doors.may_read(self.user, pattern):
            return ReasonCode.NOT_AUTHORIZED
        if pattern not in self.asked and len(self.asked) >= _SUBSCRIPTIONS:
            return ReasonCode.QUOTA
        self._unsubscribe(pattern)
        # One connection to the memory for each pattern: asked for again, it takes the place of the one before.
        asked = self.asked[pattern] = self.broker.memory.connect()
        loop = asyncio.get_running_loop()

        def take(message: Message) -> None:
            with suppress(RuntimeError):  # the broker has ended
                loop.call_soon_threadsafe(self._hand_over, message)

        asked.subscribe(pattern, take)
        return ReasonCode.SUCCESS

    def _unsubscribe(self, pattern: str) -> ReasonCode:
        asked = self.asked.pop(pattern, None)
        if asked is None:
            return ReasonCode.NO_SUBSCRIPTION
        asked.close()
        return ReasonCode.SUCCESS

    def _hand_over(self, message: Message) -> None:
        if self.bus is None or not self.broker.doors.may_read(self.user, message.topic):
            return
        packet = packets.publish(message)
        if self.largest and len(packet) > self.largest:
            return  # as the client has asked (3.1.2.11.4)
        if self.writer.is_closing():
            return
        if self.writer.transport.get_write_buffer_size() > _WAITING:
            self.writer.transport.abort()  # no goodbye: it would have to wait as well
        else:
            self.writer.write(packet)
