"""Learn the resting level of each input, find inputs that chatter, and infer the active level."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Self

from gnomon_pi.tools.walk.wires import Look, ones

LOOKS: Final = 60
"""Three seconds at the usual pace: hall switches that look 20 times a second have each looked sixty times."""

CHATTER: Final = 3
"""Changes from which on a bit is said to change by itself: a hand that clears the board late makes one or two."""


@dataclass(frozen=True, slots=True)
class Resting:
    """A board that is being watched at rest: the last look, how many there were, and how often each bit changed."""

    looks: int = 0
    last: Look | None = None
    changes: Mapping[int, int] = field(default_factory=dict)

    def seen(self, look: Look) -> Self:
        """After one more look."""
        changes = self.changes
        if self.last is not None and look != self.last:
            counted = dict(changes)
            for bit in ones((look.low ^ self.last.low) | (look.high ^ self.last.high)):
                counted[bit] = counted.get(bit, 0) + 1
            changes = counted
        return replace(self, looks=self.looks + 1, last=look, changes=changes)

    @property
    def is_over(self) -> bool:
        """Whether there were enough looks."""
        return self.looks >= LOOKS

    @property
    def chattering(self) -> int:
        """The bits that change by themselves, as a mask."""
        return sum(1 << bit for bit, count in self.changes.items() if count >= CHATTER)


def rests_high(levels: int, described: int, chattering: int) -> bool | None:
    """Whether the most of the described bits rest high, so that low is on; None where there is no clear majority."""
    steady = described & ~chattering
    count, high = steady.bit_count(), (levels & steady).bit_count()
    # One piece that was forgotten on the board, or a chip without power, must not decide.
    if 4 * max(high, count - high) < 3 * count or not count:
        return None
    return 2 * high > count
