"""Define the notes of each tune of the buzzer.

The tunes are short and differ by ear alone: good news rises, bad news falls, a question ends high, an alarm repeats;
the more urgent the matter, the longer the tune. Frequencies stay between A3 and A5, which a small buzzer plays well.
"""

from typing import Final, NamedTuple, assert_never

from gnomon.referee.effects import Tune


class Note(NamedTuple):
    """A tone in Hz, 0 for a rest, and its length in seconds."""

    frequency: float
    seconds: float


# Equal temperament on A4 = 440 Hz.
A3: Final = 220.0
D4: Final = 293.66
E4: Final = 329.63
A4: Final = 440.0
C5: Final = 523.25
E5: Final = 659.26
G5: Final = 783.99
A5: Final = 880.0
REST: Final = 0.0


def notes(tune: Tune) -> tuple[Note, ...]:  # noqa: C901, PLR0911, PLR0912 - a line for each tune
    """The tune, note by note."""
    match tune:
        case Tune.ACCEPTED:
            return (Note(E5, 0.06),)
        case Tune.REFUSED:
            return (Note(A3, 0.25), Note(REST, 0.05), Note(A3, 0.25))
        case Tune.RIGHTED:
            return (Note(A4, 0.08), Note(E5, 0.12))
        case Tune.QUESTION:
            return (Note(C5, 0.10), Note(REST, 0.05), Note(G5, 0.20))
        case Tune.GLASS_STOPPED:
            return (Note(E4, 0.15), Note(D4, 0.15), Note(A3, 0.40))
        case Tune.TIMER_TURNED:
            return (Note(A5, 0.05), Note(REST, 0.05)) * 2 + (Note(A5, 0.05),)
        case Tune.TIME_LOST:
            return (Note(A4, 0.20), Note(E4, 0.20), Note(A3, 0.60))
        case Tune.FAULT:
            return (Note(C5, 0.10), Note(A4, 0.10)) * 3
        case Tune.PAUSED:
            return (Note(E5, 0.15), Note(A4, 0.30))
        case Tune.OVER:
            return (Note(A4, 0.15), Note(C5, 0.15), Note(E5, 0.15), Note(A5, 0.60))
        case Tune.FLAG:
            return (Note(A5, 0.30), Note(E4, 0.20)) * 2
        case Tune.LOW_TIME:
            return (Note(G5, 0.10), Note(REST, 0.10), Note(G5, 0.10))
        case Tune.WRONG_BUTTON:
            return (Note(A3, 0.10),)
        case _:
            assert_never(tune)
