"""Compute how the time of one side is used and added, for every kind of period of a time control.

The same rules hold for all kinds. A period that ends by itself ends at the microsecond in which nothing is left. What
a move is given belongs to the period in which the move begins; a period that begins within a move adds only what it
gives for a move beyond the one before. A fallen flag gets nothing more: no time for a move, no new period (FIDE
Standards of Chess Equipment, (i)).
"""

from dataclasses import dataclass, replace
from typing import Final, assert_never

from gnomon.timekeeping.controls import ByoYomi, Canadian, Hourglass, Main, Manner, Period, Schedule, UpCount
from gnomon.timekeeping.instants import Duration, Instant

NOTHING: Final = Duration(0)


@dataclass(frozen=True, slots=True)
class Account:
    """What one side has: durations in microseconds, as of the last press, pause or question.

    `left` is the time of the period (of byo-yomi: of this spell), without `grace`, what is left of the delay of the
    turn. `to_go` counts the moves to the next control or to the end of the Canadian block, `spells` those of byo-yomi
    with the one under way, `moves` the moves made, `over` what the up-count has counted, `used` all thinking time.
    """

    period: int
    left: Duration
    grace: Duration = NOTHING
    to_go: int | None = None
    spells: int = 0
    moves: int = 0
    over: Duration = NOTHING
    used: Duration = NOTHING
    fallen: Instant | None = None


def open_account(schedule: Schedule) -> Account:
    """The account of a side before its first move, which is given its time too (US Chess 5; DGT 3000, option 12)."""
    return _add_extra(enter_period(Account(0, NOTHING), schedule, 0), schedule[0], _extra(schedule[0]))


def enter_period(account: Account, schedule: Schedule, period: int) -> Account:
    """The account as a period of the schedule begins: its time comes on top of what is left."""
    account = replace(account, period=period, to_go=None, spells=0)
    match schedule[period]:
        case Main(time=time, moves=moves):
            return replace(account, left=Duration(account.left + time), to_go=moves)
        case ByoYomi(spell, spells):
            return replace(account, left=Duration(account.left + spell), spells=spells)
        case Canadian(time, moves):
            return replace(account, left=Duration(account.left + time), to_go=moves)
        case Hourglass(time):
            return replace(account, left=time)
        case UpCount():
            return account
        case begun:
            assert_never(begun)


def entered_in_a_move(account: Account, schedule: Schedule) -> Account:
    """The account as its next period begins before the move is made."""
    before, begun = schedule[account.period], schedule[account.period + 1]
    account = enter_period(account, schedule, account.period + 1)
    if isinstance(begun, Main):
        return _add_extra(account, begun, max(0, begun.extra - _extra(before)))
    return account


def spend(account: Account, schedule: Schedule, since: Instant, used: int) -> tuple[Account, Duration]:
    """The account after a side to move thought for `used` from `since` on, and what of that came after its flag."""
    account = replace(account, used=Duration(account.used + used))
    rest = used
    while account.fallen is None:
        grace = min(rest, account.grace)
        account = replace(account, grace=Duration(account.grace - grace))
        rest -= grace
        period = schedule[account.period]
        if isinstance(period, UpCount):
            return replace(account, over=Duration(account.over + rest)), NOTHING
        if rest < account.left or account.grace:
            return replace(account, left=Duration(account.left - rest)), NOTHING
        rest -= account.left
        account = replace(account, left=NOTHING)
        if isinstance(period, ByoYomi):
            lost = min(rest // period.spell, account.spells - 1)
            rest -= lost * period.spell
            if lost < account.spells - 1:
                left = Duration(period.spell - rest)
                return replace(account, left=left, spells=account.spells - 1 - lost), NOTHING
        if goes_on(account, schedule):
            account = entered_in_a_move(account, schedule)
        else:
            account = replace(account, spells=0, fallen=Instant(since + used - rest))
    return account, Duration(rest)


def displayed_time(account: Account, schedule: Schedule) -> Duration:
    """What a clock shows of the period: a Bronstein delay is in it, the other kind stands beside it (DGT 3000)."""
    period = schedule[account.period]
    bronstein = isinstance(period, Main) and period.manner is Manner.BRONSTEIN
    return Duration(account.left + account.grace) if bronstein else account.left


def delay(period: Period) -> Duration:
    """What passes in each move before its time falls, or is given back after it; 0 where there is no such thing."""
    return period.extra if isinstance(period, Main) and period.manner is not Manner.FISCHER else NOTHING


def goes_on(account: Account, schedule: Schedule) -> bool:
    """Whether another period begins when the time of this one is up."""
    return account.period + 1 < len(schedule) and account.to_go is None


def goes_on_for_both(account: Account, schedule: Schedule) -> bool:
    """Whether the period that begins when the time is up begins for the other side too: from main time to main time."""
    return goes_on(account, schedule) and isinstance(schedule[account.period + 1], Main)


def lasts(account: Account, schedule: Schedule) -> Duration | None:
    """How long the side can think in one move until its flag falls; None when it never does."""
    if account.fallen is not None:
        return NOTHING
    total = 0
    while True:
        period = schedule[account.period]
        if isinstance(period, UpCount):
            return None
        total += account.grace + account.left
        if isinstance(period, ByoYomi):
            total += (account.spells - 1) * period.spell
        if not goes_on(account, schedule):
            return Duration(total)
        account = entered_in_a_move(replace(account, left=NOTHING, grace=NOTHING), schedule)


def complete_move(account: Account, schedule: Schedule) -> Account:
    """The account after the side made its move, with what its next move is given."""
    account = replace(account, moves=account.moves + 1)
    if account.fallen is not None:
        return account
    match schedule[account.period]:
        case Main():
            return _pass_control(account, schedule)
        case ByoYomi(spell):
            return replace(account, left=spell)
        case Canadian(time, moves) if account.to_go == 1:
            return replace(account, left=time, to_go=moves)
        case Canadian():
            return replace(account, to_go=_one_less(account.to_go))
        case Hourglass() | UpCount():
            return account
        case period:
            assert_never(period)


def _pass_control(account: Account, schedule: Schedule) -> Account:
    account = replace(account, to_go=_one_less(account.to_go))
    if account.to_go == 0:
        following = min(account.period + 1, len(schedule) - 1)
        # What was saved is used up first: byo-yomi, blocks and overtime begin only when the main time is over.
        account = (
            enter_period(account, schedule, following)
            if isinstance(schedule[following], Main)
            else replace(account, to_go=None)
        )
    period = schedule[account.period]
    return _add_extra(replace(account, grace=NOTHING), period, _extra(period))


def _one_less(number: int | None) -> int | None:
    return None if number is None else number - 1


def _extra(period: Period) -> Duration:
    return period.extra if isinstance(period, Main) else NOTHING


def _add_extra(account: Account, period: Period, extra: int) -> Account:
    if isinstance(period, Main) and period.manner is not Manner.FISCHER:
        return replace(account, grace=Duration(account.grace + extra))
    return replace(account, left=Duration(account.left + extra))
