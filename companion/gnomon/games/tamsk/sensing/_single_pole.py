"""Define what is remembered of glass turns taken on trust, where a sensor cannot tell the poles apart."""

from dataclasses import dataclass

from gnomon.games.tamsk.rules import Position
from gnomon.games.tamsk.sensing._change_history import ChangeHistory
from gnomon.games.tamsk.sensing.verdicts import Made
from gnomon.timekeeping.instants import Instant


@dataclass(frozen=True, slots=True)
class Denied:
    """Somebody said that the glass on a space had not been turned over; `lifted`: since when it is off its socket."""

    space: int
    lifted: Instant | None = None  # board time


@dataclass(frozen=True, slots=True)
class Moved:
    """The last turn of a glass that was accepted on trust, and what was known as it was."""

    made: Made
    before: Position
    trail: ChangeHistory
    turn_began: Instant  # board time
    number: int  # of its ply, from 0


@dataclass(frozen=True, slots=True)
class TimerTurn:
    """The last turning of the 15-second glass that was ruled on trust, and how things stood before it."""

    at: Instant  # board time
    position: Position
    pole: int | None


@dataclass(frozen=True, slots=True)
class Trust:
    """What is believed of turning that no sensor sees, and what somebody may still say of it.

    `timer`: how the 15-second glass stands, counted as a pole that changes whenever it is off its stand for longer
    than a nudge; None where its poles are seen, and where it is not used. `timer_lifted`: since when it is off.
    """

    timer: int | None = None
    timer_lifted: Instant | None = None  # board time
    denied: Denied | None = None
    moved: Moved | None = None
    timer_turn: TimerTurn | None = None
