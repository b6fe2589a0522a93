"""Measure the age of sessions and tokens with account time, a clock that never jumps.

The wall clock of a Raspberry Pi is wrong until it is synchronized, perhaps in the middle of a game. So seconds are
counted by the monotonic clock and kept in the store: they never go back, and what has expired does not become valid
again. They begin at the wall clock's seconds since 1970, so that people can read them as a date.

While the machine is off nothing counts. How long that was is taken from the wall clock at the next start, and once
more when the wall clock is set later; by then it ages only what has not been used since the machine started, so that
nobody who is at work is signed out by it.
"""

from typing import Final

from gnomon.timekeeping.instants import SECOND
from gnomon.web.access._clock import TimeSource
from gnomon.web.access.store import AccountStore, SavedTime

KEPT_EVERY: Final = 3600.0
"""Seconds between two notes of where it stands: so much is lost when the power is cut, and each is a write to the card.
"""
MOMENT: Final = 0.001
"""Seconds by which a start comes after whatever was noted before it."""
JUMP: Final = 60.0
"""Seconds by which the wall clock has to run ahead to have been put right; less is how clocks differ."""


class AccountTime:
    """Seconds for sessions and tokens."""

    def __init__(self, store: AccountStore, clock: TimeSource) -> None:
        """Goes on from what the store has kept."""
        self.begun: float
        """When the machine started."""
        self._store = store
        self._clock = clock
        self._origin = clock.now()
        saved, wall = store.time(), clock.wall().timestamp()
        if saved is None:
            self._base = self.begun = max(wall, store.newest())
        elif saved.boot == clock.boot and self._origin >= saved.now:
            self._base = saved.seconds + (self._origin - saved.now) / SECOND
            self.begun = saved.begun
        else:
            off = max(0.0, wall - saved.wall)
            self._base = self.begun = max(saved.seconds + off, store.newest() + MOMENT)
        self._lead = wall - self._base
        self.save()

    def seconds(self) -> float:
        """Seconds now, never less than before."""
        now = self._now()
        lead = self._clock.wall().timestamp() - now
        if lead > self._lead + JUMP:
            self._store.age(self.begun, lead - self._lead)
            self._lead = lead
            self.save()
        elif now - self._kept >= KEPT_EVERY:
            self.save()
        return now

    def save(self) -> None:
        """Keep where it stands, for the next start."""
        wall = self._clock.wall().timestamp()
        self._kept = self._now()
        self._store.save_time(SavedTime(self._kept, self.begun, self._clock.boot, self._clock.now(), wall))

    def _now(self) -> float:
        return self._base + (self._clock.now() - self._origin) / SECOND
