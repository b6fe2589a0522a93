"""Log errors by kind: the first at once, repetitions counted and reported at most once a minute.

An error that strangers can cause as often as they like would otherwise fill the log, and writing it takes time from
the game.
"""

import sys
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Final

EVERY: Final = 60.0
"""Seconds between two lines about the same."""
KINDS: Final = 64
"""Kinds of errors that are told apart; the one that was written longest ago is forgotten first."""


def _write(text: str) -> None:
    sys.stderr.write(text)


class ErrorLog:
    """Errors by their kind. Any thread may report."""

    def __init__(self, now: Callable[[], float], write: Callable[[str], None] = _write) -> None:
        """`now` answers seconds of a monotonic clock, as a loop's `time` does; `write` takes a text with line ends."""
        self._write = write
        self._now = now
        self._lock = Lock()
        self._kinds: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def report(self, kind: str, sentence: str, details: str = "") -> None:
        """Write a sentence about something that went wrong, with details the first time."""
        with self._lock:
            now = self._now()
            known = self._kinds.get(kind)
            if known is not None and now - known[0] < EVERY:
                self._kinds[kind] = (known[0], known[1] + 1)
                return
            self._kinds[kind] = (now, 0)
            self._kinds.move_to_end(kind)
            while len(self._kinds) > KINDS:
                self._kinds.popitem(last=False)
        if known is None:
            self._write(f"{sentence}\n{details}")
        else:
            self._write(f"{sentence} ({known[1] + 1} times since this was last written)\n")
