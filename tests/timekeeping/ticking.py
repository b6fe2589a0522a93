"""A game clock that ticks: the oracle of the one that is computed, slow and plain, one microsecond after another.

Beside it stand the time controls and games on which the two are compared, of a few microseconds each, so that every
boundary is met again and again.
"""

from dataclasses import dataclass
from functools import cache

from hypothesis import reject
from hypothesis import strategies as st

from gnomon.timekeeping.accounts import Account
from gnomon.timekeeping.clocks import Clock
from gnomon.timekeeping.controls import (
    ByoYomi,
    Canadian,
    ControlError,
    Hourglass,
    Main,
    Manner,
    Period,
    Schedule,
    TimeControl,
    UpCount,
)
from gnomon.timekeeping.instants import Duration, Instant

times = st.integers(1, 12).map(Duration)
few = st.integers(1, 3)
gaps = st.lists(st.integers(0, 15), max_size=12)


times_with_extra = st.sampled_from([(0, 3), (1, 0), (2, 1), (4, 4), (7, 2), (12, 0), (5, 5)])
mains: st.SearchStrategy[Main] = st.builds(
    lambda both, manner, moves: Main(Duration(both[0]), Duration(both[1]), manner, moves),
    times_with_extra,
    st.sampled_from(Manner),
    st.none() | few,
)


tails: st.SearchStrategy[Period] = st.builds(ByoYomi, times, few) | st.builds(Canadian, times, few) | st.just(UpCount())
schedules: st.SearchStrategy[Schedule] = st.builds(
    lambda first, last: (*first, *last), st.lists(mains, max_size=3), st.lists(tails, max_size=1)
)


one_in_eight = st.integers(0, 7)


@cache
@st.composite
def controls(draw: st.DrawFn) -> TimeControl:
    """Every kind of time control, the same for both sides or not."""
    if draw(one_in_eight) == 0:
        return TimeControl(((Hourglass(draw(times)),), (Hourglass(draw(times)),)))
    first = draw(schedules)
    second = first if draw(st.booleans()) else draw(schedules)
    try:
        return TimeControl((first, second), draw(st.booleans()))
    except ControlError:
        reject()


sides = st.sampled_from((0, 1))
begins = st.integers(0, 3).map(Instant)


@st.composite
def games(draw: st.DrawFn) -> Clock:
    """A clock in the middle of a game."""
    clock = Clock.of(draw(controls())).start(draw(sides), draw(begins))
    for gap in draw(gaps):
        clock = clock.at(Instant(clock.since + gap))
        clock = clock if clock.runs is None else clock.press(clock.since)
    return clock


@dataclass
class Ticking:
    """One side's dials, moved by hand."""

    schedule: Schedule
    period: int = 0
    left: int = 0
    grace: int = 0
    to_go: int | None = None
    spells: int = 0
    moves: int = 0
    over: int = 0
    used: int = 0
    fallen: int | None = None

    @property
    def rules(self) -> Period:
        return self.schedule[self.period]

    def begin(self, period: int) -> None:
        self.period, self.spells, self.to_go = period, 0, None
        match self.rules:
            case Main(time=time, moves=moves):
                self.left += time
                self.to_go = moves
            case ByoYomi(spell, spells):
                self.left, self.spells = spell, spells
            case Canadian(time, moves):
                self.left, self.to_go = time, moves
            case Hourglass(time):
                self.left = time
            case UpCount():
                pass

    def give(self, extra: int) -> None:
        if isinstance(self.rules, Main):
            if self.rules.manner is Manner.FISCHER:
                self.left += extra
            else:
                self.grace += extra

    def extra(self) -> int:
        return self.rules.extra if isinstance(self.rules, Main) else 0

    def begin_next_in_a_move(self) -> None:
        before = self.extra()
        self.begin(self.period + 1)
        if self.extra() > before:
            self.give(self.extra() - before)

    def may_begin_next(self) -> bool:
        return self.to_go is None and self.period + 1 < len(self.schedule)

    def move(self) -> None:
        self.moves += 1
        if self.fallen is not None:
            return
        rules = self.rules
        if self.to_go is not None:
            self.to_go -= 1
        if isinstance(rules, Main):
            if self.to_go == 0:
                if self.period + 1 == len(self.schedule):
                    self.begin(self.period)
                elif isinstance(self.schedule[self.period + 1], Main):
                    self.begin(self.period + 1)
                else:
                    self.to_go = None
            self.grace = 0
            self.give(self.extra())
        if isinstance(rules, ByoYomi):
            self.left = rules.spell
        if isinstance(rules, Canadian) and self.to_go == 0:
            self.left, self.to_go = rules.time, rules.moves


class TickingClock:
    """Two sides' dials, and a pendulum."""

    def __init__(self, control: TimeControl, side: int, now: int) -> None:
        self.control, self.side, self.now = control, side, now
        self.sides = [Ticking(schedule) for schedule in control.sides]
        for dials in self.sides:
            dials.begin(0)
            dials.give(dials.extra())

    def stands(self) -> bool:
        return not self.control.runs_on and any(dials.fallen is not None for dials in self.sides)

    def press(self) -> None:
        if not self.stands():
            self.sides[self.side].move()
            self.side = 1 - self.side

    def tick(self) -> None:
        self.now += 1
        mine, other = self.sides[self.side], self.sides[1 - self.side]
        if self.stands():
            return
        mine.used += 1
        if mine.fallen is not None:
            return
        if isinstance(mine.rules, UpCount):
            mine.over += 1
            return
        if mine.grace:
            mine.grace -= 1
        else:
            mine.left -= 1
            if isinstance(mine.rules, Hourglass):
                other.left += 1
        if mine.left == mine.grace == 0:
            self.end_of_time(mine, other)

    def end_of_time(self, mine: Ticking, other: Ticking) -> None:
        if isinstance(mine.rules, ByoYomi) and mine.spells > 1:
            mine.spells -= 1
            mine.left = mine.rules.spell
        elif mine.may_begin_next():
            beside = other.period == mine.period and other.may_begin_next() and other.fallen is None
            mine.begin_next_in_a_move()
            if beside and isinstance(mine.rules, Main) and isinstance(other.schedule[other.period + 1], Main):
                other.begin_next_in_a_move()
        else:
            mine.spells, mine.fallen = 0, self.now

    def accounts(self) -> tuple[Account, ...]:
        return tuple(
            Account(
                dials.period,
                Duration(dials.left),
                Duration(dials.grace),
                dials.to_go,
                dials.spells,
                dials.moves,
                Duration(dials.over),
                Duration(dials.used),
                None if dials.fallen is None else Instant(dials.fallen),
            )
            for dials in self.sides
        )
