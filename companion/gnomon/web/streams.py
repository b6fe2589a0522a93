"""The only place that tells open pages what changes: server-sent events, made once for all that read alike."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Final

from gnomon.views.catalogue import Words
from gnomon.views.summary import summary
from gnomon.web.live import LiveBoard

RETRY: Final = "retry: 1000\n\n"  # milliseconds until a browser asks again by itself


class Feed:
    """What is true of a board, in one language, for everyone who reads along; latest wins for a slow reader."""

    def __init__(self, board: LiveBoard, words: Words) -> None:
        self._board = board
        self._words = words
        self._readers = 0
        self._following: asyncio.Task[None] | None = None
        self._fresh = asyncio.Event()
        self._event = ""

    async def events(self) -> AsyncIterator[str]:
        """The stream of one reader, until it goes away."""
        yield RETRY
        self._readers += 1
        if self._following is None:
            self._following = asyncio.create_task(self._follow(), name=f"feed {self._words.language}")
        try:
            if self._event:
                yield self._event
            while True:
                fresh = self._fresh
                await fresh.wait()
                yield self._event
        finally:
            self._readers -= 1
            if not self._readers and self._following is not None:
                self._following.cancel()
                self._following, self._event = None, ""

    async def _follow(self) -> None:
        async for _ in self._board.changes():
            self._event = _event("summary", summary(self._board.game(), self._board.now(), self._board.health()))
            fresh, self._fresh = self._fresh, asyncio.Event()
            fresh.set()


def _event(name: str, value: Mapping[str, object]) -> str:
    return f"event: {name}\ndata: {json.dumps(value, separators=(',', ':'))}\n\n"
