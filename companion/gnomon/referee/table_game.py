"""Define the game at a table, without sensors or on Tayu's, with moves from hand, buttons or a reader."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from gnomon.games.protocol import NATURE, OVER, Outcome, Rules, RulesError
from gnomon.games.tau.rules.numbers import digits, number
from gnomon.referee.chooser import Chooser
from gnomon.referee.debounce import Debouncer
from gnomon.referee.judgement import Judgement, Phase, Temperament
from gnomon.referee.match_clock import MatchClock, Rest
from gnomon.referee.people import People
from gnomon.referee.rulings import QuestionAsked, Ruling
from gnomon.referee.undo import Undoable
from gnomon.timekeeping.instants import Instant, after

NEXT: Final = "button.next"
PREVIOUS: Final = "button.previous"
ENTER: Final = "button.enter"
BACK: Final = "button.back"
ARBITER: Final = "button.arbiter"
TABLE_BUTTONS: Final = (NEXT, PREVIOUS, ENTER, BACK, ARBITER)
LEFT: Final = "button.left"
RIGHT: Final = "button.right"
CLOCK_BUTTONS: Final = (LEFT, RIGHT)
"""The players' own buttons of a match clock: the left one is that of the first player of the rules."""

_BID: Final = "bid:"
_BIDS_SHOWN: Final = 100
"""So many numbers can be stepped through with the buttons; greater ones are entered on the page."""


class TablePly(NamedTuple):
    """One move, of a player or of nature: canonical text, when, and the position before it."""

    player: str
    text: str
    at: Instant  # board time
    before: Any
    when: Instant  # game time
    clock: MatchClock | None = None  # as it was when the turn ended


class TableQuestion(NamedTuple):
    """What the referee asked; the choices are canonical texts."""

    asked: QuestionAsked


@dataclass(frozen=True, slots=True)
class TableGame:
    """A game in progress; every field may be read by views, nothing may be changed but by `step`."""

    rules: Rules[Any, Any]
    position: Any
    debouncer: Debouncer = field(default=Debouncer(frozenset()))
    shown: frozenset[str] = frozenset()  # inputs that are 1, debounced
    inputs: frozenset[str] = frozenset(TABLE_BUTTONS)  # every input that the board has
    temperament: Temperament = Temperament.ASSISTANT
    plies: tuple[TablePly, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    paused_at: Instant | None = None
    standstill: int = 0
    judgement: Judgement = field(default=Judgement(Phase.AGREED))
    quarantined: tuple[str, ...] = ()  # inputs that are not believed
    quiet: Mapping[str, Instant] = field(default_factory=dict)  # board time of their last edges, if they have moved
    declared: Outcome | None = None
    chooser: Chooser | None = None  # a move that is being picked with the buttons
    question: TableQuestion | None = None
    calm_since: Instant = Instant(0)
    review_at: Instant | None = None
    people: People = ()
    adjourned: bool = False  # put away unfinished; it is paused besides
    clock: MatchClock | None = None
    undoable: tuple[Undoable, ...] = field(default=(), compare=False, repr=False)

    def game_time(self, now: Instant) -> Instant:
        """Game time at board time `now`: pauses and time given back do not count."""
        return Instant((now if self.paused_at is None else min(now, self.paused_at)) - self.standstill)

    def position_at(self, now: Instant) -> Any:  # noqa: ANN401 - each game has a position of its own
        """The position; no time plays in these games."""
        del now
        return self.position

    @property
    def timeless(self) -> Any:  # noqa: ANN401 - each game has a position of its own
        """The position, in which nothing changes by itself."""
        return self.position

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self.declared or self.rules.outcome(self.position)

    @property
    def turn(self) -> str:
        """Who is to act: a player, `nature` or `over`."""
        return OVER if self.outcome is not None else self.rules.turn(self.position)

    @property
    def is_natures(self) -> bool:
        """Whether a throw or a draw is due."""
        return self.turn == NATURE

    @property
    def rest(self) -> Rest:
        """How the board comes to rest, for which the match clock waits."""
        return Rest(self.standstill, self.debouncer, self.calm_since, self.review_at)

    def deadline(self) -> Instant | None:
        """Board time at which `step` must be told `DeadlineReached` though nothing happens; None: never."""
        due = [self.debouncer.due()]
        if self.outcome is None:
            due.append(self.believes_at())
        if self.outcome is None and self.paused_at is None:
            due.append(self.review_at)
            if self.clock is not None:
                due.append(self.clock.decides_at(self.rest))
        return min((instant for instant in due if instant is not None), default=None)

    def believes_at(self) -> Instant | None:
        """Board time at which an input that was not believed has been quiet for long enough."""
        last = min(self.quiet.values(), default=None)
        return None if last is None else after(last, self.debouncer.evidence.quiet)

    def texts(self) -> Sequence[str]:
        """What can be picked with the buttons now, in canonical text."""
        may_bid = getattr(self.rules, "may_bid", None)
        moves = self.rules.legal_moves(self.position)
        texts = [self.rules.text(self.position, move) for move in moves]
        if may_bid is None or not may_bid(self.position):
            return texts
        return texts + [text for text in _numbers_about(texts) if self._may_be_entered(text)]

    def _may_be_entered(self, text: str) -> bool:
        try:
            self.rules.parse(self.position, text)
        except RulesError:
            return False
        return True


def _numbers_about(texts: Sequence[str]) -> list[str]:
    """Bids above and below those that are listed: TAU goes up, the auction of Tayu down."""
    listed = [number(text.removeprefix(_BID)) for text in texts if text.startswith(_BID)]
    about = range(max(0, min(listed) - _BIDS_SHOWN), max(listed) + _BIDS_SHOWN)
    return [f"{_BID}{digits(bid)}" for bid in about if bid not in listed]
