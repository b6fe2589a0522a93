"""Watch an untouched board: count spurious edges per input and measure scan lateness."""

from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from gnomon.timekeeping.instants import SECOND, Duration, Instant
from gnomon_pi.drivers.assembly import Drivers
from gnomon_pi.runtime.clock import Compared, Watch
from gnomon_pi.runtime.health import Health
from gnomon_pi.runtime.scanning import Edge, Scanner, ScanSchedule
from gnomon_pi.tools.accuracy.figures import Spread

COMPARING: Final = Duration(5 * SECOND)  # between two looks at both clocks


@dataclass(frozen=True, slots=True)
class Rest:
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
) -> Rest:
    """Watch the board for so long. Raises DriverError when a button cannot be heard."""
    health = Health()
    scanner = None if drivers.sensors is None else Scanner(drivers.sensors, inputs, health)
    pressed: deque[Edge] = deque()
    drivers.buttons.start(lambda stamp, name, value: pressed.append(Edge(Instant(stamp), name, value)))
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
    return Rest(
        watched, beat.scans, beat.missed, failed, Spread.of(late), dict(edges), first or frozenset(), tuple(readings)
    )
