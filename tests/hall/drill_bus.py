"""Watch a connection of the drill: count the records that come over it, and remember what was said last."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from gnomon.hall.messaging.bus import Bus, Message
from gnomon.hall.messaging.messages import Topic
from gnomon.refusals import Statement

TRACE: Final = '{"do": "trace"}'
"""The order to say what was said last."""
_RECORD: Final = re.compile(rb'\{"seq":(\d+)')
_SHOWN: Final = 200  # bytes of a message


@dataclass
class WatchedBus:
    """A connection that counts the records which come over it, whatever becomes of them."""

    bus: Bus
    records: int = 0
    said: dict[str, str] = field(default_factory=dict)
    """Of each topic and direction the last message, how many there were, and when it was: seconds, monotonic."""
    _times: dict[str, int] = field(default_factory=dict)

    def subscribe(self, pattern: str, take: Callable[[Message], None]) -> None:
        is_of_records = pattern.endswith(Topic.RECORDS.of_all)  # perhaps shared with others

        def watched(message: Message) -> None:
            if is_of_records:
                self.records += len(_RECORD.findall(message.payload))
            self._note(f"{message.topic} came{' retained' * message.retained}", message.payload)
            take(message)

        self.bus.subscribe(pattern, watched)

    def publish(
        self, topic: str, payload: bytes, *, retain: bool = False, sure: bool = True, expires: int | None = None
    ) -> bool:
        is_taken = self.bus.publish(topic, payload, retain=retain, sure=sure, expires=expires)
        self._note(f"{topic} {'went' if is_taken else 'was not taken'}", payload)
        return is_taken

    @property
    def hindrance(self) -> Statement | None:
        return self.bus.hindrance

    def on_connection(self, call: Callable[[bool], None]) -> None:
        def watched(is_there: bool) -> None:
            self._note("connection", b"there" if is_there else b"lost")
            call(is_there)

        self.bus.on_connection(watched)

    def close(self) -> None:
        self.bus.close()

    def trace(self) -> dict[str, str]:
        """What was said last, and why there is no connection."""
        return self.said.copy() | {"hindrance": "" if self.hindrance is None else self.hindrance.message}

    def _note(self, what: str, payload: bytes) -> None:
        self._times[what] = times = self._times.get(what, 0) + 1
        seqs = [int(seq) for seq in _RECORD.findall(payload)]
        told = f"records {seqs[0]} to {seqs[-1]}" if seqs else payload[:_SHOWN].decode(errors="replace")
        self.said[what] = f"{time.monotonic():.1f}, {times}: {told}"
