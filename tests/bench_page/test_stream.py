"""What open pages are told, and when."""

import asyncio
import json
from base64 import b64decode
from collections.abc import AsyncIterator

import pytest

from gnomon_pi.simulated.bench._hands import BenchHands
from gnomon_pi.simulated.bench._operations import events
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


def first(controller: PaperDesk, *names: str) -> dict[str, object]:
    async def listen() -> dict[str, object]:
        return await told(events(controller.as_remote(), BenchHands(controller.as_remote(), no_wait), no_wait), *names)

    return asyncio.run(listen())


def test_a_page_that_opens_is_told_everything(controller: PaperDesk) -> None:
    controller.tiles = frozenset({"b2", "a1"})
    heard = first(controller, "table", "tiles", "lights", "display")
    assert heard["tiles"] == ["a1", "b2"]
    assert heard["lights"] == ["ff8000", *["000000"] * 36]


def test_the_display_is_sent_with_its_real_pixels(controller: PaperDesk) -> None:
    packed = first(controller, "display")["display"]
    assert isinstance(packed, str)
    assert b64decode(packed) == b"\x80" + bytes(1023)


def test_a_board_without_glasses_has_no_table(controller: PaperDesk) -> None:
    controller.table = None
    assert first(controller, "table")["table"] is None


def test_a_change_of_the_table_is_told_and_nothing_is_told_twice(controller: PaperDesk) -> None:
    async def listen() -> dict[str, object]:
        stream = events(controller.as_remote(), BenchHands(controller.as_remote(), no_wait), no_wait)
        await told(stream, "table", "lights", "display")
        assert controller.table is not None
        controller.table = controller.table.lift("D1")
        return await told(stream, "table")

    heard = asyncio.run(listen())
    assert heard.keys() == {"table"}
    assert isinstance(heard["table"], dict)
    assert heard["table"]["in_hand"] == [0]


def test_a_page_hears_at_least_each_second_that_it_hears(controller: PaperDesk) -> None:
    waited: list[float] = []

    async def wait(seconds: float) -> None:
        waited.append(seconds)
        await asyncio.sleep(0)

    async def listen() -> None:
        stream = events(controller.as_remote(), BenchHands(controller.as_remote(), no_wait), wait)
        await told(stream, "table", "lights", "display")
        waited.clear()
        await told(stream, "table")

    asyncio.run(listen())
    assert sum(waited) <= 1.0


def test_a_failure_of_the_board_ends_the_stream(controller: PaperDesk) -> None:
    def broken() -> tuple[()]:
        message = "the board is gone"
        raise RuntimeError(message)

    controller.board.lights = broken  # type: ignore[method-assign]  # fails as the test wants it
    with pytest.raises(RuntimeError, match="the board is gone"):
        first(controller, "never")


def test_a_page_that_leaves_is_forgotten(controller: PaperDesk) -> None:
    async def leave() -> int:
        stream = events(controller.as_remote(), BenchHands(controller.as_remote(), no_wait), no_wait)
        await told(stream, "table")
        await stream.aclose()
        return len(asyncio.all_tasks())

    assert asyncio.run(leave()) == 1
