"""Notify pages and programs of changed boards and tournaments without blocking the sender."""

import threading
from collections.abc import Callable, Iterable
from typing import NamedTuple


class Changes(NamedTuple):
    """What has changed: boards, and tournaments, by their names."""

    boards: frozenset[str] = frozenset()
    tournaments: frozenset[str] = frozenset()


class ChangeListener:
    """Somebody who wants to know; what changes while they look elsewhere is gathered, each name once."""

    def __init__(self, wake: Callable[[], object], leave: Callable[["ChangeListener"], None]) -> None:
        self._wake = wake
        self._leave = leave
        self._lock = threading.Lock()
        self._boards: set[str] = set()
        self._tournaments: set[str] = set()

    def take(self) -> Changes:
        """What has changed since the last time."""
        with self._lock:
            changes = Changes(frozenset(self._boards), frozenset(self._tournaments))
            self._boards.clear()
            self._tournaments.clear()
        return changes

    def close(self) -> None:
        """Hear no more."""
        self._leave(self)

    def notify(self, changes: Changes) -> None:
        """Something has changed: `wake` is called once, until it was taken."""
        with self._lock:
            had_news = bool(self._boards or self._tournaments)
            self._boards |= changes.boards
            self._tournaments |= changes.tournaments
        if not had_news:
            self._wake()


class Listeners:
    """Everybody who wants to know. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: tuple[ChangeListener, ...] = ()

    def listen(self, wake: Callable[[], object]) -> ChangeListener:
        """From now on call `wake` when there is something to `take`; it returns at once, and may be called anywhere.

        In a loop of asyncio that is `lambda: loop.call_soon_threadsafe(event.set)`. One that raises RuntimeError, as
        that does when the loop has been closed, hears no more.
        """
        listener = ChangeListener(wake, self._remove)
        with self._lock:
            self._listeners = (*self._listeners, listener)
        return listener

    def tell(self, boards: Iterable[str] = (), tournaments: Iterable[str] = ()) -> None:
        """Something has changed."""
        changes = Changes(frozenset(boards), frozenset(tournaments))
        if not any(changes):
            return
        for listener in self._listeners:
            try:
                listener.notify(changes)
            except RuntimeError:
                self._remove(listener)

    def _remove(self, listener: ChangeListener) -> None:
        with self._lock:
            self._listeners = tuple(each for each in self._listeners if each is not listener)
