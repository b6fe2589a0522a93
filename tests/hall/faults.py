"""Provide a bus that loses, doubles and reorders messages at random, and that can be cut."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from gnomon.hall.messaging.bus import Message, Will
from gnomon.hall.messaging.memory_bus import MemoryBroker, MemoryBus
from gnomon.refusals import Statement

Take = Callable[[Message], None]


@dataclass(frozen=True, slots=True)
class Faults:
    """How probable each fault is for one message on its way in."""

    lost: float = 0.0
    doubled: float = 0.0
    late: float = 0.0
    """Held back until after the next one."""


class FaultyBus:
    """A connection in memory with faults; those of a connection over MQTT are among them."""

    def __init__(
        self, broker: MemoryBroker, chance: Random, faults: Faults | None = None, will: Will | None = None
    ) -> None:
        self._broker, self._chance, self._will = broker, chance, will
        self.faults = Faults() if faults is None else faults
        self._wanted: list[tuple[str, Take]] = []
        self._calls: list[Callable[[bool], None]] = []
        self._held: list[tuple[Take, Message]] = []
        self._inner: MemoryBus | None = broker.connect(will)
        self._is_closed = False

    def subscribe(self, pattern: str, take: Take) -> None:
        self._wanted.append((pattern, take))
        if self._inner is not None:
            self._inner.subscribe(pattern, lambda message: self._hand_over(take, message))

    def publish(
        self, topic: str, payload: bytes, *, retain: bool = False, sure: bool = True, expires: int | None = None
    ) -> bool:
        if self._inner is None:
            return False
        return self._inner.publish(topic, payload, retain=retain, sure=sure, expires=expires)

    @property
    def hindrance(self) -> Statement | None:
        return None

    def on_connection(self, call: Callable[[bool], None]) -> None:
        self._calls.append(call)
        if self._inner is not None:
            call(True)

    def close(self) -> None:
        self._is_closed = True
        if self._inner is not None:
            self._inner.close()
            self._inner = None

    def cut(self, *, for_long: bool = False) -> None:
        """Lose the connection and what is on its way; `for_long`: the will is published as well."""
        if self._inner is None:
            return
        if for_long:
            self._inner.lose()
        else:
            self._inner.close()
        self._inner = None
        self._held.clear()
        for call in self._calls:
            call(False)

    def mend(self) -> None:
        """Have the connection again: everything is asked for again."""
        if self._inner is not None or self._is_closed:
            return
        self._inner = self._broker.connect(self._will)
        wanted, self._wanted = self._wanted, []
        for pattern, take in wanted:
            self.subscribe(pattern, take)
        for call in self._calls:
            call(True)

    def _hand_over(self, take: Take, message: Message) -> None:
        if self._chance.random() < self.faults.lost:
            return
        if self._chance.random() < self.faults.late:
            self._held.append((take, message))
            return
        for _ in range(2 if self._chance.random() < self.faults.doubled else 1):
            take(message)
        held, self._held = self._held, []
        for late_take, late in held:
            late_take(late)
