"""Run coroutines in the daemon's event loop on behalf of the pages' thread."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

AnswerT = TypeVar("AnswerT")


class Crossing:
    """The way from another loop into the daemon's."""

    def __init__(self, daemon: asyncio.AbstractEventLoop) -> None:
        self._daemon = daemon

    async def __call__(self, work: Coroutine[Any, Any, AnswerT]) -> AnswerT:
        """Have the daemon's loop do it, and answer what it answers. Raises what it raises.

        What has begun there is finished there, also when nobody waits for it any more: a game that was given up for a
        new one must have its successor.
        """
        return await asyncio.shield(asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._daemon)))
