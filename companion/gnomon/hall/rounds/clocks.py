"""Count down the rounds of tournaments, each from the instant at which its clock was started.

Nothing is decremented: a clock holds what was left at an instant of the hall's monotonic clock. On the disk that
instant is a time of day, so that after a restart the hall continues where it would have been.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Self

from gnomon.hall.clock import Wall
from gnomon.hall.store.database import Database
from gnomon.timekeeping.instants import MINUTE, SECOND, Duration, Instant

LONGEST: Final = Duration(24 * 60 * MINUTE)
DEFAULT: Final = Duration(60 * MINUTE)


@dataclass(frozen=True, slots=True)
class RoundClock:
    """What was left of a round at an instant, in microseconds; `since` is None while it stands."""

    left: Duration = DEFAULT
    since: Instant | None = None

    @property
    def runs(self) -> bool:
        """Whether it counts down."""
        return self.since is not None

    def remaining(self, now: Instant) -> Duration:
        """What is left; below zero is how long the round has been over."""
        return self.left if self.since is None else Duration(self.left - (now - self.since))

    def start(self, now: Instant) -> Self:
        """The clock running from now on."""
        return self if self.runs else replace(self, since=now)

    def pause(self, now: Instant) -> Self:
        """The clock standing with what is left."""
        return replace(self, left=self.remaining(now), since=None)

    def add_time(self, more: Duration, now: Instant) -> Self:
        """The clock with more left, or less; one that was over gets it from now on."""
        left = Duration(min(max(0, self.remaining(now)) + more, LONGEST))
        return replace(self, left=Duration(max(0, left)), since=now if self.runs else None)

    def set_to(self, left: Duration, now: Instant) -> Self:
        """The clock with so much left."""
        return replace(self, left=Duration(min(max(0, left), LONGEST)), since=now if self.runs else None)


class RoundClocks:
    """The clocks of all tournaments of a hall. Each is read from the database once; any thread may ask."""

    def __init__(self, database: Database, now: Callable[[], Instant], wall: Wall) -> None:
        self._database = database
        self._now = now
        self._wall = wall
        self._known: dict[str, RoundClock] = {}

    def of(self, tournament: str) -> RoundClock:
        """The clock of a tournament, standing before anybody has set it. Raises StoreError."""
        if tournament not in self._known:
            with self._database.read_transaction() as session:
                rows = session.rows(
                    "SELECT clock FROM hall_round_clocks WHERE hall = :hall AND tournament = ?", (tournament,)
                )
            self._known[tournament] = self._read(rows[0][0]) if rows else RoundClock()
        return self._known[tournament]

    def put(self, tournament: str, clock: RoundClock) -> None:
        """Keep a clock. Raises StoreError."""
        with self._database.write_transaction() as session:
            session.run(
                "INSERT INTO hall_round_clocks (hall, tournament, clock) VALUES (:hall, ?, ?)"
                " ON CONFLICT (hall, tournament) DO UPDATE SET clock = excluded.clock",
                (tournament, self._text(clock)),
            )
        self._known[tournament] = clock

    def payload(self, tournament: str) -> Mapping[str, object] | None:
        """A clock as a page counts it on, None before anybody has asked for it."""
        clock = self._known.get(tournament)
        return None if clock is None else {"left_ms": clock.remaining(self._now()) // 1000, "runs": clock.runs}

    def _text(self, clock: RoundClock) -> str:
        left = clock.remaining(self._now())
        return json.dumps({"left_us": left, "runs": clock.runs, "at": self._wall().isoformat()})

    def _read(self, text: str) -> RoundClock:
        told = json.loads(text)
        if not told["runs"]:
            return RoundClock(Duration(told["left_us"]))
        passed = round((self._wall() - datetime.fromisoformat(told["at"])).total_seconds() * SECOND)
        return RoundClock(Duration(told["left_us"] - max(0, passed)), self._now())
