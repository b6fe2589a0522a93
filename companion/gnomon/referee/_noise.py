"""Tell whether single false readings mean nothing because the whole board gives them all the time.

On a quiet board a sensor that shows something for one scan may have lost what really came. Where many sensors do so
again and again, one more says nothing, and a touch that follows it needs no question (decision 29).
"""

from collections.abc import Iterable
from typing import Final, NamedTuple, Self

from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant

FLASH: Final = Duration(45 * MILLISECOND)
"""A false reading lasts for one scan, and for up to four where scans are lost."""

_SPAN: Final = Duration(5 * SECOND)
_SPANS: Final = 4
"""In each of the last so many spans there were false readings; no weak register and no sleeve goes on for as long."""

_INPUTS: Final = 8
"""So many inputs gave them: as many as hang on one register, and one more with the input that is asked about."""

_KEPT: Final = 64


class Noise(NamedTuple):
    """The last false readings: when each began, and of which input."""

    flashes: tuple[tuple[Instant, str], ...] = ()

    def after_flashes(self, flashes: Iterable[tuple[Instant, str]]) -> Self:
        """The noise with some more false readings."""
        return self._replace(flashes=(*self.flashes, *flashes)[-_KEPT:])

    def drowns(self, at: Instant, name: str) -> bool:
        """Whether other inputs give false readings all the time, so that one of this input means nothing."""
        others = [(when, other) for when, other in self.flashes if other != name and 0 <= at - when < _SPANS * _SPAN]
        spans = {(at - when) // _SPAN for when, _ in others}
        return len(spans) == _SPANS and len({other for _, other in others}) >= _INPUTS


QUIET: Final = Noise()
