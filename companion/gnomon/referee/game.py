"""Define the TAMSK game in progress on a sensor board, the value that `step` takes and returns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from gnomon.games.protocol import Outcome
from gnomon.games.tamsk.rules import Position, Tamsk
from gnomon.referee.board_reading import NORTH, look
from gnomon.referee.change_history import ChangeHistory
from gnomon.referee.debounce import SETTLING, Change, Debouncer
from gnomon.referee.judgement import Judgement, Phase, Temperament
from gnomon.referee.match_clock import MatchClock, Rest
from gnomon.referee.people import People
from gnomon.referee.rulings import QuestionAsked, Ruling
from gnomon.referee.scene import TIMED, Scene, held, played
from gnomon.referee.single_pole import Trust
from gnomon.referee.tamsk_inputs import TWO_POLES, Sensing, start_inputs
from gnomon.referee.undo import Undoable
from gnomon.referee.verdicts import InHand, Made, MayGoOn
from gnomon.timekeeping.instants import Instant, after

_WITH_TIMER: Final = 3


class Ply(NamedTuple):
    """One accepted turn of one player: canonical text, when it was complete, and how things stood before it."""

    player: str
    text: str
    at: Instant  # board time
    before: Position
    when: Instant  # game time
    poles: tuple[int, ...]  # under the glasses before it
    clock: MatchClock | None = None  # before it
    lifted: Instant | None = None  # game time, where a glass was moved by hand
    placed: Instant | None = None


class Question(NamedTuple):
    """What the referee asked, and what each answer would mean: one of `turns`, or taking back `back` turns.

    `by` is the player who said that a glass has run out, where that is what is asked about.
    """

    asked: QuestionAsked
    turns: tuple[Made, ...]
    back: int
    by: int = -1


@dataclass(frozen=True, slots=True)
class Game:
    """A game in progress; every field may be read by views, nothing may be changed but by `step`."""

    rules: Tamsk
    position: Position
    debouncer: Debouncer
    shown: frozenset[str]  # inputs that are 1, debounced
    poles: tuple[int, ...] = (NORTH,) * 6  # what each glass shows by the game
    timer_pole: int | None = None
    timer_refused: Instant | None = None  # board time of a turning of the 15-second glass that was not allowed
    temperament: Temperament = Temperament.ASSISTANT
    plies: tuple[Ply, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    paused_at: Instant | None = None  # board time at which the game was stopped, None while it runs
    standstill: int = 0  # microseconds of board time, before `paused_at`, that do not count as game time
    judgement: Judgement = field(default=Judgement(Phase.AGREED))
    quarantined: tuple[str, ...] = ()  # inputs that are not believed
    quiet: Mapping[str, Instant] = field(default_factory=dict)  # board time of their last edges, if they have moved
    declared: Outcome | None = None  # a result by hand, or by a move to a full space (rule 5)
    trail: ChangeHistory = field(default=ChangeHistory())
    under_way: InHand | MayGoOn | None = None  # the unfinished turn that the board shows
    question: Question | None = None
    turn_began: Instant = Instant(0)  # board time
    calm_since: Instant = Instant(0)  # board time of the last change: patience counts from here
    resumed_at: Instant = Instant(0)  # board time of the last resumption: nothing is ruled as of before it
    pressed: Change | None = None  # the mover's button, which ends the turn that the board does not show clearly yet
    review_at: Instant | None = None  # board time at which the board is judged again though nothing changes
    told: Instant = Instant(0)  # game time up to which everything that time decides has been ruled
    sensing: Sensing = TWO_POLES
    trust: Trust = field(default=Trust())  # where one pole is seen
    people: People = ()
    adjourned: bool = False  # put away unfinished; it is paused besides
    clock: MatchClock | None = None
    undoable: tuple[Undoable, ...] = field(default=(), compare=False, repr=False)

    def game_time(self, now: Instant) -> Instant:
        """Game time at board time `now`: pauses and time given back do not count."""
        return Instant((now if self.paused_at is None else min(now, self.paused_at)) - self.standstill)

    def board_time(self, when: Instant) -> Instant:
        """Board time of a game time since the last pause."""
        return Instant(when + self.standstill)

    def position_at(self, now: Instant) -> Position:
        """The position with its sand as of board time `now`; a turn that is under way counts as far as it got."""
        return self.rules.elapse(self.standing(), self.game_time(now))

    def standing(self) -> Position:
        """The position with the unfinished turn in it: glass in hand, or set down and turned."""
        return standing(self.rules, self.position, self.under_way)

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
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self.declared or self.rules.outcome(self.position)

    @property
    def rest(self) -> Rest:
        """How the board comes to rest, for which the match clock waits."""
        return Rest(self.standstill, self.debouncer, self.calm_since, self.review_at)

    def deadline(self) -> Instant | None:
        """Board time at which `step` must be told `DeadlineReached` though nothing happens; None: never."""
        due = [self.debouncer.due(), self.believes_at()]
        if self.outcome is None and self.paused_at is None:
            due += [self.reviews_at(), self.time_decides_at()]
            if self.clock is not None:
                due.append(self.clock.decides_at(self.rest))
        return min((instant for instant in due if instant is not None), default=None)

    def known_until(self, now: Instant) -> Instant:
        """Until when everything is known that happened on the board: to `now`, or to what is no evidence yet."""
        began = self.debouncer.began() if self.sensing.evidence.stands else None
        return now if began is None else Instant(min(now, began - 1))

    def believes_at(self) -> Instant | None:
        """Board time at which an input that was not believed has been quiet for long enough."""
        last = min(self.quiet.values(), default=None)
        return None if last is None else after(last, self.sensing.evidence.quiet)

    def reviews_at(self) -> Instant | None:
        """Board time at which the board is judged again though nothing changes; None before all until then is known."""
        at = self.review_at
        return None if at is None or self.known_until(at) < at else at

    def time_decides_at(self) -> Instant | None:
        """Board time of the next timed ruling, settling included; None before all until then is known."""
        when = self.next_timed()
        if when is None or self.known_until(at := self.board_time(when)) < at:
            return None
        return after(at, SETTLING)

    def next_timed(self) -> Instant | None:
        """Game time at which time next decides something that has not been ruled."""
        if self.rules.settings.level < TIMED:
            return None
        position = self.standing()
        if self.told < position.now:
            # A scan sees a touch up to a period late: sand that ran out meanwhile has not been ruled on either.
            ends = [end for sand in position.sands if (end := sand.runs_out_at()) is not None]
            passed = min((end for end in ends if self.told < end <= position.now), default=None)
            return self.rules.deadline(position) if passed is None else passed
        return self.rules.deadline(self.rules.elapse(position, self.told))


def standing(rules: Tamsk, position: Position, under_way: InHand | MayGoOn | None) -> Position:
    """The position with an unfinished turn in it."""
    if isinstance(under_way, InHand):
        return held(rules, position, under_way.space, under_way.lifted)
    if under_way is None:
        return position
    made = under_way.made
    # With ring=auto the ring is still to fall, and will: only with it is this a turn, and the glass turned.
    ring = made.move.ring or rules.settings.ring == "auto"
    return played(rules, position, made._replace(move=made.move._replace(ring=ring)))


def new_game(rules: Tamsk, temperament: Temperament = Temperament.ASSISTANT, sensing: Sensing = TWO_POLES) -> Game:
    """A game at board time 0: six glasses on their corners, each showing its north pole where poles are seen."""
    level = rules.settings.level
    on = start_inputs(level, sensing)
    timer_pole = NORTH if level == _WITH_TIMER else None
    return Game(
        rules,
        rules.start(),
        Debouncer(on, evidence=sensing.evidence, registers=sensing.registers),
        on,
        timer_pole=timer_pole,
        temperament=temperament,
        sensing=sensing,
        trust=Trust(timer=timer_pole if sensing.trusts_timer else None),
    )
