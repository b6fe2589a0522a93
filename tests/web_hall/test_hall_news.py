"""The stream of a wall: made once for all, nothing kept for the slow, and alarms for those alone who may see them."""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from gnomon.hall.demo._board import Casual
from gnomon.web.hall import _stream as telling
from gnomon.web.hall._stream import KEPT, HallNews
from tests.web_hall.party import Party

TABIK = Casual("tabik", {"size": 8, "clock": "3+2"}, ("Ada", "Ben"))


def told(text: bytes) -> list[tuple[str, dict[str, Any]]]:
    """The events in a piece of a stream, each with its name."""
    found = []
    for part in text.decode().split("\n\n"):
        name, _, data = part.partition("\n")
        if name.startswith("event: "):
            found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


async def skip(_seconds: float) -> None:
    """Let no time pass, but everybody have their turn."""
    for _ in range(5):
        await asyncio.sleep(0)


async def until(stream: AsyncGenerator[bytes, None], name: str) -> dict[str, Any]:
    """The next event of that name."""
    while True:
        for event, body in told(await anext(stream)):
            if event == name:
                return body


def listening(party: Party) -> HallNews:
    return HallNews(party.hall, skip)


def test_who_comes_is_greeted_and_asks_for_everything(party: Party) -> None:
    party.board("t01", TABIK)
    party.run(20)

    async def read() -> tuple[list[str], dict[str, Any]]:
        news = listening(party)
        stream = news.events()
        names = [name for name, _ in told(await anext(stream))]
        whole = json.loads(news.snapshot())
        await stream.aclose()
        return names, whole

    names, whole = asyncio.run(read())
    assert names == ["hello"]
    assert (whole["count"], [board["board"] for board in whole["boards"]]) == (1, ["t01"])
    assert whole["boards"][0]["players"][0]["name"] == "Ada"


def test_only_what_has_changed_is_told_and_to_all_in_the_same_words(party: Party) -> None:
    party.board("t01", TABIK)
    party.board("t02")
    party.run(20)

    async def read() -> tuple[list[bytes], dict[str, Any]]:
        news = listening(party)
        one, other = news.events(), news.events()
        for stream in (one, other):
            await anext(stream)
        await until(one, "boards")  # with the tournaments, of which there are none
        await until(other, "boards")
        await asyncio.to_thread(party.run, 3)
        pieces = [await anext(one), await anext(other)]
        await one.aclose()
        await other.aclose()
        return pieces, told(pieces[0])[0][1]

    pieces, body = asyncio.run(read())
    assert pieces[0] == pieces[1]
    assert [board["board"] for board in body["boards"]] == ["t01"]
    assert body["count"] == 2


@pytest.mark.long
def test_one_who_reads_too_slowly_is_told_to_ask_for_what_was_missed(party: Party) -> None:
    board = party.board("t01", TABIK)
    party.run(20)

    async def read() -> tuple[int, dict[str, Any], dict[str, Any]]:
        news = listening(party)
        slow, quick = news.events(), news.events()
        await anext(slow)
        await anext(quick)
        number = news.number
        while news.number < number + KEPT + 3:
            board._has_changed = True
            await asyncio.to_thread(party.run, 2)
            await until(quick, "boards")
        missed = await until(slow, "resync")
        again = json.loads(news.snapshot(missed["number"]))
        await slow.aclose()
        await quick.aclose()
        return number, missed, again

    number, missed, again = asyncio.run(read())
    assert missed == {"number": number}
    assert [board["board"] for board in again["boards"]] == ["t01"]


def test_a_board_that_left_the_hall_leaves_the_wall(party: Party) -> None:
    party.board("t01")
    party.board("t02")
    party.run(3)

    async def read() -> dict[str, Any]:
        news = listening(party)
        stream = news.events()
        await until(stream, "boards")
        party.boards.clear()
        party.hall._hub.floor.remove("t01")
        party.hall.thread.listeners.tell(["t01"])
        body = await until(stream, "boards")
        await stream.aclose()
        return body

    body = asyncio.run(read())
    assert (body["gone"], body["count"]) == (["t01"], 1)


