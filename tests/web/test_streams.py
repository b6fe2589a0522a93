"""Streams of events: made once for all who read alike, the newest for the slow, and no more than there is room for."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from starlette.requests import Request
from starlette.types import Message

from gnomon.referee.games import begin
from gnomon.timekeeping.instants import Instant
from gnomon.web.access import Role
from gnomon.web.live.streams import RETRY, Feed, Readers
from gnomon.words import words
from tests.web.api_house import PaperBoard


def told(event: bytes) -> dict[str, Any]:
    name, _, data = event.decode().partition("\n")
    assert name == "event: summary"
    value: dict[str, Any] = json.loads(data.removeprefix("data: "))
    return value


async def turn() -> None:
    """Let everybody else have their turn."""
    for _ in range(10):
        await asyncio.sleep(0)


async def opened(feed: Feed) -> AsyncGenerator[bytes, None]:
    """A stream from which the retry has been read."""
    stream = feed.events()
    assert await anext(stream) == RETRY
    return stream


def test_one_who_comes_is_told_at_once_and_after_every_change() -> None:
    async def read() -> list[float]:
        board = PaperBoard(begin("tabik", {}))
        async with aclosing(await opened(Feed(board, words()))) as stream:
            first = told(await anext(stream))
            board.at = Instant(2_000_000)
            board.change()
            second = told(await anext(stream))
        return [first["now"], second["now"]]

    assert asyncio.run(read()) == [0, 2]


def test_an_event_is_made_once_for_all_who_read_alike() -> None:
    async def read() -> tuple[bool, int]:
        board = PaperBoard(begin("tabik", {}))
        feed = Feed(board, words())
        one, other = await opened(feed), await opened(feed)
        events = [await anext(one), await anext(other)]
        await one.aclose()
        await other.aclose()
        return events[0] is events[1], board.in_all

    assert asyncio.run(read()) == (True, 1)


def test_one_who_reads_slowly_gets_the_newest_and_no_other() -> None:
    async def read() -> list[float]:
        board = PaperBoard()
        async with aclosing(await opened(Feed(board, words()))) as stream:
            await anext(stream)
            for second in (1, 2, 3):
                board.at = Instant(second * 1_000_000)
                board.present = begin("tabik", {})
                board.change()
                await turn()
            newest = told(await anext(stream))["now"]
            board.at = Instant(4_000_000)
            board.change()
            return [newest, told(await anext(stream))["now"]]

    assert asyncio.run(read()) == [3, 4]


def test_who_comes_later_need_not_wait_for_a_change() -> None:
    async def read() -> bool:
        feed = Feed(PaperBoard(), words())
        first = await opened(feed)
        event = await anext(first)
        async with aclosing(await opened(feed)) as later:
            same = await anext(later) is event
        await first.aclose()
        return same

    assert asyncio.run(read())


def test_nobody_follows_the_board_when_the_last_reader_has_gone() -> None:
    async def read() -> list[int]:
        board = PaperBoard()
        feed = Feed(board, words())
        one, other = await opened(feed), await opened(feed)
        await anext(one)
        await anext(other)
        followed = [board.followed]
        await one.aclose()
        await turn()
        followed.append(board.followed)
        await other.aclose()
        await turn()
        followed.append(board.followed)
        async with aclosing(await opened(feed)) as again:
            await anext(again)
            followed.append(board.followed)
        return followed

    assert asyncio.run(read()) == [1, 1, 0, 1]


def test_what_ends_the_news_ends_the_streams_and_the_next_reader_begins_anew() -> None:
    @dataclass
    class BrokenBoard(PaperBoard):
        is_broken: bool = True

        async def changes(self) -> AsyncIterator[None]:
            yield
            await asyncio.sleep(0)
            if self.is_broken:
                message = "the runner is gone"
                raise RuntimeError(message)
            await asyncio.Event().wait()

    async def read() -> None:
        board = BrokenBoard()
        feed = Feed(board, words())
        readers = [await opened(feed), await opened(feed)]
        for stream in readers:
            await anext(stream)
        for stream in readers:
            with pytest.raises(RuntimeError, match="the runner is gone"):
                await anext(stream)
        board.is_broken = False
        async with aclosing(await opened(feed)) as again:
            assert told(await anext(again))["game"] is None

    asyncio.run(read())


def test_each_language_and_each_board_has_a_feed_of_its_own() -> None:
    async def feeds() -> list[bool]:
        readers, board, later = Readers(), PaperBoard(), PaperBoard()
        english = readers.feed(board, words("en"))
        return [
            readers.feed(board, words("en")) is english,
            readers.feed(board, words("de")) is english,
            readers.feed(later, words("en")) is english,
        ]

    assert asyncio.run(feeds()) == [True, False, False]


@dataclass
class Reader:
    """One that reads a stream through the application's own interface, and goes when it is told."""

    where: str = "192.168.1.20"
    method: str = "GET"
    heard: list[Message] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.goes = asyncio.Event()
        client = (self.where, 5000)
        self.scope = {
            "type": "http",
            "method": self.method,
            "client": client,
            "headers": [],
            "path": "/",
            "query_string": b"",
        }

    async def read(self, readers: Readers, feed: Feed) -> None:
        answer = readers.answer(Request(self.scope), feed.events())
        await answer(self.scope, self._receive, self._send)

    async def _receive(self) -> Message:
        await self.goes.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        self.heard.append(message)

    @property
    def status(self) -> int:
        status: int = self.heard[0]["status"]
        return status


