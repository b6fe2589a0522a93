"""Correct one side's account of time as an arbiter does: period, moves to go, byo-yomi spells and time.

An arbiter must be able to correct time and move counter within a minute (FIDE Standards of Chess Equipment,
electronic clocks, (j)), so every value can be set alone: a new number of moves changes how many are to go to the
control, and no time.
"""

from dataclasses import replace
from typing import NamedTuple

from gnomon.timekeeping.accounts import NOTHING, Account, delay, entered
from gnomon.timekeeping.controls import LONGEST, MOST, ByoYomi, Canadian, Main, Manner, Schedule, UpCount
from gnomon.timekeeping.instants import Duration


class CorrectionError(ValueError):
    """Nothing can be like this at a table; the message is one sentence for people."""


class Correction(NamedTuple):
    """What is set for one side in place of what it had; None leaves a thing as it is.

    `time` is what the clock shall show (in an up-count: have counted), in microseconds, and lifts a flag that has
    fallen; `moves` are those made, `period` counts from 0, `spells` are those left of byo-yomi.
    """

    time: Duration | None = None
    moves: int | None = None
    period: int | None = None
    spells: int | None = None


def corrected(account: Account, schedule: Schedule, correction: Correction) -> Account:
    """The account as it is corrected. Raises CorrectionError for what this schedule cannot have."""
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
        message = "no time is left in this period: correct the time as well"
        raise CorrectionError(message)
    return account


def _with_moves(account: Account, schedule: Schedule, moves: int, *, bound: bool) -> Account:
    if not 0 <= moves <= 10 * MOST:
        message = f"the moves made are from 0 to {10 * MOST}, not {moves}"
        raise CorrectionError(message)
    more = moves - account.moves
    account = replace(account, moves=moves)
    if not bound or account.to_go is None or isinstance(schedule[account.period], Canadian):
        return account
    return replace(account, to_go=_to_go(schedule, account, account.to_go - more))


def _in_period(account: Account, schedule: Schedule, period: int) -> Account:
    if not 0 <= period < len(schedule):
        number = f"{len(schedule)} period" + ("s" if len(schedule) > 1 else "")
        message = f"this time control has {number} for the side: name one of them"
        raise CorrectionError(message)
    begun = schedule[period]
    left = NOTHING if isinstance(begun, UpCount) else account.left
    over = account.over if isinstance(begun, UpCount) else NOTHING
    grace = delay(begun) if account.fallen is None else NOTHING  # a new period alone lifts no flag
    account = replace(entered(account, schedule, period), left=left, grace=grace, over=over)
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
        message = f"after {account.moves} moves this period is over: correct the period as well"
        raise CorrectionError(message)
    if account.period + 1 == len(schedule) and isinstance(period, Main) and period.moves is not None:
        return (to_go - 1) % period.moves + 1
    return None


def _with_spells(account: Account, schedule: Schedule, spells: int) -> Account:
    if not isinstance(schedule[account.period], ByoYomi):
        message = "the side is in no byo-yomi, so it has no spells to correct"
        raise CorrectionError(message)
    if not 1 <= spells <= MOST:
        message = f"the spells of byo-yomi are from 1 to {MOST}, not {spells}"
        raise CorrectionError(message)
    return replace(account, spells=spells)


def _with_time(account: Account, schedule: Schedule, time: Duration) -> Account:
    period = schedule[account.period]
    least = 0 if isinstance(period, UpCount) else 1
    if not least <= time <= LONGEST:
        message = f"a corrected time lasts from {least} µs to a week, not {time} µs: some time must be left"
        raise CorrectionError(message)
    account = replace(account, fallen=None)
    if isinstance(period, UpCount):
        return replace(account, over=time)
    if isinstance(period, ByoYomi):
        return replace(account, left=time, spells=max(1, account.spells))
    if isinstance(period, Main) and period.manner is Manner.BRONSTEIN:
        grace = min(account.grace, time)
        return replace(account, left=Duration(time - grace), grace=Duration(grace))
    return replace(account, left=time)
