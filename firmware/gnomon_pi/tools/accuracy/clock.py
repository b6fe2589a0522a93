"""Estimate the drift of the raw monotonic clock against an NTP-disciplined wall clock, in parts per million."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from gnomon_pi.runtime.clock import Compared, Discipline

STEP: Final = 5_000_000
"""Nanoseconds by which the two clocks part between two readings only when the wall clock is set, not kept."""

_NANOSECONDS: Final = 1_000_000_000


class Rate(NamedTuple):
    """By how many parts per million the raw clock is fast, how sure that is, and over how many seconds it was seen."""

    ppm: float
    uncertainty: float
    seconds: float


def rate(readings: Sequence[Compared], before: Discipline | None, after: Discipline | None) -> Rate | str:
    """The rate of the raw clock against true time, or one sentence that says why nothing can be said of it."""
    if before is None or after is None:
        return (
            "The kernel does not say whether a time server keeps the wall clock, so there is nothing to compare with."
        )
    if not (before.is_synchronised and after.is_synchronised):
        return "No time server keeps the wall clock of this machine, so there is nothing to compare with."
    if len(readings) < 2 or readings[-1].raw == readings[0].raw:  # noqa: PLR2004 - a beginning and an end
        return "The clocks were compared only once, so nothing can be said of their rates."
    parted = [(later.wall - earlier.wall) - (later.raw - earlier.raw) for earlier, later in pairwise(readings)]
    if max(map(abs, parted)) > STEP:
        return "The wall clock was set while it was watched, so nothing can be said of the rate: measure again."
    span = readings[-1].raw - readings[0].raw
    gained = -sum(parted)
    wrong = 1_000 * (before.most_wrong + after.most_wrong) + readings[0].apart + readings[-1].apart
    return Rate(1e6 * gained / span, 1e6 * wrong / span, span / _NANOSECONDS)
