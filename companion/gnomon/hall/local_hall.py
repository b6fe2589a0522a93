"""Connect a club evening: the hall on an in-memory bus, and its boards over MQTT to the built-in broker."""

from threading import Event, Thread

from gnomon.hall.broker.credentials import FolderDoors, tls_of
from gnomon.hall.broker.folder import BrokerFolder
from gnomon.hall.embedded_broker import SmallBroker
from gnomon.hall.exposure import listening_addresses
from gnomon.hall.messaging.bus import Bus
from gnomon.hall.messaging.hall_topics import HubBus
from gnomon.hall.messaging.memory_bus import MemoryBroker

_FAREWELL = 2.0
"""Seconds for what is still to be handed over at the end."""


class LocalHall:
    """A bus for the hall in this process, `hub`, and the boards of a folder on it, as if they were here."""

    def __init__(self, folder: BrokerFolder, host: str = "", port: int | None = None, *, looks: float = 1.0) -> None:
        """Listen where boards are told to come, or at `host`; at the folder's port, or `port` (0: any free one).

        `looks`: seconds after which it is seen who was enrolled or revoked meanwhile. Raises FolderError, and OSError
        when the port is taken, or an address is none of this machine.
        """
        settings = folder.settings()
        self._memory = MemoryBroker()
        self._broker = SmallBroker(self._memory, FolderDoors(folder), tls_of(folder.path), looks=looks)
        self._stop = Event()
        self._thread = Thread(target=self._memory.run, args=(self._stop,), name="evening", daemon=True)
        hosts = (host,) if host else listening_addresses(settings.hosts)
        self.port = self._broker.start(settings.port if port is None else port, *hosts)
        here = self._memory.connect()
        self.hub: Bus = HubBus(here, settings.hall) if settings.hall else here
        self._thread.start()

    def close(self) -> None:
        """Send the boards away; they play on."""
        self._broker.close()
        self._stop.set()
        self._memory.wake()
        self._thread.join(_FAREWELL)
