"""Guide the calibration of sand glasses: which glass to turn, when a run starts and ends, and which runs count.

A pure state machine, like the referee: debounced changes with their stamps go in, a new guide and statements come out.
The glasses of red and of black are measured side by side, and so is the 15-second glass: each of the three lanes has
the button of its own colour, so that one person can watch several at once. A run begins when the glass stands on its
socket the other way up, as it does in a game, and ends with the press of the lane's button at the last grain, or when
the light sensor sees light through the neck for good.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, NamedTuple, Self

from gnomon.games.tamsk.rules import BOARD, START
from gnomon.games.tamsk.rules.glasses import GLASS_NAMES, TIMER15
from gnomon.games.tamsk.sensing.inputs import BUTTON_ARBITER, BUTTON_BLACK, BUTTON_RED, POLES, TIMER
from gnomon.referee.debounce import Change
from gnomon.refusals import Statement, statement
from gnomon.timekeeping.calibration import (
    FEWEST,
    Measured,
    MeasuredRun,
    NoisyError,
    implausible,
    summarize_runs,
    which,
)
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon_pi.config.parser import SAND_LIGHT
from gnomon_pi.runtime.calibration import nominal_of

LIGHT: Final = SAND_LIGHT
"""The input of the optional light sensor: 1 while light passes the neck of the glass before it."""

LIGHT_CALM: Final = Duration(500 * MILLISECOND)
"""Sand that sticks lets light through for a moment; what falls again so soon was not the last grain."""

MOST_REFUSED: Final = 3
"""Runs of one glass in one direction that may be measured again: beyond that its sand does not run evenly."""

_BUTTONS: Final = {
    BUTTON_RED: statement("calibrate.button.red"),
    BUTTON_BLACK: statement("calibrate.button.black"),
    BUTTON_ARBITER: statement("calibrate.button.arbiter"),
}


class LanePhase(Enum):
    """Where a lane is."""

    READY = "ready"  # all sand is below: the glass is to be turned over
    RUNNING = "running"  # sand falls
    SPOILT = "spoilt"  # sand may be falling, and this run does not count
    DONE = "done"


@dataclass(frozen=True, slots=True)
class GlassLane:
    """One glass after the other, by one button: `todo` are the glasses still to be measured, the present one first.

    `runs` are those of the present glass; `pole` is what its socket shows, `began` when its run began.
    """

    button: str
    todo: tuple[str, ...]
    wanted: int
    phase: LanePhase = LanePhase.READY
    runs: tuple[MeasuredRun, ...] = ()
    refused: tuple[bool, ...] = ()  # of the present glass: whether its north end was up
    pole: str = POLES[0]
    began: Instant = Instant(0)

    @property
    def glass(self) -> str:
        """The present glass, by its name; empty when all is done."""
        return self.todo[0] if self.todo else ""

    @property
    def socket(self) -> str:
        """Where it stands: a corner of the board, or the stand of the 15-second glass."""
        return socket_of(self.glass)

    def of(self, *, north_up: bool) -> tuple[MeasuredRun, ...]:
        """The runs of the present glass with one end up."""
        return tuple(run for run in self.runs if run.north_up is north_up)

    @property
    def runs_left(self) -> int:
        """Runs of the present glass that are still wanted."""
        return sum(max(0, self.wanted - len(self.of(north_up=up))) for up in (True, False))


class GuideMessage(NamedTuple):
    """What is told to the person who measures, and what has been found by then, if anything."""

    told: Statement
    glass: str = ""
    found: tuple[Measured, Measured] | None = None  # with the north end up, with the south end up


@dataclass(frozen=True, slots=True)
class Guide:
    """A calibration in progress.

    `date` is the label of its runs, `light` whether the light sensor ends them, `poles` what each socket last showed.
    """

    lanes: tuple[GlassLane, ...]
    date: str
    light: bool = False
    poles: Mapping[str, str] = field(default_factory=dict)
    lit_since: Instant | None = None

    @classmethod
    def of(cls, glasses: Sequence[str], date: str, runs: int = FEWEST, *, light: bool = False) -> Self:
        """A guide to these glasses, each with so many runs in each direction; one after the other by the light sensor.

        Raises ValueError for a glass that there is not, and for fewer runs than are needed.
        """
        unknown = [glass for glass in glasses if glass not in (*GLASS_NAMES, TIMER15)]
        if unknown or runs < FEWEST:
            message = f"{unknown[0]!r} is no glass" if unknown else f"{runs} runs are fewer than {FEWEST}"
            raise ValueError(message)
        ordered = [glass for glass in (*GLASS_NAMES, TIMER15) if glass in glasses]
        if light:
            return cls((GlassLane(BUTTON_ARBITER, tuple(ordered), runs),), date, light)
        lanes = [
            GlassLane(BUTTON_RED, tuple(glass for glass in ordered if glass.startswith("red")), runs),
            GlassLane(BUTTON_BLACK, tuple(glass for glass in ordered if glass.startswith("black")), runs),
            GlassLane(BUTTON_ARBITER, tuple(glass for glass in ordered if glass == TIMER15), runs),
        ]
        return cls(tuple(lane for lane in lanes if lane.todo), date, light)

    def with_levels(self, on: Collection[str]) -> Self:
        """The guide when it is known which inputs are 1 before anything is touched."""
        poles = {place: part for place, _, part in (name.partition(".") for name in on) if part in POLES}
        lanes = tuple(replace(lane, pole=poles.get(lane.socket, POLES[0])) for lane in self.lanes)
        return replace(self, lanes=lanes, poles=poles)

    @property
    def is_done(self) -> bool:
        """Whether every glass has been measured, or given up."""
        return all(lane.phase is LanePhase.DONE for lane in self.lanes)

    def deadline(self) -> Instant | None:
        """When light has been seen for long enough to have been the last grain, or None."""
        running = any(lane.phase is LanePhase.RUNNING for lane in self.lanes)
        return None if self.lit_since is None or not running else Instant(self.lit_since + LIGHT_CALM)

    def asks(self) -> tuple[GuideMessage, ...]:
        """What is to be done now, lane by lane."""
        return tuple(
            GuideMessage(_request(lane, light=self.light)) for lane in self.lanes if lane.phase is not LanePhase.DONE
        )


Guided = tuple[Guide, tuple[GuideMessage, ...]]


def socket_of(glass: str) -> str:
    """Where a glass stands while it is measured: red1 on D1 and so on, as the game begins."""
    return TIMER if glass == TIMER15 else BOARD.names[START[GLASS_NAMES.index(glass)]] if glass else ""


def take_change(guide: Guide, change: Change) -> Guided:
    """The guide after a debounced change of an input, and what is to be said."""
    if change.input == LIGHT:
        return _light_changed(guide, change), ()
    place, _, part = change.input.partition(".")
    if part in POLES and change.value:
        guide = replace(guide, poles={**guide.poles, place: part})
    for number, lane in enumerate(guide.lanes):
        if lane.phase is LanePhase.DONE:
            continue
        if change.input == lane.button and change.value:
            after, said = _take_press(guide, lane, change.at)
        elif place == lane.socket and part in POLES:
            after, said = (_take_placing if change.value else _take_lifting)(guide, lane, change, part)
        else:
            continue
        return replace(guide, lanes=(*guide.lanes[:number], _learn_end(guide, after), *guide.lanes[number + 1 :])), said
    return guide, ()


def take_time(guide: Guide, now: Instant) -> Guided:
    """The guide when its deadline has been reached: light for so long ends the run with its first edge."""
    due = guide.deadline()
    if due is None or now < due or guide.lit_since is None:
        return guide, ()
    (lane,) = guide.lanes
    after, said = _end_run(guide, lane, guide.lit_since)
    return replace(guide, lanes=(_learn_end(guide, after),), lit_since=None), said


_Stepped = tuple[GlassLane, tuple[GuideMessage, ...]]


def _light_changed(guide: Guide, change: Change) -> Guide:
    # Light before the sand falls says nothing: a run may begin with it.
    running = any(lane.phase is LanePhase.RUNNING and lane.began < change.at for lane in guide.lanes)
    return replace(guide, lit_since=change.at if change.value and running else None)


def _take_press(guide: Guide, lane: GlassLane, at: Instant) -> _Stepped:
    if lane.phase is LanePhase.SPOILT:
        lane = replace(lane, phase=LanePhase.READY)
        return lane, (GuideMessage(_request(lane, light=guide.light)),)
    if lane.phase is LanePhase.RUNNING and not guide.light:
        return _end_run(guide, lane, at)
    return lane, ()


def _take_placing(guide: Guide, lane: GlassLane, change: Change, pole: str) -> _Stepped:
    """The glass stands on its socket: a run begins if it was turned over and all its sand was below."""
    if pole == lane.pole:
        return lane, ()
    lane = replace(lane, pole=pole)
    if lane.phase is not LanePhase.READY:
        return lane, ()
    lane = replace(lane, phase=LanePhase.RUNNING, began=change.at)
    up = which(lane.glass, north_up=_north_up(lane))
    return lane, (GuideMessage(statement("calibrate.runs", glass=up, end=_end_of(lane, light=guide.light))),)


def _take_lifting(guide: Guide, lane: GlassLane, change: Change, pole: str) -> _Stepped:
    """The glass left its socket while its sand fell: what has fallen in the hand nobody knows."""
    if lane.phase is not LanePhase.RUNNING or pole != lane.pole:
        return lane, ()
    seconds = (change.at - lane.began) / SECOND
    lane = replace(lane, phase=LanePhase.SPOILT)
    todo = _request(lane, light=guide.light)
    return lane, (GuideMessage(statement("calibrate.lifted", glass=lane.glass, seconds=seconds, todo=todo)),)


def _end_run(guide: Guide, lane: GlassLane, at: Instant) -> _Stepped:
    """A run has ended: it counts unless it is implausible, or lies far from the others."""
    duration = Duration(at - lane.began)
    run = MeasuredRun(lane.glass, _north_up(lane), duration, guide.date)
    up, seconds, nominal = which(lane.glass, north_up=run.north_up), duration / SECOND, nominal_of(lane.glass)
    if implausible(duration, nominal):
        lane = replace(lane, phase=LanePhase.SPOILT)
        todo, whole = _request(lane, light=guide.light), nominal // SECOND
        wrong = statement("calibrate.implausible", glass=up, seconds=seconds, nominal=whole, todo=todo)
        return lane, (GuideMessage(wrong),)
    lane = replace(lane, phase=LanePhase.READY, runs=(*lane.runs, run))
    counted = statement("calibrate.counted", glass=up, seconds=seconds)
    lane, said = _judge_runs(lane)
    asked = () if lane.phase is LanePhase.DONE else (GuideMessage(_request(lane, light=guide.light)),)
    return lane, (GuideMessage(counted), *said, *asked)


def _judge_runs(lane: GlassLane) -> _Stepped:
    """The lane when a run has been counted: a noisy run goes, and a glass with enough runs is done."""
    if lane.runs_left:
        return lane, ()
    found: list[Measured] = []
    for up in (True, False):
        runs = lane.of(north_up=up)
        try:
            found.append(summarize_runs(runs, nominal_of(lane.glass)))
        except NoisyError as error:
            if lane.refused.count(up) == MOST_REFUSED:
                return _next(lane), (
                    GuideMessage(statement("calibrate.uneven", why=error.statement, glass=lane.glass)),
                )
            worst = runs[error.worst or 0]
            kept = tuple(run for run in lane.runs if run is not worst)
            return replace(lane, runs=kept, refused=(*lane.refused, up)), (
                GuideMessage(statement("calibrate.again", why=error.statement)),
            )
    north, south = (each.mean / SECOND for each in found)
    measured = statement("calibrate.measured", glass=lane.glass, north=north, south=south)
    return _next(lane), (GuideMessage(measured, lane.glass, (found[0], found[1])),)


def _next(lane: GlassLane) -> GlassLane:
    """The lane with the glass after the present one."""
    todo = lane.todo[1:]
    phase = LanePhase.READY if todo else LanePhase.DONE
    return replace(lane, todo=todo, phase=phase, runs=(), refused=(), pole="")


def _learn_end(guide: Guide, lane: GlassLane) -> GlassLane:
    """A lane that has come to its next glass learns which way up that one stands."""
    return lane if lane.pole else replace(lane, pole=guide.poles.get(lane.socket, POLES[0]))


def _north_up(lane: GlassLane) -> bool:
    """The socket shows the pole of the end that is down."""
    return lane.pole == POLES[1]


def _place_of(lane: GlassLane) -> Statement:
    """Where the present glass stands, for people."""
    return statement("calibrate.stand") if lane.glass == TIMER15 else Statement.plain(lane.socket)


def _request(lane: GlassLane, *, light: bool) -> Statement:
    place = _place_of(lane)
    match lane.phase:
        case LanePhase.READY:
            return statement("calibrate.turn", glass=lane.glass, place=place, number=lane.runs_left)
        case LanePhase.RUNNING:
            return statement("calibrate.running", glass=lane.glass, place=place, end=_end_of(lane, light=light))
        case _:
            return statement("calibrate.run_out", glass=lane.glass, button=_BUTTONS[lane.button])


def _end_of(lane: GlassLane, *, light: bool) -> Statement:
    if light:
        return statement("calibrate.end.light")
    return statement("calibrate.end.button", button=_BUTTONS[lane.button])
