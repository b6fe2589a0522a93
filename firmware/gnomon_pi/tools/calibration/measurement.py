"""Run the calibration loop: feed stamped scans and presses to the guide, and show its screen and statements.

The same loop runs on a wired board in real time and on the simulated one in virtual time: only the wait function
differs.
"""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Event, Thread, Timer
from typing import Final

from PIL import Image

from gnomon.referee.debounce import Change, Debouncer
from gnomon.refusals import NOTHING, statement
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant
from gnomon.views import fonts
from gnomon.views.display import panes
from gnomon.words import Words
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.drivers.assembly import Drivers
from gnomon_pi.drivers.devices import open_devices
from gnomon_pi.drivers.protocols import DisplayDriver, DriverError
from gnomon_pi.runtime.calibration import CalibrationError
from gnomon_pi.runtime.health import Health
from gnomon_pi.runtime.scanner import InputEdge, Scanner, ScanSchedule
from gnomon_pi.runtime.system.clock import MachineWatch, Watch, sleep_until
from gnomon_pi.runtime.system.threads import BackgroundDisplay
from gnomon_pi.tools.calibration.guide import (
    LIGHT,
    GlassLane,
    Guide,
    Guided,
    GuideMessage,
    LanePhase,
    take_change,
    take_time,
)

SLACK: Final = Duration(3 * MILLISECOND)
"""How long an edge waits for edges that were stamped before it and arrive after it."""

CHECK: Final = 100
"""Scans between two looks whether the kernel has lost an edge of a button: a second."""

Wait = Callable[["CalibrationRun", Instant], None]
"""Lets time pass until the instant of the next scan."""


Say = Callable[[Instant, Guide, GuideMessage], None]
"""Told every statement with the microseconds since the calibration began."""
_TOP: Final = fonts.PITCH + 1


class CalibrationRun:
    """A calibration at a board. Presses may come from any thread; everything else happens in one."""

    def __init__(
        self,
        guide: Guide,
        drivers: Drivers,
        inputs: tuple[str, ...],
        watch: Watch,
        say: Callable[[Guide, GuideMessage], None],
    ) -> None:
        """`say` is told everything, with the guide as it then is. Raises DriverError when a button is not heard."""
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
        self._pressed: deque[InputEdge] = deque()
        self._waiting: list[InputEdge] = []
        self._stands = False
        self._wrong = NOTHING
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
        self._pressed.append(InputEdge(Instant(stamp), name, value))

    def _take(self, edges: tuple[InputEdge, ...]) -> None:
        if edges and not self._stands:
            # The first scan reports every input: that is how the glasses stand, and nobody has touched them.
            self._stands = True
            on = frozenset(edge.input for edge in edges if edge.value)
            self._debouncer = Debouncer(on)
            self.guide = self.guide.with_levels(on)
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
        wrong = self.health.fault("sensors")
        if wrong not in (NOTHING, self._wrong):
            self._say(self.guide, GuideMessage(wrong))
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
                self._follow(take_change(self.guide, change))
            # Sand that falls in crumbs lets light flicker: what it has come to counts from now.
            for name in (fault.input for fault in settled.chattering):
                if name == LIGHT:
                    self._follow(take_change(self.guide, Change(due, name, name in self._debouncer.on)))
            self._follow(take_time(self.guide, due))

    def _follow(self, guided: Guided) -> None:
        self.guide, told = guided
        for said in told:
            self._say(self.guide, said)


@dataclass(frozen=True, slots=True)
class CalibrationOptions:
    """What is to be measured, and how."""

    glasses: tuple[str, ...]
    date: str
    runs: int
    light: bool

    @property
    def guide(self) -> Guide:
        """The guide to it. Raises ValueError as `Guide.of` does."""
        return Guide.of(self.glasses, self.date, self.runs, light=self.light)


