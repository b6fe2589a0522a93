"""The alphabet of what the referee is told: facts in the past tense, each with the instant it happened.

Instants are microseconds since the game began. An event by hand says who entered it and why.
"""

from dataclasses import dataclass

from gnomon.timekeeping.instants import Duration, Instant


@dataclass(frozen=True, slots=True)
class InputChanged:
    """A raw, undebounced edge of one of the board's inputs.

    `uncertainty`: a sampled change happened in the `uncertainty` microseconds before `at`; they are granted to
    the player wherever a deadline decides.
    """

    at: Instant
    input: str
    value: bool
    uncertainty: Duration = Duration(0)


@dataclass(frozen=True, slots=True)
class DeadlineReached:
    """Time has come to `at`: every edge stamped before it has been handed over."""

    at: Instant


@dataclass(frozen=True, slots=True)
class TurnEntered:
    """Someone entered the next turn by hand; `text` is canonical notation."""

    at: Instant
    text: str
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class TurnsVoided:
    """Someone took back the last `count` turns; `give_back` returns the time that has passed since."""

    at: Instant
    count: int
    give_back: bool
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class SandSet:
    """Someone set the sand in the upper bulb of the glass on `space` (or of `timer15`)."""

    at: Instant
    space: str
    remaining: Duration
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class RingsSet:
    """Someone set the number of rings on a space; the difference comes from or goes to `player`'s holder."""

    at: Instant
    space: str
    count: int
    player: str
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class TurnSet:
    """Someone set whose turn it is."""

    at: Instant
    player: str
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Paused:
    """The game was stopped: no sand runs until it is resumed."""

    at: Instant
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Resumed:
    """The game goes on."""

    at: Instant
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class ResultDeclared:
    """Someone declared the result; `winner` is None for a draw."""

    at: Instant
    winner: str | None
    reason: str
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class QuestionAnswered:
    """Someone answered the referee's question with one of its choices."""

    at: Instant
    choice: str
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class InputTrusted:
    """Someone mended a quarantined input: it counts again."""

    at: Instant
    input: str
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class StopDeclared:
    """Someone said that the glass on `space` (or `timer15`) has run out: the players' eyes decide (time=sand)."""

    at: Instant
    space: str
    who: str
    why: str = ""


Correction = (
    TurnEntered
    | TurnsVoided
    | SandSet
    | RingsSet
    | TurnSet
    | Paused
    | Resumed
    | ResultDeclared
    | QuestionAnswered
    | InputTrusted
    | StopDeclared
)
Event = InputChanged | DeadlineReached | Correction
