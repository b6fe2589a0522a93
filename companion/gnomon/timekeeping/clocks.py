"""Run a two-player game clock as an immutable value: start, press, pause, flag and correction.

What a clock shows is computed from instants and never counted down.
"""

from dataclasses import dataclass, replace
from typing import Final, Self

from gnomon.refusals import Refusal, statement
from gnomon.timekeeping.accounts import (
    Account,
    complete_move,
    displayed_time,
    entered_in_a_move,
    goes_on_for_both,
    lasts,
    open_account,
    spend,
)
from gnomon.timekeeping.controls import SIDES, Hourglass, Main, Period, TimeControl, UpCount, check_side
from gnomon.timekeeping.corrections import ClockCorrection, ClockCorrectionError, correct_account
from gnomon.timekeeping.instants import Duration, Instant

START: Final = Instant(0)


class ClockError(Refusal, ValueError):
    """The clock cannot do that now."""


@dataclass(frozen=True, slots=True)
class Clock:
    """What each side had at `since` under a time control, and who runs: durations in microseconds, sides 0 and 1.

    Nobody runs before `start`. What a press means rests on its stamp alone: one microsecond before the flag is in
    time, however late it is read. An instant before `since` counts as `since`. The first flag stops the clock of both
    and no press counts, unless the control `runs_on`: then a side whose flag has fallen ends its turns with nothing.
    """

    control: TimeControl
    accounts: tuple[Account, Account]
    side: int | None = None
    since: Instant = START
    is_paused: bool = False

    @classmethod
    def of(cls, control: TimeControl) -> Self:
        """The clock of a game that has not begun."""
        first, second = control.sides
        return cls(control, (open_account(first), open_account(second)))

    @property
    def runs(self) -> int | None:
        """The side whose time passes at `since`; None before the start, in a pause and after a flag that stops both."""
        fallen = any(account.fallen is not None for account in self.accounts)
        return None if self.is_paused or (fallen and not self.control.runs_on) else self.side

    # What is true at an instant

    def account(self, side: int, now: Instant) -> Account:
        """All that the side has at `now`. Raises ValueError when there is no such side."""
        check_side(side)
        return self.at(now).accounts[side]

    def remaining(self, side: int, now: Instant) -> Duration:
        """What a clock shows for the side at `now`: the time of the period, or of this spell of byo-yomi.

        It is at least 0, and 0 in an up-count, where `account` has what was counted. A Bronstein delay is in it, the
        other kind of delay stands beside it in `account`. Raises ValueError when there is no such side.
        """
        account = self.account(side, now)
        return displayed_time(account, self.control.sides[side])

    def available(self, side: int, now: Instant) -> Duration | None:
        """How long the side can think in one move from `now` on until its flag falls; None when it never does.

        A clock shows the time for the next move at all times (FIDE Standards (b)); the DGT 3000 shows this for
        byo-yomi. Raises ValueError when there is no such side.
        """
        return lasts(self.account(side, now), self.control.sides[side])

    def period(self, side: int, now: Instant) -> Period:
        """The period of the control in which the side is at `now`. Raises ValueError when there is no such side."""
        return self.control.sides[side][self.account(side, now).period]

    def first_flag(self, now: Instant) -> int | None:
        """The side whose flag fell first, by `now`; None while both stand. The later one is never shown (FIDE (e))."""
        accounts = self.at(now).accounts
        fallen = [(accounts[side].fallen, side) for side in SIDES if accounts[side].fallen is not None]
        return min(fallen)[1] if fallen else None

    def flagged_at(self) -> Instant | None:
        """When the first flag fell, or will if no button is pressed; None when neither does."""
        fallen = [account.fallen for account in self.accounts if account.fallen is not None]
        if fallen:
            return min(fallen)
        if self.runs is None:
            return None
        time = lasts(self.accounts[self.runs], self.control.sides[self.runs])
        return None if time is None else Instant(self.since + time)

    def deadline(self, now: Instant) -> Instant | None:
        """The first instant after `now` at which a period ends, a spell is lost or a flag falls; None if none does."""
        clock = self.at(now)
        side = clock.runs
        if side is None:
            return None
        account = clock.accounts[side]
        if account.fallen is not None or isinstance(self.control.sides[side][account.period], UpCount):
            return None
        return Instant(clock.since + account.grace + account.left)

    def at(self, now: Instant) -> Self:
        """The same clock as of `now`: what it says of every later instant is the same."""
        side = self.runs
        if side is None or now <= self.since:
            return self
        schedule = self.control.sides[side]
        before = self.accounts[side]
        mine, late = spend(before, schedule, self.since, now - self.since)
        if mine.fallen is not None and not self.control.runs_on:
            mine = replace(mine, used=Duration(mine.used - late))
        other = self._beside(1 - side, before, mine)
        return replace(self, accounts=_pair(side, mine, other), since=now)

    # What happens to it

    def start(self, side: int, now: Instant) -> Self:
        """The clock with the given side running. Raises ClockError when it was started before."""
        check_side(side)
        if self.side is not None:
            raise ClockError(statement("told.clock.started", number=self.side))
        return replace(self, side=side, since=now)

    def press(self, now: Instant) -> Self:
        """The running side ends its turn and the other side runs.

        Raises ClockError when nobody runs, which is so after a flag that stops both.
        """
        clock = self.at(now)
        side = _runner(clock)
        mine = complete_move(clock.accounts[side], self.control.sides[side])
        return replace(clock, accounts=_pair(side, mine, clock.accounts[1 - side]), side=1 - side)

    def pause(self, now: Instant) -> Self:
        """The clock stopped for both. Raises ClockError when it was not started, or is paused already."""
        clock = self.at(now)
        if clock.side is None or clock.is_paused:
            raise ClockError(statement("told.clock.nobody_runs"))
        return replace(clock, is_paused=True)

    def resume(self, now: Instant) -> Self:
        """The clock going on for the side that ran. Raises ClockError when it is not paused."""
        if not self.is_paused:
            raise ClockError(statement("told.clock.not_paused"))
        return replace(self, since=max(now, self.since), is_paused=False)

    def handed_over(self, now: Instant) -> Self:
        """A correction: the other side is to move; no move is counted and no time given.

        Raises ClockError when the clock was not started.
        """
        if self.side is None:
            raise ClockError(statement("told.clock.not_started"))
        return replace(self.at(now), side=1 - self.side, since=max(now, self.since))

    def correct(self, side: int, correction: ClockCorrection, now: Instant) -> Self:
        """The clock as an arbiter sets it for one side, from `now` on (FIDE Standards (j)).

        Raises ClockError for what cannot be, and for a correction that changes nothing.
        """
        before = self.account(side, now)
        try:
            account = correct_account(before, self.control.sides[side], correction)
        except ClockCorrectionError as error:
            raise ClockError(error) from error
        if account == before:
            raise ClockError(statement("told.clock.nothing"))
        clock = self.at(now)
        return replace(clock, accounts=_pair(side, account, clock.accounts[1 - side]), since=max(now, self.since))

    def add_time(self, side: int, duration: int, now: Instant) -> Self:
        """A correction or a penalty: the side has `duration` more (less when negative) than it had at `now`.

        A side whose flag has fallen counts from nothing left, however long ago it fell. Raises ClockError for one that
        changes nothing or takes all that is left, and in an up-count, which has nothing to give to.
        """
        if isinstance(self.period(side, now), UpCount):
            raise ClockError(statement("told.clock.counts_up", number=side))
        return self.correct(side, ClockCorrection(Duration(self.remaining(side, now) + duration)), now)

    def _beside(self, side: int, before: Account, after: Account) -> Account:
        """The account of the waiting side when that of the other went from one to the other."""
        account, schedule, theirs = self.accounts[side], self.control.sides[side], self.control.sides[1 - side]
        if isinstance(schedule[0], Hourglass):
            return replace(account, left=Duration(account.left + before.left - after.left))
        for period in range(before.period, after.period):
            together = isinstance(theirs[period + 1], Main) and goes_on_for_both(account, schedule)
            if together and account.period == period and account.fallen is None:
                account = entered_in_a_move(account, schedule)
        return account


def _runner(clock: Clock) -> int:
    """The side that can end its turn as of the clock's `since`. Raises ClockError when none can."""
    if clock.runs is not None:
        return clock.runs
    flagged = clock.first_flag(clock.since)
    if flagged is None:
        raise ClockError(statement("told.clock.nobody_runs"))
    raise ClockError(statement("told.clock.used_up", number=flagged))


def _pair(side: int, account: Account, other: Account) -> tuple[Account, Account]:
    return (other, account) if side else (account, other)
