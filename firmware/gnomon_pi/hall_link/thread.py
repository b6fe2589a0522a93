"""Run the hall link in its own thread, and report its failures without stopping the daemon."""

from collections.abc import Callable
from threading import Event, Thread
from typing import Final

from gnomon.hall.messaging.messages import Request
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi.hall_link.link import Link
from gnomon_pi.runtime.health import Health

JOIN: Final = 2.0  # seconds for the thread to end when the daemon stops
AFTER_A_FAULT: Final = 5.0
"""Seconds before it is tried again: what was at fault may have been one message, or one moment."""


class LinkThread:
    """Runs a link until it is stopped."""

    def __init__(self, link: Link, do: Callable[[Request], None], now: Callable[[], Instant], health: Health) -> None:
        """`do` has the daemon carry out a wish; `now` is the board's raw clock."""
        self._link = link
        self._now = now
        self._health = health
        self._stirred, self._stop = Event(), Event()
        self._thread = Thread(target=self._work, name="hall", daemon=True)
        link.join(self._stirred.set, do)
        self._thread.start()

    def stop(self) -> None:
        """Let it say goodbye, and wait for its end, but not for long."""
        self._stop.set()
        self._stirred.set()
        self._thread.join(JOIN)

    def _work(self) -> None:
        while not self._stop.is_set():
            self._stirred.clear()
            try:
                due = self._link.run(self._now())
            except Exception as error:  # noqa: BLE001 - nothing about a hall is a reason to stop the clocks of a game
                self._health.wrong("hall", f"The hall cannot be told anything: {type(error).__name__}: {error}.")
                self._stop.wait(AFTER_A_FAULT)
            else:
                self._stirred.wait(max(0, due - self._now()) / SECOND)
        self._link.goodbye()
