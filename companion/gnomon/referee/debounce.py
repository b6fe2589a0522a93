"""The only place that turns raw edges into changes: bounce and glitches end here, chatter is found out.

A burst is a run of raw edges of one input with no calm of CALM between them. When the calm comes, the input has
changed if it shows another level than before; the change carries the stamp of the burst's first edge. Changes are
let go in the order of their stamps: one that settled early waits for a burst that began before it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, Self

from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant

CALM: Final = Duration(21 * MILLISECOND)
"""Contacts bounce for up to 20 ms (trace interface), so edges closer than this belong together."""

SETTLING: Final = Duration(100 * MILLISECOND)
"""How long a deadline waits for edges that were stamped before it (trace interface)."""

CHATTER_LENGTH: Final = Duration(250 * MILLISECOND)
"""No bounce lasts as long as this: the input chatters."""

CHATTER_BURSTS: Final = 16
CHATTER_WINDOW: Final = Duration(3 * SECOND)
"""As many bursts in so short a time are no hand: eight lifts in three seconds."""

BUTTON_BURSTS: Final = 48
"""A finger that steps through choices is faster than a hand that lifts a glass: eight presses a second."""


_BUTTON: Final = "button."


class Change(NamedTuple):
    """A debounced change of one input; `at` is the stamp of its first raw edge."""

    at: Instant
    input: str
    value: bool
    uncertainty: Duration = Duration(0)


class Burst(NamedTuple):
    """Raw edges of one input that have not come to rest."""

    first: Instant
    last: Instant
    level: bool
    uncertainty: Duration


class Settled(NamedTuple):
    """What the inputs gave at an instant: changes in the order of their stamps, and inputs found chattering."""

    changes: tuple[Change, ...]
    chattering: tuple[tuple[Instant, str], ...]


@dataclass(frozen=True, slots=True)
class Debouncer:
    """The debounced levels of all inputs, and what is still moving."""

    on: frozenset[str]
    bursts: Mapping[str, Burst] = field(default_factory=dict)
    waiting: tuple[Change, ...] = ()
    history: Mapping[str, tuple[Instant, ...]] = field(default_factory=dict)

    def edge(self, at: Instant, name: str, *, value: bool, uncertainty: Duration = Duration(0)) -> Self:
        """Take in one raw edge. An edge to the level that already stands says nothing."""
        burst = self.bursts.get(name)
        if burst is None:
            if value == (name in self.on):
                return self
            starts = tuple(start for start in self.history.get(name, ()) if at - start < CHATTER_WINDOW)
            return replace(
                self,
                bursts={**self.bursts, name: Burst(at, at, value, uncertainty)},
                history={**self.history, name: (*starts, at)},
            )
        if value == burst.level:
            return self
        return replace(self, bursts={**self.bursts, name: burst._replace(last=max(at, burst.last), level=value)})

    def due(self) -> Instant | None:
        """When the next burst comes to rest or proves to be chatter if no edge follows; None when all is calm."""
        if not self.bursts:
            return None
        return Instant(min(min(burst.last + CALM, burst.first + CHATTER_LENGTH) for burst in self.bursts.values()))

    def follow(self, name: str, *, value: bool) -> Self:
        """Take in an edge of an input that is not believed: only its level is kept."""
        return replace(self, on=self.on | {name} if value else self.on - {name})

    def settle(self, now: Instant) -> tuple[Self, Settled]:
        """Let go of what has come to rest by `now`."""
        on = set(self.on)
        bursts = dict(self.bursts)
        waiting = list(self.waiting)
        chattering: list[tuple[Instant, str]] = []
        for name, burst in self.bursts.items():
            if self._chatters(name, burst, now):
                chattering.append((burst.first, name))
            elif now - burst.last < CALM:
                continue
            elif burst.level != (name in self.on):
                waiting.append(Change(burst.first, name, burst.level, burst.uncertainty))
            del bursts[name]
            (on.add if burst.level else on.discard)(name)
        earliest = min((burst.first for burst in bursts.values()), default=None)
        # What one scan saw has one stamp; a glass leaves one place before it comes to another.
        waiting.sort(key=lambda change: (change.at, change.value, change.input))
        free = tuple(change for change in waiting if earliest is None or change.at < earliest)
        held = tuple(waiting[len(free) :])
        return replace(self, on=frozenset(on), bursts=bursts, waiting=held), Settled(free, tuple(chattering))

    def _chatters(self, name: str, burst: Burst, now: Instant) -> bool:
        most = BUTTON_BURSTS if name.startswith(_BUTTON) else CHATTER_BURSTS
        return now - burst.first >= CHATTER_LENGTH or len(self.history[name]) >= most
