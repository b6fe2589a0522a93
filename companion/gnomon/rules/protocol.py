"""Define the protocol that the rules of every game implement, and the errors they raise."""

from collections.abc import Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from gnomon.refusals import Refusal, Statement, statement
from gnomon.timekeeping.instants import Duration, Instant


class RulesError(Refusal, ValueError):
    """Anything that the rules refuse."""


class NotationError(RulesError):
    """The text is not a move of this game, in any position."""


class SettingsError(RulesError):
    """There is no such setting, or not with that value."""


class IllegalMoveError(RulesError):
    """The move is well written and not allowed now; `code` says why in a fixed word, such as `full`."""


class GameOverError(RulesError):
    """The game has ended: nothing can be played any more."""


GAME_OVER: Final = statement("told.over")


def refusal(why: Statement) -> IllegalMoveError | GameOverError:
    """The error for a move that is not allowed."""
    return GameOverError(why) if why is GAME_OVER else IllegalMoveError(why)


ABANDONED: Final = "abandoned"
"""Why a game ended that was given up for another one: it has no result, and counts nowhere."""


class Outcome(NamedTuple):
    """The end of a game: the winner's name, or None for a draw or no result, and the reason in a short word."""

    winner: str | None
    reason: str

    @property
    def is_void(self) -> bool:
        """Whether the game has no result at all, which is no draw."""
        return self.winner is None and self.reason == ABANDONED


class PlayedTurn(NamedTuple):
    """A turn of a recorded game as it was made.

    `number` counts turns from 1, those of nature among them, and `line` is the number of its line on the sheet from 1.
    `person` is None for nature, and where the rules do not say yet who plays as the player. `before` is the position
    in which the turn began, and `move` what was played, None where that became possible during the turn only, as with
    a turn that was lost. `took` is None where the sheet has no times.
    """

    number: int
    player: str
    text: str
    before: Any
    line: int = 0
    person: int | None = None
    move: Any = None
    after: Any = None
    at: Instant = Instant(0)
    took: Duration | None = None


class TurnProgress(Enum):
    """What the rules say of a turn that is being made by hand, piece by piece."""

    COMPLETE = "complete"
    MAY_GO_ON = "may go on"
    IMPOSSIBLE = "impossible"


PositionT = TypeVar("PositionT")
MoveT = TypeVar("MoveT")

NATURE = "nature"
OVER = "over"


class Rules(Protocol[PositionT, MoveT]):
    """The rules of one game under one choice of settings: no state, only questions and answers.

    Positions and moves are immutable and hashable. Moves returned by `legal_moves` and `parse` are legal.
    """

    name: str
    players: Sequence[str]

    def start(self) -> PositionT:
        """The position before the first turn, at instant 0."""
        ...

    def turn(self, position: PositionT) -> str:
        """Who is to act: a player's name, `nature`, or `over`."""
        ...

    def legal_moves(self, position: PositionT) -> Sequence[MoveT]:
        """Every legal move, in no particular order; empty exactly when the game is over."""
        ...

    def play(self, position: PositionT, move: MoveT) -> PositionT:
        """The position after a legal move. Raises IllegalMoveError or GameOverError."""
        ...

    def parse(self, position: PositionT, text: str) -> MoveT:
        """Read canonical text. Raises NotationError, IllegalMoveError or GameOverError."""
        ...

    def text(self, position: PositionT, move: MoveT) -> str:
        """The canonical text of a move that is legal in `position`."""
        ...

    def outcome(self, position: PositionT) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        ...

    def score(self, position: PositionT) -> Mapping[str, int]:
        """Points as the game counts them, by player."""
        ...

    def deadline(self, position: PositionT) -> Instant | None:
        """The next instant at which the position changes by itself, or None."""
        ...

    def elapse(self, position: PositionT, now: Instant) -> PositionT:
        """The position when time has come to `now`; games without time return it unchanged."""
        ...

    def is_turn(self, move: MoveT) -> bool:
        """Whether the move ends a turn (`perft` counts those; a lift or a flip of the timer does not)."""
        ...

    def state(self, position: PositionT) -> Mapping[str, object]:
        """The game's own keys of the `state` reply, ready for JSON."""
        ...

    @property
    def seats(self) -> Sequence[str]:
        """The players by where they sit, of whom each is one person at the board; roles that they take are not."""
        ...

    @property
    def ends_by_press(self) -> bool:
        """Whether a turn is ended by pressing the match clock, and is nothing else to these rules."""
        ...

    @property
    def by_eye(self) -> bool:
        """Whether the players say when sand has run out, and nothing else does."""
        ...

    @property
    def plays_apart(self) -> bool:
        """Whether two boards may play one game under these settings, where they may play any (`GameKind`)."""
        ...

    @property
    def open_bids(self) -> bool:
        """Whether every bid above a legal one is legal too, though `legal_moves` has the least alone."""
        ...

    def seat(self, position: PositionT, player: str) -> str | None:
        """The one of `seats` where somebody sits who plays as `player`; None while that is open."""
        ...

    def actor(self, position: PositionT) -> str:
        """Who is to act while the game goes on, or for whom nature acts."""
        ...

    def entries(self, position: PositionT) -> Sequence[str]:
        """Canonical texts of the moves that can be picked from a list: all of them, unless there is no end of them."""
        ...

    def weight(self, position: PositionT, move: MoveT) -> Fraction | int:
        """How likely a move of nature is, in proportion to its other moves."""
        ...

    def handed_to(self, position: PositionT, side: int) -> PositionT:
        """The position when an arbiter gives the turn to a side of the clock; the same where the rules say who acts."""
        ...

    def off_turn(self, position: PositionT) -> Sequence[MoveT]:
        """What the player who is not on turn may do now; it is no turn, and nature does not do it."""
        ...


class GameRules(Generic[PositionT, MoveT]):
    """What most rules answer alike. A game inherits it and says otherwise only what is otherwise with it.

    A game has `settings` that say all of it: two rules of one class with equal settings are equal.
    """

    __slots__ = ()

    name: str
    players: Sequence[str]
    settings: Any
    ends_by_press: bool = False
    by_eye: bool = False
    plays_apart: bool = True
    open_bids: bool = False

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.settings == other.settings

    def __hash__(self) -> int:
        return hash(self.settings)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.settings!r})"

    @property
    def seats(self) -> Sequence[str]:
        """Everybody who plays."""
        return self.players

    def is_turn(self, _move: MoveT) -> bool:
        """Whether the move ends a turn: every move does."""
        return True

    def deadline(self, _position: PositionT) -> Instant | None:
        """None: nothing changes by itself."""
        return None

    def elapse(self, position: PositionT, _now: Instant) -> PositionT:
        """The same position."""
        return position

    def seat(self, _position: PositionT, player: str) -> str | None:
        """The same player."""
        return player

    def actor(self: "Rules[PositionT, MoveT]", position: PositionT) -> str:
        """Who is on turn."""
        return self.turn(position)

    def entries(self: "Rules[PositionT, MoveT]", position: PositionT) -> Sequence[str]:
        """The texts of all legal moves."""
        return [self.text(position, move) for move in self.legal_moves(position)]

    def weight(self, _position: PositionT, _move: MoveT) -> Fraction | int:
        """1: all are as likely."""
        return 1

    def handed_to(self, position: PositionT, _side: int) -> PositionT:
        """The same position."""
        return position

    def off_turn(self, _position: PositionT) -> Sequence[MoveT]:
        """Nothing."""
        return ()
