"""The only tests of the two-player game clock."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.timekeeping.clocks import SIDES, Clock
from gnomon.timekeeping.instants import MINUTE, SECOND, Duration, Instant

gaps = st.integers(0, 10 * SECOND)
sides = st.sampled_from(SIDES)

FRESH = Clock.of(MINUTE, Duration(2 * SECOND))
RUNNING = FRESH.start(0, Instant(5))
PAUSED = RUNNING.pause(Instant(9))
FLAGGED = Instant(5 + MINUTE)


@st.composite
def running_clocks(draw: st.DrawFn) -> Clock:
    """A clock that was started and pressed a few times; its running side has time left at `since`."""
    clock = Clock.of(Duration(draw(st.integers(1, MINUTE))), Duration(draw(st.integers(0, SECOND))))
    clock = clock.start(draw(sides), Instant(draw(gaps)))
    for gap in draw(st.lists(gaps, max_size=5)):
        now = Instant(clock.since + gap)
        clock = clock if clock.flagged(now) is not None else clock.press(now)
    return clock


def both(clock: Clock, now: Instant) -> tuple[Duration, Duration]:
    return clock.remaining(0, now), clock.remaining(1, now)


def test_nothing_runs_before_the_start() -> None:
    late = Instant(10 * MINUTE)
    assert (both(FRESH, late), FRESH.deadline(), FRESH.flagged(late)) == ((MINUTE, MINUTE), None, None)


def test_only_the_side_to_move_loses_time() -> None:
    assert both(RUNNING, Instant(5 + SECOND)) == (MINUTE - SECOND, MINUTE)


def test_ending_a_turn_adds_the_increment_and_starts_the_other_side() -> None:
    pressed = RUNNING.press(Instant(5 + 3 * SECOND))
    assert pressed == Clock((Duration(MINUTE - SECOND), MINUTE), FRESH.increment, 1, Instant(5 + 3 * SECOND))


def test_the_flag_is_exact_to_the_microsecond() -> None:
    assert RUNNING.deadline() == FLAGGED
    assert [RUNNING.remaining(0, Instant(FLAGGED + step)) for step in (-1, 0, 1)] == [1, 0, 0]
    assert [RUNNING.flagged(Instant(FLAGGED + step)) for step in (-1, 0, 1)] == [None, 0, 0]


def test_a_turn_can_be_ended_one_microsecond_before_the_flag_and_no_later() -> None:
    assert RUNNING.press(Instant(FLAGGED - 1)).remaining(0, FLAGGED) == 1 + 2 * SECOND
    with pytest.raises(ValueError, match="side 0 has used up its time"):
        RUNNING.press(FLAGGED)


def test_a_flag_that_has_fallen_stays_fallen_while_the_clock_is_paused() -> None:
    assert RUNNING.pause(FLAGGED).flagged(Instant(FLAGGED + MINUTE)) == 0


def test_nobody_loses_time_while_the_clock_is_paused() -> None:
    assert PAUSED.deadline() is None
    assert both(PAUSED, Instant(10 * MINUTE)) == both(RUNNING, Instant(9))
    assert PAUSED.resume(Instant(MINUTE)).deadline() == MINUTE + MINUTE - 4


def test_time_given_after_the_flag_counts_from_the_moment_it_is_given() -> None:
    late = Instant(FLAGGED + 3 * SECOND)
    given_more = RUNNING.give(0, SECOND, late)
    assert (given_more.remaining(0, late), given_more.deadline()) == (SECOND, late + SECOND)


@pytest.mark.parametrize(
    ("nonsense", "reason"),
    [
        (lambda: Clock.of(Duration(0)), "more than 0 µs"),
        (lambda: Clock.of(SECOND, Duration(-1)), "at least 0 µs a turn"),
        (lambda: FRESH.start(2, Instant(0)), "sides 0 and 1, not 2"),
        (lambda: RUNNING.start(1, Instant(9)), "started before; side 0 is to move"),
        (lambda: FRESH.press(Instant(0)), "not running"),
        (lambda: PAUSED.press(Instant(9)), "not running"),
        (lambda: FRESH.pause(Instant(0)), "not running"),
        (lambda: PAUSED.pause(Instant(9)), "not running"),
        (lambda: RUNNING.resume(Instant(9)), "not paused"),
        (lambda: FRESH.remaining(-1, Instant(0)), "sides 0 and 1, not -1"),
        (lambda: FRESH.give(2, SECOND, Instant(0)), "sides 0 and 1, not 2"),
        (lambda: FRESH.give(0, 0, Instant(0)), "no correction"),
        (lambda: FRESH.give(0, -MINUTE, Instant(0)), "some time must be left"),
        (lambda: RUNNING.give(0, -SECOND, Instant(FLAGGED - SECOND)), "some time must be left"),
    ],
)
def test_what_makes_no_sense_is_refused(nonsense: Callable[[], object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        nonsense()


@given(running_clocks(), gaps, gaps)
def test_pausing_and_resuming_at_one_instant_changes_nothing(clock: Clock, gap: int, wait: int) -> None:
    now = Instant(clock.since + gap)
    same = clock.pause(now).resume(now)
    then = Instant(now + wait)
    assert (both(same, then), same.flagged(then)) == (both(clock, then), clock.flagged(then))


@given(running_clocks(), gaps, gaps, gaps)
def test_a_pause_costs_nobody_anything(clock: Clock, gap: int, pause: int, wait: int) -> None:
    now = Instant(clock.since + gap)
    resumed = clock.pause(now).resume(Instant(now + pause))
    assert both(resumed, Instant(now + pause + wait)) == both(clock, Instant(now + wait))


@given(running_clocks(), gaps)
def test_a_side_is_flagged_exactly_from_its_deadline_on(clock: Clock, gap: int) -> None:
    now = Instant(clock.since + gap)
    deadline = clock.deadline()
    assert deadline is not None
    assert clock.flagged(now) == (clock.side if now >= deadline else None)


@given(running_clocks(), gaps)
def test_a_turn_creates_no_time_but_the_increment(clock: Clock, gap: int) -> None:
    now = Instant(clock.since + gap)
    if clock.flagged(now) is None:
        assert sum(both(clock.press(now), now)) == sum(clock.left) - gap + clock.increment


@given(running_clocks(), st.integers(0, 10**9))
def test_an_instant_before_the_last_press_counts_as_that_press(clock: Clock, gap: int) -> None:
    early = Instant(clock.since - gap)
    assert both(clock, early) == both(clock, clock.since)
    assert clock.pause(early) == clock.pause(clock.since)
    assert clock.press(early) == clock.press(clock.since)


@given(running_clocks(), sides, st.integers(-MINUTE, MINUTE), gaps, st.booleans())
def test_a_correction_changes_one_side_by_what_was_given(
    clock: Clock, side: int, duration: int, gap: int, paused: bool
) -> None:
    now = Instant(clock.since + gap)
    clock = clock.pause(now) if paused else clock
    before = both(clock, now)
    if duration != 0 and before[side] + duration > 0:
        after = both(clock.give(side, duration, now), now)
        assert (after[side], after[1 - side]) == (before[side] + duration, before[1 - side])
