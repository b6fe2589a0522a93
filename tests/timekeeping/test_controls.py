"""Test what is a time control and what is none."""

from collections.abc import Callable

import pytest

from gnomon.timekeeping.controls import (
    LONGEST,
    MOST,
    ByoYomi,
    Canadian,
    ControlError,
    Hourglass,
    Main,
    Manner,
    TimeControl,
    UpCount,
    check_side,
)
from gnomon.timekeeping.instants import MINUTE, SECOND, Duration

NONE = Duration(0)
FIVE = Main(Duration(5 * MINUTE))


def test_the_longest_and_the_most_are_allowed() -> None:
    for period in (Main(LONGEST, LONGEST, moves=MOST), ByoYomi(LONGEST, MOST), Canadian(LONGEST, MOST)):
        assert TimeControl.of(period).sides == ((period,), (period,))


def test_nothing_for_every_move_is_nothing_in_every_manner() -> None:
    assert Main(MINUTE, NONE, Manner.DELAY) == Main(MINUTE, NONE, Manner.BRONSTEIN) == Main(MINUTE)


@pytest.mark.parametrize(
    ("nonsense", "reason"),
    [
        (lambda: Main(NONE), "here both are 0"),
        (lambda: Main(Duration(-1)), "the time of a period must not be negative"),
        (lambda: Main(MINUTE, Duration(-1)), "the time for a move must not be negative"),
        (lambda: Main(Duration(LONGEST + 1)), "a period lasts at most a week"),
        (lambda: Main(MINUTE, moves=0), "the moves of a period must be from 1 to 999, not 0"),
        (lambda: Main(MINUTE, moves=MOST + 1), "not 1000"),
        (lambda: ByoYomi(NONE, 3), "a spell of byo-yomi must be longer than 0 s"),
        (lambda: ByoYomi(SECOND, 0), "the spells of byo-yomi must be from 1"),
        (lambda: Canadian(NONE, 3), "a Canadian block must be longer than 0 s"),
        (lambda: Canadian(SECOND, 0), "the moves of a Canadian block must be from 1"),
        (lambda: Hourglass(NONE), "an hourglass must be longer than 0 s"),
        (TimeControl.of, "at least one period for each side"),
        (lambda: TimeControl(((FIVE,), ())), "at least one period for each side"),
        (lambda: TimeControl.of(FIVE, Hourglass(MINUTE)), "an hourglass is the whole time control"),
        (lambda: TimeControl.of(Hourglass(MINUTE), FIVE), "an hourglass is the whole time control"),
        (lambda: TimeControl(((FIVE,), (Hourglass(MINUTE),))), "both sides need one"),
        (lambda: TimeControl.of(Hourglass(MINUTE), runs_on=True), "cannot run on"),
        (lambda: TimeControl.of(ByoYomi(SECOND), FIVE), "nothing comes after byo-yomi"),
        (lambda: TimeControl.of(Canadian(SECOND, 1), FIVE), "nothing comes after Canadian blocks"),
        (lambda: TimeControl.of(UpCount(), FIVE), "nothing comes after an up-count"),
        (lambda: TimeControl.of(Main(MINUTE, SECOND), Main(NONE, SECOND)), "begins when the time is up must give some"),
    ],
)
def test_what_is_no_time_control_is_refused(nonsense: Callable[[], object], reason: str) -> None:
    with pytest.raises(ControlError, match=reason):
        nonsense()


def test_there_are_two_sides() -> None:
    with pytest.raises(ValueError, match="sides 0 and 1, not 2"):
        check_side(2)


@pytest.mark.parametrize("first", [Main(NONE, SECOND), Main(MINUTE, SECOND, moves=3), Main(MINUTE)])
def test_a_period_may_have_time_for_moves_alone_where_it_gives_some(first: Main) -> None:
    assert TimeControl.of(first, Main(NONE, Duration(2 * SECOND))).sides[0][1] == Main(NONE, Duration(2 * SECOND))
