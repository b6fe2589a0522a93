"""Schedule a board's telemetry to the hall: at most once a second, and a heartbeat when nothing changes."""

from dataclasses import dataclass
from typing import Final

from gnomon.timekeeping.instants import SECOND, Instant, after
from gnomon.views.status_payload import phase
from gnomon_pi.runtime.controller import Shown

SPACING: Final = SECOND
"""Between two tellings at least, whatever happens."""
BEAT: Final = 2 * SECOND
"""While a game is being played: who hears nothing for three seconds calls a board stale."""
REST: Final = 10 * SECOND
"""While nothing goes on."""

_TIME_RUNS: Final = ("running", "question", "wrong")  # a question, or a board to be put right, stops no clock


@dataclass(slots=True)
class Telemetry:
    """What is to be told of a board, and when; instants of the raw clock."""

    shown: Shown
    confirmed: tuple[str, ...] = ()
    has_changed: bool = True
    told_at: Instant | None = None

    def take(self, shown: Shown, confirmed: tuple[str, ...]) -> None:
        """What is shown now has changed; what was not told of before is not told of any more."""
        self.shown, self.confirmed, self.has_changed = shown, confirmed, True

    def asked(self) -> None:
        """Somebody may not know it: tell it soon."""
        self.has_changed = True

    def anew(self) -> None:
        """Nobody remembers what was told: tell it at once."""
        self.told_at = None

    def told(self, now: Instant) -> None:
        """It was told."""
        self.told_at, self.has_changed = now, False

    def due(self) -> Instant:
        """When to tell it next."""
        if self.told_at is None:
            return Instant(0)
        if self.has_changed:
            return after(self.told_at, SPACING)
        return after(self.told_at, BEAT if phase(self.shown.game) in _TIME_RUNS else REST)
