"""Scan the sensors at a fixed rate, and turn their changes into stamped edges."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from gnomon.refusals import statement
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from gnomon_pi.config.description import Sensors
from gnomon_pi.drivers.protocols import DriverError, SensorDriver
from gnomon_pi.runtime.health import Audience, Health
from gnomon_pi.runtime.system.clock import Watch, sleep_until

PERIOD: Final = Duration(10_000)  # 100 Hz, unless the description of a board says otherwise
WINDOW: Final = 1_000  # scans, ten seconds at 100 Hz: what is said of punctuality is about the last ones
TOLERATED: Final = 50  # scans in a window that may be late or missed before people are told: each costs a few ms


def period_of(sensors: Sensors | None) -> Duration:
    """How long it is from one scan to the next."""
    return PERIOD if sensors is None else Duration(SECOND // sensors.scan_hz)


class InputEdge(NamedTuple):
    """A raw change of an input, stamped in microseconds of the machine's raw clock.

    It happened in the `uncertainty` microseconds before its stamp.
    """

    stamp: Instant
    input: str
    value: bool
    uncertainty: Duration = Duration(0)


class Scanner:
    """Compares each scan with the one before it; the first scan reports every input.

    A sensor that does not answer is a health item: what changed meanwhile is found by the next scan that succeeds,
    and the whole gap is granted as uncertainty. So it is for a part of the sensors that was not looked at for longer.
    """

    def __init__(self, sensors: SensorDriver, inputs: Sequence[str], health: Health) -> None:
        self._sensors = sensors
        self._inputs = tuple(inputs)
        self._health = health
        self._used = sum(1 << bit for bit, name in enumerate(self._inputs) if name)  # a spare bit has no name
        self._levels = 0
        self._scanned_at: Instant | None = None
        self._anew = True

    def report_all(self) -> None:
        """Make the next scan report every input; may be called from any thread."""
        self._anew = True

    def know_until(self, instant: Instant) -> None:
        """Take it that everything is known up to `instant`: a game that goes on was told of everything until then."""
        self._scanned_at = instant

    def skip_to(self, instant: Instant) -> None:
        """Take it that a scan at `instant` would have found nothing changed: virtual time skips those."""
        if self._scanned_at is not None and not self._health["sensors"]:
            self._scanned_at = max(self._scanned_at, instant)

    def scan(self, now: Instant) -> tuple[InputEdge, ...]:
        """The edges since the last scan that succeeded; none while the sensors do not answer."""
        try:
            levels = self._sensors.scan()
        except DriverError as error:
            self._health.wrong("sensors", error.statement, Audience.PLAYERS)
            return ()
        self._health.well("sensors")
        changed, self._levels = (levels ^ self._levels) & self._used, levels
        gap = PERIOD if self._scanned_at is None else Duration(now - self._scanned_at)
        self._scanned_at = now
        if self._anew:
            self._anew, changed = False, self._used
        return self._edges(changed, now, gap) if changed else ()

    def _edges(self, changed: int, now: Instant, gap: Duration) -> tuple[InputEdge, ...]:
        edges = []
        while changed:
            bit = (changed & -changed).bit_length() - 1
            changed &= changed - 1
            unknown_for = Duration(max(gap, self._sensors.unread(bit)))
            edges.append(InputEdge(now, self._inputs[bit], bool(self._levels >> bit & 1), unknown_for))
        return tuple(edges)


@dataclass(slots=True)
class ScanSchedule:
    """The absolute times of the scans, and how well they are kept."""

    started: Instant
    health: Health
    period: Duration = PERIOD
    scans: int = 0
    late: int = 0
    missed: int = 0
    scanned_at: Instant | None = None
    _beat: int = 0
    _window_started: int = 0
    _window_unpunctual: int = 0

    @property
    def next(self) -> Instant:
        """When the next scan is due; lateness of one scan never shifts the others."""
        return Instant(self.started + self._beat * self.period)

    def keep(self, now: Instant) -> None:
        """Note that a scan is being made at `now`, and pass over the beats that are gone."""
        behind = now - self.next
        missed = max(0, behind // self.period)
        self.scans += 1
        self.late += behind > self.period // 2
        self.missed += missed
        self._beat += 1 + missed
        self.scanned_at = now
        if self._beat - self._window_started >= WINDOW:
            self._report()

    def is_alive(self, now: Instant) -> bool:
        """Whether a scan was made in the last second."""
        return self.scanned_at is not None and now - self.scanned_at < SECOND

    def _report(self) -> None:
        total = self.late + self.missed
        count, self._window_unpunctual, self._window_started = total - self._window_unpunctual, total, self._beat
        if count > TOLERATED:
            self.health.wrong("scans", statement("health.busy", late=count, scans=WINDOW))
        else:
            self.health.well("scans")


class Stop(Protocol):
    """Something that may be set from another thread."""

    def is_set(self) -> bool:
        """Whether it is time to stop."""
        ...


def keep_scanning(
    scanner: Scanner, beat: ScanSchedule, watch: Watch, post: Callable[[tuple[InputEdge, ...]], None], stop: Stop
) -> None:
    """Scan at every beat until told to stop, and post changes; blocks, so it has a thread to itself."""
    while not stop.is_set():
        sleep_until(watch, beat.next)
        now = watch.now()
        beat.keep(now)
        edges = scanner.scan(now)
        if edges:
            post(edges)
