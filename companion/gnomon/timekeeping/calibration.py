"""Evaluate measured runs of a sand glass: mean duration, spread, and runs that are refused.

A run is one emptying of a full upper bulb, from the setting down to the last grain. Glass differs from glass by
several percent, and each by direction, but one glass in one direction repeats itself within about one percent; so a
run far from the others of its kind was a slip of the hand or sand that jammed, and a run far from the nominal
duration was no whole run.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Final, NamedTuple

from gnomon.refusals import Refusal, Statement, statement
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration

FEWEST: Final = 3
"""Two runs that differ do not say which of them was the slip."""

IMPLAUSIBLE: Final = 15
"""Percent off the nominal duration: three-minute glasses as they are sold differ by less than ten."""

SPREAD: Final = 2
"""Percent of the mean between the shortest run and the longest: twice what sand itself does."""

REACTION: Final = Duration(400 * MILLISECOND)
"""What two presses of one button at the last grain may differ by on top; for 15 s two percent are less than that."""


class NoisyError(Refusal, ValueError):
    """The runs say too little, or contradict each other.

    `worst` is the index of the run that is to be measured again, None when runs are only missing.
    """

    def __init__(self, why: Statement, worst: int | None = None) -> None:
        super().__init__(why)
        self.worst = worst


class MeasuredRun(NamedTuple):
    """One measured emptying: which glass (`red1`), which end was up, how long it took, and on which day."""

    glass: str
    north_up: bool
    duration: Duration
    date: str


@dataclass(frozen=True, slots=True)
class Measured:
    """How long a glass runs with one end up: the mean of its runs and their spread, in microseconds."""

    mean: Duration
    deviation: Duration  # standard deviation of one run
    shortest: Duration
    longest: Duration
    runs: int
    date: str  # of the last run

    @property
    def uncertainty(self) -> Duration:
        """The standard error of the mean, rounded up."""
        variance = -(-(self.deviation**2) // self.runs)
        root = isqrt(variance)
        return Duration(root + (root * root < variance))


def which(glass: str, *, north_up: bool) -> Statement:
    """A glass and its direction for people."""
    return statement("word.glass.north_up" if north_up else "word.glass.south_up", glass=glass)


def implausible(duration: Duration, nominal: Duration) -> bool:
    """Whether a run cannot have been one whole emptying of a glass of that nominal duration."""
    return 100 * abs(duration - nominal) > IMPLAUSIBLE * nominal


def summarize_runs(runs: Sequence[MeasuredRun], nominal: Duration) -> Measured:
    """What the runs of one glass in one direction come to.

    Raises NoisyError when they are too few, one is implausible, or they spread too far.
    """
    if len(runs) < FEWEST:
        glass = which(runs[0].glass, north_up=runs[0].north_up) if runs else statement("word.this_glass")
        raise NoisyError(statement("told.runs.few", glass=glass, number=len(runs), least=FEWEST))
    glass = which(runs[0].glass, north_up=runs[0].north_up)
    for index, run in enumerate(runs):
        if implausible(run.duration, nominal):
            ran, due = _s(run.duration), _s(nominal)
            why = statement("told.runs.implausible", glass=glass, ran=ran, percent=IMPLAUSIBLE, nominal=due)
            raise NoisyError(why, index)
    result = _summed_up(runs)
    if result.longest - result.shortest > SPREAD * result.mean // 100 + REACTION:
        worst = _farthest_from_the_middle(runs)
        shortest, longest, ran = map(_s, (result.shortest, result.longest, runs[worst].duration))
        raise NoisyError(statement("told.runs.apart", glass=glass, shortest=shortest, longest=longest, ran=ran), worst)
    return result


def _summed_up(runs: Sequence[MeasuredRun]) -> Measured:
    durations = [run.duration for run in runs]
    number, total = len(durations), sum(durations)
    squares = sum((number * duration - total) ** 2 for duration in durations)  # exact: number² times the deviations
    return Measured(
        mean=Duration((2 * total + number) // (2 * number)),
        deviation=Duration(isqrt(squares // (number**2 * (number - 1)))),
        shortest=Duration(min(durations)),
        longest=Duration(max(durations)),
        runs=number,
        date=max(run.date for run in runs),
    )


def _farthest_from_the_middle(runs: Sequence[MeasuredRun]) -> int:
    middle = sorted(run.duration for run in runs)[len(runs) // 2]
    return max(range(len(runs)), key=lambda index: abs(runs[index].duration - middle))


def _s(duration: Duration) -> str:
    return f"{duration / SECOND:.1f} s"
