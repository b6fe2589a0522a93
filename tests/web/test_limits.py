"""How often and how much at once anybody may ask."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.responses import JSONResponse
from starlette.types import Message, Receive, Scope, Send

from gnomon.web.access.gate import CONNECTION
from gnomon.web.middleware.limits import SLOW, Allowance, Buckets, RateLimits, asker
from tests.conftest import examples

STEPS = st.lists(st.floats(0, 3, allow_nan=False), min_size=1, max_size=60)


@settings(max_examples=examples(60))
@given(STEPS, st.floats(0.5, 5), st.integers(1, 6))
def test_nobody_asks_more_often_than_the_bucket_fills(steps: list[float], rate: float, burst: int) -> None:
    buckets = Buckets(Allowance(rate, burst))
    now, allowed = 0.0, 0
    for step in steps:
        now += step
        allowed += buckets.wait("10.0.0.1", now) == 0
    assert 1 <= allowed <= burst + rate * (sum(steps)) + 1e-6


def test_twenty_phones_behind_one_router_open_a_page_at_once() -> None:
    usual = Allowance()
    buckets = Buckets(usual)
    page = [*[1.0] * 10, *[usual.file] * 30]
    assert all(buckets.wait("10.0.0.1", 1.0, cost=cost) == 0 for cost in page * 20)


@given(st.floats(0.5, 50), st.integers(1, 6))
def test_who_waits_as_long_as_is_said_may_ask(rate: float, burst: int) -> None:
    buckets = Buckets(Allowance(rate, burst))
    assert [buckets.wait("10.0.0.1", 1.0) for _ in range(burst)] == [0] * burst
    wait = buckets.wait("10.0.0.1", 1.0)
    assert wait > 0
    assert buckets.wait("10.0.0.1", 1.0 + wait + 1e-6) == 0


def test_addresses_are_bounded_each_for_itself_and_not_all_remembered() -> None:
    buckets = Buckets(Allowance(1, 1, known=3))
    for number in range(100):
        assert buckets.wait(f"10.0.0.{number}", 0.0) == 0
    assert len(buckets) == 3
    assert buckets.wait("10.0.0.99", 0.0) > 0


def test_an_address_of_ipv4_is_the_same_in_the_clothes_of_ipv6() -> None:
    assert asker(("::ffff:10.0.0.1", 1)) == asker(("10.0.0.1", 2)) == "10.0.0.1"
    assert asker(None) == ""


@dataclass
class Asked:
    """An application behind limits, which answers when it is told, and what a client that asks there hears."""

    allowance: Allowance
    is_stream: bool = False
    now: float = 0.0
    person: int | None = None
    waited: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.goes_on = asyncio.Event()
        self.limits = RateLimits(self._answer, self.allowance, self._wait, lambda: self.now, lambda _: self.person)

    async def _wait(self, seconds: float) -> None:
        self.waited.append(seconds)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.is_stream:
            head: Message = {"type": "http.response.start", "status": 200}
            await send({**head, "headers": [(b"content-type", b"text/event-stream")]})
            await self.goes_on.wait()
        else:
            await self.goes_on.wait()
            await JSONResponse({})(scope, receive, send)

    async def ask(self, where: str = "10.0.0.1", path: str = "/board") -> dict[bytes, bytes]:
        """The headers of the answer, and its status."""
        heard: list[Message] = []

        async def send(message: Message) -> None:
            heard.append(message)

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        await self.limits(
            {"type": "http", "query_string": b"", "path": path, "client": (where, 1), "headers": []}, receive, send
        )
        return {**dict(heard[0]["headers"]), b"status": str(heard[0]["status"]).encode()}


def test_who_asks_too_often_is_told_when_to_ask_again_and_is_told_it_slowly() -> None:
    async def ask() -> tuple[list[bytes], bytes, list[float]]:
        asked = Asked(Allowance(rate=0.5, burst=2))
        asked.goes_on.set()
        answers = [await asked.ask() for _ in range(3)]
        asked.now = 2.0
        answers.append(await asked.ask())
        return [answer[b"status"] for answer in answers], answers[2][b"retry-after"], asked.waited

    statuses, after, waited = asyncio.run(ask())
    assert statuses == [b"200", b"200", b"429", b"200"]
    assert (after, waited) == (b"2", [1.0])


def test_a_file_of_the_pages_counts_a_part_of_a_request() -> None:
    async def ask() -> list[bytes]:
        asked = Asked(Allowance(rate=0.5, burst=2, file=0.25))
        asked.goes_on.set()
        paths = ["/board", *["/static/base.css"] * 4, "/static/base.css", "/board"]
        return [(await asked.ask(path=path))[b"status"] for path in paths]

    assert asyncio.run(ask()) == [*[b"200"] * 5, b"429", b"429"]


def test_too_much_at_once_is_refused_of_one_and_in_all() -> None:
    async def ask() -> list[bytes]:
        asked = Asked(Allowance(at_once=3, at_once_of_one=2))
        waiting = [asyncio.create_task(asked.ask()) for _ in range(2)]
        await asyncio.sleep(0)
        of_one = await asked.ask()
        waiting.append(asyncio.create_task(asked.ask("10.0.0.2")))
        await asyncio.sleep(0)
        in_all = await asked.ask("10.0.0.3")
        asked.goes_on.set()
        answered = await asyncio.gather(*waiting)
        again = await asked.ask("10.0.0.3")
        return [answer[b"status"] for answer in (of_one, in_all, *answered, again)]

    assert asyncio.run(ask()) == [b"503", b"503", b"200", b"200", b"200", b"200"]


def test_who_has_signed_in_is_answered_whatever_others_ask_from_the_same_address() -> None:
    async def ask() -> list[bytes]:
        asked = Asked(Allowance(rate=1, burst=2, at_once=2, at_once_of_one=2, kept=1))
        waiting = [asyncio.create_task(asked.ask()) for _ in range(2)]
        await asyncio.sleep(0)
        strangers = [await asked.ask(), await asked.ask("10.0.0.2")]
        asked.person = 7
        waiting.append(asyncio.create_task(asked.ask()))
        await asyncio.sleep(0)
        too_much = await asked.ask("10.0.0.3")
        asked.goes_on.set()
        answered = await asyncio.gather(*waiting)
        asked.now = 1.0
        often = [await asked.ask("10.0.0.1") for _ in range(5)]
        return [answer[b"status"] for answer in (*strangers, too_much, *answered, *often)]

    refused, answered = [b"429", b"503", b"503"], [b"200"] * 3
    # One token has come back at the address and one with the person, who had none left.
    assert asyncio.run(ask()) == [*refused, *answered, b"200", b"200", b"429", b"429", b"429"]


def test_all_addresses_of_a_network_of_ipv6_ask_together_what_is_bounded() -> None:
    async def ask() -> list[bytes]:
        asked = Asked(Allowance(rate=1, burst=2, networks=2.0))
        asked.goes_on.set()
        answers = [await asked.ask(f"2001:db8::{number:x}") for number in range(6)]
        answers.append(await asked.ask("2001:db8:0:1::1"))
        return [answer[b"status"] for answer in answers]

    assert asyncio.run(ask()) == [b"200"] * 4 + [b"429"] * 2 + [b"200"]


def test_a_stream_takes_no_place_from_those_who_ask() -> None:
    async def ask() -> bytes:
        asked = Asked(Allowance(at_once=1, at_once_of_one=1), is_stream=True)
        reading = asyncio.create_task(asked.ask())
        await asyncio.sleep(0)
        asked.is_stream = False
        asking = asyncio.create_task(asked.ask())
        await asyncio.sleep(0)
        asked.goes_on.set()
        await reading
        return (await asking)[b"status"]

    assert asyncio.run(ask()) == b"200"


@dataclass
class Line:
    """A connection over which one request is asked; its client sends the body, or reads the answer, when it likes."""

    close: Callable[[], object]

    def know(self) -> None:
        """Nobody here has signed in."""


@dataclass
class Slow:
    """An application behind limits that reads a body and answers it, and clients that keep it waiting."""

    allowance: Allowance
    now: float = 0.0
    person: int | None = None
    ended: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.limits = RateLimits(self._answer, self.allowance, now=lambda: self.now, who=lambda _: self.person)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (await receive())["type"] == "http.request":
            await JSONResponse({})(scope, receive, send)

    async def ask(self, where: str, slow: str = "", *, has_line: bool = True) -> bytes:
        """The status of an answer, or nothing if the connection ended first; a slow client never goes on."""
        gone, heard = asyncio.Event(), [b""]

        def end() -> None:
            self.ended.append(where)
            gone.set()

        async def receive() -> Message:
            if slow == "body":
                await gone.wait()
                return {"type": "http.disconnect"}
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            if slow == "answer":
                await gone.wait()
            elif message["type"] == "http.response.start":
                heard[0] = str(message["status"]).encode()

        scope = {"type": "http", "query_string": b"", "path": "/sign-in", "client": (where, 1), "headers": []}
        await self.limits({**scope, "state": {CONNECTION: Line(end)} if has_line else {}}, receive, send)
        return heard[0]

    async def keep(self, *where: str, slow: str = "body", has_line: bool = True) -> list["asyncio.Task[bytes]"]:
        """Clients that keep their requests waiting."""
        tasks = [asyncio.create_task(self.ask(each, slow, has_line=has_line)) for each in where]
        await asyncio.sleep(0)
        return tasks


@pytest.mark.parametrize("slow", ["body", "answer"])
def test_clients_that_keep_requests_waiting_take_no_place_from_others(slow: str) -> None:
    async def ask() -> tuple[bytes, list[str], list[bool]]:
        house = Slow(Allowance(at_once=4, at_once_of_one=2))
        waiting = await house.keep("10.0.0.1", "10.0.0.2", "10.0.0.2", "10.0.0.3", slow=slow)
        answer = await house.ask("10.0.0.9")
        await asyncio.sleep(0)
        done = [each.done() for each in waiting]
        for each in waiting:
            each.cancel()
        return answer, house.ended, done

    # The first of the one that holds most.
    assert asyncio.run(ask()) == (b"200", ["10.0.0.2"], [False, True, False, False])


def test_a_phone_with_many_addresses_of_ipv6_is_one_client_that_keeps_requests_waiting() -> None:
    async def ask() -> tuple[bytes, list[str]]:
        house = Slow(Allowance(at_once=4, at_once_of_one=2))
        waiting = await house.keep("10.0.0.1", *(f"2001:db8::{number:x}" for number in range(1, 4)))
        answer = await house.ask("10.0.0.9")
        for each in waiting:
            each.cancel()
        return answer, house.ended

    assert asyncio.run(ask()) == (b"200", ["2001:db8::1"])


def test_where_nobody_holds_more_than_a_newcomer_a_request_gives_way_once_it_is_slow() -> None:
    async def ask() -> tuple[list[bytes], list[str]]:
        house = Slow(Allowance(at_once=2, at_once_of_one=2))
        waiting = await house.keep("10.0.0.1", "10.0.0.2")
        answers = [await house.ask("10.0.0.3")]
        house.now = SLOW
        answers.append(await house.ask("10.0.0.3"))
        for each in waiting:
            each.cancel()
        return answers, house.ended

    assert asyncio.run(ask()) == ([b"503", b"200"], ["10.0.0.1"])


def test_neither_what_is_worked_out_nor_somebody_who_has_signed_in_gives_way() -> None:
    async def ask() -> list[bytes]:
        asked = Asked(Allowance(at_once=1, at_once_of_one=1))
        at_work = asyncio.create_task(asked.ask())
        await asyncio.sleep(0)
        asked.now = SLOW
        answers = [(await asked.ask("10.0.0.2"))[b"status"]]
        asked.goes_on.set()
        await at_work
        house = Slow(Allowance(at_once=1, at_once_of_one=1, kept=1))
        waiting = await house.keep("10.0.0.1")
        house.person = 7  # of the arbiter: it takes the kept place, as all others are taken
        waiting += await house.keep("10.0.0.1")
        house.now, house.person = SLOW, None
        answers += [await house.ask("10.0.0.3"), await house.ask("10.0.0.1")]
        house.person = 7
        answers.append(await house.ask("10.0.0.4"))
        house.person = None
        unknown = await house.keep("10.0.0.5", has_line=False)
        answers.append(await house.ask("10.0.0.6"))
        ended = house.ended
        for each in (*waiting, *unknown):
            each.cancel()
        assert ended == ["10.0.0.1"]
        return answers

    assert asyncio.run(ask()) == [b"503", b"200", b"503", b"503", b"503"]


def test_what_is_no_request_is_let_through() -> None:
    async def ask() -> list[str]:
        seen: list[str] = []

        async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
            seen.append(scope["type"])

        async def nothing() -> Message:
            return {}

        async def drop(_message: Message) -> None:
            pass

        await RateLimits(app, Allowance())({"type": "lifespan"}, nothing, drop)
        return seen

    assert asyncio.run(ask()) == ["lifespan"]