def measure(description: BoardDescription, wish: CalibrationOptions, say: Say, stop: Event, words: Words) -> Guide:
    """Measure on the wired board until all is done or `stop` is set; the display speaks as `words` do.

    Raises CalibrationError for a board on which that cannot be done, and DriverError.
    """
    described = with_light_sensor(description, light=wish.light)
    watch = MachineWatch.of_this_boot()
    began = watch.now()
    drivers = open_devices(described, now=watch.now, later=lambda seconds, call: Timer(seconds, call).start())
    try:
        with _show_guides(drivers.display, stop, words) as show:

            def notify(guide: Guide, said: GuideMessage) -> None:
                show(guide)
                say(Instant(watch.now() - began), guide, said)

            measuring = CalibrationRun(wish.guide, drivers, description.inputs, watch, notify)
            return measuring.run(lambda _, instant: sleep_until(watch, instant), stop.is_set)
    finally:
        drivers.close()


def with_light_sensor(description: BoardDescription, *, light: bool) -> BoardDescription:
    """The description with the light sensor heard as a button is, stamped by the kernel."""
    if description.sensors is None or not any(name.endswith(".north") for name in description.inputs):
        raise CalibrationError(statement("calibrate.no_sockets", board=description.board))
    if not light:
        return description
    if description.sand_light is None:
        raise CalibrationError(statement("calibrate.no_light_sensor"))
    return replace(description, buttons=(*description.buttons, description.sand_light))


@contextmanager
def _show_guides(display: DisplayDriver | None, stop: Event, words: Words) -> Iterator[Callable[[Guide], None]]:
    """What shows a guide on the display, by a thread of its own: a picture may hold the bus for 23 ms."""
    if display is None:
        yield lambda _: None
        return
    slot, done = BackgroundDisplay(display), Event()
    thread = Thread(target=slot.work, args=(done,), name="display", daemon=True)
    thread.start()

    def show(guide: Guide) -> None:
        try:
            slot.show(screen(guide, words))
        except DriverError:
            if stop.is_set():
                return
            # The terminal says the same: a dark display stops no measuring.

    try:
        yield show
    finally:
        done.set()
        slot.wake()
        thread.join(1)


def screen(guide: Guide, words: Words) -> Image.Image:
    """The picture that belongs to a guide; it changes only when the guide does."""
    image, title = Image.new("1", panes.SIZE), words("calibrate.title")
    if guide.is_done:
        panes.headline(image, title, words("calibrate.done"), None)
        panes.text(image, [words("calibrate.done.all"), words("calibrate.done.found")], None)
        return image
    panes.headline(image, title, words.plural("calibrate.left", sum(len(lane.todo) for lane in guide.lanes)), None)
    row = _TOP
    for lane in guide.lanes:
        if lane.phase is not LanePhase.DONE:
            _draw_lane(image, row, lane, words, light=guide.light)
            row += 2 * fonts.PITCH
    return image


def _draw_lane(image: Image.Image, row: int, lane: GlassLane, words: Words, *, light: bool) -> None:
    width = panes.tag(image, (0, row), words(f"calibrate.tag.{lane.button}"))
    fonts.write(image, (width + 3, row + 1), _state(lane, words))
    panes.lines(image, (words(_instruction(lane, light=light)),), row + fonts.PITCH)


def _state(lane: GlassLane, words: Words) -> str:
    if lane.socket == lane.glass:
        return words("calibrate.to_go.stand", glass=lane.glass, number=lane.runs_left)
    return words("calibrate.to_go", glass=lane.glass, place=lane.socket, number=lane.runs_left)


def _instruction(lane: GlassLane, *, light: bool) -> str:
    """The key of what is to be done, in words that fit a line of the display."""
    match lane.phase:
        case LanePhase.READY:
            return "calibrate.brief.turn"
        case LanePhase.RUNNING:
            return "calibrate.brief.leave" if light else "calibrate.brief.press"
        case _:
            return "calibrate.brief.run_out"
