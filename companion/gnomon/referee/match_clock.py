"""Run a match clock beside a game: its start, presses by turn or button, and presses early or owed.

It runs in game time, so a pause stops it, and time that is given back returns to it. A turn and a press are two
things: a player who presses first and has the move entered later is ahead; one who enters first and presses later
owes a press.
"""

from dataclasses import dataclass
from typing import NamedTuple, Self

from gnomon.referee.clock_settings import ClockTerms
from gnomon.referee.debounce import SETTLING, Debouncer
from gnomon.referee.player_roles import Teams
from gnomon.referee.replacement import replace
from gnomon.timekeeping.accounts import Account
from gnomon.timekeeping.clocks import Clock
from gnomon.timekeeping.corrections import ClockCorrection
from gnomon.timekeeping.instants import Instant


class Rest(NamedTuple):
    """How a board comes to rest: `standstill` is by how much board time is ahead of game time.

    `calm_since` is the board time of the last change, `review_at` that at which the board will be judged again.
    `ending` is that of a turn that may end the game, and is not ruled yet.
    """

    standstill: int
    debouncer: Debouncer
    calm_since: Instant
    review_at: Instant | None
    ending: Instant | None = None

    def waits(self, at: Instant) -> bool:
        """Whether something happened before board time `at` that is not known yet: it may be a press in time."""
        began = (self.debouncer.began(), self.ending)
        return any(since is not None and since <= at for since in began)

    def looks(self, at: Instant) -> Instant | None:
        """When the board is judged that came to rest before board time `at`: a turn in time may lie there."""
        review, longest = self.review_at, self.debouncer.evidence.clock_waits
        return review if review is not None and self.calm_since < at and review <= at + longest else None


class Ahead(NamedTuple):
    """A press whose move has not been entered yet: who, at which game time, and the clock before it."""

    side: int
    when: Instant
    before: Clock


class Entered(NamedTuple):
    """What a turn came to on the clock: the clock after it, and as it was when the turn ended, at game time `when`."""

    after: "MatchClock"
    before: "MatchClock"
    when: Instant


