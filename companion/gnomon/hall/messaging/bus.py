"""Define the message bus that boards and hall communicate over: publish, subscribe, retained messages and wills."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from gnomon.refusals import Statement


class Message(NamedTuple):
    """What was published under a topic; `retained` says that it was there before one asked for it."""

    topic: str
    payload: bytes
    retained: bool = False


class Will(NamedTuple):
    """What the bus publishes, retained, for one who has gone without a word, `delay` seconds later."""

    topic: str
    payload: bytes
    delay: int


class Bus(Protocol):
    """A connection to a bus, which mends itself. No method waits; every method may be called from any thread.

    What is taken may come twice and in another order than it was sent, and what is sent may be lost: nothing here is a
    proof that anybody has it. Callbacks are called in the bus's own thread and return at once.
    """

    def subscribe(self, pattern: str, take: Callable[[Message], None]) -> None:
        """Hand over what is published under topics that match, in MQTT's patterns: `gnomon/1/+/state`.

        First come the retained messages; all of that again after each time the connection was lost.
        """
        ...

    def publish(
        self, topic: str, payload: bytes, *, retain: bool = False, sure: bool = True, expires: int | None = None
    ) -> bool:
        """Send; False when it cannot go out now, and then nothing is kept.

        Not `sure`: the latest wins and may be dropped. `expires`: seconds after which the bus forgets what has not
        been delivered. An empty retained payload takes what was retained away.
        """
        ...

    @property
    def hindrance(self) -> Statement | None:
        """Why there is no connection now; None while there is one, and before the first try."""
        ...

    def on_connection(self, call: Callable[[bool], None]) -> None:
        """Call `call` whenever the connection is there (at once, when it is) or lost."""
        ...

    def close(self) -> None:
        """Say goodbye: the will is not published. What is still to go out may be lost."""
        ...
