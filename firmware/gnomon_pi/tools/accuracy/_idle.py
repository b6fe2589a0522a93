"""Watch an untouched board: count spurious edges, and measure how late scans are and how far the raw clock drifts.

Drift is in parts per million, against a wall clock that NTP disciplines.
"""

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple, Self

from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon_pi.drivers.assembly import Drivers
from gnomon_pi.runtime.health import Health
from gnomon_pi.runtime.scanner import InputEdge, Scanner, ScanSchedule
from gnomon_pi.runtime.system.clock import Compared, Discipline, Watch

COMPARING: Final = Duration(5 * SECOND)  # between two looks at both clocks


STEP: Final = 5_000_000
"""Nanoseconds by which the two clocks part between two readings only when the wall clock is set, not kept."""
_NANOSECONDS: Final = 1_000_000_000


class Spread(NamedTuple):
    """Percentiles of durations in microseconds, by the nearest rank, and how many there were."""

    number: int
    median: int
    most: int  # 90 of 100
    nearly_all: int  # 99 of 100
    worst: int

    @classmethod
    def of(cls, durations: Sequence[int]) -> Self | None:
        """The spread of these durations; None when there are none."""
        if not durations:
            return None
        ranked = sorted(durations)
        last = len(ranked) - 1
        median, most, nearly_all = (ranked[min(last, -(-percent * len(ranked) // 100) - 1)] for percent in (50, 90, 99))
        return cls(len(ranked), median, most, nearly_all, ranked[-1])

    def cells(self) -> tuple[str, ...]:
        """Number, median, 90 %, 99 % and worst, in milliseconds, for a table."""
        return (str(self.number), *(f"{each / MILLISECOND:.1f} ms" for each in self[1:]))


@dataclass(frozen=True, slots=True)
class IdleFigures:
    """What was seen in `watched` microseconds: edges by input, how late scans were, and scans that failed or fell out.

    `first` are the inputs that were 1 at the beginning.
    """

    watched: Duration
    scans: int
    missed: int
    failed: int
    late: Spread | None
    edges: Mapping[str, int]
    first: frozenset[str]
    readings: tuple[Compared, ...]


def watch_at_rest(  # noqa: PLR0913 - the board, for how long, and the world
    drivers: Drivers,
    inputs: tuple[str, ...],
    watch: Watch,
    watched: Duration,
    *,
    wait: Callable[[Watch, Instant], None],
    compare: Callable[[], Compared],
) -> IdleFigures:
    """Watch the board for so long. Raises DriverError when a button cannot be heard."""
    health = Health()
    scanner = None if drivers.sensors is None else Scanner(drivers.sensors, inputs, health)
    pressed: deque[InputEdge] = deque()
    drivers.buttons.start(lambda stamp, name, value: pressed.append(InputEdge(Instant(stamp), name, value)))
    beat = ScanSchedule(watch.now(), health)
    end = Instant(watch.now() + watched)
    readings = [compare()]
    late: list[int] = []
    edges: Counter[str] = Counter()
    first: frozenset[str] | None = None
    failed, compare_at = 0, Instant(watch.now() + COMPARING)
    while beat.next < end:
        wait(watch, beat.next)
        now = watch.now()
        late.append(max(0, now - beat.next))
        beat.keep(now)
        found = () if scanner is None else scanner.scan(now)
        failed += bool(health["sensors"])
        if found and first is None:
            first = frozenset(edge.input for edge in found if edge.value)  # the first scan reports every input
        else:
            edges.update(edge.input for edge in found)
        if now >= compare_at:
            readings.append(compare())
            compare_at = Instant(now + COMPARING)
    readings.append(compare())
    edges.update(edge.input for edge in pressed)
    return IdleFigures(
        watched, beat.scans, beat.missed, failed, Spread.of(late), dict(edges), first or frozenset(), tuple(readings)
    )


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
