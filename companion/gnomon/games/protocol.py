"""Define the protocol that the rules of every game implement, and the errors they raise."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple, Protocol, TypeVar

from gnomon.timekeeping.instants import Instant


class RulesError(ValueError):
    """Anything that the rules refuse; the message is one sentence for people."""


class NotationError(RulesError):
    """The text is not a move of this game, in any position."""


class SettingsError(RulesError):
    """There is no such setting, or not with that value."""


class IllegalMoveError(RulesError):
    """The move is well written and not allowed now.

    `code` is a short fixed word for programs (`not_adjacent`, `full` …); the message names the rule.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class GameOverError(RulesError):
    """The game has ended: nothing can be played any more."""


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


class Progress(Enum):
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
