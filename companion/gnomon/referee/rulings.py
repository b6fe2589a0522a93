"""Define the rulings of the referee, one value type for each kind, as in the trace interface.

`at` is the stamp of the first raw edge of the deciding change, in microseconds since the game began.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from gnomon.referee.judgement import Repair
from gnomon.refusals import Statement
from gnomon.timekeeping.instants import Instant


@dataclass(frozen=True, slots=True)
class TurnRuled:
    """A whole turn was accepted."""

    kind: ClassVar[str] = "turn"
    at: Instant
    player: str
    text: str


@dataclass(frozen=True, slots=True)
class IllegalRuled:
    """The board shows something that the rules do not allow; `put_right` are the steps to change it."""

    kind: ClassVar[str] = "illegal"
    at: Instant
    player: str
    text: str | None
    code: str
    put_right: tuple[Repair, ...]


@dataclass(frozen=True, slots=True)
class Righted:
    """The board agrees with the game again."""

    kind: ClassVar[str] = "righted"
    at: Instant


@dataclass(frozen=True, slots=True)
class GlassStopped:
    """A glass ran out; it stays where it is for the rest of the game (TAMSK rule 12)."""

    kind: ClassVar[str] = "stopped"
    at: Instant
    player: str
    space: str


@dataclass(frozen=True, slots=True)
class TimerTurned:
    """The 15-second glass was turned by `by` and runs until `until_us`; None: until the players see it empty."""

    kind: ClassVar[str] = "timer15"
    at: Instant
    by: str
    until_us: Instant | None


@dataclass(frozen=True, slots=True)
class PenaltyRuled:
    """`player` may drop a second ring in their next turn (TAMSK rule 18)."""

    kind: ClassVar[str] = "penalty"
    at: Instant
    player: str


@dataclass(frozen=True, slots=True)
class TurnLost:
    """`player` lost the turn to the 15-second glass (TAMSK rule 19)."""

    kind: ClassVar[str] = "lost"
    at: Instant
    player: str


@dataclass(frozen=True, slots=True)
class FaultRuled:
    """An input is not to be believed (`fault`: chatter, stack or stuck) and is quarantined; the game goes on.

    It is believed on where it has only shown something `unseen`, a glass set down while nobody looked.
    """

    kind: ClassVar[str] = "fault"
    at: Instant
    input: str
    fault: str


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """More than one explanation fits; one of `choices` must be chosen."""

    kind: ClassVar[str] = "ask"
    at: Instant
    question: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GamePaused:
    """The game was stopped."""

    kind: ClassVar[str] = "paused"
    at: Instant


@dataclass(frozen=True, slots=True)
class GameResumed:
    """The game goes on."""

    kind: ClassVar[str] = "resumed"
    at: Instant


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended; `winner` is None for a draw."""

    kind: ClassVar[str] = "over"
    at: Instant
    winner: str | None
    reason: str
    score: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Corrected:
    """Someone put the game right by hand: what, who and why.

    `who` and `why` are a person's own words, or statements of the program where nobody spoke.
    """

    kind: ClassVar[str] = "corrected"
    at: Instant
    what: Statement
    who: str | Statement
    why: str | Statement


@dataclass(frozen=True, slots=True)
class SandDeclared:
    """`by` said that the glass on `space` (or `timer15`) had run out, and `agreed` agreed (empty: nobody was asked)."""

    kind: ClassVar[str] = "declared"
    at: Instant
    space: str
    by: str
    agreed: str


@dataclass(frozen=True, slots=True)
class ClockStarted:
    """The match clock was started: `player` thinks."""

    kind: ClassVar[str] = "clock"
    at: Instant
    player: str


@dataclass(frozen=True, slots=True)
class FlagFell:
    """The time of `player` was used up on the match clock, before the other's; the instant is that of the flag."""

    kind: ClassVar[str] = "flag"
    at: Instant
    player: str


GameRuling = GlassStopped | TimerTurned | PenaltyRuled | TurnLost | SandDeclared
"""What some games alone have: each words it itself."""

Ruling = (
    TurnRuled
    | IllegalRuled
    | Righted
    | GameRuling
    | FaultRuled
    | QuestionAsked
    | GamePaused
    | GameResumed
    | GameOver
    | Corrected
    | ClockStarted
    | FlagFell
)
