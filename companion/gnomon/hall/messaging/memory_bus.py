"""Implement the message bus within one process, for club evenings without a broker and for virtual time."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Condition, Event, RLock
from typing import Final

from gnomon.hall.messaging.bus import Message, Will
from gnomon.hall.messaging.messages import LARGEST
from gnomon.hall.messaging.topic_filters import Subscribed, checked_pattern, checked_topic, matches, split_group
from gnomon.refusals import Statement

Take = Callable[[Message], None]

WAITING: Final = 20_000
"""Messages that may wait to be handed over; beyond them nothing sure is taken on."""
_TELEMETRY: Final = WAITING // 4
"""And beyond these nothing of which the latest wins."""
_LOOK_AGAIN: Final = 1.0
"""Seconds after which a thread that waits for messages sees whether it has to end."""


class MemoryBroker:
    """What the connections of one process share: what is retained, who subscribed, and what is still to hand over.

    Nothing is handed over but by `deliver`, which virtual time calls, or by `run`, in a thread of its own; in the order
    in which it was published, to each in the order in which they subscribed.
    """

    def __init__(self) -> None:
        self._lock = RLock()  # what is retained is looked up in the middle of subscribing, too
        self._filled = Condition(self._lock)
        self._retained: dict[str, bytes] = {}
        self._subscribed: Subscribed[tuple[MemoryBus, Take]] = Subscribed()
        self._sharing: dict[str, deque[tuple[MemoryBus, Take]]] = {}  # those of each group, who is next first
        self._waiting: deque[tuple[MemoryBus, Take, Message]] = deque()

    def connect(self, will: Will | None = None) -> "MemoryBus":
        """A connection; its will is published when it is `lost`."""
        return MemoryBus(self, will)

    def deliver(self) -> int:
        """Hand over everything that waits, and what is published meanwhile; how many messages that were."""
        count = 0
        while (next_one := self._next()) is not None:
            bus, take, message = next_one
            if not bus.is_closed:
                take(message)
                count += 1
        return count

    def run(self, stop: Event) -> None:
        """Hand over what comes until `stop` is set and `wake` was called; what then waits still goes out."""
        while not stop.is_set():
            self.deliver()
            with self._filled:
                if not self._waiting:
                    self._filled.wait(_LOOK_AGAIN)
        self.deliver()

    def wake(self) -> None:
        """Let `run` see at once that it has to end."""
        with self._filled:
            self._filled.notify_all()

    def retained_messages(self, pattern: str) -> dict[str, bytes]:
        """What is retained under the topics that match."""
        with self._lock:
            return {topic: payload for topic, payload in self._retained.items() if matches(pattern, topic)}

    # What connections ask for

    def subscribe(self, bus: "MemoryBus", pattern: str, take: Take) -> None:
        """One connection wants what matches. Raises ValueError for what is no pattern."""
        with self._filled:
            who = (bus, take)
            bus.taking.append(who)
            if split_group(checked_pattern(pattern))[0]:
                self._sharing.setdefault(pattern, deque()).append(who)
                return  # what is retained is not shared (MQTT 5, 4.8.2)
            self._subscribed.add(pattern, who)
            for topic, payload in self.retained_messages(pattern).items():
                self._waiting.append((bus, take, Message(topic, payload, retained=True)))
            self._filled.notify_all()

    def publish(self, topic: str, payload: bytes, *, retain: bool, sure: bool) -> bool:
        """Something is to be handed over to everybody who wants it; False when too much waits already."""
        with self._filled:
            if len(self._waiting) >= (WAITING if sure else _TELEMETRY):
                return False
            if retain and payload:
                self._retained[topic] = payload
            elif retain:
                self._retained.pop(topic, None)
            message = Message(topic, payload)
            self._waiting.extend((bus, take, message) for bus, take in self._subscribed.to(topic))
            for pattern, group in self._sharing.items():
                if group and matches(pattern, topic):
                    self._waiting.append((*group[0], message))
                    group.rotate(-1)
            self._filled.notify_all()
        return True

    def remove(self, bus: "MemoryBus") -> None:
        """One connection wants nothing any more."""
        with self._lock:
            for who in bus.taking:
                self._subscribed.remove(who)
                for group in self._sharing.values():
                    if who in group:
                        group.remove(who)

    def _next(self) -> "tuple[MemoryBus, Take, Message] | None":
        with self._lock:
            return self._waiting.popleft() if self._waiting else None


@dataclass(eq=False, slots=True)
class MemoryBus:
    """One connection to a MemoryBroker, which is always there. Nothing waits here, so nothing expires."""

    broker: MemoryBroker
    will: Will | None = None
    is_closed: bool = False
    taking: list[tuple["MemoryBus", Take]] = field(default_factory=list)

    def subscribe(self, pattern: str, take: Take) -> None:
        """Hand over what is published under topics that match. Raises ValueError for what is no pattern."""
        self.broker.subscribe(self, pattern, take)

    def publish(
        self,
        topic: str,
        payload: bytes,
        *,
        retain: bool = False,
        sure: bool = True,
        expires: int | None = None,  # noqa: ARG002 - nothing waits for somebody who is away
    ) -> bool:
        """Send; False when too much waits already, or it is too long. Raises ValueError for what is no topic."""
        if self.is_closed or len(payload) > LARGEST:
            return False
        return self.broker.publish(checked_topic(topic), payload, retain=retain, sure=sure)

    @property
    def hindrance(self) -> Statement | None:
        """Nothing: the connection is always there."""
        return None

    def on_connection(self, call: Callable[[bool], None]) -> None:
        """Call `call` at once: the connection is there."""
        call(True)  # noqa: FBT003 - the callback's only argument

    def close(self) -> None:
        """Say goodbye: nothing more is handed over, and the will is not published."""
        if not self.is_closed:
            self.is_closed = True
            self.broker.remove(self)

    def lose(self) -> None:
        """Go without a word: the will is published at once, since nobody comes back under the same connection."""
        if not self.is_closed:
            self.close()
            if self.will is not None:
                self.broker.publish(self.will.topic, self.will.payload, retain=True, sure=True)
