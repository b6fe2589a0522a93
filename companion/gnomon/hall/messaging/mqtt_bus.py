"""Implement the message bus over MQTT 5, with a thread of its own that reconnects to the broker.

Messages in flight when a connection is lost are dropped with it, and the broker queues nothing for absent clients.
Nothing is lost by that, since a broker's acknowledgement proves nothing: what has to arrive is sent again by the side
that keeps it, until the hall itself acknowledges it.
"""

import socket
import ssl
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from threading import Event, Lock, Thread
from typing import Final

from gnomon.hall.messaging._mqtt_link import LinkTerms, MqttLink, Outgoing, Patience
from gnomon.hall.messaging.bus import Message, Will
from gnomon.hall.messaging.enrolment import Enrolment, tls_context
from gnomon.hall.messaging.messages import LARGEST
from gnomon.hall.messaging.topic_filters import Subscribed, checked_topic
from gnomon.refusals import Statement, statement

MOST: Final = 100
"""Sure messages that are on their way at once; beyond them `publish` says False, and the caller sends them later."""
_LATEST: Final = 100
"""Topics of which the latest is kept while the connection is slow."""
_TOLD: Final = 200
"""Refusals that are remembered, so that each is told once."""
_DOUBLINGS: Final = 16

Take = Callable[[Message], None]
Call = Callable[[bool], None]
Say = Callable[[str], None]


def _nobody(_: str) -> None:
    pass


