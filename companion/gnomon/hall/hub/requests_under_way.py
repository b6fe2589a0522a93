"""Follow the requests of a hub: which may be sent, which are to be sent again, and which are given up."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from gnomon.hall.store.requests import UNSET, BoardRequest, Seating, TakenUp
from gnomon.timekeeping.instants import SECOND, Duration, Instant, after

LIFE: Final = Duration(15 * SECOND)
"""How long a request is meant to be carried out."""
SEND_AGAIN: Final = Duration(3 * SECOND)
_GRACE: Final = Duration(3 * SECOND)  # an answer needs its way back


@dataclass(slots=True)
class _Asked:
    """A request under way: durable when `sent_at` is set, and sent again from time to time.

    It is under way until its answer is durable; otherwise somebody who looks there could find neither the request nor
    the answer. One that cannot be written down in time is given up once it is written down.
    """

    wish: BoardRequest
    deadline: Instant
    is_durable: bool = False
    sent_at: Instant | None = None
    is_answered: bool = False

    @property
    def end(self) -> Instant:
        """When it is given up."""
        return after(self.deadline, _GRACE)

    @property
    def due(self) -> Instant:
        """When there is something to do for it: to send it again, or to give it up."""
        again = self.deadline if self.sent_at is None else after(self.sent_at, SEND_AGAIN)
        return again if again < self.deadline else self.end

    def seconds_left(self, now: Instant) -> int:
        """For how many seconds it is still of use."""
        return -(-(self.deadline - now) // SECOND)


class RequestsUnderWay:
    """The requests that a hub follows; `serves` says for which boards it sends them."""

    def __init__(self, wishes: Iterable[BoardRequest], serves: Callable[[str], bool], now: Instant) -> None:
        """`wishes` are those that stand in the database already."""
        self._serves = serves
        self._asked = {wish.request.id: _Asked(wish, after(now, LIFE), is_durable=True) for wish in wishes}

    @property
    def to_write(self) -> tuple[BoardRequest, ...]:
        """Those that are not written down yet."""
        return tuple(asked.wish for asked in self._asked.values() if not asked.is_durable)

    @property
    def sent(self) -> frozenset[str]:
        """Those that somebody has sent, or is about to."""
        return frozenset(each for each, asked in self._asked.items() if asked.wish.request.until != UNSET)

    @property
    def seatings(self) -> frozenset[Seating]:
        """The pairings for which games were asked for."""
        return frozenset(asked.wish.seating for asked in self._asked.values() if asked.wish.seating is not None)

    def add(self, wish: BoardRequest, now: Instant, life: Duration) -> None:
        """One more, which is sent when it is written down."""
        self._asked[wish.request.id] = _Asked(wish, after(now, life))

    def take_up(self, taken: TakenUp, now: Instant) -> bool:
        """One that another hub was asked: whether it is new here. What was sent is sent again when no answer comes."""
        before = self._asked.get(taken.wish.request.id)
        if before is not None and before.wish.request.until != UNSET:
            return False
        deadline = after(now, LIFE) if before is None else before.deadline
        sent_at = None if taken.is_unsent else now
        self._asked[taken.wish.request.id] = _Asked(taken.wish, deadline, is_durable=True, sent_at=sent_at)
        return True

    def on_durable(self, wishes: Iterable[BoardRequest], answered: Iterable[str]) -> None:
        """Some are written down, and so are the answers to some, which are followed no more."""
        for identity in answered:
            if (asked := self._asked.get(identity)) is not None and asked.is_answered:
                del self._asked[identity]
        for wish in wishes:
            if wish.request.id in self._asked:
                self._asked[wish.request.id].is_durable = True

    def on_answer(self, board: str, identity: str) -> None:
        """A board has answered."""
        asked = self._asked.get(identity)
        if asked is not None and asked.wish.board == board:
            asked.is_answered = True

    def deadline(self) -> Instant | None:
        """When there is something to do for one of them."""
        waiting = (asked.due for asked in self._asked.values() if asked.is_durable and not asked.is_answered)
        return min(waiting, default=None)

    def due(self, now: Instant) -> tuple[list[tuple[BoardRequest, int]], list[BoardRequest]]:
        """What is to be sent now, with the seconds for which it is of use, and what is given up."""
        to_send: list[tuple[BoardRequest, int]] = []
        given_up: list[BoardRequest] = []
        for identity, asked in tuple(self._asked.items()):
            if asked.is_answered or not asked.is_durable:
                continue  # what is given up before it is written down would be told of as under way for ever
            if now >= asked.end:
                del self._asked[identity]
                given_up.append(asked.wish)
            elif now < asked.deadline and self._is_to_be_sent(asked, now):
                asked.sent_at = now
                to_send.append((asked.wish, asked.seconds_left(now)))
        return to_send, given_up

    def _is_to_be_sent(self, asked: _Asked, now: Instant) -> bool:
        is_ours = asked.wish.request.until != UNSET and self._serves(asked.wish.board)
        return is_ours and (asked.sent_at is None or now - asked.sent_at >= SEND_AGAIN)
