"""Open a wired or simulated board for a calibration, and run the measurement."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from random import Random
from threading import Event, Thread, Timer
from typing import Final

from gnomon.timekeeping.instants import Instant
from gnomon_pi.config.description import BoardDescription, Button
from gnomon_pi.drivers.opening import open_devices
from gnomon_pi.drivers.protocols import DisplayDriver, DriverError
from gnomon_pi.runtime.clock import MachineWatch, sleep_until
from gnomon_pi.runtime.threads import BackgroundDisplay
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.virtual import VirtualWatch
from gnomon_pi.tools.calibration.files import CalibrationError
from gnomon_pi.tools.calibration.guide import LIGHT, Guide, Said, socket_of
from gnomon_pi.tools.calibration.measuring import Measuring
from gnomon_pi.tools.calibration.screen import screen
from gnomon_pi.tools.calibration.simulated import Glasses, Hands, skipping

Say = Callable[[Instant, Guide, Said], None]
"""Told every sentence with the microseconds since the calibration began."""

SPARE_PIN: Final = 22
"""Where a simulated board has its light sensor when the description has none."""


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


def measure(description: BoardDescription, wish: CalibrationOptions, say: Say, stop: Event) -> Guide:
    """Measure on the wired board until all is done or `stop` is set.

    Raises CalibrationError for a board on which that cannot be done, and DriverError.
    """
    described = _described(description, light=wish.light)
    watch = MachineWatch.of_this_boot()
    began = watch.now()
    drivers = open_devices(described, now=watch.now, later=lambda seconds, call: Timer(seconds, call).start())
    try:
        with _showing(drivers.display, stop) as show:

            def told(guide: Guide, said: Said) -> None:
                show(guide)
                say(Instant(watch.now() - began), guide, said)

            measuring = Measuring(wish.guide, drivers, description.inputs, watch, told)
            return measuring.run(lambda _, instant: sleep_until(watch, instant), stop.is_set)
    finally:
        drivers.close()


def simulate(  # noqa: PLR0913 - what a wired board has, and what stands in for people and glass
    description: BoardDescription,
    wish: CalibrationOptions,
    say: Say,
    stop: Event,
    *,
    random: Random,
    glasses: Glasses | None = None,
) -> tuple[Guide, Glasses]:
    """Measure simulated glasses in virtual time; gives the guide at its end, and the truth.

    Raises CalibrationError for a board on which that cannot be done.
    """
    spare = None if description.sand_light else Button(LIGHT, SPARE_PIN)
    described = _described(replace(description, sand_light=description.sand_light or spare), light=wish.light)
    watch = VirtualWatch()
    board = SimulatedBoard(described, now=watch.now, later=watch.later)
    truth = glasses or Glasses.made(wish.glasses, random)
    hands = Hands(board, watch, truth, random)
    try:
        hands.stand(tuple(socket_of(glass) for glass in wish.glasses))
        display = board.drivers.display

        def told(guide: Guide, said: Said) -> None:
            if display is not None:
                display.show(screen(guide))
            say(watch.now(), guide, said)
            hands.follow(guide)

        measuring = Measuring(wish.guide, board.drivers, description.inputs, watch, told)
        return measuring.run(skipping(watch), stop.is_set), truth
    finally:
        board.close()


def _described(description: BoardDescription, *, light: bool) -> BoardDescription:
    """The description with the light sensor heard as a button is, stamped by the kernel."""
    if description.sensors is None or not any(name.endswith(".north") for name in description.inputs):
        message = f"the board {description.board} has no sockets that sense which way up a glass stands"
        raise CalibrationError(message)
    if not light:
        return description
    if description.sand_light is None:
        message = "--light-sensor needs [sand_light] in the board description: the pin of the sensor at the neck"
        raise CalibrationError(message)
    return replace(description, buttons=(*description.buttons, description.sand_light))


@contextmanager
def _showing(display: DisplayDriver | None, stop: Event) -> Iterator[Callable[[Guide], None]]:
    """What shows a guide on the display, by a thread of its own: a picture may hold the bus for 23 ms."""
    if display is None:
        yield lambda _: None
        return
    slot, done = BackgroundDisplay(display), Event()
    thread = Thread(target=slot.work, args=(done,), name="display", daemon=True)
    thread.start()

    def show(guide: Guide) -> None:
        try:
            slot.show(screen(guide))
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
