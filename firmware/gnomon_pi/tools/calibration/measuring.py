"""Run the calibration loop: feed stamped scans and presses to the guide, and show its screen and sentences.

The same loop runs on a wired board in real time and on the simulated one in virtual time: only the wait function
differs.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

from gnomon.referee.debounce import Change, Debouncer
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant
from gnomon_pi.drivers.assembly import Drivers
from gnomon_pi.runtime.clock import Watch
from gnomon_pi.runtime.health import Health
from gnomon_pi.runtime.scanning import Edge, Scanner, ScanSchedule
from gnomon_pi.tools.calibration.guide import LIGHT, Guide, Guided, Said, changed, time_has_come

SLACK: Final = Duration(3 * MILLISECOND)
"""How long an edge waits for edges that were stamped before it and arrive after it."""

CHECK: Final = 100
"""Scans between two looks whether the kernel has lost an edge of a button: a second."""

Wait = Callable[["Measuring", Instant], None]
"""Lets time pass until the instant of the next scan."""


class Measuring:
    """A calibration at a board. Presses may come from any thread; everything else happens in one."""

    def __init__(
        self, guide: Guide, drivers: Drivers, inputs: tuple[str, ...], watch: Watch, say: Callable[[Guide, Said], None]
    ) -> None:
        """`say` is told every sentence, with the guide as it then is. Raises DriverError when a button is not heard."""
        if drivers.sensors is None:
            message = "a board without sensors"
            raise ValueError(message)
        self.guide = guide
        self.health = Health()
        self.watch = watch
        self.scanner = Scanner(drivers.sensors, inputs, self.health)
        self.beat = ScanSchedule(watch.now(), self.health)
        self._drivers = drivers
        self._say = say
        self._debouncer = Debouncer(frozenset())
        self._pressed: deque[Edge] = deque()
        self._waiting: list[Edge] = []
        self._stands = False
        self._wrong = ""
        drivers.buttons.start(self._hear_button)

    def run(self, wait: Wait, stop: Callable[[], bool]) -> Guide:
        """Measure until everything is done, or it is time to stop; gives the guide as it is then."""
        while not self.guide.is_done and not stop():
            wait(self, self.beat.next)
            now = self.watch.now()
            self.beat.keep(now)
            self._take(self.scanner.scan(now))
            self._tell_of_sensors()
            if self.beat.scans % CHECK == 0:
                self._drivers.buttons.check()
            self._decide(now)
        return self.guide

    @property
    def is_pending(self) -> bool:
        """Whether edges wait to be handed over."""
        return bool(self._waiting or self._pressed)

    @property
    def due(self) -> Instant | None:
        """When something is decided though nothing is touched."""
        settles, light = self._debouncer.due(), self.guide.deadline()
        dues = [instant for instant in (settles, light) if instant is not None]
        return min(dues, default=None)

    def _hear_button(self, stamp: int, name: str, value: bool) -> None:  # noqa: FBT001 - the contract of ButtonDriver
        self._pressed.append(Edge(Instant(stamp), name, value))

    def _take(self, edges: tuple[Edge, ...]) -> None:
        if edges and not self._stands:
            # The first scan reports every input: that is how the glasses stand, and nobody has touched them.
            self._stands = True
            on = frozenset(edge.input for edge in edges if edge.value)
            self._debouncer = Debouncer(on)
            self.guide = self.guide.standing(on)
            for said in self.guide.asks():
                self._say(self.guide, said)
            return
        self._waiting += edges

    def _decide(self, now: Instant) -> None:
        """Hand over, in the order of their stamps, the edges that nothing earlier can overtake any more."""
        while self._pressed:
            self._waiting.append(self._pressed.popleft())
        self._waiting.sort(key=lambda edge: edge.stamp)
        while self._waiting and self._waiting[0].stamp <= now - SLACK:
            edge = self._waiting.pop(0)
            self._settle(edge.stamp)
            if edge.value != (edge.input in self._levels()):
                self._debouncer = self._debouncer.edge(edge.stamp, edge.input, value=edge.value)
        self._settle(Instant(now - SLACK))

    def _tell_of_sensors(self) -> None:
        wrong = self.health["sensors"]
        if wrong and wrong != self._wrong:
            self._say(self.guide, Said(wrong))
        self._wrong = wrong

    def _levels(self) -> frozenset[str]:
        moving = self._debouncer.bursts
        return frozenset(
            {name for name in self._debouncer.on if name not in moving}
            | {name for name, burst in moving.items() if burst.level}
        )

    def _settle(self, now: Instant) -> None:
        while (due := self.due) is not None and due <= now:
            self._debouncer, settled = self._debouncer.settle(due)
            for change in settled.changes:
                self._guided(changed(self.guide, change))
            # Sand that falls in crumbs lets light flicker: what it has come to counts from now.
            for name in (fault.input for fault in settled.chattering):
                if name == LIGHT:
                    self._guided(changed(self.guide, Change(due, name, name in self._debouncer.on)))
            self._guided(time_has_come(self.guide, due))

    def _guided(self, guided: Guided) -> None:
        self.guide, told = guided
        for said in told:
            self._say(self.guide, said)
