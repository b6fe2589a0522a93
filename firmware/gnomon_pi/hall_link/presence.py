"""Word the notice at the board that its hall is unreachable, with the time since the last contact.

The board plays on without its hall.
"""

from typing import Final

from gnomon.timekeeping.instants import SECOND, Instant, after

PATIENCE: Final = 10 * SECOND
"""Without the hall before anything is said, and between two sayings in the first minute."""

_MINUTE: Final = 60


class Presence:
    """When the hall was reached last."""

    def __init__(self, now: Instant) -> None:
        self._reached_at = now

    def reached(self, now: Instant) -> None:
        """The hall is there."""
        self._reached_at = now

    def sentence(self, now: Instant, waiting: int) -> str:
        """What to say while so many records wait; empty while the hall is there, or has not been away for long."""
        away = now - self._reached_at
        if away < PATIENCE:
            return ""
        seconds = away // PATIENCE * PATIENCE // SECOND
        spell = f"{seconds} s" if seconds < _MINUTE else f"{seconds // _MINUTE} min"
        return f"No word from the hall for {spell}: play on. {waiting} records wait."

    def due(self, now: Instant) -> Instant:
        """When there may be something else to say, if the hall stays away."""
        away = max(0, now - self._reached_at)
        return after(self._reached_at, (away // PATIENCE + 1) * PATIENCE)
