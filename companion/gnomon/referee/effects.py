"""Define the effects that the referee orders, each to be carried out once: announcements and sounds.

What holds for a while belongs to the views.
"""

from dataclasses import dataclass
from enum import Enum

from gnomon.referee.rulings import Ruling


class Tune(Enum):
    """The few distinct sounds."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    RIGHTED = "righted"
    QUESTION = "question"
    GLASS_STOPPED = "glass stopped"
    TIMER_TURNED = "timer turned"
    TIME_LOST = "time lost"
    FAULT = "fault"
    PAUSED = "paused"
    OVER = "over"
    FLAG = "flag"
    LOW_TIME = "low time"
    WRONG_BUTTON = "wrong button"


@dataclass(frozen=True, slots=True)
class Announce:
    """Tell everyone a ruling, and write it down."""

    ruling: Ruling


@dataclass(frozen=True, slots=True)
class Sound:
    """Play a tune once."""

    tune: Tune


Effect = Announce | Sound
