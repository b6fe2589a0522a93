"""Queue incoming messages for the hub: reliable ones in a bounded queue, of each state only the latest."""

import threading
from collections import Counter, deque
from collections.abc import Callable
from typing import Final

from gnomon.hall.hub.hub import OVERSIZED
from gnomon.hall.messaging.bus import Message
from gnomon.hall.messaging.messages import LARGEST, Topic

QUEUED: Final = 20_000
"""Messages that wait to be read, beside the latest state of each board."""
QUEUED_BYTES: Final = 64 * 1024 * 1024
OF_ONE: Final = 20
"""One topic may have a part of that, the twentieth: a board that floods the hall must not crowd out all the others."""
CROWDED: Final = "crowded"  # no room in the queue
_STATES: Final = (f"/{Topic.STATE}", f"/{Topic.LIVE}")  # of which the latest counts


class Inbox:
    """What has come and is not read yet. Every method may be called from any thread, and none waits."""

    def __init__(self) -> None:
        self.filled = threading.Condition()
        self._sure: deque[Message] = deque()
        self._bytes = 0
        self._of: Counter[str] = Counter()
        self._bytes_of: Counter[str] = Counter()
        self._latest: dict[str, Message] = {}
        self._orders: deque[Callable[[], None]] = deque()
        self._dropped: Counter[str] = Counter()
        self._is_connected_anew = False
        self.is_connected = False

    def take(self, message: Message) -> None:
        """A message came over the bus."""
        with self.filled:
            size, is_news = len(message.payload), True
            if size > LARGEST:
                self._dropped[OVERSIZED] += 1
            elif message.topic.endswith(_STATES):
                is_news = not self._latest  # a waiting reader has been told of the first one
                self._keep_latest(message)
            elif self._is_crowded(message):
                self._dropped[CROWDED] += 1
            else:
                self._sure.append(message)
                self._bytes += size
                self._of[message.topic] += 1
                self._bytes_of[message.topic] += size
            if is_news:
                self.filled.notify_all()

    def connection(self, is_there: bool) -> None:  # noqa: FBT001 - the bus's callback
        """The bus has its connection, or has lost it."""
        with self.filled:
            self.is_connected = is_there
            self._is_connected_anew = self._is_connected_anew or is_there
            self.filled.notify_all()

    def order(self, order: Callable[[], None]) -> None:
        """Have something done in the hub's thread."""
        with self.filled:
            self._orders.append(order)
            self.filled.notify_all()

    def take_all(self) -> tuple[list[Callable[[], None]], list[Message], Counter[str], bool]:
        """Everything that has come: orders, messages with what is sure first, what was dropped, and a connection."""
        with self.filled:
            everything = (
                list(self._orders),
                [*self._sure, *self._latest.values()],
                self._dropped,
                self._is_connected_anew,
            )
            self._orders.clear()
            self._sure.clear()
            self._of.clear()
            self._bytes_of.clear()
            self._latest.clear()
            self._dropped, self._bytes, self._is_connected_anew = Counter(), 0, False
        return everything

    @property
    def is_empty(self) -> bool:
        """Whether nothing has come."""
        return not (self._latest or self.is_pressing)

    @property
    def is_pressing(self) -> bool:
        """Whether something has come that is not to wait for more of its kind: anything but states."""
        return bool(self._sure or self._orders or self._is_connected_anew)

    def _is_crowded(self, message: Message) -> bool:
        count, size, topic = len(self._sure), self._bytes + len(message.payload), message.topic
        size_of_one = self._bytes_of[topic] + len(message.payload)
        is_full = count >= QUEUED or size > QUEUED_BYTES
        return is_full or self._of[topic] * OF_ONE >= QUEUED or size_of_one * OF_ONE > QUEUED_BYTES

    def _keep_latest(self, message: Message) -> None:
        before = self._latest.get(message.topic)
        # What was retained is older than what came by itself, whatever comes first.
        if before is None or not message.retained or before.retained:
            if before is None and len(self._latest) >= QUEUED:
                self._dropped[CROWDED] += 1
                return
            self._latest[message.topic] = message
