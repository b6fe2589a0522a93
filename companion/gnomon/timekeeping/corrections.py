"""Correct one side's account of time as an arbiter does: period, moves to go, byo-yomi spells and time.

An arbiter must be able to correct time and move counter within a minute (FIDE Standards of Chess Equipment,
electronic clocks, (j)), so every value can be set alone: a new number of moves changes how many are to go to the
control, and no time.
"""

from dataclasses import replace
from typing import NamedTuple

from gnomon.refusals import Refusal, statement
from gnomon.timekeeping.accounts import NOTHING, Account, delay, enter_period
from gnomon.timekeeping.controls import LONGEST, MOST, ByoYomi, Canadian, Main, Manner, Schedule, UpCount
from gnomon.timekeeping.instants import Duration


class ClockCorrectionError(Refusal, ValueError):
    """Nothing can be like this at a table."""


class ClockCorrection(NamedTuple):
    """What is set for one side in place of what it had; None leaves a thing as it is.

    `time` is what the clock shall show (in an up-count: have counted), in microseconds, and lifts a flag that has
    fallen; `moves` are those made, `period` counts from 0, `spells` are those left of byo-yomi.
    """

    time: Duration | None = None
    moves: int | None = None
    period: int | None = None
    spells: int | None = None


def correct_account(account: Account, schedule: Schedule, correction: ClockCorrection) -> Account:
    """The account as it is corrected. Raises ClockCorrectionError for what this schedule cannot have."""
    time, moves, period, spells = correction
    if moves is not None:
        account = _with_moves(account, schedule, moves, bound=period is None)
    if period is not None:
        account = _in_period(account, schedule, period)
    if spells is not None:
        account = _with_spells(account, schedule, spells)
    if time is not None:
        account = _with_time(account, schedule, time)
    over = isinstance(schedule[account.period], UpCount)
    if account.fallen is None and not over and account.left + account.grace == 0:
        raise ClockCorrectionError(statement("told.clock.no_time"))
    return account


def _with_moves(account: Account, schedule: Schedule, moves: int, *, bound: bool) -> Account:
    if not 0 <= moves <= 10 * MOST:
        raise ClockCorrectionError(statement("told.clock.moves", most=10 * MOST, number=moves))
    more = moves - account.moves
    account = replace(account, moves=moves)
    if not bound or account.to_go is None or isinstance(schedule[account.period], Canadian):
        return account
    return replace(account, to_go=_to_go(schedule, account, account.to_go - more))


def _in_period(account: Account, schedule: Schedule, period: int) -> Account:
    if not 0 <= period < len(schedule):
        if len(schedule) == 1:
            raise ClockCorrectionError(statement("told.clock.period"))
        raise ClockCorrectionError(statement("told.clock.periods", number=len(schedule)))
    begun = schedule[period]
    left = NOTHING if isinstance(begun, UpCount) else account.left
    over = account.over if isinstance(begun, UpCount) else NOTHING
    grace = delay(begun) if account.fallen is None else NOTHING  # a new period alone lifts no flag
    account = replace(enter_period(account, schedule, period), left=left, grace=grace, over=over)
    before = [earlier.moves for earlier in schedule[:period] if isinstance(earlier, Main)]
    numbers = [number for number in before if number is not None]
    if not isinstance(begun, Main) or begun.moves is None or len(numbers) < len(before):
        return account  # where time ended a period, nobody can say from the moves how many belong to the next
    return replace(account, to_go=_to_go(schedule, account, sum(numbers) + begun.moves - account.moves))


def _to_go(schedule: Schedule, account: Account, to_go: int) -> int | None:
    """The moves to the next control: the last one with moves repeats, and saved time is used before byo-yomi begins."""
    period = schedule[account.period]
    if to_go > 0:
        return to_go
    if account.period + 1 < len(schedule) and isinstance(schedule[account.period + 1], Main):
        raise ClockCorrectionError(statement("told.clock.control", moves=account.moves))
    if account.period + 1 == len(schedule) and isinstance(period, Main) and period.moves is not None:
        return (to_go - 1) % period.moves + 1
    return None


def _with_spells(account: Account, schedule: Schedule, spells: int) -> Account:
    if not isinstance(schedule[account.period], ByoYomi):
        raise ClockCorrectionError(statement("told.clock.no_spells"))
    if not 1 <= spells <= MOST:
        raise ClockCorrectionError(statement("told.clock.spells", most=MOST, number=spells))
    return replace(account, spells=spells)


def _with_time(account: Account, schedule: Schedule, time: Duration) -> Account:
    period = schedule[account.period]
    least = 0 if isinstance(period, UpCount) else 1
    if not least <= time <= LONGEST:
        raise ClockCorrectionError(statement("told.clock.time", least=least, time=time))
    account = replace(account, fallen=None)
    if isinstance(period, UpCount):
        return replace(account, over=time)
    if isinstance(period, ByoYomi):
        return replace(account, left=time, spells=max(1, account.spells))
    if isinstance(period, Main) and period.manner is Manner.BRONSTEIN:
        grace = min(account.grace, time)
        return replace(account, left=Duration(time - grace), grace=Duration(grace))
    return replace(account, left=time)