def test_where_there_are_many_boards_each_that_falls_silent_has_its_turn(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telling, "LOOKED_AT", 1)  # of three, so that it takes four events
    monkeypatch.setattr(telling, "BEAT", telling.SPACING + 0.01)
    for name in ("t01", "t02", "t03"):
        party.board(name, TABIK)
    party.run(20)

    async def read() -> list[list[str]]:
        news = listening(party)
        stream = news.events()
        await until(stream, "boards")
        party.boards.clear()
        party.run(10)
        bodies = [await until(stream, "boards") for _ in range(4)]
        await stream.aclose()
        return [[board["board"] for board in body["boards"] if board.get("stale")] for body in bodies]

    silent = asyncio.run(read())
    assert sorted(name for names in silent for name in names) == ["t01", "t02", "t03"]
    assert max(map(len, silent)) == 1


def test_where_there_are_many_boards_what_one_says_waits_for_no_turn(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telling, "LOOKED_AT", 1)
    for name in ("t01", "t03"):
        party.board(name)
    board = party.board("t02", TABIK)
    party.run(20)

    async def read() -> list[list[str]]:
        news, told_of = listening(party), []
        stream = news.events()
        await until(stream, "boards")
        for _ in range(4):
            board._has_changed = True
            await asyncio.to_thread(party.run, 3)
            told_of.append([each["board"] for each in (await until(stream, "boards"))["boards"]])
        await stream.aclose()
        return told_of

    assert all("t02" in names for names in asyncio.run(read()))


def test_alarms_are_told_to_a_director_alone_and_once(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telling, "BEAT", telling.SPACING + 0.01)
    party.board("t01", TABIK)
    party.run(20)
    party.boards.clear()
    party.run(10)

    async def read() -> tuple[dict[str, Any], list[str]]:
        news = listening(party)
        desk, wall = news.events(desk=True), news.events()
        alarms = await until(desk, "alarms")
        names = [name for _ in range(4) for name, _ in told(await anext(wall))]
        names += [name for _ in range(3) for name, _ in told(await anext(desk))]
        await desk.aclose()
        await wall.aclose()
        return alarms, names

    alarms, names = asyncio.run(read())
    assert [(alarm["board"], alarm["trouble"]) for alarm in alarms["alarms"]] == [("t01", "stale")]
    assert alarms["alarms"][0]["age"] >= 9_000
    assert "alarms" not in names


def test_tournaments_are_told_with_their_latest_results_and_clocks(evening: Party) -> None:
    async def read() -> dict[str, Any]:
        news = listening(evening)
        stream = news.events()
        body = await until(stream, "boards")
        await stream.aclose()
        return body

    body = asyncio.run(read())
    [told_of] = body["rounds"]
    assert (told_of["name"], told_of["title"], told_of["tables"]) == ("demo-1", "Demonstration", 3)
    assert len(told_of["results"]) >= 3
    assert set(told_of["results"][0]) == {"round", "board", "first", "second", "result"}
    assert body["clocks"]["demo-1"]["runs"]


def test_nobody_follows_the_hall_when_the_last_reader_has_gone(party: Party) -> None:
    async def read() -> list[int]:
        news = listening(party)
        stream = news.events()
        await anext(stream)
        await skip(0)
        followed = [len(party.hall.thread.listeners._listeners)]
        await stream.aclose()
        await skip(0)
        return [*followed, len(party.hall.thread.listeners._listeners)]

    assert asyncio.run(read()) == [1, 0]


def test_what_ends_the_news_ends_the_streams(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    async def read() -> None:
        news = listening(party)
        stream = news.events()
        await anext(stream)
        monkeypatch.setattr(party.hall, "places", lambda: 1 / 0)
        while True:
            await anext(stream)

    with pytest.raises(ZeroDivisionError):
        asyncio.run(read())
