"""Define the game in progress, whatever is played, and what the referee asks of the board it is played on.

One `Game` is played by every game there is. What differs between boards stands in a `Board`: a table, where moves are
entered, is `gnomon.referee.table.Table`; a board with sensors is a subclass of it, in the folder of its game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from gnomon.referee.chooser import Chooser
from gnomon.referee.debounce import Change, Debouncer
from gnomon.referee.effects import Effect
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import Correction, GameCorrection, InputChanged
from gnomon.referee.evidence import BY_POLES, NUDGE, Sensing
from gnomon.referee.judgement import Judgement, Phase, Repair, Temperament
from gnomon.referee.match_clock import MatchClock, Rest
from gnomon.referee.people import People
from gnomon.referee.rulings import QuestionAsked, Ruling
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import GAME_OVER, NATURE, OVER, Outcome
from gnomon.rules.registry import kind_of
from gnomon.timekeeping.instants import Duration, Instant, after


class Ply(NamedTuple):
    """One accepted turn, of a player or of nature: canonical text, when it was complete, and the position before it."""

    player: str
    text: str
    at: Instant  # board time
    before: Any
    when: Instant  # game time
    clock: MatchClock | None = None  # as it was when the turn ended
    poles: tuple[int, ...] = ()  # under the glasses before it, at a board that sees them
    lifted: Instant | None = None  # game time, where a glass was moved by hand
    placed: Instant | None = None


class Question(NamedTuple):
    """What the referee asked, and what each answer would mean to the board that asked.

    `turns` are the explanations of the board among which the choices choose, `back` is how many turns would be taken
    back, and `by` is the player who said that a glass has run out, each where that is what is asked about.
    """

    asked: QuestionAsked
    turns: tuple[Any, ...] = ()
    back: int = 0
    by: int = -1
    shown: Instant = Instant(0)  # board time at which it was put; 0: by earlier terms any press answers it

    def is_unread(self, at: Instant, takes: Duration = NUDGE) -> bool:
        """Whether a button that was pressed at that board time was pressed before anybody had read the question.

        `takes` is how long that takes at least: one that is asked of every tile is expected.
        """
        return bool(self.shown) and at < after(self.shown, takes)


ANOTHER_BOARD: Final = "another-board"
"""The opponent of a game that is played between two boards: no engine, but who plays at the other one."""


class Opponent(NamedTuple):
    """An engine that plays: its level or its name, the seats that it plays, and how long its turns wait for hands.

    In an exhibition `second` is that of every second seat; empty where one engine plays them all. `is_timed` says that
    a match clock runs on while hands make its turns. `code` is the invitation of a game between two boards; `is_guest`
    says that this board was invited by it, and `is_met` that the other one has joined.
    """

    engine: str
    seats: tuple[str, ...]
    hands: Duration
    second: str = ""
    is_timed: bool = False
    code: str = ""
    is_guest: bool = False
    is_met: bool = False

    @property
    def is_distant(self) -> bool:
        """Whether somebody plays at another board, and no engine."""
        return self.engine == ANOTHER_BOARD

    @property
    def level(self) -> int:
        """The level of Gnomon's own engine; 0 for one that was plugged in."""
        return int(self.engine) if self.engine.isdecimal() else 0

    @property
    def name(self) -> str:
        """How it is called among the people."""
        return f"Gnomon {self.engine}" if self.level else self.engine

    def at(self, seat: str) -> "Opponent":
        """The engine as it plays that seat."""
        is_second = bool(self.second) and seat in self.seats[1::2]
        return self._replace(engine=self.second) if is_second else self


class Exercise(NamedTuple):
    """What is practised: a `lesson` or a `puzzle`, its name, and the step with which a lesson began, from 0."""

    kind: str
    name: str
    first: int = 0


class Announced(NamedTuple):
    """The turn that an engine has announced, which hands have yet to make, with board time and game time of that."""

    player: str
    text: str
    at: Instant
    when: Instant


class Warned(NamedTuple):
    """A turn of which its player was warned before it counted, with board time and what was said."""

    text: str
    at: Instant
    said: Statement