@pytest.mark.parametrize(
    ("readers", "addresses", "statuses"),
    [
        (Readers(2, 2), ["10.0.0.1", "10.0.0.2", "10.0.0.3"], [200, 200, 503]),
        (Readers(9, 1), ["10.0.0.1", "10.0.0.1", "10.0.0.2"], [200, 503, 200]),
        (Readers(9, 1), ["10.0.0.1", "::ffff:10.0.0.1"], [200, 503]),
    ],
)
def test_one_reader_too_many_is_refused_in_all_and_of_one_address(
    readers: Readers, addresses: list[str], statuses: list[int]
) -> None:
    async def read() -> tuple[list[int], int, Reader]:
        feed = Feed(PaperBoard(), words())
        all_of_them = [Reader(where) for where in addresses]
        reading = [asyncio.create_task(each.read(readers, feed)) for each in all_of_them]
        await turn()
        number = readers.number
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)
        refused = next(each for each in all_of_them if each.status == 503)
        return [each.status for each in all_of_them], number, refused

    found, number, refused = asyncio.run(read())
    assert (found, number) == (statuses, statuses.count(200))
    assert (b"retry-after", b"5") in refused.heard[0]["headers"]
    assert json.loads(refused.heard[1]["body"])["error"].endswith("close other pages.")
    assert readers.number == 0


def test_a_reader_that_has_gone_gives_its_place_back_at_the_next_event() -> None:
    async def read() -> tuple[int, int, bool]:
        readers, board = Readers(), PaperBoard()
        reader = Reader()
        reading = asyncio.create_task(reader.read(readers, Feed(board, words())))
        await turn()
        before = readers.number
        reader.goes.set()
        await turn()
        board.change()
        await reading
        return before, readers.number, reader.heard[-1]["more_body"]

    assert asyncio.run(read()) == (1, 0, False)


def test_who_asks_for_the_head_alone_gets_no_events() -> None:
    async def read() -> Reader:
        reader = Reader(method="HEAD")
        await reader.read(Readers(), Feed(PaperBoard(), words()))
        return reader

    reader = asyncio.run(read())
    assert [message.get("body", b"") for message in reader.heard] == [b"", b""]
    assert (b"content-type", b"text/event-stream; charset=utf-8") in reader.heard[0]["headers"]


@pytest.mark.parametrize(
    ("role", "said"),
    [
        (Role.SPECTATOR, []),
        (Role.PLAYER, ["The plug is out."]),
        (Role.ARBITER, ["The plug is out.", "Too busy."]),
        (Role.ADMIN, ["The plug is out.", "Too busy."]),
    ],
)
def test_what_ails_the_machine_is_told_to_those_who_can_help(role: Role, said: list[str]) -> None:
    async def read() -> list[str]:
        game = replace(begin("tamsk", {}), quarantined=("D2.ring1",))
        board = PaperBoard(game, wrong=("The plug is out.", "Too busy."), for_players=("The plug is out.",))
        async with aclosing(await opened(Readers().feed(board, words(), role))) as stream:
            return list(told(await anext(stream))["health"])

    heard = asyncio.run(read())
    assert heard[:-1] == said if role.may(Role.PLAYER) else heard == []
