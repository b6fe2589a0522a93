"""The clocks that count a round of a tournament down."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.hall.rounds.clocks import DEFAULT, LONGEST, RoundClock, RoundClocks
from gnomon.hall.store import backend
from gnomon.timekeeping.instants import MINUTE, SECOND, Duration, Instant

START = Instant(500 * SECOND)
WALL = datetime(2026, 11, 20, 19, tzinfo=UTC)


def later(seconds: float) -> Instant:
    return Instant(START + round(seconds * SECOND))


@given(st.lists(st.integers(0, 10_000), max_size=20))
def test_a_clock_that_is_started_and_paused_loses_what_passed_while_it_ran(waits: list[int]) -> None:
    clock, now, ran = RoundClock(), START, 0
    for number, wait in enumerate(waits):
        clock = clock.pause(now) if number % 2 else clock.start(now)
        now = Instant(now + wait)
        ran += wait if number % 2 == 0 else 0
    assert clock.remaining(now) == DEFAULT - ran


def test_a_clock_that_is_over_gets_more_from_now_on() -> None:
    clock = RoundClock(Duration(10 * SECOND)).start(START)
    assert clock.remaining(later(25)) == -15 * SECOND
    more = clock.add_time(Duration(5 * MINUTE), later(25))
    assert (more.remaining(later(25)), more.runs) == (5 * MINUTE, True)
    assert more.start(later(30)) == more


@pytest.mark.parametrize("much", [2 * LONGEST, LONGEST])
def test_no_clock_has_more_than_a_day_or_less_than_nothing(much: int) -> None:
    assert RoundClock().set_to(Duration(much), START).left == LONGEST
    assert RoundClock().add_time(Duration(much), START).left == LONGEST
    assert RoundClock().set_to(Duration(-1), START).left == 0
    assert RoundClock().add_time(Duration(-much), START).left == 0


def clocks(where: Path, now: Callable[[], Instant], wall: Callable[[], datetime]) -> RoundClocks:
    return RoundClocks(backend.open_database(str(where / "hall.db")), now, wall)


def test_a_clock_goes_on_where_it_would_have_been_when_the_hall_is_started_again(tmp_path: Path) -> None:
    before = clocks(tmp_path, lambda: START, lambda: WALL)
    assert before.payload("open") is None
    assert before.of("open") == RoundClock()
    before.put("open", RoundClock(Duration(30 * MINUTE)).start(START))
    before.put("other", RoundClock(Duration(20 * MINUTE)))
    assert before.payload("open") == {"left_ms": 1_800_000, "runs": True}
    # Another boot: the monotonic clock began again, and ten minutes have passed.
    after = clocks(tmp_path, lambda: Instant(7), lambda: WALL + timedelta(minutes=10))
    assert after.of("open").remaining(Instant(7)) == 20 * MINUTE
    assert after.of("other") == RoundClock(Duration(20 * MINUTE))
    # A time of day that was put back gives nobody more.
    wrong = clocks(tmp_path, lambda: Instant(7), lambda: WALL - timedelta(hours=1))
    assert wrong.of("open").remaining(Instant(7)) == 30 * MINUTE
