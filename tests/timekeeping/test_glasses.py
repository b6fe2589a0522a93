"""Test how sand runs."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.timekeeping.glasses import (
    FIFTEEN_SECONDS,
    THREE_MINUTES,
    SandGlass,
    fifteen_second_glass,
)
from gnomon.timekeeping.instants import SECOND, Duration, Instant

NOMINAL = SandGlass.empty((THREE_MINUTES, THREE_MINUTES))

durations = st.integers(1, 400 * SECOND).map(Duration)
gaps = st.integers(0, 500 * SECOND)


@st.composite
def glasses(draw: st.DrawFn) -> SandGlass:
    """A glass with any two durations that has been turned a few times."""
    glass = SandGlass.empty((draw(durations), draw(durations)))
    now = Instant(0)
    for gap in draw(st.lists(gaps, max_size=5)):
        now = Instant(now + gap)
        glass = glass.turn(now)
    return glass


def later(glass: SandGlass, gap: int) -> Instant:
    return Instant(glass.since + gap)


def test_a_game_begins_with_all_the_sand_below() -> None:
    assert [NOMINAL.is_running(Instant(0)), fifteen_second_glass().is_running(Instant(0))] == [False] * 2


def test_an_empty_glass_runs_out_at_no_instant() -> None:
    assert NOMINAL.runs_out_at() is None


@pytest.mark.parametrize(("glass", "full"), [(NOMINAL, THREE_MINUTES), (fifteen_second_glass(), FIFTEEN_SECONDS)])
def test_a_turned_glass_is_exact_to_the_microsecond_around_its_end(glass: SandGlass, full: Duration) -> None:
    turned = glass.turn(Instant(7))
    end = turned.runs_out_at()
    assert end == 7 + full
    assert [turned.remaining(Instant(end + step)) for step in (-1, 0, 1)] == [1, 0, 0]
    assert [turned.is_running(Instant(end + step)) for step in (-1, 0, 1)] == [True, False, False]


def test_each_direction_keeps_its_own_duration() -> None:
    glass = SandGlass.empty((Duration(3), Duration(7)))
    first = glass.turn(Instant(0))
    assert first.remaining(Instant(0)) == 7
    # 2 of 7 µs have run: 2/7 of the sand lies below, which runs 6/7 µs the other way.
    second = first.turn(Instant(2))
    assert (second.fraction(Instant(2)), second.remaining(Instant(2))) == (Fraction(2, 7), Duration(1))
    # After that the whole of the sand runs 7 µs again: nothing was lost in rounding.
    third = second.turn(Instant(3))
    assert (third.fraction(Instant(3)), third.remaining(Instant(3))) == (Fraction(1), Duration(7))


@given(glasses(), gaps, gaps)
def test_turning_twice_at_one_instant_is_the_same_glass_at_every_later_instant(
    glass: SandGlass, gap: int, wait: int
) -> None:
    now = later(glass, gap)
    twice = glass.turn(now).turn(now)
    then = Instant(now + wait)
    assert (twice.sand_left(then), twice.remaining(then)) == (glass.sand_left(then), glass.remaining(then))
    assert twice.turn(then).sand_left(then) == glass.turn(then).sand_left(then)


@given(glasses(), gaps)
def test_what_leaves_one_bulb_lies_in_the_other(glass: SandGlass, gap: int) -> None:
    now = later(glass, gap)
    assert glass.sand_left(now) + glass.turn(now).sand_left(now) == glass.capacity


@given(glasses(), st.integers(-(10**9), 10**9))
def test_no_bulb_is_ever_emptier_than_empty_or_fuller_than_full(glass: SandGlass, gap: int) -> None:
    now = later(glass, gap)
    assert 0 <= glass.sand_left(now) <= glass.capacity
    assert 0 <= glass.fraction(now) <= 1
    assert 0 <= glass.remaining(now) <= glass.durations[glass.up]


@pytest.mark.untraced
@given(glasses(), gaps, gaps)
def test_sand_never_runs_upwards(glass: SandGlass, gap: int, wait: int) -> None:
    assert glass.sand_left(later(glass, gap + wait)) <= glass.sand_left(later(glass, gap))


@given(glasses(), gaps)
def test_a_glass_runs_out_at_the_first_instant_at_which_nothing_remains(glass: SandGlass, gap: int) -> None:
    now = later(glass, gap)
    end = glass.runs_out_at()
    assert glass.is_running(now) is (end is not None and now < end)


@given(glasses(), gaps)
def test_what_remains_leads_exactly_to_the_end(glass: SandGlass, gap: int) -> None:
    now = later(glass, gap)
    if glass.is_running(now):
        assert now + glass.remaining(now) == glass.runs_out_at()


@given(glasses(), st.integers(0, 10**9))
def test_an_instant_before_the_last_turning_counts_as_that_turning(glass: SandGlass, gap: int) -> None:
    early = later(glass, -gap)
    assert glass.sand_left(early) == glass.sand_left(glass.since)
    assert glass.turn(early) == glass.turn(glass.since)


@given(durations, st.lists(gaps, max_size=8), gaps)
def test_a_glass_with_equal_ends_agrees_with_sand_counted_in_microseconds(
    full: Duration, waits: list[int], last: int
) -> None:
    glass, upper, now = SandGlass.empty((full, full)), 0, Instant(0)
    for wait in waits:
        now = Instant(now + wait)
        glass = glass.turn(now)
        upper = full - max(0, upper - wait)
    assert glass.remaining(Instant(now + last)) == max(0, upper - last)


@given(glasses(), gaps, st.data())
def test_sand_set_by_hand_is_what_remains(glass: SandGlass, gap: int, data: st.DataObject) -> None:
    now = later(glass, gap)
    wanted = Duration(data.draw(st.integers(0, glass.durations[glass.up])))
    corrected = glass.with_remaining(wanted, now)
    assert corrected.remaining(now) == wanted
    assert corrected.runs_out_at() == (now + wanted if wanted else None)


@pytest.mark.parametrize("remaining", [-1, 8])
def test_a_glass_holds_neither_less_than_nothing_nor_more_than_all_its_sand(remaining: int) -> None:
    glass = SandGlass.empty((Duration(3), Duration(7))).turn(Instant(0))
    with pytest.raises(ValueError, match=f"{remaining} µs is not between 0 and 7 µs"):
        glass.with_remaining(Duration(remaining), Instant(0))


@pytest.mark.parametrize("ends", [(0, 1), (1, 0), (-1, 5)])
def test_a_glass_that_runs_for_no_time_is_refused(ends: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="more than 0 µs either way"):
        SandGlass.empty((Duration(ends[0]), Duration(ends[1])))