class MqttBus:
    """A connection to a broker, which is made again whenever it is lost, until `close`."""

    def __init__(
        self,
        enrolment: Enrolment,
        *,
        chance: Random,
        will: Will | None = None,
        say: Say = _nobody,
        patience: Patience | None = None,
    ) -> None:
        """`say` is told what hinders, a sentence each, once. Raises EnrolmentError for an authority that is none."""
        self._terms = LinkTerms(enrolment, tls_context(enrolment), will, Patience() if patience is None else patience)
        self._enrolment, self._chance, self._say = enrolment, chance, say
        self._lock = Lock()
        self._subscribed: Subscribed[Take] = Subscribed()
        self._to_subscribe: list[str] = []
        self._calls: list[Call] = []
        self._to_call: list[Call] = []
        self._outgoing: deque[Outgoing] = deque()
        self._latest: dict[str, Outgoing] = {}
        self._in_flight: dict[int, str] = {}
        self._on_the_way = 0
        self._asked: dict[int, Sequence[str]] = {}
        self._is_up = self._is_thrown_out = False
        self._hindrance: Statement | None = None
        self._told: set[str] = set()
        self._stop = Event()
        self._wakes, self._wake = socket.socketpair()
        for end in (self._wakes, self._wake):
            end.settimeout(0)
        self._thread = Thread(target=self._run, name=f"mqtt {enrolment.user}", daemon=True)
        self._thread.start()

    @property
    def hindrance(self) -> Statement | None:
        """Why there is no connection now; None while there is one, and before the first try."""
        return self._hindrance

    def subscribe(self, pattern: str, take: Take) -> None:
        """Hand over what is published under topics that match. Raises ValueError for what is no pattern."""
        with self._lock:
            self._subscribed.add(pattern, take)
            self._to_subscribe.append(pattern)
        self._rouse()

    def publish(
        self, topic: str, payload: bytes, *, retain: bool = False, sure: bool = True, expires: int | None = None
    ) -> bool:
        """Send; False without a connection, with too much on its way, or when the payload is too long.

        Raises ValueError for what is no topic.
        """
        message = Outgoing(checked_topic(topic), payload, retain, sure, expires)
        if len(payload) > LARGEST:
            self._tell_once(f"{topic}: {len(payload)} bytes were not sent, since {LARGEST} are the most in one message")
            return False
        with self._lock:
            if not self._is_up or self._stop.is_set():
                return False
            if sure:
                if self._on_the_way >= MOST:
                    return False
                self._on_the_way += 1
                self._outgoing.append(message)
            else:
                if topic not in self._latest and len(self._latest) >= _LATEST:
                    return False
                self._latest[topic] = message
        self._rouse()
        return True

    def on_connection(self, call: Call) -> None:
        """Call `call` whenever the connection is there (soon, when it is) or lost."""
        with self._lock:
            self._calls.append(call)
            if self._is_up:
                self._to_call.append(call)
        self._rouse()

    def close(self) -> None:
        """Say goodbye after what was published before: the will is not published. To wait for that, call `join`."""
        self._stop.set()
        self._rouse()

    def join(self, timeout: float) -> bool:
        """Wait for the end of the thread after `close`, at most so many seconds; whether it has ended."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _rouse(self) -> None:
        # Full: it will be roused anyway. Closed: it has ended.
        with suppress(OSError):
            self._wake.send(b"\0")

    # What follows runs in the bus's own thread

    def _run(self) -> None:
        failures, patience = 0, self._terms.patience
        while not self._stop.is_set():
            # Two devices of one name, who throw each other out at once, would do nothing else.
            failures = 0 if self._serve() and not self._is_thrown_out else failures + 1
            longest = min(patience.longest, patience.first * 2.0 ** min(failures, _DOUBLINGS))
            self._stop.wait(self._chance.uniform(longest / 4, longest))
        self._wakes.close()
        self._wake.close()

    def _serve(self) -> bool:
        """Connect, and serve until the connection is lost; whether there was one."""
        self._is_thrown_out = False
        link = MqttLink(self._terms, self, self._wakes)
        try:
            link.connect()
            while link.is_open and not self._stop.is_set():
                self._send(link)
                link.wait()
            self._send(link)  # the last word before the goodbye
        except ssl.SSLCertVerificationError as error:
            self.on_failure(statement("hall.broker.unproven", broker=self._enrolment.broker, text=error.verify_message))
        except OSError as error:
            self.on_failure(
                statement("hall.broker.not_reached", broker=self._enrolment.broker, text=str(error.strerror or error))
            )
        except Exception as error:  # noqa: BLE001 - a mistake in who takes messages must not silence a board for good
            fault = f"{type(error).__name__}: {error}"
            self.on_failure(statement("hall.broker.left", broker=self._enrolment.broker, text=fault))
        finally:
            link.close()
        return self._went_down()

    def _send(self, link: MqttLink) -> None:
        with self._lock:
            if not self._is_up:
                return
            patterns, self._to_subscribe = self._to_subscribe, []
            calls, self._to_call = self._to_call, []
        if patterns:
            number = link.subscribe(patterns)
            if number is not None:
                self._asked[number] = patterns
        for call in calls:
            call(True)  # noqa: FBT003 - the callback's only argument
        # What has not left this machine yet stays with us, where the latest replaces what came before.
        while link.is_clear and (message := self._next()) is not None:
            number = link.send(message)
            if message.sure:
                self._in_flight[number] = message.topic

    def _next(self) -> Outgoing | None:
        with self._lock:
            if self._outgoing:
                return self._outgoing.popleft()
            if self._latest:
                return self._latest.pop(next(iter(self._latest)))
        return None

    def _went_down(self) -> bool:
        with self._lock:
            was_up, self._is_up = self._is_up, False
            is_lost = was_up and not self._stop.is_set()
            calls = [call for call in self._calls if is_lost and call not in self._to_call]
            for forgotten in (self._outgoing, self._latest, self._in_flight, self._asked, self._to_call):
                forgotten.clear()
            self._on_the_way = 0
        for call in calls:
            call(False)  # noqa: FBT003 - the callback's only argument
        return was_up

    # What the link says

    def came_up(self) -> None:
        """The broker has let us in: ask for everything, and say so to everybody."""
        with self._lock:
            self._is_up = not self._stop.is_set()
            self._to_subscribe = list(self._subscribed.patterns())
            self._to_call = list(self._calls)
        self._hindrance = None

    def took(self, message: Message) -> None:
        """A message came: hand it over."""
        with self._lock:
            takes = list(self._subscribed.to(message.topic))
        for take in takes:
            take(message)

    def on_acknowledge(self, number: int, refusal: str) -> None:
        """The broker has a message, or does not want it."""
        topic = self._in_flight.pop(number, "")
        if not topic:
            return
        with self._lock:
            self._on_the_way -= 1
        if refusal:
            self._tell_once(f"the broker does not let {self._enrolment.user} write {topic}: {refusal}")

    def unheard(self, number: int, refusals: Sequence[str]) -> None:
        """The broker has answered a subscription."""
        for pattern, refusal in zip(self._asked.pop(number, ()), refusals, strict=False):
            if refusal:
                self._tell_once(f"the broker does not let {self._enrolment.user} read {pattern}: {refusal}")

    def on_failure(self, why: Statement) -> None:
        """There is no connection, and this is why."""
        if why != self._hindrance and not self._stop.is_set():
            self._hindrance = why
            self._say(why.message)

    def thrown_out(self, why: str) -> None:
        """The broker has ended the connection, and said why."""
        self._is_thrown_out = True
        self.on_failure(statement("hall.broker.thrown_out", broker=self._enrolment.broker, text=why))

    def _tell_once(self, sentence: str) -> None:
        with self._lock:
            is_new = sentence not in self._told and len(self._told) < _TOLD
            self._told.add(sentence) if is_new else None
        if is_new:
            self._say(sentence)


__all__ = ["MqttBus", "Patience"]
