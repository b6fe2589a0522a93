"""Notify open tournament pages of changes by server-sent events.

A page is told how often something has changed, and requests the new content; so nothing is lost however slow a reader
is, and a reader costs a few bytes every two seconds.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Collection, Iterable, Mapping
from contextlib import suppress
from typing import Final

from gnomon.hall.board_registry import Presence
from gnomon.hall.hall import Hall
from gnomon.hall.hub.changes import ChangeListener
from gnomon.hall.store.database import StoreError
from gnomon.web.live.streams import RETRY, Watched, event

HEARTBEAT: Final = 2.0  # seconds; a page that hears nothing for five says that it is not live
AT_MOST_EACH: Final = 0.3  # seconds between two words about one tournament
LOOKED_EACH: Final = 2.0  # seconds between two looks at the database, while anybody reads


class News(Watched):
    """What open pages are told. To be used in one loop."""

    def __init__(self, hall: Hall, at_most_each: float = AT_MOST_EACH, looked_each: float = LOOKED_EACH) -> None:
        """`at_most_each` is how many seconds pass between two words about one tournament.

        `looked_each` is how many pass between two looks at what other programs have told.
        """
        super().__init__()
        self._hall = hall
        self._at_most_each = at_most_each
        self._looked_each = looked_each
        self._told: Counter[str] = Counter()
        self._desk: Counter[str] = Counter()
        self._presences: dict[str, Presence] = {}
        self._times = 0  # that somebody has begun to read along

    def public_changed(self, name: str) -> None:
        """Something has changed that everybody sees, and that is in no event of the tournament."""
        self._told[name] += 1
        self._desk[name] += 1
        self._wake()

    def desk_changed(self, name: str) -> None:
        """Something has changed of which directors alone see anything, such as how far a pairing has come."""
        self._desk[name] += 1
        self._wake()

    def clock_changed(self, name: str) -> None:
        """Somebody has pressed a round clock."""
        del name
        self._wake()

    async def events(self, name: str) -> AsyncGenerator[bytes, None]:
        """The stream of one reader of a tournament, until it goes away."""
        yield RETRY
        self._join("news of tournaments")
        try:
            while True:
                fresh = self._fresh
                yield event("told", self._now(name))
                with suppress(TimeoutError):
                    async with asyncio.timeout(HEARTBEAT):
                        await fresh.wait()
                    await asyncio.sleep(self._at_most_each)
        finally:
            self._leave()

    def _now(self, name: str) -> Mapping[str, object]:
        return {**self.marks(name), "clock": self._hall.clocks.payload(name)}

    def marks(self, name: str) -> Mapping[str, str]:
        """What changes when a tournament does: for everybody (`told`), and for directors (`desk`).

        A page that is made while nobody reads along has a mark that no later reader is told: it looks again.
        """
        return {"told": f"{self._times}.{self._told[name]}", "desk": f"{self._times}.{self._desk[name]}"}

    def _begin(self) -> None:
        self._times += 1

    async def _follow(self) -> None:
        loop, news = asyncio.get_running_loop(), asyncio.Event()
        listener: ChangeListener = self._hall.listen(lambda: loop.call_soon_threadsafe(news.set))
        self._presences = {place.board: place.presence for place in self._hall.places()}
        looking = asyncio.create_task(self._look_elsewhere(), name="what other programs tell")
        try:
            while True:
                await news.wait()
                news.clear()
                changes = listener.take()
                for name in changes.tournaments:
                    self._told[name] += 1
                    self._desk[name] += 1
                if moved := self._presence_changes(changes.boards):
                    for name in await self._played_at(moved):
                        self._desk[name] += 1
                self._wake()
        finally:
            looking.cancel()
            listener.close()

    def _presence_changes(self, boards: Iterable[str]) -> frozenset[str]:
        """The boards that can be reached now and could not, or the other way round, since it was asked last."""
        now = {board: self._hall.place(board).presence for board in boards}
        moved = frozenset(board for board, presence in now.items() if self._presences.get(board) is not presence)
        self._presences.update(now)
        return moved

    async def _played_at(self, boards: frozenset[str]) -> Collection[str]:
        """The tournaments that have one of these boards."""
        try:
            kept = await asyncio.to_thread(self._hall.tournaments)
        except StoreError:  # the hall says itself that its database fails
            return ()
        return [one.id for one in kept if not boards.isdisjoint(one.plan.boards.values())]

    async def _look_elsewhere(self) -> None:
        """Notice what commands and other programs tell the same database."""
        while True:
            with suppress(StoreError):  # the hall says itself that its database fails, and it is looked at again
                await asyncio.to_thread(self._hall.look_elsewhere)
            await asyncio.sleep(self._looked_each)