@dataclass(frozen=True)
class MatchClock:
    """A game clock beside a game; instants are game time, sides 0 and 1, and `teams` are who plays on each.

    `owed` is a side whose turn was entered before its button was pressed, `flag` the side whose flag has been ruled
    to have fallen first, `warned` are the sides that have been warned.
    """

    terms: ClockTerms
    teams: Teams
    clock: Clock
    ahead: tuple[Ahead, ...] = ()
    owed: int | None = None
    flag: int | None = None
    warned: tuple[int | None, ...] = ()

    @classmethod
    def of(cls, terms: ClockTerms, sides: Teams) -> Self:
        """The clock of a game that has not begun."""
        return cls(terms, sides, Clock.of(terms.control))

    @property
    def has_started(self) -> bool:
        """Whether either side has begun to think."""
        return self.clock.side is not None

    # What time decides

    def flags_at(self) -> Instant | None:
        """When the first flag falls if nobody presses; None when it never does, or has been ruled upon."""
        return None if self.flag is not None else self.clock.flagged_at()

    def warns_at(self) -> Instant | None:
        """When the side that runs comes to its last seconds; None when it is not to be warned, or has been."""
        clock = self.clock
        if not self.terms.warning or clock.runs is None or clock.runs in self.warned:
            return None
        end = self.flags_at()
        return None if end is None else Instant(max(clock.since, end - self.terms.warning))

    def due(self) -> Instant | None:
        """When time next decides something."""
        return min((at for at in (self.flags_at(), self.warns_at()) if at is not None), default=None)

    def decides_at(self, rest: Rest) -> Instant | None:
        """Board time at which what is due next is ruled upon, settling included; None: never, or when inputs rest."""
        due = self.due()
        if due is None or rest.waits(Instant(due + rest.standstill)):
            return None
        at = Instant(due + rest.standstill)
        return Instant(max(at + SETTLING, rest.looks(at) or 0))

    def is_ripe(self, rest: Rest, when: Instant) -> bool:
        """Whether what is due can be ruled upon at game time `when`, when every press before it has come."""
        due = self.due()
        if due is None or due > when:
            return False
        at = Instant(due + rest.standstill)
        return not rest.waits(at) and (rest.looks(at) or 0) <= when + rest.standstill

    def rule_flag(self, when: Instant) -> Self:
        """The clock with its first flag ruled upon, which has fallen by then."""
        return replace(self, flag=self.clock.first_flag(when))

    def with_warning(self) -> Self:
        """The clock with the side that runs warned."""
        return replace(self, warned=(*self.warned, self.clock.runs))

    # What players do

    def start(self, side: int, when: Instant) -> Self:
        """The clock with that side thinking. Raises ClockError when it was started before."""
        return replace(self, clock=self.clock.start(side, when))

    def press_button(self, side: int, when: Instant) -> "MatchClock | None":
        """The clock after a player's own button, or None when it may not be pressed by that player now.

        The move may follow: then the press is ahead of it. Before the start either button starts the clock; who is
        to begin, the caller knows.
        """
        clock = self.clock.at(when)
        if self.owed == side:
            settled = replace(self, owed=None)
            return _end_turn(settled, side, when) if self.terms.by_button else settled
        if clock.runs != side:
            return None
        ahead = (*self.ahead, Ahead(side, Instant(max(when, self.clock.since)), self.clock))
        return replace(_end_turn(self, side, when), ahead=ahead, owed=None)

    def enter_turn(self, side: int, when: Instant, *, by_entry: bool = False) -> Entered:
        """The clock when a whole turn of that side has been entered: it ends now, or it ended with a press before.

        `by_entry`: the entry is the press, whatever was agreed.
        """
        first = self.ahead[0] if self.ahead else None
        if first is not None and first.side == side:
            before = replace(self, clock=first.before, ahead=())
            return Entered(replace(self, ahead=self.ahead[1:]), before, first.when)
        match: MatchClock = self
        if not match.has_started:
            match = match.start(side, when)
        if match.owed is not None and match.owed != side:
            # A player who replies shows that the turn before is over.
            match = replace(_end_turn(match, match.owed, when), owed=None)
        before = match if self.has_started else self
        if by_entry:
            return Entered(_end_turn(match, side, when), before, when)
        after = match if self.terms.by_button else _end_turn(match, side, when)
        return Entered(replace(after, owed=side), before, when)

    def stop(self, when: Instant) -> Self:
        """The clock when the game is over: nothing runs, and nothing is owed."""
        clock = self.clock
        if clock.side is not None and not clock.is_paused:
            clock = clock.pause(when)
        return replace(self, clock=clock, ahead=(), owed=None)

    # What arbiters do

    def going_on(self, when: Instant) -> Self:
        """The clock of a game that was over and is not any more."""
        return replace(self, clock=self.clock.resume(when)) if self.clock.is_paused else self

    def correct(self, side: int, correction: ClockCorrection, when: Instant) -> Self:
        """The clock as an arbiter sets it. Raises ClockError for what cannot be."""
        return self._lift_flag(self.clock.correct(side, correction, when))

    def add_time(self, side: int, duration: int, when: Instant) -> Self:
        """The clock with more time for a side, or less when negative. Raises ClockError for what cannot be."""
        return self._lift_flag(self.clock.add_time(side, duration, when))

    def handed_to(self, side: int, when: Instant) -> Self:
        """The clock with that side thinking, which starts it if need be."""
        if self.clock.side is None:
            return self.start(side, when)
        clock = self.clock if self.clock.side == side else self.clock.handed_over(when)
        return replace(self, clock=clock, ahead=(), owed=None)

    def taken_back(self, before: Self, side: int | None, when: Instant) -> Self:
        """The clock when turns are taken back and the time is not: what both show stays, the moves do not count.

        `before` is the clock as it was then, and `side` who has to think now. What a control gave stays given.
        """
        match = self.going_on(when)
        clock = match.clock.at(when)
        first, second = map(_without_moves, clock.accounts, before.clock.accounts)
        match = replace(match, clock=replace(clock, accounts=(first, second)), ahead=(), owed=None)
        return match if side is None or clock.side is None else match.handed_to(side, when)

    def _lift_flag(self, clock: Clock) -> Self:
        """The clock after its time was corrected: a flag may stand again, and warnings may be given again."""
        stands = all(account.fallen is None for account in clock.accounts)
        return replace(self, clock=clock, flag=None if stands else self.flag, warned=())


def _end_turn(match: MatchClock, side: int, when: Instant) -> MatchClock:
    """The clock with that side's turn ended, if it was thinking."""
    clock = match.clock.at(when)
    return replace(match, clock=clock.press(when)) if clock.runs == side else match


def _without_moves(account: Account, before: Account) -> Account:
    """What a side has now, with the moves counted as they were; where a control has been passed, to the next one."""
    to_go = account.to_go
    if account.period == before.period and to_go is not None and before.to_go is not None:
        to_go = max(to_go, before.to_go)
    return replace(account, moves=before.moves, to_go=to_go)
