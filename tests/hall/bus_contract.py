"""Test what every message bus must do; the tests of each bus run these."""

from abc import ABC, abstractmethod
from threading import Condition
from typing import Final

import pytest

from gnomon.hall.messaging.bus import Bus, Message, Will
from gnomon.hall.messaging.messages import LARGEST

WITHIN: Final = 60.0  # seconds; a bound for a machine in trouble, never waited for

_PLAIN: Final = str.maketrans("+#", "__")


class Inbox:
    """What was taken so far."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.grew = Condition()

    def __call__(self, message: Message) -> None:
        with self.grew:
            self.messages.append(message)
            self.grew.notify_all()

    def wait_for(self, payload: bytes) -> None:
        """Wait until a message with that payload has come."""
        with self.grew:
            assert self.grew.wait_for(lambda: payload in self.payloads, WITHIN), f"{payload!r} is not in {self!r}"

    def wait_for_any(self) -> None:
        """Wait until a message has come."""
        with self.grew:
            assert self.grew.wait_for(lambda: bool(self.messages), WITHIN)

    @property
    def payloads(self) -> list[bytes]:
        return [message.payload for message in self.messages]

    def __repr__(self) -> str:
        return f"Inbox({self.messages})"


class Line:
    """Whether a connection was there, each time that it was told."""

    def __init__(self) -> None:
        self.told: list[bool] = []
        self._told_more = Condition()

    def __call__(self, is_there: bool) -> None:
        with self._told_more:
            self.told.append(is_there)
            self._told_more.notify_all()

    def wait_for(self, *told: bool) -> None:
        """Wait until that was told, and nothing else before."""
        with self._told_more:
            assert self._told_more.wait_for(lambda: self.told[: len(told)] == list(told), WITHIN), self.told


class BusContract(ABC):
    """What every bus does."""

    @abstractmethod
    def connected(self, name: str, will: Will | None = None) -> Bus:
        """A connection that is there."""

    @abstractmethod
    def vanish(self, bus: Bus) -> None:
        """End a connection without a word."""

    @abstractmethod
    def settle(self, inbox: Inbox, payload: bytes) -> None:
        """Go on until a message with that payload was taken."""

    @pytest.fixture
    def topic(self, request: pytest.FixtureRequest) -> str:
        """A topic of this test alone: what others have retained is no matter."""
        return f"gnomon/test/{request.node.name}"

    def test_what_is_published_is_taken_in_order_by_those_who_asked_for_it(self, topic: str) -> None:
        inbox, other = Inbox(), Inbox()
        hub, board = self.connected("hub"), self.connected("board")
        self.ask(hub, f"{topic}/+/state", inbox)
        self.ask(self.connected("wall"), f"{topic}/t1/#", other)
        for number in range(30):
            assert board.publish(f"{topic}/t1/state", b"%d" % number)
        assert board.publish(f"{topic}/t2/state", b"of another")
        assert board.publish(f"{topic}/t2/status", b"not asked for")
        assert board.publish(f"{topic}/t2/state", b"end")
        self.settle(inbox, b"end")
        assert inbox.payloads == [*(b"%d" % number for number in range(30)), b"of another", b"end"]
        assert board.publish(f"{topic}/t1/end", b"end")
        self.settle(other, b"end")
        assert [message.topic for message in other.messages] == [*[f"{topic}/t1/state"] * 30, f"{topic}/t1/end"]

    def test_what_is_retained_comes_first_and_says_so(self, topic: str) -> None:
        inbox = Inbox()
        board, hub = self.connected("board"), self.connected("hub")
        self.published_and_there(board, f"{topic}/t1", b"old")
        self.published_and_there(board, f"{topic}/t1", b"newer")
        hub.subscribe(f"{topic}/#", inbox)
        self.settle(inbox, b"newer")
        assert board.publish(f"{topic}/t1", b"newest", retain=True)
        self.settle(inbox, b"newest")
        assert inbox.messages == [
            Message(f"{topic}/t1", b"newer", retained=True),
            Message(f"{topic}/t1", b"newest", retained=False),
        ]

    def test_an_empty_message_takes_away_what_was_retained(self, topic: str) -> None:
        early, late = Inbox(), Inbox()
        board, hub = self.connected("board"), self.connected("hub")
        self.published_and_there(board, f"{topic}/t1", b"here")
        hub.subscribe(f"{topic}/t1", early)
        self.settle(early, b"here")
        assert board.publish(f"{topic}/t1", b"", retain=True)
        self.settle(early, b"")
        self.ask(hub, f"{topic}/+", late)
        assert board.publish(f"{topic}/t2", b"end")
        self.settle(late, b"end")
        assert late.payloads == [b"end"]

    def test_the_will_of_one_who_vanishes_is_published_and_retained(self, topic: str) -> None:
        inbox, late = Inbox(), Inbox()
        hub = self.connected("hub")
        self.ask(hub, topic, inbox)
        self.vanish(self.connected("board", Will(topic, b"gone", 0)))
        self.settle(inbox, b"gone")
        self.connected("latecomer").subscribe(topic, late)
        self.settle(late, b"gone")
        assert late.messages == [Message(topic, b"gone", retained=True)]

    def test_the_will_of_one_who_says_goodbye_is_not_published(self, topic: str) -> None:
        inbox = Inbox()
        board, hub = self.connected("board", Will(topic, b"gone", 0)), self.connected("hub")
        self.ask(hub, topic, inbox)
        board.close()
        assert not board.publish(topic, b"after the goodbye")
        assert hub.publish(topic, b"end")
        self.settle(inbox, b"end")
        assert inbox.payloads == [b"end"]

    def test_a_listener_is_told_about_the_connection_at_once(self) -> None:
        line = Line()
        self.connected("board").on_connection(line)
        line.wait_for(True)
        assert line.told == [True]

    def test_a_board_may_publish_while_it_takes(self, topic: str) -> None:
        inbox = Inbox()
        board, hub = self.connected("board"), self.connected("hub")
        self.ask(hub, f"{topic}/answer", inbox)
        board.subscribe(f"{topic}/request", lambda _: assert_true(board.publish(f"{topic}/answer", b"done")))
        self.published_and_there(hub, f"{topic}/request", b"do")
        self.settle(inbox, b"done")

    def test_the_latest_is_taken_in_the_end(self, topic: str) -> None:
        inbox = Inbox()
        board, hub = self.connected("board"), self.connected("hub")
        self.ask(hub, topic, inbox)
        for number in range(50):
            board.publish(topic, b"%d" % number, sure=False)
        self.settle(inbox, b"49")
        numbers = [int(payload) for payload in inbox.payloads]
        assert numbers == sorted(numbers)

    def test_a_payload_that_is_too_long_is_not_taken_on(self, topic: str) -> None:
        inbox = Inbox()
        board, hub = self.connected("board"), self.connected("hub")
        self.ask(hub, topic, inbox)
        assert not board.publish(topic, bytes(LARGEST + 1))
        assert board.publish(topic, b"end")
        self.settle(inbox, b"end")
        assert inbox.payloads == [b"end"]

    def test_what_is_no_topic_or_no_pattern_is_refused(self) -> None:
        bus = self.connected("board")
        for topic in ("", "a/+/b", "a/#", "a\0b"):
            with pytest.raises(ValueError, match="is no topic"):
                bus.publish(topic, b"")
        for pattern in ("", "a/b+", "#/a", "a#"):
            with pytest.raises(ValueError, match="is no pattern"):
                bus.subscribe(pattern, Inbox())

    def ask(self, bus: Bus, pattern: str, inbox: Inbox) -> None:
        """Subscribe, and see that the bus knows of it: it does what one connection asks in order."""
        bus.subscribe(pattern, inbox)
        self.published_and_there(bus, f"asked/{pattern.translate(_PLAIN)}", b"asked")

    def published_and_there(self, bus: Bus, topic: str, payload: bytes) -> None:
        """Publish, retained, and see that a client that subscribes now gets it."""
        mine = Inbox()
        bus.subscribe(topic, mine)
        assert bus.publish(topic, payload, retain=True)
        self.settle(mine, payload)


def assert_true(value: bool) -> None:
    """An assertion as an expression."""
    assert value
