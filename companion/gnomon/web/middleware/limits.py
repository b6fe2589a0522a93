"""Limit the rate and the concurrency of requests for each address, with token buckets.

The referee runs in the same process: what a flood of requests may cost is decided here. Each address has a bucket of
tokens that fills at a steady rate; an address that has emptied it is refused, and the refusal is slow, so that a
program that asks again at once asks no more often than it is answered. Somebody who has signed in has limits of their
own, whatever others ask from the same address or in all: a flood must not take the pages from the arbiter.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from math import ceil
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gnomon.web.access.attempts import network
from gnomon.web.access.gate import CONNECTION, Connection
from gnomon.web.middleware import error_pages

EVENTS: Final = b"text/event-stream"
FILES: Final = "/static/"
"""Below this address are the files that are the same for everybody."""
LONGEST_WAIT: Final = 1.0  # seconds that a refusal lets pass
SLOW: Final = 1.0  # seconds after which a request that waits for its client gives way to anybody's


@dataclass(frozen=True, slots=True)
class Allowance:
    """What one address may ask, and all together; streams of events have bounds of their own.

    A page of ours is up to forty requests, and phones behind one router share an address: twenty of them may open it at
    once, for a script that is refused leaves a page dead. Most of the forty are scripts and pictures, which cost little
    to answer: counted as whole requests they would leave room for half as many visits.
    """

    rate: float = 20.0  # requests a second of one address, in the long run
    burst: float = 400.0  # and at once
    file: float = 0.25  # of a request: what a file counts that is the same for everybody
    at_once: int = 48  # requests that are being answered
    at_once_of_one: int = 16
    kept: int = 16  # and besides of those who have signed in
    networks: float = 5.0  # times as much for all addresses of a network of IPv6 together
    known: int = 4096  # addresses that are remembered


def asker(client: Sequence[object] | None) -> str:
    """Who is bounded: the address. All phones of a hall are in one network of IPv6, which has bounds of its own."""
    return str(client[0]).removeprefix("::ffff:") if client else ""


_PERSON: Final = "person "


class _Bucket(NamedTuple):
    tokens: float
    filled: float  # seconds of the clock


class Buckets:
    """How much each address may still ask; bounded, the one that asked longest ago is forgotten first."""

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def wait(self, address: str, now: float, times: float = 1.0, cost: float = 1.0) -> float:
        """Take tokens: 0 when they are there, else in how many seconds they will be; `times` as many there may be."""
        rate, burst = self._allowance.rate * times, self._allowance.burst * times
        tokens, filled = self._buckets.pop(address, _Bucket(burst, now))
        tokens = min(burst, tokens + max(0.0, now - filled) * rate)
        taken = tokens >= cost
        self._buckets[address] = _Bucket(tokens - cost if taken else tokens, now)
        while len(self._buckets) > self._allowance.known:
            self._buckets.popitem(last=False)
        return 0.0 if taken else (cost - tokens) / rate

    def __len__(self) -> int:
        return len(self._buckets)


@dataclass(eq=False, slots=True)
class _Underway:
    """A request that is being answered: who is bounded by it, and the network and the connection over which it came.

    `waits` says whether it is its client that has to go on, by sending the rest of the body or reading the answer.
    """

    where: str
    network: str
    since: float
    connection: Connection | None
    waits: bool = False


class RateLimits:
    """Middleware: refuses what is too often with 429 and what is too much at once with 503, one sentence each."""

    def __init__(
        self,
        app: ASGIApp,
        allowance: Allowance,
        wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
        now: Callable[[], float] | None = None,
        who: Callable[[Scope], int | None] = lambda _scope: None,
    ) -> None:
        """`wait` lets seconds pass; `now` answers seconds of a monotonic clock, the loop's own unless told.

        `who` is the number of the person who sent a request, None for those who have not signed in; it is asked only
        where a request would be refused.
        """
        self._app = app
        self._allowance = allowance
        self._buckets = Buckets(allowance)
        self._wait = wait
        self._now = now or _loop_time
        self._who = who
        self._underway: dict[_Underway, None] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        where = asker(scope.get("client"))
        cost = self._allowance.file if scope["path"].startswith(FILES) else 1.0
        wait = self._bucket(where, cost)
        if (wait or self._is_full(where)) and (person := self._who(scope)) is not None:
            where = f"{_PERSON}{person}"
            wait = self._buckets.wait(where, self._now(), cost=cost)
        if wait:
            await self._wait(min(max(wait, LONGEST_WAIT / 2), LONGEST_WAIT))
            await _refusal(scope, HTTPStatus.TOO_MANY_REQUESTS, wait)(scope, receive, send)
        elif self._is_full(where) and not self._make_room(scope, where):
            await _refusal(scope, HTTPStatus.SERVICE_UNAVAILABLE, 1)(scope, receive, send)
        else:
            await self._answer(where, scope, receive, send)

    def _bucket(self, where: str, cost: float) -> float:
        """Take tokens of an address, and of its network if that has more addresses; how long to wait for both."""
        now, household = self._now(), network(where)
        wait = self._buckets.wait(where, now, cost=cost)
        if wait or household == where:
            return wait
        return self._buckets.wait(f"network {household}", now, self._allowance.networks, cost)

    def _is_full(self, where: str) -> bool:
        at_once = self._allowance.at_once + (self._allowance.kept if where.startswith(_PERSON) else 0)
        return len(self._underway) >= at_once or self._number_of(where) >= self._allowance.at_once_of_one

    def _number_of(self, where: str) -> int:
        return sum(each.where == where for each in self._underway)

    def _make_room(self, scope: Scope, where: str) -> bool:
        """End a stranger's request that waits for its client, for one of a network that has fewer, or if it is slow."""
        if self._number_of(where) >= self._allowance.at_once_of_one:
            return False
        waiting = [
            each
            for each in self._underway
            if each.waits and each.connection is not None and not each.where.startswith(_PERSON)
        ]
        if not waiting:
            return False
        held = Counter(each.network for each in waiting)
        greedy, number = held.most_common(1)[0]
        if number > held[network(asker(scope.get("client")))] + 1:
            found = next(each for each in waiting if each.network == greedy)
        elif self._now() - waiting[0].since >= SLOW:
            found = waiting[0]
        else:
            return False
        del self._underway[found]
        assert found.connection is not None, "only such were looked at"  # noqa: S101 - see above
        found.connection.close()
        return True

    async def _answer(self, where: str, scope: Scope, receive: Receive, send: Send) -> None:
        connection: Connection | None = scope.get("state", {}).get(CONNECTION)
        asked = _Underway(where, network(asker(scope.get("client"))), self._now(), connection)
        self._underway[asked] = None
        is_whole = False

        async def receive_watched() -> Message:
            nonlocal is_whole
            if is_whole:  # what comes then is only that the client has gone
                return await receive()
            asked.waits = True
            message = await receive()
            asked.waits, is_whole = False, not message.get("more_body", False)
            return message

        async def send_watched(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_stream(message):
                self._underway.pop(asked, None)
            asked.waits = True
            await send(message)
            asked.waits = False

        try:
            await self._app(scope, receive_watched, send_watched)
        finally:
            self._underway.pop(asked, None)


def _is_stream(start: Message) -> bool:
    return any(name.lower() == b"content-type" and value.startswith(EVENTS) for name, value in start["headers"])


def _refusal(scope: Scope, status: int, wait: float) -> Response:
    answer = error_pages.answer(Request(scope), status)
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Retry-After"] = str(max(1, ceil(wait)))
    return answer


def _loop_time() -> float:
    return asyncio.get_running_loop().time()
