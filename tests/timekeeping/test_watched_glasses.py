"""A sand glass that people watch: it runs until somebody says that it has run out."""

from hypothesis import given
from hypothesis import strategies as st

from gnomon.timekeeping.glasses import THREE_MINUTES, SandGlass
from gnomon.timekeeping.instants import Duration, Instant

NOMINAL = (THREE_MINUTES, THREE_MINUTES)
INSTANTS = st.integers(0, 10**9).map(Instant)


def watched(now: Instant = Instant(0)) -> SandGlass:
    """Turned over once, at `now`."""
    return SandGlass.empty(NOMINAL, by_eye=True).turn(now)


@given(INSTANTS, st.integers(0, 10**12))
def test_it_runs_for_ever_and_what_is_left_is_an_estimate(turned: Instant, later: int) -> None:
    glass = watched(turned)
    now = Instant(turned + later)
    assert glass.is_running(now)
    assert glass.runs_out_at() is None
    assert glass.remaining(now) == max(0, THREE_MINUTES - later)


@given(INSTANTS, st.integers(0, 10**9))
def test_it_stops_when_it_is_seen_to_have_run_out(turned: Instant, later: int) -> None:
    seen = Instant(turned + later)
    glass = watched(turned).stop(seen)
    assert not glass.is_running(seen)
    assert glass.remaining(seen) == 0
    assert glass.since == seen


@given(st.lists(st.integers(0, 200_000_000), max_size=8))
def test_however_often_it_is_turned_over_it_goes_on_running(waits: list[int]) -> None:
    glass, now = watched(), Instant(0)
    for wait in waits:
        now = Instant(now + wait)
        glass = glass.turn(now)
        assert glass.is_running(now)
        assert glass.sand_left(now) <= glass.capacity


def test_set_by_hand_to_nothing_it_has_stopped_and_to_something_it_runs_again() -> None:
    assert not watched().with_remaining(Duration(0), Instant(5)).is_running(Instant(5))
    assert watched().stop(Instant(5)).with_remaining(Duration(1), Instant(5)).is_running(Instant(10))


def test_a_glass_that_has_not_been_turned_does_not_run() -> None:
    assert not SandGlass.empty(NOMINAL, by_eye=True).is_running(Instant(0))
