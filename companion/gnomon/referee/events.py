"""Define the events that the referee is given: facts in the past tense, each with its instant.

Instants are microseconds since the game began. A manual event gives who entered it and why.
"""

from dataclasses import dataclass

from gnomon.refusals import Statement
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
    """Someone set whose turn it is; at a table, whose time runs on the match clock, which starts it if need be."""

    at: Instant
    player: str
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Paused:
    """The game was stopped: no sand runs until it is resumed. Where a machine stopped it, `why` is its statement."""

    at: Instant
    who: str
    why: str | Statement = ""


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


@dataclass(frozen=True, slots=True)
class GlassPlaced:
    """Someone said where the glass of `origin` stands: on `target`, and `turned` over or not (without another turn)."""

    at: Instant
    origin: str
    target: str
    turned: bool
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class TimeGiven:
    """Someone gave time to a glass, `timer15`, or every running glass of a player: `to` names one of these.

    On the match clock `to` is `clock.` and the player, and at a table the player alone is enough.
    """

    at: Instant
    to: str
    amount: Duration
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class TimeTaken:
    """Someone took time away, from what `TimeGiven` gives it to; a glass that has no more has run out."""

    at: Instant
    of: str
    amount: Duration
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class PenaltySet:
    """Someone decided whether the player on turn may drop a second ring (TAMSK rule 18)."""

    at: Instant
    due: bool
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class TurnInserted:
    """Someone entered a turn that was missed, as turn `number` counted from 1; those after it are played again."""

    at: Instant
    number: int
    text: str
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class PositionRestored:
    """Someone set the game back to how it stood after `turns` turns; `give_back` returns the time since."""

    at: Instant
    turns: int
    give_back: bool
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Claimed:
    """`player` claimed something, and someone ruled on it.

    An upheld `flag` gives the claimant the turn at TAMSK (rule 19), and at a table with a match clock the game, if the
    opponent's flag has fallen.
    """

    at: Instant
    player: str
    claim: str
    upheld: bool
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class NoteTaken:
    """Someone wrote down a remark; `took` is how long they were busy with it."""

    at: Instant
    text: str
    took: Duration
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Adjourned:
    """The game was put away unfinished: another may be played, and this one is taken up again by resuming it."""

    at: Instant
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class ClockPressed:
    """`player` pressed the match clock elsewhere than on a button of the board, as on a page."""

    at: Instant
    player: str
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class ClockCorrected:
    """Someone set what the match clock shows of `player`; None leaves a thing as it is.

    `time` is what it shall show (in an up-count: have counted) and lifts a flag that has fallen, `moves` are those
    made, `period` counts from 0, `spells` are those left of byo-yomi.
    """

    at: Instant
    player: str
    who: str
    why: str = ""
    time: Duration | None = None
    moves: int | None = None
    period: int | None = None
    spells: int | None = None


@dataclass(frozen=True, slots=True)
class MoveAnnounced:
    """The engine on turn said what it plays: hands make that turn, and no other counts."""

    at: Instant
    text: str
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class TurnArrived:
    """The other board has ruled on a turn, a throw or a draw of its side, at the game time `when`.

    Hands make a turn, as one that an engine has announced; what was thrown or drawn counts at once.
    """

    at: Instant
    text: str
    when: Duration
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class PlayerNamed:
    """The other board has joined, and said who plays there as `player`; `name` is empty where nobody has said it."""

    at: Instant
    player: str
    name: str
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class OpponentLeft:
    """The engine no longer plays: people play its side. `why` says what it did, where no person decided it."""

    at: Instant
    who: str
    why: str | Statement = ""


@dataclass(frozen=True, slots=True)
class PlayerWarned:
    """A coach warned the player on turn of the turn `text`, which was complete and not yet confirmed."""

    at: Instant
    text: str
    who: str
    why: str | Statement = ""


@dataclass(frozen=True, slots=True)
class PlayerHelped:
    """A coach said with what a good turn is made, or, where something is `held` in hand, whether it `fits` one."""

    at: Instant
    held: str
    fits: bool
    who: str
    why: str | Statement = ""


@dataclass(frozen=True, slots=True)
class DrawOffered:
    """`player` offered a draw: it stands until it is answered, or the other player has made a turn."""

    at: Instant
    player: str
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class DrawAnswered:
    """`player` answered the offer of a draw; one that is `accepted` ends the game."""

    at: Instant
    player: str
    accepted: bool
    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class CorrectionUndone:
    """The last correction was undone: the game stands as if it had never been made."""

    at: Instant
    who: str
    why: str = ""


GameCorrection = SandSet | RingsSet | TurnSet | StopDeclared | GlassPlaced | PenaltySet | TimeGiven | TimeTaken
"""Corrections that not every game knows, and that some know otherwise than others."""

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
    | GlassPlaced
    | TimeGiven
    | TimeTaken
    | PenaltySet
    | TurnInserted
    | PositionRestored
    | Claimed
    | NoteTaken
    | Adjourned
    | ClockPressed
    | ClockCorrected
    | MoveAnnounced
    | TurnArrived
    | PlayerNamed
    | OpponentLeft
    | PlayerWarned
    | PlayerHelped
    | DrawOffered
    | DrawAnswered
    | CorrectionUndone
)
Event = InputChanged | DeadlineReached | Correction
