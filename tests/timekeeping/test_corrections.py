"""Test what an arbiter may correct on a game clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.timekeeping.clocks import Clock, ClockError
from gnomon.timekeeping.controls import SIDES, UpCount
from gnomon.timekeeping.corrections import ClockCorrection
from gnomon.timekeeping.instants import MINUTE, SECOND, Duration, Instant
from gnomon.timekeeping.notation import parse_time_control
from tests.timekeeping.ticking import games

NINE = Instant(9 * SECOND)
LATE = Instant(10 * MINUTE)
WEEK = 7 * 24 * 60 * MINUTE

waits = st.integers(0, 60)
sides = st.sampled_from(SIDES)


def clock_of(text: str, presses: int = 0) -> Clock:
    """A clock whose first side began at 0, after so many presses at 0."""
    clock = Clock.of(parse_time_control(text)).start(0, Instant(0))
    for _ in range(presses):
        clock = clock.press(Instant(0))
    return clock


def corrected(  # noqa: PLR0913 -- a clock, a moment and the dials
    clock: Clock,
    now: Instant = NINE,
    *,
    side: int = 0,
    time: int | None = None,
    moves: int | None = None,
    period: int | None = None,
    spells: int | None = None,
) -> Clock:
    set_to = None if time is None else Duration(time)
    return clock.correct(side, ClockCorrection(set_to, moves, period, spells), now)


@pytest.mark.parametrize(
    "text", ["1", "1+5", "1b5", "1d5", "hourglass 1", "byo-yomi 3x60", "canadian 5/1", "5/1 then 1"]
)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("time", [1, 3 * SECOND, 30 * SECOND, 90 * MINUTE])
def test_the_clock_shows_the_corrected_time_and_goes_on_from_there(text: str, side: int, time: int) -> None:
    clock = corrected(clock_of(text), side=side, time=time)
    assert clock.remaining(side, NINE) == time
    assert clock.remaining(1 - side, NINE) == clock_of(text).remaining(1 - side, NINE)
    assert clock.available(0, NINE) == (clock.flagged_at() or 0) - NINE


def test_a_corrected_bronstein_clock_gives_back_no_more_than_was_thought() -> None:
    clock = corrected(clock_of("1b5"), Instant(2 * SECOND), time=10 * SECOND)
    pressed = clock.press(Instant(4 * SECOND))
    assert pressed.remaining(0, Instant(4 * SECOND)) == 12 * SECOND


def test_time_given_after_the_flag_lifts_it_and_counts_from_the_moment_it_is_given() -> None:
    clock = clock_of("1").add_time(0, 3 * SECOND, LATE)
    assert (clock.first_flag(LATE), clock.remaining(0, LATE), clock.flagged_at()) == (
        None,
        3 * SECOND,
        LATE + 3 * SECOND,
    )
    assert clock.account(0, LATE).used == MINUTE


def test_time_given_after_the_last_spell_makes_one_more() -> None:
    account = clock_of("byo-yomi 3x30").add_time(0, SECOND, LATE).account(0, LATE)
    assert (account.spells, account.left) == (1, SECOND)


def test_time_given_to_one_side_leaves_the_flag_of_the_other() -> None:
    clock = clock_of("1").add_time(1, SECOND, LATE)
    assert (clock.first_flag(LATE), clock.remaining(1, LATE)) == (0, MINUTE + SECOND)


def test_a_correction_in_a_pause_starts_nobody() -> None:
    clock = clock_of("1").pause(NINE).add_time(0, -SECOND, LATE)
    assert (clock.runs, clock.remaining(0, Instant(2 * LATE))) == (None, 50 * SECOND)


def test_the_counter_is_corrected_without_time_and_with_the_moves_to_go() -> None:
    before = clock_of("40/90+30 then 30+30", presses=4)
    clock = corrected(before, moves=38)
    account = clock.account(0, NINE)
    assert (account.moves, account.to_go, account.left) == (38, 2, before.account(0, NINE).left)
    assert clock.account(1, NINE) == before.account(1, NINE)


def test_the_control_comes_with_the_last_move_of_the_corrected_counter() -> None:
    clock = corrected(clock_of("40/90 then 30"), moves=39).press(NINE)
    assert (clock.account(0, NINE).period, clock.remaining(0, NINE)) == (1, 120 * MINUTE - NINE)


@pytest.mark.parametrize(
    ("text", "moves", "to_go"),
    [
        ("25", 7, None),
        ("3/1", 2, 1),
        ("3/1", 3, 3),
        ("3/1", 4, 2),
        ("3/1", 9, 3),
        ("3/1 then byo-yomi 1x9", 2, 1),
        ("3/1 then byo-yomi 1x9", 3, None),
        ("canadian 3/1", 8, 3),
        ("up", 4, None),
    ],
)
def test_a_corrected_counter_says_how_many_moves_are_to_go(text: str, moves: int, to_go: int | None) -> None:
    assert corrected(clock_of(text), moves=moves).account(0, NINE).to_go == to_go


@pytest.mark.parametrize(
    ("text", "moves", "period", "to_go"),
    [
        ("40/90 then 20/30 then 30", 41, 1, 19),
        ("40/90 then 20/30 then 30", 39, 0, 1),
        ("40/90 then 20/30 then 30", 61, 2, None),
        ("40/90 then 20/30", 100, 1, 20),
        ("40/90 then 20/30", 119, 1, 1),
        ("90 then 20/30", 77, 1, 20),
        ("40/90 then canadian 10/5", 77, 1, 10),
    ],
)
def test_a_corrected_period_says_how_many_moves_are_to_go(
    text: str, moves: int, period: int, to_go: int | None
) -> None:
    account = corrected(clock_of(text), moves=moves, period=period, time=MINUTE).account(0, NINE)
    assert (account.moves, account.period, account.to_go, account.left) == (moves, period, to_go, MINUTE)


def test_a_corrected_period_keeps_the_time_and_begins_with_its_whole_delay() -> None:
    account = corrected(clock_of("1d3 then 1d5"), period=1).account(0, NINE)
    assert (account.left, account.grace, account.fallen) == (54 * SECOND, 5 * SECOND, None)


@pytest.mark.parametrize("text", ["1d3 then 1d5", "1 then byo-yomi 3x30", "1 then canadian 3/1", "1 then 1"])
def test_a_corrected_period_alone_lifts_no_flag_and_time_does(text: str) -> None:
    clock = corrected(clock_of(text), LATE, period=0)
    account = clock.account(0, LATE)
    assert (clock.first_flag(LATE), account.left, account.grace, account.period) == (0, 0, 0, 0)
    assert clock.add_time(0, 1, LATE).first_flag(LATE) is None


def test_overtime_is_corrected_and_taken_back() -> None:
    clock = corrected(clock_of("1 then up"), LATE, time=5)
    assert (clock.account(0, LATE).over, clock.remaining(0, LATE)) == (5, 0)
    back = corrected(clock, LATE, period=0, time=SECOND).account(0, LATE)
    assert (back.left, back.over, back.period) == (SECOND, 0, 0)
    forth = corrected(clock_of("1 then up"), period=1).account(0, NINE)
    assert (forth.left, forth.over) == (0, 0)


def test_the_spells_left_are_corrected() -> None:
    clock = corrected(clock_of("byo-yomi 3x30"), Instant(70 * SECOND), spells=2)
    assert clock.flagged_at() == 120 * SECOND


@pytest.mark.parametrize(
    ("text", "dials", "reason"),
    [
        ("1", {}, "changes nothing"),
        ("1", {"moves": 0}, "changes nothing"),
        ("1", {"time": 51 * SECOND}, "changes nothing"),
        ("1", {"time": 0}, "some time must be left"),
        ("1", {"time": WEEK + 1}, "to a week"),
        ("1", {"moves": -1}, "from 0 to 9990, not -1"),
        ("1", {"moves": 9991}, "from 0 to 9990, not 9991"),
        ("1", {"period": 1}, "1 period for the side: name one of them"),
        ("1 then up", {"period": -1}, "2 periods for the side: name one of them"),
        ("1", {"spells": 2}, "not in byo-yomi"),
        ("byo-yomi 3x30", {"spells": 0}, "from 1 to 999, not 0"),
        ("byo-yomi 3x30", {"spells": 1000}, "from 1 to 999, not 1000"),
        ("2/1 then 1", {"moves": 2}, "after 2 moves this period is over: correct the period as well"),
        ("2/1 then 1", {"moves": 2, "period": 0}, "this period is over"),
        ("up", {"time": -1}, "from 0 µs to a week"),
    ],
)
def test_what_cannot_be_is_refused(text: str, dials: dict[str, int], reason: str) -> None:
    with pytest.raises(ClockError, match=reason):
        corrected(clock_of(text), NINE, **dials)


@pytest.mark.parametrize(("time", "refused"), [(-9 * SECOND, False), (-51 * SECOND + 1, False), (-51 * SECOND, True)])
def test_no_more_can_be_taken_than_is_left(time: int, *, refused: bool) -> None:
    if refused:
        with pytest.raises(ClockError, match="some time must be left"):
            clock_of("1").add_time(0, time, NINE)
    else:
        assert clock_of("1").add_time(0, time, NINE).remaining(0, NINE) == 51 * SECOND + time


def test_nothing_is_given_to_an_up_count() -> None:
    with pytest.raises(ClockError, match="side 0 counts up: it has no time left"):
        clock_of("up").add_time(0, SECOND, NINE)


def test_overtime_is_not_taken_back_without_time() -> None:
    clock = clock_of("1 then up")
    with pytest.raises(ClockError, match="no time is left in this period: correct the time as well"):
        corrected(clock, LATE, period=0)


@pytest.mark.untraced
@given(games(), waits, sides, st.integers(-20, 20))
def test_a_gift_changes_what_one_side_is_shown_and_nothing_of_the_other(
    clock: Clock, gap: int, side: int, gift: int
) -> None:
    now = Instant(clock.since + gap)
    before = clock.remaining(side, now)
    if gift and before + gift > 0 and not isinstance(clock.period(side, now), UpCount):
        changed = clock.add_time(side, gift, now)
        assert changed.remaining(side, now) == before + gift
        assert changed.account(1 - side, now) == clock.account(1 - side, now)


@pytest.mark.untraced
@given(
    games(),
    waits,
    sides,
    st.builds(ClockCorrection, *(st.none() | st.integers(0, most).map(Duration) for most in (20, 9, 3, 4))),
)
def test_a_corrected_clock_is_one_that_could_have_come_about(
    clock: Clock, gap: int, side: int, correction: ClockCorrection
) -> None:
    now = Instant(clock.since + gap)
    try:
        clock = clock.correct(side, correction, now)
    except ClockError:
        return
    account, period = clock.account(side, now), clock.period(side, now)
    counts_up = isinstance(period, UpCount)
    assert counts_up or (account.left + account.grace > 0) == (account.fallen is None)
    assert account.to_go is None or account.to_go >= 1
    falls = clock.flagged_at()
    if clock.runs is not None and falls is not None and clock.first_flag(now) is None:
        assert [clock.first_flag(Instant(falls + step)) for step in (-1, 0, 1)] == [None, clock.side, clock.side]
