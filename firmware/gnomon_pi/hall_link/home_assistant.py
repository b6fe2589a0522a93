"""Publish a board's Home Assistant discovery messages, unless the hall's broker refuses them."""

from collections.abc import Callable
from typing import Final

from gnomon.hall.home_assistant import BIRTH, ONLINE, descriptions
from gnomon.hall.messaging.bus import Bus, Message
from gnomon.hall.messaging.messages import Status
from gnomon.timekeeping.instants import SECOND, Instant

AT_ONCE: Final = 3 * SECOND
"""A connection that ends so soon after a description was ended by it: Mosquitto 2.0.11 ends that of whoever writes
where it may not."""


class Describing:
    """Describes a board each time that the connection, or Home Assistant, is there again."""

    def __init__(self, me: Status, bus: Bus, now: Callable[[], Instant], say: Callable[[str], None]) -> None:
        """`now` is the board's raw clock, `say` is told what hinders it."""
        self._me = me
        self._bus = bus
        self._now = now
        self._say = say
        self._described_at: Instant | None = None
        self._is_unwelcome = False
        bus.subscribe(BIRTH, self._born)
        bus.on_connection(self._connected)

    def _born(self, message: Message) -> None:
        if message.payload == ONLINE:
            self._describe()

    def _connected(self, is_there: bool) -> None:  # noqa: FBT001 - as a bus calls it
        if is_there:
            self._describe()
        elif self._described_at is not None and self._now() - self._described_at < AT_ONCE:
            self._is_unwelcome = True
            me = self._me.board
            self._say(f"{me} is not described to Home Assistant: let it by `gnomon hall enrol --home-assistant {me}`")

    def _describe(self) -> None:
        if self._is_unwelcome:  # once more would end the connection once more, and the hall would hear nothing
            return
        self._described_at = self._now()
        for each in descriptions(self._me):
            self._bus.publish(each.topic, each.payload, retain=True)
