"""Stream changes to open bench pages as server-sent events, one stream per page.

`house` once: which games can be played here, and the board's buttons; `layout` once: the spaces of TAMSK's board;
`game`: the summary, on change and at least each second; `picture`: the game's picture, and where its places lie on
it; `table` and `tiles`: what is on the simulated board; `lights`: 37 colours; `display`: the real pixels. The last
five are sent only when they differ from what was sent before.
"""

import asyncio
import json
from base64 import b64encode
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from gnomon.games.tamsk.rules import BOARD, CAPACITY
from gnomon.views.show import show_of
from gnomon.web.pictures import for_the_page
from gnomon.words import ENGLISH, Words
from gnomon_pi.runtime.controller import BoardController
from gnomon_pi.simulated.bench.hands import Hands, Wait
from gnomon_pi.simulated.bench.pictures import where
from gnomon_pi.simulated.remote_control import RemoteControl

LOOK: Final = 0.04  # seconds between two looks at lights, display and table: smoother than the eye asks for
RETRY: Final = "retry: 1000\n\n"  # milliseconds until a browser asks again by itself


Summaries = Callable[[Words], AsyncIterator[Mapping[str, object]]]


async def events(
    remote: RemoteControl, hands: Hands, wait: Wait, summaries: Summaries, words: Words = ENGLISH
) -> AsyncGenerator[str, None]:
    """Everything an open page must know, from now on until it closes."""
    yield RETRY
    yield _event("house", {"games": list(remote.desk.games), "buttons": list(remote.desk.buttons)})
    yield _event("layout", list(_layout()))
    news = News()
    follower = asyncio.create_task(_follow(remote, summaries(words), news))
    sent: dict[str, object] = {}
    try:
        while not follower.done():
            for name, value in (*_visible(remote, hands), *_pictures(remote.desk, news)):
                if sent.get(name, _NOTHING) != value:
                    sent[name] = value
                    yield _event(name, value)
            if news.game:
                event, news.game = news.game, ""
                yield event
            await wait(LOOK)
        await follower  # it follows for good: if it ended, it failed, and says so here
    finally:
        follower.cancel()
        with suppress(asyncio.CancelledError):
            await follower


@dataclass(slots=True)
class News:
    """The newest summary, ready to send, and the picture that was in it."""

    game: str = ""
    picture: str = ""


_NOTHING: Final = object()


async def _follow(remote: RemoteControl, summaries: AsyncIterator[Mapping[str, object]], news: News) -> None:
    """Keep the newest summary. Its picture is sent by itself: it is large, and changes with each move only."""
    async for summary in summaries:
        told = dict(summary)
        news.picture = str(told.pop("picture", ""))
        news.game = _event("game", {"game": told, "playing": remote.is_playing})


def _pictures(desk: BoardController, news: News) -> Iterator[tuple[str, object]]:
    if news.picture:
        game = desk.game()
        edges = [] if game is None else list(show_of(game).edges)
        yield "picture", {"svg": for_the_page(news.picture), "places": where(game), "edges": edges}


def _visible(remote: RemoteControl, hands: Hands) -> Iterator[tuple[str, object]]:
    yield "table", hands.table()
    if remote.tiles is not None:
        yield "tiles", sorted(remote.tiles)
    yield "lights", [f"{red:02x}{green:02x}{blue:02x}" for red, green, blue in remote.board.lights()]
    yield "display", b64encode(remote.board.display_image().convert("1").tobytes()).decode()


def _layout() -> Iterator[object]:
    """Every space with its centre: unit is the distance between neighbours, y downwards."""
    for space, name in enumerate(BOARD.names):
        x, y = BOARD.centre(space)
        yield {"name": name, "x": x, "y": y, "capacity": CAPACITY[space]}


def _event(name: str, value: object) -> str:
    return f"event: {name}\ndata: {json.dumps(value, separators=(',', ':'))}\n\n"
