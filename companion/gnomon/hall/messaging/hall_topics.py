"""Translate the topics of a hall: on the bus they name the hall, or are those of protocol 1; inside they are short.

Boards and hubs write `Topic.STATE.of(board)` and never see what is put before it. A board speaks one protocol. A hub
understands both: it answers each board in the protocol that the board was heard in last. Topics of other halls stay
as they are.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from gnomon.hall.messaging.bus import Bus, Message
from gnomon.hall.messaging.messages import NAMED, PREFIX, MessageError, Topic, checked_name, parse_topic
from gnomon.hall.messaging.topic_filters import shared_pattern, split_group
from gnomon.refusals import Statement, statement

VERSION: Final = 2
"""The protocol whose topics name the hall: `gnomon/2/HALL/BOARD/KIND`."""
MOST: Final = 100_000
"""Boards of which is remembered how they speak; further ones are answered both ways."""
_SHORT: Final = f"{PREFIX}/"
_OF_THE_HALL: Final = (Topic.ACK, Topic.ASK, Topic.REQUEST, Topic.PACE)


def checked_hall(hall: str) -> str:
    """The name of a hall: like a board's. Raises MessageError for any other."""
    try:
        return checked_name(hall)
    except MessageError as error:
        raise MessageError(statement("hall.name", name=hall[:40])) from error


def with_hall(topic: str, hall: str) -> str:
    """The topic, or pattern, as it is on the bus; without a hall, or for others than boards' topics, the same."""
    if not hall:
        return topic
    group, pattern = split_group(topic)
    if not pattern.startswith(_SHORT):
        return topic
    named = f"{NAMED}/{hall}/{pattern.removeprefix(_SHORT)}"
    return shared_pattern(named, group) if group else named


class BoardBus:
    """The bus as a board of a hall sees it."""

    def __init__(self, bus: Bus, hall: str) -> None:
        """Without a hall, the board speaks protocol 1."""
        self._bus = bus
        self._hall = hall

    def subscribe(self, pattern: str, take: Callable[[Message], None]) -> None:
        """Hear what is published under the hall's topics, under their short names."""
        self._bus.subscribe(with_hall(pattern, self._hall), lambda message: take(_short(message, self._hall)))

    def publish(
        self, topic: str, payload: bytes, *, retain: bool = False, sure: bool = True, expires: int | None = None
    ) -> bool:
        """Send under the hall's topic."""
        return self._bus.publish(with_hall(topic, self._hall), payload, retain=retain, sure=sure, expires=expires)

    @property
    def hindrance(self) -> Statement | None:
        """Why there is no connection now."""
        return self._bus.hindrance

    def on_connection(self, call: Callable[[bool], None]) -> None:
        """Call `call` whenever the connection is there or lost."""
        self._bus.on_connection(call)

    def close(self) -> None:
        """Say goodbye."""
        self._bus.close()


class HubBus(BoardBus):
    """The bus as a hub or a recorder of a hall sees it: boards of protocol 1 are understood, too."""

    def __init__(self, bus: Bus, hall: str) -> None:
        super().__init__(bus, hall)
        self._spoken: dict[str, str] = {}  # the hall in the topics of each board that was heard; "" is protocol 1
        self._heard: set[str] = set()  # boards that said so themselves, rather than what they left behind

    def subscribe(self, pattern: str, take: Callable[[Message], None]) -> None:
        """Hear what is published under either kind of topic; what no board says is asked for once."""
        for hall in dict.fromkeys((self._hall, "")):
            named = with_hall(pattern, hall)
            if hall and named == pattern:
                continue
            self._bus.subscribe(named, partial(self._take, take, hall))

    def publish(
        self, topic: str, payload: bytes, *, retain: bool = False, sure: bool = True, expires: int | None = None
    ) -> bool:
        """Send to the board as it speaks; both ways if nobody knows, or if what is retained is to go."""
        board = _board_of(topic)
        is_erasing = retain and not payload
        spoken = None if board is None or is_erasing else self._spoken.get(board)
        halls = dict.fromkeys((self._hall, "")) if board is not None and spoken is None else (spoken or "",)
        return all(
            self._bus.publish(with_hall(topic, hall), payload, retain=retain, sure=sure, expires=expires)
            for hall in halls
        )

    def _take(self, take: Callable[[Message], None], hall: str, message: Message) -> None:
        short = _short(message, hall)
        try:
            board, kind = parse_topic(short.topic)
        except MessageError:
            take(short)  # the receiver counts it
            return
        spoken = self._spoken.get(board)
        if message.retained and spoken not in {None, hall} and (spoken or board in self._heard):
            return  # the board left it behind when it was enrolled again
        if kind not in _OF_THE_HALL and message.payload and (spoken is not None or len(self._spoken) < MOST):
            self._spoken[board] = hall
            if not message.retained:
                self._heard.add(board)
        take(short)


def _short(message: Message, hall: str) -> Message:
    begin = f"{NAMED}/{hall}/"
    if hall and message.topic.startswith(begin):
        return message._replace(topic=_SHORT + message.topic.removeprefix(begin))
    return message


def _board_of(topic: str) -> str | None:
    try:
        return parse_topic(topic)[0]
    except MessageError:
        return None