class Held(NamedTuple):
    """What somebody has taken up for a turn, as a space or the beginning of a text, and every turn made with it."""

    name: str
    turns: tuple[str, ...]


class Helped(NamedTuple):
    """What a player was told of a good turn: with what one is made, or whether one is made with what is `held` in hand.

    Where nothing is held, `fits` means nothing. `plies` were made before, `at` is board time.
    """

    held: str
    fits: bool
    at: Instant
    said: Statement
    plies: int


class DrawOffer(NamedTuple):
    """The last offer of a draw: of which seat, when (board time), after how many turns, and whether it stands.

    `answered` is the board time of an answer; one that lapsed has none.
    """

    seat: str
    at: Instant
    plies: int
    is_open: bool = True
    answered: Instant | None = None


class Undoable(NamedTuple):
    """A correction that was made: what it did, when, and the game before and after it.

    Neither game says what could be undone then, or each would hold all games before it twice.
    """

    what: Statement
    at: Instant
    before: Any
    after: Any

    @property
    def given_back(self) -> int:
        """Microseconds of time that the correction gave back."""
        back: int = self.after.standstill - self.before.standstill
        return back


@dataclass(frozen=True)
class Game:
    """A game in progress; every field may be read by views, nothing may be changed but by `gnomon.referee.step`."""

    rules: Any  # gnomon.rules.protocol.Rules of this game
    position: Any
    debouncer: Debouncer
    shown: frozenset[str]  # inputs that are 1, debounced
    board: "Board[Any]"
    sensing: Sensing = BY_POLES
    temperament: Temperament = Temperament.ASSISTANT
    plies: tuple[Ply, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    paused_at: Instant | None = None  # board time at which the game was stopped, None while it runs
    resumed_at: Instant = Instant(0)  # board time of the last resumption: nothing is ruled as of before it
    standstill: int = 0  # microseconds of board time, before `paused_at`, that do not count as game time
    judgement: Judgement = field(default=Judgement(Phase.AGREED))
    quarantined: tuple[str, ...] = ()  # inputs that are not believed
    quiet: Mapping[str, Instant] = field(default_factory=dict)  # board time of their last edges, if they have moved
    declared: Outcome | None = None  # a result by hand, by a flag, or by a move that loses at once
    chooser: Chooser | None = None  # a move that is being picked with the buttons
    question: Question | None = None
    calm_since: Instant = Instant(0)  # board time of the last change: patience counts from here
    review_at: Instant | None = None  # board time at which the board is judged again though nothing changes
    people: People = ()
    adjourned: bool = False  # put away unfinished; it is paused besides
    clock: MatchClock | None = None
    given: tuple[tuple[str, str], ...] = ()  # the settings of the rules as they were given, for programs that ask
    opponent: Opponent | None = None  # an engine that plays
    announced: Announced | None = None  # what it plays, and hands have not made yet
    arrived_at: Instant | None = None  # board time of a turn for which game time stands until hands have made it
    exercise: Exercise | None = None  # a lesson or a puzzle that is done on the board
    warns: bool = False  # players want to be warned of blunders before their turn counts
    warned: Warned | None = None  # of the turn that is about to be confirmed
    help: str = ""  # `brain` or `hand`, where players want to be told of a good turn while they make theirs
    helped: Helped | None = None
    draw: DrawOffer | None = None
    undoable: tuple[Undoable, ...] = field(default=(), compare=False, repr=False)

    def game_time(self, now: Instant) -> Instant:
        """Game time at board time `now`: pauses and time given back do not count.

        Nor does the time in which hands make a turn that has arrived from another board, or one of an engine where a
        match clock stands for it.
        """
        stops = [stop for stop in (self.paused_at, self.arrived_at) if stop is not None]
        return Instant(min([now, *stops]) - self.standstill)

    def board_time(self, when: Instant) -> Instant:
        """Board time of a game time since the last pause."""
        return Instant(when + self.standstill)

    def position_at(self, now: Instant) -> Any:  # noqa: ANN401 - each game has a position of its own
        """The position as of board time `now`, with what of an unfinished turn the board shows."""
        return self.rules.elapse(self.position, self.game_time(now))

    @property
    def timeless(self) -> Any:  # noqa: ANN401 - each game has a position of its own
        """The position without what changes by itself."""
        return self.position

    @property
    def inputs(self) -> frozenset[str]:
        """Every input of the board on which the game is played."""
        return self.board.inputs

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self.declared or self.rules.outcome(self.position)

    @property
    def turn(self) -> str:
        """Who is to act: a player, `nature` or `over`."""
        return OVER if self.outcome is not None else self.rules.turn(self.position)

    def check_goes_on(self) -> None:
        """Raise CorrectionError where the game is over, or stands."""
        if self.outcome is not None:
            raise CorrectionError(GAME_OVER)
        if self.paused_at is not None:
            raise CorrectionError(statement("told.paused"))

    @property
    def is_swapped(self) -> bool:
        """Whether the two persons have changed sides since the game began."""
        swap = kind_of(self.rules.name).swap
        return bool(swap) and sum(ply.text == swap for ply in self.plies) % 2 == 1

    def seat_of(self, player: str, position: object) -> str:
        """The place where the person sat down who plays as somebody: the two may have changed sides since."""
        seats = tuple(self.rules.seats)
        seat: str = self.rules.seat(position, player) or player
        return seats[1 - seats.index(seat)] if self.is_swapped and seat in seats else seat

    @property
    def is_elsewhere(self) -> bool:
        """Whether the other board has the turn, a throw or a draw included: it alone knows how its time runs."""
        opponent = self.opponent
        if opponent is None or not opponent.is_distant or self.outcome is not None:
            return False
        return self.seat_of(self.rules.actor(self.position), self.position) in opponent.seats

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
        return self._deadline

    @cached_property
    def _deadline(self) -> Instant | None:
        due = [self.debouncer.due(), self.believes_at()]
        if self.outcome is None and self.paused_at is None:
            due.append(self.reviews_at())
            if not self.is_elsewhere:
                due.append(self.time_decides_at())
                if self.clock is not None and self.arrived_at is None:
                    due.append(self.clock.decides_at(self.rest))
        return min((instant for instant in due if instant is not None), default=None)

    def believes_at(self) -> Instant | None:
        """Board time at which an input that was not believed has been quiet for long enough."""
        last = min(self.quiet.values(), default=None)
        return None if last is None else after(last, self.debouncer.evidence.quiet)

    def texts(self) -> Sequence[str]:
        """The moves that can be picked from a list now, in canonical text."""
        texts: Sequence[str] = self.rules.entries(self.position)
        return texts

    def known_until(self, now: Instant) -> Instant:
        """Until when everything is known that happened on the board."""
        return now

    def reviews_at(self) -> Instant | None:
        """Board time at which the board is judged again though nothing changes."""
        return self.review_at

    def time_decides_at(self) -> Instant | None:
        """Board time at which what time alone decides next can be ruled upon; None: never, or not yet known."""
        return None

    @property
    def next_timed(self) -> Instant | None:
        """Game time at which time alone next decides something by the rules that has not been ruled; None: never."""
        return None


GameT = TypeVar("GameT", bound=Game)
Judged = tuple[GameT, tuple[Effect, ...]]


class Board(Protocol[GameT]):
    """What the referee asks of the board that a game is played on. Most answers are the game after it, with effects."""

    @property
    def name(self) -> str:
        """How the board is called where it is described; `table` where no sensor shows the pieces."""
        ...

    @property
    def inputs(self) -> frozenset[str]:
        """Every input of the board."""
        ...

    @property
    def is_sensed(self) -> bool:
        """Whether sensors show the pieces on the board."""
        ...

    @property
    def turn_presses(self) -> bool:
        """Whether a turn on the board presses the match clock by itself: then nobody presses it otherwise."""
        ...

    def with_clock(self) -> "Board[GameT]":
        """The board with what players press a match clock with, if they do."""
        ...

    def why_unplayable(self, missing: Sequence[str]) -> Statement:
        """Why the game cannot be played where inputs of the board are missing; there is at least one."""
        ...

    # What the board shows

    def quiet(self, game: GameT) -> Duration:
        """For how long an input that is not believed has to be quiet; 0: it is believed again by hand alone."""
        ...

    def seen_before(self, game: GameT, edge: InputChanged) -> Instant:
        """Up to which board time the board was looked at before that edge was seen."""
        ...

    def settle(self, game: GameT, changes: tuple[Change, ...], now: Instant) -> Judged[GameT]:
        """Take in changes of inputs that have become evidence, in the order of their stamps."""
        ...

    def judge(self, game: GameT, now: Instant) -> Judged[GameT]:
        """Judge what the board shows at board time `now`."""
        ...

    def time_passes(self, game: GameT, when: Instant) -> Judged[GameT]:
        """Rule on everything that the rules let time decide up to and including a game time."""
        ...

    def foresee(self, game: GameT) -> GameT:
        """The game as the board shows it now, before all that it shows is evidence: for pages, not for rulings."""
        ...

    def is_expected(self, game: GameT, name: str) -> bool:
        """Whether an input would be 1 on a board that shows the position."""
        ...

    def is_awaited(self, game: GameT, name: str) -> bool:
        """Whether an input shows what the turn under way waits for."""
        ...

    def is_moving(self, game: GameT) -> bool:
        """Whether something on the board moves, so that no input is believed again yet."""
        ...

    def believe(self, game: GameT, quiet: Mapping[str, Instant]) -> GameT:
        """The game in which inputs are believed again, each quiet since a board time."""
        ...

    def without(self, game: GameT, names: tuple[str, ...]) -> GameT:
        """The game that remembers nothing of what inputs have shown which are not believed any more."""
        ...

    def steps(self, game: GameT, text: str) -> tuple[Repair, ...]:
        """What hands have to change for the board to show the position after a turn; none where no sensor shows it.

        Raises RulesError for a turn that cannot be made now.
        """
        ...

    def turn_to_confirm(self, game: GameT) -> str | None:
        """The turn, as text, that is complete and would count if it were confirmed now; None where there is none."""
        ...

    def in_hand(self, game: GameT) -> Held | None:
        """What has been taken up for the next turn, before it is complete; None where nothing has."""
        ...

    def is_same_turn(self, one: str, other: str) -> bool:
        """Whether two turns, as texts, are the same to the player who makes them."""
        ...

    # What people say

    def is_play(self, event: Correction) -> bool:
        """Whether the event is how the game is played on this board, and corrects nothing."""
        ...

    def enter(self, game: GameT, text: str, at: Instant, granted: Instant | None = None) -> Judged[GameT]:
        """Take a turn that was entered at board time `at`, and made at game time `granted` if that is another one.

        Raises CorrectionError.
        """
        ...

    def insert(self, game: GameT, number: int, text: str, at: Instant) -> Judged[GameT]:
        """Put a missed turn before those made since. Raises CorrectionError."""
        ...

    def answer(self, game: GameT, question: Question, choice: str, at: Instant) -> Judged[GameT]:
        """Take one of the choices as the answer to the question that is open. Raises CorrectionError."""
        ...

    def correct(self, game: GameT, event: GameCorrection) -> Judged[GameT]:
        """Make a correction that not every game knows. Raises CorrectionError."""
        ...

    def claim_flag(self, game: GameT, player: str, at: Instant) -> Judged[GameT]:
        """Rule that the time of the other player had run out, as was claimed and upheld. Raises CorrectionError."""
        ...

    def put_aside(self, game: GameT) -> GameT:
        """The game without the turn that is under way on the board."""
        ...

    def reset(self, game: GameT, ply: Ply, at: Instant) -> Judged[GameT]:
        """Set back what the board's referee knows to before a ply, in a game that has been set back to it."""
        ...

    def undo(self, game: GameT, before: GameT, at: Instant) -> Judged[GameT]:
        """Set back what the board's referee knows to before a correction, in a game that has been set back to it."""
        ...

    def guide(self, game: GameT, before: GameT, event: Correction) -> Judged[GameT]:
        """Judge the board after a correction of the game `before`; where it lags behind, it is guided."""
        ...
