"""How far the stamp of a sensed change is from the change: by arithmetic, and of thousands of them on emulated chips.

A stamp is the instant at which the scan began that saw the change first. In virtual time the real drivers scan at
their beat, every byte takes its time on the bus, and hands touch inputs at any moment, between two bytes too: clean
touches, and then such as all bounce like those of the simulated hands, through the referee's debouncing. By the clock
the scans have their thread, and the hands theirs; there the threads take their time, and the buses none. A touch is
granted if it happened within the uncertainty of its stamp, or after it, while the scan was under way.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle, islice
from random import Random
from threading import Event, Thread
from time import sleep
from typing import Final, NamedTuple

from gnomon.referee.debounce import Change, Debouncer
from gnomon.referee.events import InputChanged
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon_pi.cli._assembly import SWITCH
from gnomon_pi.config.description import Chain, Sensors
from gnomon_pi.drivers._expander_bank import SAFETY_US
from gnomon_pi.runtime.health import Health
from gnomon_pi.runtime.scanner import InputEdge, Scanner, ScanSchedule, keep_scanning, period_of
from gnomon_pi.runtime.system.clock import MachineWatch
from gnomon_pi.simulated.players._noise import CLEAN, LONGEST_BOUNCE, Noise, bounce
from gnomon_pi.simulated.players.player_timing import RandomSpan
from tests.bench._counted import BYTE, I2C_HZ, Passes, named
from tests.bench._figures import Spread, parser, progress, say, say_machine
from tests.bench._soldered import SolderedSensors
from tests.bench.bus_time import chain, expanders

TOUCHES: Final = 10_000
TOUCHES_BY_THE_CLOCK: Final = 3_000
APART: Final = RandomSpan(45 * MILLISECOND, 145 * MILLISECOND)  # so that an interrupt line has come to rest
APART_BY_THE_CLOCK: Final = RandomSpan(200, 1_800)  # other inputs: none is touched again before all were
BOUNCING: Final = replace(Noise(), bounces=1.0)
LOOKED_ON: Final = Duration(2 * SAFETY_US)


class Kind(NamedTuple):
    """A way to wire the sensors, and the rate of its bus in Hz."""

    name: str
    sensors: Sensors
    rate: int

    @property
    def period(self) -> Duration:
        """From one scan to the next."""
        return period_of(self.sensors)


class Stamped(NamedTuple):
    """A touch and its stamp."""

    late: int  # µs of the stamp after the touch; negative when it is before it
    uncertainty: int  # µs


@dataclass
class Found:
    """What became of the touches."""

    stamped: list[Stamped] = field(default_factory=list)
    longest: float = 0.0  # scan, µs
    lost: int = 0

    @property
    def late(self) -> list[float]:
        """Microseconds of each stamp after its touch, 0 for one before it."""
        return [max(0, each.late) for each in self.stamped]

    @property
    def early(self) -> list[int]:
        """Microseconds before the touch, of the stamps that are."""
        return [-each.late for each in self.stamped if each.late < 0]

    @property
    def ungranted(self) -> list[int]:
        """Microseconds by which a touch was before everything that is granted."""
        return [each.late - each.uncertainty for each in self.stamped if each.late > each.uncertainty]


# In virtual time


class Passing:
    """Virtual time in microseconds: it passes as bytes go over a bus, and hands act on its way."""

    def __init__(self, edges: Iterable[InputChanged]) -> None:
        self.now = 0.0
        self.put: Callable[[InputChanged], None] = lambda _edge: None
        self._edges = iter(edges)
        self._next = next(self._edges, None)

    def pass_to(self, instant: float) -> None:
        """Let time pass up to `instant`, with everything that happens on the way."""
        while (edge := self._next) is not None and edge.at <= instant:
            self.now = max(self.now, edge.at)
            self._next = next(self._edges, None)
            self.put(edge)
        self.now = max(self.now, instant)

    def at(self, rate: int) -> Passes:
        """What the pulses of a bus at so many Hz do."""

        def pass_clocks(clocks: int, *, ends: bool) -> None:  # noqa: ARG001 - time passes within a transaction too
            self.pass_to(self.now + clocks / rate * SECOND)

        return pass_clocks


def touches(inputs: Sequence[str], count: int, random: Random, apart: RandomSpan) -> Iterator[InputChanged]:
    """Every input in turn, on and later off again, at any moments."""
    order = random.sample(inputs, len(inputs))
    at: int = SECOND
    for number, name in enumerate(islice(cycle(order), count)):
        at += apart.draw(random)
        yield InputChanged(Instant(at), name, number // len(order) % 2 == 0)


def found(kind: Kind, count: int, seed: int, noise: Noise) -> Found:
    """Let so many touches happen in virtual time, and look at the stamps that they are given."""
    random = Random(seed)
    meant = list(touches(kind.sensors.inputs, count, random, APART))
    time = Passing(edge for touch in meant for edge in bounce(touch, noise, random))
    board = SolderedSensors(kind.sensors, lambda: int(time.now), passes=lambda: time.at(kind.rate))
    time.put = lambda edge: board.chips.set_input(edge.input, value=edge.value)
    scanner = Scanner(board.driver, kind.sensors.inputs, Health())
    beat = ScanSchedule(Instant(0), Health(), kind.period)
    result = Found()
    changes: list[Change] = []
    debouncer = Debouncer(frozenset())
    while time.now < meant[-1].at + LOOKED_ON:
        time.pass_to(beat.next)
        now = Instant(int(time.now))
        beat.keep(now)
        if (due := debouncer.due()) is not None and due <= now:
            debouncer, settled = debouncer.settle(now)
            changes += settled.changes
        for edge in scanner.scan(now):
            debouncer = debouncer.edge(edge.stamp, edge.input, value=edge.value, uncertainty=edge.uncertainty)
        if beat.scans > 1:  # the first one sets the chips up
            result.longest = max(result.longest, time.now - now)
    _match(result, meant, [(change.input, change.at, change.uncertainty) for change in changes])
    return result


def _match(result: Found, meant: Iterable[InputChanged], seen: Iterable[tuple[str, int, int]]) -> None:
    """Bring the touches of each input together with its stamps, in their order."""
    stamps: dict[str, list[tuple[int, int]]] = {}
    for name, at, uncertainty in seen:
        stamps.setdefault(name, []).append((at, uncertainty))
    for touch in meant:
        if not stamps.get(touch.input):
            result.lost += 1
            continue
        at, uncertainty = stamps[touch.input].pop(0)
        result.stamped.append(Stamped(at - touch.at, uncertainty))


# By the clock


class NotedBeat(ScanSchedule):
    """A beat that remembers how late its scans began."""

    def __init__(self, started: Instant, period: Duration) -> None:
        super().__init__(started, Health(), period)
        self.behind: list[float] = []  # µs

    def keep(self, now: Instant) -> None:
        """Note that a scan is being made at `now`."""
        self.behind.append(now - self.next)
        super().keep(now)


def found_by_the_clock(kind: Kind, count: int, seed: int) -> tuple[Found, Sequence[float]]:
    """Touch so many times while a thread scans; and how late its scans began, in microseconds."""
    random, watch = Random(seed), MachineWatch.of_this_boot()
    board = SolderedSensors(kind.sensors, watch.now)
    scanner = Scanner(board.driver, kind.sensors.inputs, Health())
    scanner.scan(watch.now())  # sets the chips up, and reports every input
    posted: list[InputEdge] = []
    beat, stop = NotedBeat(Instant(watch.now() + kind.period), kind.period), Event()
    scanning = Thread(target=keep_scanning, args=(scanner, beat, watch, posted.extend, stop))
    scanning.start()
    try:
        touched = [
            _touch(board, edge, watch, random)
            for edge in touches(kind.sensors.inputs, count, random, APART_BY_THE_CLOCK)
        ]
        sleep(5 * kind.period / SECOND)
    finally:
        stop.set()
        scanning.join()
    result = Found()
    _match(result, touched, [(edge.input, edge.stamp, edge.uncertainty) for edge in posted])
    return result, beat.behind


def _touch(board: SolderedSensors, touch: InputChanged, watch: MachineWatch, random: Random) -> InputChanged:
    """Touch after a pause, and say when that was."""
    sleep(APART_BY_THE_CLOCK.draw(random) / SECOND)
    before = watch.now()
    board.chips.set_input(touch.input, value=touch.value)
    return replace(touch, at=before)


# What is said


def say_arithmetic(kind: Kind, longest: float) -> None:
    """Print the bounds: a scan later, if the scans keep their beat, and a scan of so many microseconds earlier."""
    late = -(-longest // kind.period) * kind.period
    bounce = late + LONGEST_BOUNCE
    figures = f"at most {late / 1000:.2f} ms late, {bounce / 1000:.2f} ms if it bounces, {longest / 1000:.2f} ms early"
    say(f"{kind.name}: by arithmetic", figures)
    if not isinstance(kind.sensors, Chain) and kind.sensors.interrupt is not None:
        window = BYTE / kind.rate * SECOND
        say("  what the interrupts may miss", f"1 in {SAFETY_US / window:.0f}, found in {SAFETY_US // 1000} ms")


def say_found(label: str, result: Found) -> None:
    """Print what became of touches."""
    early, ungranted, number = result.early, result.ungranted, len(result.stamped)
    say(f"  {label}: late", Spread.of(result.late))
    say(f"  {label}: early", f"{len(early)} of {number}, by at most {max(early, default=0) / 1000:.2f} ms")
    say(
        f"  {label}: not granted", f"{len(ungranted)} of {number}, by at most {max(ungranted, default=0) / 1000:.2f} ms"
    )
    if result.lost:
        say(f"  {label}: lost", f"{result.lost}")


def kinds() -> Iterator[Kind]:
    """The ways to wire the sensors of the bundled boards."""
    for board in ("tamsk", "tayu"):
        registers = chain(board)
        yield Kind(f"{board}: registers at {named(registers.clock_hz)}", registers, registers.clock_hz)
    chips = expanders()
    for rate in I2C_HZ:
        yield Kind(f"expanders, interrupts, {named(rate)}", chips, rate)
        yield Kind(f"expanders, polled, {named(rate)}", replace(chips, interrupt=None), rate)


def main() -> None:
    """Count, measure and print."""
    options = parser(__doc__)
    options.add_argument("--touches", type=int, default=TOUCHES, help="of each kind in virtual time")
    options.add_argument("--by-the-clock", type=int, default=TOUCHES_BY_THE_CLOCK, help="of each kind by the clock")
    given = options.parse_args()
    count, measured = (15, 15) if given.quick else (given.touches, given.by_the_clock)
    sys.setswitchinterval(SWITCH)
    say_machine()
    for kind in kinds():
        progress(kind.name)
        clean = found(kind, count, given.seed, CLEAN)
        bounced = found(kind, count, given.seed, BOUNCING)
        progress("")
        say_arithmetic(kind, max(clean.longest, bounced.longest))
        say_found("clean", clean)
        say_found("bouncing", bounced)
    for kind in (Kind("registers", chain("tamsk"), 0), Kind("expanders", expanders(), 0)):
        result, behind = found_by_the_clock(kind, measured, given.seed)
        say(f"{kind.name} by the clock: scans begin late", Spread.of(behind))
        say_found("clean", result)


if __name__ == "__main__":
    main()
