"""Define time controls: the periods of each side in their order, as plain values.

Sources named here and beside each kind: FIDE Laws of Chess, articles 6.3 and 6.4 (numbered so since 2018); FIDE
Standards of Chess Equipment, electronic clocks, (a) to (l); US Chess rule 5 (time controls, increment and delay); the
manual of the DGT 3000, whose behaviour players know; the PGN standard, 9.6.1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Final, Self

from gnomon.refusals import InvalidValueError, Refusal, Statement, statement
from gnomon.timekeeping.instants import MINUTE, Duration

SIDES: Final = (0, 1)

LONGEST: Final = Duration(7 * 24 * 60 * MINUTE)
"""No period at a table lasts longer than a week; more is a slip of the finger."""

MOST: Final = 999
"""Moves of a period, and periods of byo-yomi, for the same reason."""


class ControlError(Refusal, ValueError):
    """The periods make no time control."""


class Manner(Enum):
    """How a period gives time for every move; the value is the sign that stands for it in writing.

    FISCHER adds it before each move, the first included, and keeps what is saved (FIDE Laws 6.3.1; US Chess 5;
    DGT 3000, "Fischer Bonus"). BRONSTEIN gives back what the move took, at most so much, so that the time after a
    move is never above the time before it (DGT 3000, "Delay"). DELAY lets that long pass before the time falls
    (FIDE Laws 6.3.2; US Chess 5; DGT 3000, "US Delay"). The last two end equal and differ in what is shown.
    """

    FISCHER = "+"
    BRONSTEIN = "b"
    DELAY = "d"


@dataclass(frozen=True, slots=True)
class Main:
    """Time for so many moves, or for as many as it lasts, with or without something for every move.

    With `moves`, the next period begins for a side when it has made them, and what it saved is kept (FIDE Laws
    6.3.2); the flag falls when the time is up before (6.4). The last period with moves repeats (PGN 9.6.1; US Chess 5,
    repeating controls). Without `moves`, the next period begins when the time is up, for both sides at once when it is
    a main one too (DGT 3000, moves set to 000); the last such period is sudden death. Durations in microseconds.
    Raises ControlError for what is no period.
    """

    time: Duration
    extra: Duration = Duration(0)
    manner: Manner = Manner.FISCHER
    moves: int | None = None

    def __post_init__(self) -> None:
        """Refuse what is no period; nothing for every move is nothing in every manner."""
        _check_time(self.time, 0, statement("cause.control.week.period"), statement("cause.control.less.period"))
        _check_time(self.extra, 0, statement("cause.control.week.move"), statement("cause.control.less.move"))
        if self.time + self.extra == 0:
            raise ControlError(statement("cause.control.nothing"))
        if self.moves is not None:
            _check_number(self.moves, statement("cause.control.moves", most=MOST, number=self.moves))
        if self.extra == 0:
            object.__setattr__(self, "manner", Manner.FISCHER)


@dataclass(frozen=True, slots=True)
class ByoYomi:
    """So many spells of time: a spell used up in a move is lost, one not used up is whole again for the next move.

    Main time that ends within a move goes over into the first spell; the flag falls when the last is used up (DGT
    3000, "Byo-yomi"; the custom of Go and Shogi). A spell is lost when all of it is used: a move must take less.
    """

    spell: Duration
    spells: int = 1

    def __post_init__(self) -> None:
        """Refuse what is no byo-yomi."""
        _check_time(self.spell, 1, statement("cause.control.week.spell"), statement("cause.control.longer.spell"))
        _check_number(self.spells, statement("cause.control.spells", most=MOST, number=self.spells))


@dataclass(frozen=True, slots=True)
class Canadian:
    """A block of moves in a block of time: when the moves are made both are whole again, and what was saved is lost.

    The move in which the main time ends is the first of the first block (DGT 3000, "Canadian Byo-yomi"; Go Text
    Protocol 2, 4.2).
    """

    time: Duration
    moves: int

    def __post_init__(self) -> None:
        """Refuse what is no block."""
        _check_time(self.time, 1, statement("cause.control.week.block"), statement("cause.control.longer.block"))
        _check_number(self.moves, statement("cause.control.block", most=MOST, number=self.moves))


@dataclass(frozen=True, slots=True)
class Hourglass:
    """What one side uses the other is given, as sand does: the sum never changes (PGN 9.6.1, "sandclock")."""

    time: Duration

    def __post_init__(self) -> None:
        """Refuse what is no hourglass."""
        _check_time(self.time, 1, statement("cause.control.week.glass"), statement("cause.control.longer.glass"))


@dataclass(frozen=True, slots=True)
class UpCount:
    """Time is counted up and no flag falls: to see what is used, or for overtime that costs points (DGT 3000)."""


Period = Main | ByoYomi | Canadian | Hourglass | UpCount
Schedule = tuple[Period, ...]


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The periods of both sides in their order, and whether the first flag stops the clock of both.

    It does unless `runs_on`: with time added for every move the clock must freeze (DGT 3000, "Freeze"); in rapid and
    blitz without it the other clock may run on, and the flag of the first alone is shown (Standards (e)).
    Raises ControlError for periods that cannot follow each other.
    """

    sides: tuple[Schedule, Schedule]
    runs_on: bool = False

    def __post_init__(self) -> None:
        """Refuse periods that cannot follow each other."""
        for schedule in self.sides:
            _check_schedule(schedule)
        glasses = sum(isinstance(schedule[0], Hourglass) for schedule in self.sides)
        if glasses == 1:
            raise ControlError(statement("cause.control.both"))
        if glasses and self.runs_on:
            raise ControlError(statement("cause.control.glass_on"))

    @classmethod
    def of(cls, *periods: Period, runs_on: bool = False) -> Self:
        """The same periods for both sides."""
        return cls((periods, periods), runs_on)


def check_side(side: int) -> None:
    """Raise InvalidValueError when there is no such side."""
    if side not in SIDES:
        raise InvalidValueError(statement("told.clock.sides", number=side))


def _check_time(time: int, least: int, too_long: Statement, too_short: Statement) -> None:
    if time > LONGEST:
        raise ControlError(too_long)
    if time < least:
        raise ControlError(too_short)


def _check_number(number: int, why: Statement) -> None:
    if not 1 <= number <= MOST:
        raise ControlError(why)


def _check_schedule(schedule: Schedule) -> None:
    if not schedule:
        raise ControlError(statement("cause.control.no_period"))
    if Hourglass in map(type, schedule) and len(schedule) > 1:
        raise ControlError(statement("cause.control.whole"))
    for before, period in pairwise(schedule):
        if not isinstance(before, Main):
            raise ControlError(_LAST[type(before)])
        if isinstance(period, Main) and before.moves is None and period.time == 0 and period.extra <= before.extra:
            raise ControlError(statement("cause.control.more"))


_LAST: Final[Mapping[type[Period], Statement]] = {
    ByoYomi: statement("cause.control.last.spells"),
    Canadian: statement("cause.control.last.blocks"),
    UpCount: statement("cause.control.last.up"),
}
