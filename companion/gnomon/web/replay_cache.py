"""Answer the pages' questions about recorded games in a thread, one at a time, with a cache for finished games."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar

from gnomon.web.workers import answer

KEPT: Final = 64
"""Answers that are remembered; a long game of TAMSK is some ten thousand values."""

AnswerT = TypeVar("AnswerT")


class Shelf:
    """Where questions about written games are answered. To be used in one loop.

    One at a time: a game is played again to be read, and whoever asks for a hundred of them must not take all threads.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._turn = asyncio.Lock()
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()

    async def ask(self, question: Callable[[], AnswerT]) -> AnswerT:
        """The answer of a question that reads files. Raises what it raises, and HTTPException when it is late."""
        async with self._turn:
            return await answer(question)

    async def ask_once(self, key: Hashable, question: Callable[[], AnswerT]) -> AnswerT:
        """The same for an answer that stays true: it is remembered by its key."""
        async with self._turn:
            if key in self._answers:
                self._answers.move_to_end(key)
            else:
                self._answers[key] = await answer(question)
            known: AnswerT = self._answers[key]
            while len(self._answers) > self._kept:
                self._answers.popitem(last=False)
            return known
