"""Relay what two boards tell each other, for anybody who knows the code of a room; keep nothing of it.

A relay is our small broker with doors of its own. Its users are the two sides of a room, `ROOM-host` and `ROOM-guest`;
each may write under its own topic and read that of the other, and nobody can ask for more. The board that comes
first to a side sets its password, which follows from the code: nobody without the code can put a board out.
"""

import hashlib
import hmac
import re
import ssl
from collections import OrderedDict
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Final

from gnomon.distance.codes import topic_of
from gnomon.hall.embedded_broker import ListenError, SmallBroker, WebDoor
from gnomon.hall.messaging.memory_bus import MemoryBroker
from gnomon.refusals import Refusal, statement

ROOMS: Final = 10_000
"""Sides whose passwords are remembered; beyond them those that were not used for longest are forgotten."""

_USER: Final = re.compile(r"([0-9a-f]{32})-(host|guest)")
_OTHER: Final = {"host": "guest", "guest": "host"}
_WEB_ADDRESS: Final = re.compile(
    r"(?P<scheme>wss?)://(?P<host>\[[0-9A-Fa-f:.]+\]|[\w.-]+):(?P<port>[0-9]{1,5})/?", re.ASCII
)
_HIGHEST: Final = 65_535
_FAREWELL: Final = 2.0


class RelayError(Refusal):
    """The relay cannot be opened; one sentence."""


class RelayDoors:
    """Lets in anyone who names a side of a room and has the password with which that side came first."""

    def __init__(self) -> None:
        self._hashes: OrderedDict[str, bytes] = OrderedDict()
        self._lock = Lock()

    def lets_in(self, user: str, password: str) -> bool:
        """Whether that is the user's password, or the first that was ever given."""
        if not _USER.fullmatch(user) or not password:
            return False
        given = hashlib.sha256(password.encode()).digest()
        with self._lock:
            known = self._hashes.setdefault(user, given)
            self._hashes.move_to_end(user)
            while len(self._hashes) > ROOMS:
                self._hashes.popitem(last=False)
        return hmac.compare_digest(known, given)

    def have_changed(self) -> bool:
        """Nobody is put out."""
        return False

    def may_write(self, user: str, topic: str) -> bool:
        """Whether that is the topic of the user's own side."""
        side = _USER.fullmatch(user)
        return side is not None and topic == topic_of(side[1], side[2])

    def may_read(self, user: str, topic: str) -> bool:
        """Whether that is the topic of the other side of the user's room."""
        side = _USER.fullmatch(user)
        return side is not None and topic == topic_of(side[1], _OTHER[side[2]])


class Relay:
    """A relay that listens, from its making to `close`."""

    def __init__(self, host: str, port: int, tls: ssl.SSLContext | None = None, *, web: WebDoor | None = None) -> None:
        """Listen at an address, at any free port for 0, and over WebSocket at another one. Raises RelayError."""
        self._memory = MemoryBroker()
        self._broker = SmallBroker(self._memory, RelayDoors(), tls)
        try:
            self.port = self._broker.start(port, host, web=web)
        except ListenError as error:
            raise RelayError(statement("hall.relay.port", port=error.port, text=str(error.strerror))) from error
        self.web_port = self._broker.web_port
        """Where it listens over WebSocket; 0 for nowhere."""
        self._stop = Event()
        self._thread = Thread(target=self._memory.run, args=(self._stop,), name="relay", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Send everybody away; their games go on once there is a relay again."""
        self._broker.close()
        self._stop.set()
        self._memory.wake()
        self._thread.join(_FAREWELL)


def tls_of(certificate: Path, key: Path | None) -> ssl.SSLContext:
    """What shows a relay's certificate. Raises RelayError."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key)
    except OSError as error:
        text = str(error.strerror or error)
        raise RelayError(statement("hall.relay.certificate", file=str(certificate), text=text)) from error
    return context


def web_door(address: str, tls: ssl.SSLContext | None) -> WebDoor:
    """Where `ws://HOST:PORT` listens, or `wss://HOST:PORT`, which has TLS. Raises RelayError."""
    found = _WEB_ADDRESS.fullmatch(address)
    if found is None or int(found["port"]) > _HIGHEST:
        raise RelayError(statement("hall.relay.websocket", value=address))
    is_secure = found["scheme"] == "wss"
    if is_secure and tls is None:
        raise RelayError(statement("hall.relay.websocket_tls", value=address))
    return WebDoor(found["host"].strip("[]"), int(found["port"]), tls if is_secure else None)
