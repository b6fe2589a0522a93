"""Define the TAMSK game in progress on its sensor board: what it adds to every game in progress."""

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final, Self

from gnomon.games.tamsk.rules import Position, Tamsk
from gnomon.games.tamsk.sensing._board_reading import NORTH, ChangeHistory, Touch, look
from gnomon.games.tamsk.sensing._scene import CARRIED, TIMED, Scene, Trust, hold, play
from gnomon.games.tamsk.sensing.inputs import is_socket
from gnomon.games.tamsk.sensing.verdicts import InHand, MayGoOn
from gnomon.referee.debounce import SETTLING, Change
from gnomon.referee.game import Game
from gnomon.referee.judgement import Phase
from gnomon.referee.match_clock import Rest
from gnomon.timekeeping.instants import Duration, Instant, after

_WITH_TIMER: Final = 3


@dataclass(frozen=True)
class TamskGame(Game):
    """A game of TAMSK on its board; `poles` and what follows are what its sensors have told of the turns."""

    rules: Tamsk
    position: Position
    poles: tuple[int, ...] = (NORTH,) * 6  # what each glass shows by the game
    timer_pole: int | None = None
    doubts_stand: bool = False  # the stand has shown both poles, so nobody knows how the 15-second glass stands
    timer_refused: Instant | None = None  # board time of a turning of the 15-second glass that was not allowed
    timer_owed: bool = False  # the 15-second glass counts as turned, as an engine announced, and no hand has done it
    trail: ChangeHistory = field(default=ChangeHistory())
    under_way: InHand | MayGoOn | None = None  # the unfinished turn that the board shows
    turn_began: Instant = Instant(0)  # board time
    pressed: Change | None = None  # the mover's button, which ends the turn that the board does not show clearly yet
    answered: Change | None = None  # the other player's, which may end the turn that follows it
    vague: tuple[Duration, ...] = (Duration(0),) * 6  # how much less sand a glass may have: nobody saw it turned
    ending: Instant | None = None  # board time of a turn that ends the game unless its ring proves to be false
    overdue: Instant | None = None  # board time at which time should have decided something, had nothing been in doubt
    put_back: Instant = Instant(0)  # board time at which a socket showed the glass again that had been in the hand
    pressed_in_vain: Instant = Instant(0)  # board time at which the mover's button ended no turn
    timer_unsure: Touch | None = None  # the 15-second glass, set down: it binds this turn, and nobody knows since when
    told: Instant = Instant(0)  # game time up to which everything that time decides has been ruled
    trust: Trust = field(default=Trust())  # where one pole is seen

    @classmethod
    def of(cls, game: Game | None) -> Self | None:
        """The game if it is TAMSK on its board; None otherwise."""
        return game if isinstance(game, cls) else None

    def position_at(self, now: Instant) -> Position:
        """The position with its sand as of board time `now`; a turn that is under way counts as far as it got."""
        return self.rules.elapse(self.position_with_turn, self.game_time(now))

    @property
    def position_with_turn(self) -> Position:
        """The position with the unfinished turn in it: glass in hand, or set down and turned."""
        return self.position if self.under_way is None else with_turn(self.rules, self.position, self.under_way)

    @cached_property
    def scene(self) -> Scene:
        """What an explanation of the board rests on."""
        sight = look(self.shown, frozenset(self.quarantined), self.trust.timer)
        return Scene(
            self.rules,
            self.position,
            self.poles,
            self.timer_pole,
            sight,
            self.trail,
            self.turn_began,
            self.sensing,
            self.trust.denied,
            None if self.pressed is None else self.pressed.at,
        )

    @property
    def timeless(self) -> Position:
        """The position without what changes by itself: time, and a glass in the air."""
        return self.position._replace(now=Instant(0), ending=None, lifted=-1, lifted_at=-1)

    @property
    def rest(self) -> Rest:
        """How the board comes to rest, for which the match clock waits."""
        ending = self.ending
        if ending is None and self.review_at is not None and self.judgement.phase is Phase.AGREED:
            ending = self.overdue  # a ring must go on showing
        return Rest(self.standstill, self.debouncer, self.calm_since, self.review_at, ending)

    def known_until(self, now: Instant) -> Instant:
        """Until when everything is known that happened on the board: to `now`, or to what is no evidence yet."""
        known = self._seen_until(now)
        return known if self.ending is None else Instant(min(known, self.ending - 1))

    def reviews_at(self) -> Instant | None:
        """Board time at which the board is judged again though nothing changes; None before all until then is known."""
        at = self.review_at
        return None if at is None or self._seen_until(at) < at else at

    def _seen_until(self, now: Instant) -> Instant:
        began = self.debouncer.began() if self.sensing.evidence.stands else None
        return now if began is None else Instant(min(now, began - 1))

    def time_decides_at(self) -> Instant | None:
        """Board time of the next timed ruling, settling included; None before all until then is known."""
        when = self.next_timed
        if when is None or self.known_until(at := self.board_time(when)) < at:
            return None
        return None if self.under_way is None and self.is_being_set_down(at) else after(at, SETTLING)

    def is_being_set_down(self, at: Instant) -> bool:
        """Whether a glass is coming to stand so soon after a board time that it was in a hand then."""
        return bool(self.set_down_after(at))

    def set_down_after(self, at: Instant) -> Collection[str]:
        """The sockets on which glasses are coming to stand so soon after a board time that they were in a hand then."""
        is_still = not self.debouncer.bursts and not self.debouncer.waiting
        if is_still or not self.sensing.evidence.contradictions:
            return ()
        moving = {name: burst.first for name, burst in self.debouncer.bursts.items() if burst.level}
        coming = {change.input: change.at for change in self.debouncer.pending_changes() if change.value} | moving
        return [name for name, began in coming.items() if at <= began < at + CARRIED and is_socket(name)]

    @property
    def is_coming(self) -> bool:
        """Whether a ring, or a glass, is coming to show that is no evidence yet."""
        is_still = not self.debouncer.bursts and not self.debouncer.waiting
        if is_still or not self.sensing.evidence.contradictions:
            return False
        coming = {change.input for change in self.debouncer.pending_changes() if change.value}
        moving = {name for name, burst in self.debouncer.bursts.items() if burst.level}
        return any(".ring" in name or is_socket(name) for name in coming | moving)

    @property
    def next_timed(self) -> Instant | None:
        """Game time at which time next decides something that has not been ruled."""
        if self.rules.settings.level < TIMED:
            return None
        return _next_timed(self.rules, self.position_with_turn, self.told)


# Most copies of a game differ in nothing that these two rest on.
_LATELY: Final = 4


@lru_cache(maxsize=_LATELY)
def _next_timed(rules: Tamsk, position: Position, told: Instant) -> Instant | None:
    if told < position.now:
        # A scan sees a touch up to a period late: sand that ran out meanwhile has not been ruled on either.
        ends = [end for sand in position.sands if (end := sand.runs_out_at()) is not None]
        passed = min((end for end in ends if told < end <= position.now), default=None)
        return rules.deadline(position) if passed is None else passed
    return rules.deadline(rules.elapse(position, told))


@lru_cache(maxsize=_LATELY)
def with_turn(rules: Tamsk, position: Position, under_way: InHand | MayGoOn) -> Position:
    """The position with an unfinished turn in it."""
    if isinstance(under_way, InHand):
        return hold(rules, position, under_way.space, under_way.lifted)
    made = under_way.made
    # With ring=auto the ring of a glass that was carried is still to fall, and will: only with it is this a turn, and
    # the glass turned. A ring by right of rule 18 that is dropped alone brings no other with it.
    ring = made.move.ring or (made.move.kind == "turn" and rules.settings.ring == "auto")
    return play(rules, position, made._replace(move=made.move._replace(ring=ring)))
