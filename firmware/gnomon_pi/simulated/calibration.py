"""Calibrate simulated glasses in virtual time: random true durations, and a person who presses late."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from threading import Event
from typing import Final, Self

from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon.words import ENGLISH, Words
from gnomon_pi.config.description import BoardDescription, Button
from gnomon_pi.runtime.calibration import ENDS, nominal_of
from gnomon_pi.runtime.outputs import NEVER
from gnomon_pi.runtime.scanner import PERIOD
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.tools.calibration.guide import LIGHT, GlassLane, Guide, GuideMessage, LanePhase, socket_of
from gnomon_pi.tools.calibration.measurement import (
    SLACK,
    CalibrationOptions,
    CalibrationRun,
    Say,
    screen,
    with_light_sensor,
)

SPARE_PIN: Final = 22
"""Where a simulated board has its light sensor when the description has none."""

_DIFFERS: Final = 0.03  # how far glasses lie from the nominal duration, as a standard deviation
_REPEATS: Final = 0.002  # and how far the runs of one glass lie from each other
_IN_HAND: Final = Duration(600 * MILLISECOND)
_HOLD: Final = Duration(120 * MILLISECOND)


@dataclass(frozen=True, slots=True)
class Glasses:
    """The physical truth: how long each glass runs either way, and by how much its runs differ (a part of that)."""

    durations: Mapping[tuple[str, bool], Duration]
    repeats: float = _REPEATS

    @classmethod
    def make(cls, names: tuple[str, ...], random: Random) -> Self:
        """Glasses as they are sold."""
        true = {
            (name, up): Duration(round(nominal_of(name) * max(0.9, min(1.1, random.gauss(1.0, _DIFFERS)))))
            for name in names
            for up in ENDS.values()
        }
        return cls(true)

    def run(self, name: str, *, north_up: bool, random: Random) -> Duration:
        """How long one run takes."""
        return Duration(round(self.durations[name, north_up] * random.gauss(1.0, self.repeats)))


@dataclass(slots=True)
class CalibratingHands:
    """Somebody who does what the guide asks, and presses a moment after the last grain.

    `late` and `unsteady` are the mean and the standard deviation of that moment, in microseconds.
    """

    board: SimulatedBoard
    watch: VirtualWatch
    glasses: Glasses
    random: Random
    late: Duration = Duration(150 * MILLISECOND)
    unsteady: Duration = Duration(50 * MILLISECOND)
    _poles: dict[str, str] = field(default_factory=dict)
    _seen: dict[str, tuple[LanePhase, str, int]] = field(default_factory=dict)

    def stand(self, sockets: tuple[str, ...]) -> None:
        """Put the glasses on their sockets, all sand below."""
        for socket in sockets:
            self._poles[socket] = "north"
            self.board.set_input(f"{socket}.north", True)  # noqa: FBT003 - the value is what it is about

    def follow(self, guide: Guide) -> None:
        """Do what is newly asked."""
        for lane in guide.lanes:
            now = (lane.phase, lane.glass, len(lane.runs) + len(lane.refused))
            if lane.phase is not LanePhase.DONE and self._seen.get(lane.button) != now:
                self._seen[lane.button] = now
                self._act(guide, lane)

    def _act(self, guide: Guide, lane: GlassLane) -> None:
        match lane.phase:
            case LanePhase.READY:
                self._later(self.random.uniform(2, 5) * SECOND, lambda: self._turn_over(guide, lane))
            case LanePhase.SPOILT:
                self._later(2 * nominal_of(lane.glass), lambda: self._press(lane.button))
            case _:
                pass  # the press has been on its way since the glass was set down

    def _turn_over(self, guide: Guide, lane: GlassLane) -> None:
        socket = lane.socket
        before = self._poles[socket]
        after = self._poles[socket] = "south" if before == "north" else "north"
        took = self.glasses.run(lane.glass, north_up=after == "south", random=self.random)
        self._set(f"{socket}.{before}", value=False)
        self._later(_IN_HAND, lambda: self._set(f"{socket}.{after}", value=True))
        if guide.light:
            self._set(LIGHT, value=False)
            self._later(_IN_HAND + took, lambda: self._set(LIGHT, value=True))
        else:
            late = max(0, self.random.gauss(self.late, self.unsteady))
            self._later(_IN_HAND + took + late, lambda: self._press(lane.button))

    def _press(self, button: str) -> None:
        self._set(button, value=True)
        self._later(_HOLD, lambda: self._set(button, value=False))

    def _set(self, name: str, *, value: bool) -> None:
        self.board.set_input(name, value)

    def _later(self, duration: float, call: Callable[[], None]) -> None:
        self.watch.later(duration / SECOND, call)


def wait_by_skipping(watch: VirtualWatch) -> Callable[[CalibrationRun, Instant], None]:
    """What waits in virtual time: scans in which nothing can have changed are passed over."""

    def wait(measuring: CalibrationRun, _: Instant) -> None:
        now = watch.now()
        due = NEVER if measuring.due is None else Instant(measuring.due + SLACK)
        first = now if measuring.is_pending or not measuring.beat.scans else min(watch.next_call, due)
        if first == NEVER:
            message = "nobody does anything any more, and the calibration is not over"
            raise RuntimeError(message)
        beat = Instant(max(-(-first // PERIOD) * PERIOD, now + PERIOD))
        measuring.scanner.skip_to(Instant(beat - PERIOD))
        watch.go_to(beat)

    return wait


def simulate(  # noqa: PLR0913 - what a wired board has, and what stands in for people and glass
    description: BoardDescription,
    wish: CalibrationOptions,
    say: Say,
    stop: Event,
    *,
    words: Words = ENGLISH,
    random: Random,
    glasses: Glasses | None = None,
) -> tuple[Guide, Glasses]:
    """Measure simulated glasses in virtual time; gives the guide at its end, and the truth.

    Raises CalibrationError for a board on which that cannot be done.
    """
    spare = None if description.sand_light else Button(LIGHT, SPARE_PIN)
    described = with_light_sensor(replace(description, sand_light=description.sand_light or spare), light=wish.light)
    watch = VirtualWatch()
    board = SimulatedBoard(described, now=watch.now, later=watch.later)
    truth = glasses or Glasses.make(wish.glasses, random)
    hands = CalibratingHands(board, watch, truth, random)
    try:
        hands.stand(tuple(socket_of(glass) for glass in wish.glasses))
        display = board.drivers.display

        def notify(guide: Guide, said: GuideMessage) -> None:
            if display is not None:
                display.show(screen(guide, words))
            say(watch.now(), guide, said)
            hands.follow(guide)

        measuring = CalibrationRun(wish.guide, board.drivers, description.inputs, watch, notify)
        return measuring.run(wait_by_skipping(watch), stop.is_set), truth
    finally:
        board.close()
