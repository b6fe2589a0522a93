"""What open pages are told, and when."""

import asyncio
import json
from base64 import b64decode
from collections.abc import AsyncIterator, Mapping

import pytest

from gnomon.referee.games import begin
from gnomon.words import ENGLISH, Words
from gnomon_pi.simulated.bench.hands import Hands
from gnomon_pi.simulated.bench.stream import events
from tests.bench_page.paper import PaperDesk, no_wait


async def told(stream: AsyncIterator[str], *names: str) -> dict[str, object]:
    """The next events of these names, each as it comes."""
    heard: dict[str, object] = {}
    async for text in stream:
        if text.startswith("event: "):
            name, _, data = text.removeprefix("event: ").removesuffix("\n\n").partition("\ndata: ")
            heard[name] = json.loads(data)
        if heard.keys() >= set(names):
            return heard
    return heard


def first(desk: PaperDesk, *names: str) -> dict[str, object]:
    async def listen() -> dict[str, object]:
        return await told(events(desk.as_remote(), Hands(desk.as_remote(), no_wait), no_wait, desk.summaries), *names)

    return asyncio.run(listen())


def test_a_page_that_opens_is_told_everything(desk: PaperDesk) -> None:
    heard = first(desk, "layout", "game", "table", "lights", "display")
    assert heard["game"] == {"game": json.loads(json.dumps(desk.summary())), "playing": False}
    assert heard["lights"] == ["ff8000", *["000000"] * 36]
    assert isinstance(heard["layout"], list)
    assert [space["name"] for space in heard["layout"]][:5] == ["A1", "A2", "A3", "A4", "B1"]


def test_the_display_is_sent_with_its_real_pixels(desk: PaperDesk) -> None:
    packed = first(desk, "display")["display"]
    assert isinstance(packed, str)
    assert b64decode(packed) == b"\x80" + bytes(1023)


def test_a_board_without_glasses_has_no_table(desk: PaperDesk) -> None:
    desk.table = None
    assert first(desk, "table")["table"] is None


def test_the_house_says_which_games_can_be_played_in_it(desk: PaperDesk) -> None:
    heard = first(desk, "house")["house"]
    assert heard == {
        "games": ["tamsk", "tabik", "tau", "tayu", "twenty-squares"],
        "buttons": ["button.red", "button.black", "button.arbiter"],
    }


def test_a_picture_is_told_apart_from_the_game_with_its_places_and_once(desk: PaperDesk) -> None:
    desk.present, desk.tiles = begin("tabik", {"size": 2}), frozenset({"b2", "a1"})

    async def listen() -> dict[str, object]:
        stream = events(desk.as_remote(), Hands(desk.as_remote(), no_wait), no_wait, desk.summaries)
        heard = await told(stream, "game", "picture", "tiles")
        assert desk.table is not None
        desk.table = desk.table.lift("D1")
        return heard | {"later": sorted(await told(stream, "table"))}

    heard = asyncio.run(listen())
    assert isinstance(heard["game"], dict)
    assert "picture" not in heard["game"]["game"]
    assert isinstance(heard["picture"], dict)
    assert heard["picture"]["svg"].startswith("<svg ")
    assert sorted(heard["picture"]["places"]) == ["a1", "a2", "b1", "b2"]
    assert heard["tiles"] == ["a1", "b2"]
    assert heard["later"] == ["table"]


def test_a_change_of_the_table_is_told_and_nothing_is_told_twice(desk: PaperDesk) -> None:
    async def listen() -> dict[str, object]:
        stream = events(desk.as_remote(), Hands(desk.as_remote(), no_wait), no_wait, desk.summaries)
        await told(stream, "game", "table", "lights", "display")
        assert desk.table is not None
        desk.table = desk.table.lift("D1")
        return await told(stream, "table")

    heard = asyncio.run(listen())
    assert heard.keys() == {"table"}
    assert isinstance(heard["table"], dict)
    assert heard["table"]["in_hand"] == [0]


def test_a_failure_of_the_desk_ends_the_stream(desk: PaperDesk) -> None:
    async def broken(words: Words = ENGLISH) -> AsyncIterator[Mapping[str, object]]:
        yield {"game": None, "language": words.language}
        message = "the runner is gone"
        raise RuntimeError(message)

    desk.summaries = broken  # type: ignore[method-assign]  # fails as the test wants it
    with pytest.raises(RuntimeError, match="the runner is gone"):
        first(desk, "never")


def test_a_page_that_leaves_is_forgotten(desk: PaperDesk) -> None:
    async def leave() -> int:
        stream = events(desk.as_remote(), Hands(desk.as_remote(), no_wait), no_wait, desk.summaries)
        await told(stream, "game")
        await stream.aclose()
        return len(asyncio.all_tasks())

    assert asyncio.run(leave()) == 1
