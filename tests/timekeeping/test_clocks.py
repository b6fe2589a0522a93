"""Test how a game clock runs under every kind of time control."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.timekeeping.clocks import Clock, ClockError
from gnomon.timekeeping.controls import SIDES, Hourglass, Main, Manner, TimeControl, UpCount
from gnomon.timekeeping.instants import MINUTE, SECOND, Duration, Instant
from gnomon.timekeeping.notation import parse_time_control
from tests.timekeeping.ticking import TickingClock, controls, games, gaps

sides = st.sampled_from(SIDES)
waits = st.integers(0, 60)
STEPS = (-1, 0, 1)


def clock_of(text: str, *presses: float) -> Clock:
    """A clock whose first side began at 0, after presses at these seconds."""
    clock = Clock.of(parse_time_control(text)).start(0, Instant(0))
    for press in presses:
        clock = clock.press(at(press))
    return clock


def at(moment: float) -> Instant:
    return Instant(round(moment * SECOND))


def both(clock: Clock, moment: float) -> tuple[float, float]:
    """What the clock shows for both sides, in seconds."""
    return clock.remaining(0, at(moment)) / SECOND, clock.remaining(1, at(moment)) / SECOND


def around(moment: float) -> list[Instant]:
    return [Instant(at(moment) + step) for step in STEPS]


# Each kind of control


def test_nothing_runs_before_the_start() -> None:
    fresh = Clock.of(parse_time_control("1"))
    late = Instant(10 * MINUTE)
    assert (both(fresh, 600), fresh.deadline(late), fresh.first_flag(late)) == ((60, 60), None, None)
    assert (fresh.flagged_at(), fresh.runs) == (None, None)


def test_in_sudden_death_only_the_side_to_move_loses_time() -> None:
    assert both(clock_of("1"), 10) == (50, 60)
    assert both(clock_of("1", 10), 15) == (50, 55)


def test_fischer_gives_time_for_the_first_move_and_after_each() -> None:
    assert both(clock_of("1+2"), 0) == (62, 62)
    assert both(clock_of("1+2", 10), 10) == (54, 62)
    assert both(clock_of("1+2", 1, 2), 2) == (63, 63)


def test_bronstein_gives_back_what_the_move_took_and_no_more_than_the_delay() -> None:
    assert both(clock_of("1b5"), 3) == (62, 65)
    assert both(clock_of("1b5", 3), 3) == (65, 65)
    assert both(clock_of("1b5", 7), 7) == (63, 65)


@pytest.mark.parametrize(("step", "left"), [(-1, 60 * SECOND), (0, 60 * SECOND), (1, 60 * SECOND - 1)])
def test_a_delay_passes_before_the_time_falls(step: int, left: int) -> None:
    clock = clock_of("1d5")
    now = Instant(at(5) + step)
    assert (clock.remaining(0, now), clock.account(0, now).grace) == (left, max(0, -step))
    assert clock.press(now).remaining(0, now) == left


def test_a_new_turn_has_its_whole_delay() -> None:
    assert clock_of("1d5", 8, 9).account(0, at(9)).grace == 5 * SECOND


@pytest.mark.parametrize(("step", "spells", "left"), [(-1, 3, 1), (0, 2, 30 * SECOND), (1, 2, 30 * SECOND - 1)])
def test_a_spell_of_byo_yomi_is_lost_when_all_of_it_is_used(step: int, spells: int, left: int) -> None:
    now = Instant(at(90) + step)
    clock = clock_of("1 then byo-yomi 3x30")
    assert (clock.account(0, now).spells, clock.remaining(0, now)) == (spells, left)
    pressed = clock.press(now).account(0, now)
    assert (pressed.spells, pressed.left) == (spells, 30 * SECOND)


def test_byo_yomi_begins_within_the_move_and_spares_the_other_side() -> None:
    clock = clock_of("1 then byo-yomi 3x30")
    assert (clock.account(0, at(65)).left, clock.account(1, at(65)).left) == (25 * SECOND, MINUTE)
    assert (clock.available(0, at(65)), clock.available(1, at(65))) == (85 * SECOND, 150 * SECOND)
    assert [clock.deadline(at(moment)) for moment in (0, 60, 90, 120, 150)] == [at(60), at(90), at(120), at(150), None]


def test_a_canadian_block_is_whole_again_after_its_moves_and_what_was_saved_is_lost() -> None:
    presses = (70, 70, 80, 80)  # ten seconds over the main time, then ten seconds: two moves of the block
    clock = clock_of("1 then canadian 3/2", *presses)
    assert (clock.account(0, at(80)).left, clock.account(0, at(80)).to_go) == (100 * SECOND, 1)
    renewed = clock.press(at(100)).account(0, at(100))
    assert (renewed.left, renewed.to_go) == (2 * MINUTE, 3)


def test_an_hourglass_gives_the_other_side_what_one_uses() -> None:
    assert both(clock_of("hourglass 1"), 25) == (35, 85)
    assert both(clock_of("hourglass 1", 25), 35) == (45, 75)
    assert both(clock_of("hourglass 1"), 100) == (0, 120)


def test_an_up_count_counts_what_each_side_uses_and_no_flag_falls() -> None:
    clock = clock_of("up", 10)
    assert [clock.account(side, at(25)).over for side in SIDES] == [10 * SECOND, 15 * SECOND]
    assert (clock.remaining(1, at(25)), clock.available(1, at(25)), clock.flagged_at()) == (0, None, None)
    assert clock.deadline(at(25)) is None


def test_overtime_is_counted_when_the_main_time_is_over() -> None:
    clock = clock_of("1 then up")
    assert [clock.account(0, now).over for now in around(60)] == [0, 0, 1]
    assert clock.press(at(70)).account(0, at(99)).over == 10 * SECOND
    assert clock.first_flag(at(3600)) is None


# Several controls


@pytest.mark.parametrize(("presses", "left", "to_go"), [(2, 60, 1), (4, 60 + 30 + 5, None)])
def test_the_moves_of_a_control_bring_the_next_with_what_was_saved(presses: int, left: int, to_go: int | None) -> None:
    clock = clock_of("2/1 then 0:30+5", *[0] * presses)
    account = clock.account(0, at(0))
    assert (account.left, account.to_go) == (left * SECOND, to_go)


def test_time_for_moves_of_the_next_period_begins_with_its_first_move() -> None:
    assert both(clock_of("1/1+2 then 0:30+5", 0), 0) == (60 + 2 + 30 + 5, 62)


def test_the_flag_falls_when_the_moves_of_a_control_are_not_made() -> None:
    clock = clock_of("2/1 then 0:30", 10, 10)
    assert [clock.first_flag(now) for now in around(60)] == [None, 0, 0]


def test_a_control_without_moves_is_over_for_both_when_the_time_of_one_is() -> None:
    clock = clock_of("1+5 then 0:30+5")
    assert [clock.account(0, now).left for now in around(65)] == [1, 30 * SECOND, 30 * SECOND - 1]
    assert [clock.account(1, now).left for now in around(65)] == [65 * SECOND, 95 * SECOND, 95 * SECOND]
    assert clock.flagged_at() == at(95)


def test_a_period_that_begins_within_a_move_gives_what_it_gives_more_for_a_move() -> None:
    assert both(clock_of("1 then 0:30+5"), 60) == (35, 95)
    assert both(clock_of("1+5 then 0:30+7"), 65) == (32, 97)


def test_the_last_control_with_moves_repeats() -> None:
    assert both(clock_of("1/1 then 2/0:30", *[0] * 8), 0) == (60 + 30 + 30, 120)


def test_saved_time_is_used_up_before_byo_yomi_begins() -> None:
    clock = clock_of("1/1 then byo-yomi 3x30", 10, 10)
    assert [(clock.account(0, now).spells, clock.remaining(0, now)) for now in around(60)] == [
        (0, 1),
        (3, 30 * SECOND),
        (3, 30 * SECOND - 1),
    ]


def test_each_side_has_its_own_control() -> None:
    clock = clock_of("1+2 vs 5d3", 10)
    assert (both(clock, 12), clock.account(1, at(12)).grace) == ((54, 300), SECOND)


def test_a_side_with_another_kind_of_period_keeps_it_when_the_other_side_enters_its_next() -> None:
    assert clock_of("1 then 1 vs 1 then byo-yomi 1x30").account(1, at(60)).period == 0
    assert clock_of("1 then 1 vs 9/1 then 1").account(1, at(60)).period == 0


# Flags


@pytest.mark.parametrize(
    ("text", "falls"),
    [
        ("1", 60),
        ("1+5", 65),
        ("1b5", 65),
        ("1d5", 65),
        ("0+5", 5),
        ("0d5", 5),
        ("byo-yomi 3x30", 90),
        ("1 then byo-yomi 3x30", 150),
        ("1 then canadian 5/2", 180),
        ("hourglass 1", 60),
        ("1 then 0:30", 90),
        ("40/1+5 then 0:30+5", 65),
    ],
)
def test_the_flag_is_exact_to_the_microsecond(text: str, falls: int) -> None:
    clock = clock_of(text)
    assert (clock.flagged_at(), clock.available(0, at(0))) == (at(falls), falls * SECOND)
    assert [clock.first_flag(now) for now in around(falls)] == [None, 0, 0]
    assert [clock.available(0, now) for now in around(falls)] == [1, 0, 0]
    assert clock.press(Instant(at(falls) - 1)).first_flag(at(falls)) is None
    for late in (at(falls), at(falls + 1)):
        with pytest.raises(ClockError, match="side 0 has used up its time: no press counts"):
            clock.press(late)


def test_the_first_flag_stops_both_sides() -> None:
    clock = clock_of("1+5").at(at(100))
    assert (clock.runs, clock.deadline(at(70)), clock.flagged_at(), both(clock, 500)) == (None, None, at(65), (0, 65))
    assert clock.account(0, at(500)).used == 65 * SECOND


def test_a_clock_that_runs_on_shows_the_first_flag_alone_and_adds_nothing_to_it() -> None:
    clock = clock_of("1+5, runs on", 70)
    assert both(clock, 80) == (0, 55)
    assert (clock.deadline(at(80)), clock.account(0, at(80)).moves) == (at(135), 1)
    assert [clock.first_flag(now) for now in around(135)] == [0, 0, 0]
    assert (clock.flagged_at(), clock.account(1, at(135)).fallen) == (at(65), at(135))
    again = clock.press(at(140))
    assert (both(again, 200), again.deadline(at(150)), again.account(0, at(200)).used) == ((0, 0), None, 130 * SECOND)


def test_a_fallen_flag_at_instant_zero_is_a_flag() -> None:
    clock = Clock.of(TimeControl.of(Main(Duration(5)))).start(1, Instant(-5))
    assert clock.first_flag(Instant(0)) == 1


# Pause and hand over


def test_nobody_loses_time_while_the_clock_is_paused() -> None:
    clock = clock_of("1d5").pause(at(3))
    assert (both(clock, 500), clock.deadline(at(4)), clock.flagged_at()) == ((60, 60), None, None)
    resumed = clock.resume(at(100))
    assert (both(resumed, 103), resumed.flagged_at()) == ((59, 60), at(162))


def test_a_flag_that_has_fallen_stays_fallen_in_a_pause_and_after() -> None:
    clock = clock_of("1").pause(at(61))
    assert (clock.first_flag(at(200)), clock.flagged_at()) == (0, at(60))
    assert clock.resume(at(300)).first_flag(at(300)) == 0


def test_handing_over_counts_no_move_and_gives_no_time() -> None:
    clock = clock_of("1+5").handed_over(at(10))
    assert (clock.side, both(clock, 12), clock.account(0, at(12)).moves) == (1, (55, 63), 0)


FRESH = clock_of("1").pause(at(1))


@pytest.mark.parametrize(
    ("nonsense", "reason"),
    [
        (lambda: Clock.of(parse_time_control("1")).start(2, at(0)), "sides 0 and 1, not 2"),
        (lambda: clock_of("1").remaining(-1, at(0)), "sides 0 and 1, not -1"),
        (lambda: clock_of("1").start(1, at(9)), "already been started; side 0 is to move"),
        (lambda: Clock.of(parse_time_control("1")).press(at(0)), "not running"),
        (lambda: Clock.of(parse_time_control("1")).pause(at(0)), "not running"),
        (lambda: Clock.of(parse_time_control("1")).handed_over(at(0)), "not been started"),
        (lambda: FRESH.press(at(9)), "not running"),
        (lambda: FRESH.pause(at(9)), "not running"),
        (lambda: clock_of("1").resume(at(9)), "not paused"),
    ],
)
def test_what_makes_no_sense_is_refused(nonsense: Callable[[], object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        nonsense()


# What holds for every control and every game


@pytest.mark.untraced
@given(controls(), sides, gaps)
def test_what_is_computed_is_what_a_ticking_clock_comes_to(control: TimeControl, side: int, pauses: list[int]) -> None:
    ticking = TickingClock(control, side, 3)
    clock = Clock.of(control).start(side, Instant(3))
    assert clock.accounts == ticking.accounts()
    for gap in pauses:
        for _ in range(gap):
            ticking.tick()
        now = Instant(ticking.now)
        clock = clock.at(now)
        assert clock.accounts == ticking.accounts()
        if not ticking.stands():
            ticking.press()
            clock = clock.press(now)
        assert (clock.accounts, clock.side) == (ticking.accounts(), ticking.side)


@pytest.mark.untraced
@given(games(), waits, waits)
def test_questions_between_change_nothing(clock: Clock, first: int, second: int) -> None:
    between, now = Instant(clock.since + first), Instant(clock.since + first + second)
    split = clock.at(between)
    assert split.at(now).accounts == clock.at(now).accounts
    assert (split.first_flag(now), split.deadline(now)) == (clock.first_flag(now), clock.deadline(now))
    assert split.flagged_at() == clock.flagged_at()


happenings = st.sampled_from(("press", "pause", "resume", "hand over"))


def after(clock: Clock, happening: str, now: Instant) -> Clock:
    """The clock after what can happen to it, and the same one when it cannot."""
    try:
        match happening:
            case "press":
                return clock.press(now)
            case "pause":
                return clock.pause(now)
            case "resume":
                return clock.resume(now)
            case _:
                return clock.handed_over(now)
    except ClockError:
        return clock


@pytest.mark.untraced
@given(games(), st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), happenings), max_size=10))
def test_a_replay_with_other_questions_between_comes_to_the_same(
    clock: Clock, story: list[tuple[int, int, str]]
) -> None:
    now, asked = clock.since, clock
    for before, gap, happening in story:
        asked = asked.at(Instant(now + before))
        now = Instant(now + before + gap)
        clock, asked = after(clock, happening, now), after(asked, happening, now)
        known, told = clock.at(now), asked.at(now)
        assert (told.accounts, told.side, told.runs) == (known.accounts, known.side, known.runs)
        assert (asked.flagged_at(), asked.deadline(now)) == (clock.flagged_at(), clock.deadline(now))


@pytest.mark.untraced
@given(games(), waits)
def test_nothing_changes_by_itself_before_the_deadline_and_something_does_at_it(clock: Clock, wait: int) -> None:
    now = Instant(clock.since + wait)
    deadline = clock.deadline(now)
    if deadline is not None:
        assert deadline > now
        states = [
            [(account.period, account.spells, account.fallen) for account in clock.at(instant).accounts]
            for instant in (now, Instant(deadline - 1), deadline)
        ]
        assert states[0] == states[1] != states[2]


@pytest.mark.untraced
@given(games())
def test_the_flag_falls_when_it_was_said_to(clock: Clock) -> None:
    falls = clock.flagged_at()
    if falls is None:
        assert clock.first_flag(Instant(clock.since + 10**9)) is None
    elif clock.first_flag(clock.since) is None:
        assert [clock.first_flag(Instant(falls + step)) for step in STEPS] == [None, clock.side, clock.side]
    else:
        assert falls <= clock.since


@pytest.mark.untraced
@given(games(), waits, waits, sides)
def test_nobody_gains_time_by_thinking(clock: Clock, first: int, second: int, side: int) -> None:
    now, later = Instant(clock.since + first), Instant(clock.since + first + second)
    before, after = clock.available(side, now), clock.available(side, later)
    if side == clock.side and before is not None and after is not None:
        gone = second if clock.runs is not None else 0
        assert after == max(0, before - gone)


@pytest.mark.untraced
@given(games(), waits, waits, waits)
def test_a_pause_costs_nobody_anything(clock: Clock, gap: int, pause: int, wait: int) -> None:
    now = Instant(clock.since + gap)
    resumed = clock.pause(now).resume(Instant(now + pause))
    moved = [
        (account.left, account.grace, account.spells, account.period)
        for account in resumed.at(Instant(now + pause + wait)).accounts
    ]
    assert moved == [
        (account.left, account.grace, account.spells, account.period)
        for account in clock.at(Instant(now + wait)).accounts
    ]


@pytest.mark.untraced
@given(games(), st.integers(0, 10**9))
def test_an_instant_before_the_last_press_counts_as_that_press(clock: Clock, gap: int) -> None:
    early = Instant(clock.since - gap)
    assert clock.at(early) == clock
    assert clock.pause(early) == clock.pause(clock.since)
    if clock.runs is not None:
        assert clock.press(early) == clock.press(clock.since)


@pytest.mark.untraced
@given(games())
def test_a_side_whose_flag_stands_has_time_or_counts_up(clock: Clock) -> None:
    for side in SIDES:
        account = clock.accounts[side]
        counts_up = isinstance(clock.period(side, clock.since), UpCount)
        assert counts_up or (account.left + account.grace > 0) == (account.fallen is None)


# Sums


def played(control: TimeControl, thoughts: list[int]) -> Clock:
    """The clock after moves that took so many microseconds, as far as the first flag."""
    clock = Clock.of(control).start(0, Instant(0))
    for thought in thoughts:
        clock = clock.at(Instant(clock.since + thought))
        if clock.runs is None:
            break
        clock = clock.press(clock.since)
    return clock


thoughts = st.lists(st.integers(0, 40 * SECOND), max_size=30)
times = st.integers(1, 5 * MINUTE).map(Duration)
extras = st.integers(0, 30 * SECOND).map(Duration)


@pytest.mark.untraced
@given(times, extras, thoughts)
def test_under_fischer_time_left_and_used_is_time_given(time: Duration, extra: Duration, thought: list[int]) -> None:
    clock = played(TimeControl.of(Main(time, extra)), thought)
    for account in clock.accounts:
        assert account.left + account.used == time + extra * (account.moves + 1)


@pytest.mark.untraced
@given(times, extras, thoughts)
def test_bronstein_and_delay_end_equal(time: Duration, extra: Duration, thought: list[int]) -> None:
    bronstein, delay = (
        played(TimeControl.of(Main(time, extra, manner)), thought) for manner in (Manner.BRONSTEIN, Manner.DELAY)
    )
    assert (bronstein.accounts, bronstein.flagged_at()) == (delay.accounts, delay.flagged_at())
    for side in SIDES:
        now = delay.since
        assert bronstein.remaining(side, now) == delay.remaining(side, now) + delay.account(side, now).grace


@pytest.mark.untraced
@given(times, extras, thoughts)
def test_a_bronstein_clock_never_shows_more_than_before_the_move(
    time: Duration, extra: Duration, thought: list[int]
) -> None:
    clock = Clock.of(TimeControl.of(Main(time, extra, Manner.BRONSTEIN))).start(0, Instant(0))
    for number, used in enumerate(thought):
        before = clock.remaining(number % 2, clock.since)
        if used >= before:
            break
        clock = clock.press(Instant(clock.since + used))
        assert clock.remaining(number % 2, clock.since) == min(before, before - used + extra)


@pytest.mark.untraced
@given(times, times, thoughts)
def test_the_sum_of_an_hourglass_never_changes(first: Duration, second: Duration, thought: list[int]) -> None:
    clock = played(TimeControl(((Hourglass(first),), (Hourglass(second),))), thought)
    for wait in (0, SECOND, MINUTE, 60 * MINUTE):
        now = Instant(clock.since + wait)
        assert clock.remaining(0, now) + clock.remaining(1, now) == first + second


@pytest.mark.untraced
@given(times, st.integers(1, 5), thoughts)
def test_a_repeating_control_gives_its_time_once_for_so_many_moves(
    time: Duration, moves: int, thought: list[int]
) -> None:
    clock = played(TimeControl.of(Main(time, moves=moves)), thought)
    for account in clock.accounts:
        assert account.left + account.used == time * (account.moves // moves + 1)


@pytest.mark.untraced
@given(times, thoughts)
def test_what_an_up_count_counts_is_what_was_used(time: Duration, thought: list[int]) -> None:
    clock = played(TimeControl.of(Main(time), UpCount()), thought)
    for account in clock.accounts:
        assert (account.left, account.over) == (max(0, time - account.used), max(0, account.used - time))
