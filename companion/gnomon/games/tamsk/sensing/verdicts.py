"""Define the verdicts that an explanation of the TAMSK board can reach.

Spaces are board indices, stamps are board time.
"""

from typing import Final, NamedTuple, Self

from gnomon.games.tamsk.rules import Move
from gnomon.referee.evidence import DOUBT_TIME
from gnomon.referee.judgement import Repair
from gnomon.timekeeping.instants import Duration, Instant

ENDS: Final = "ends"
"""The question whether a turn ends the game, where a sensor was unreliable shortly before."""


class Made(NamedTuple):
    """A turn as it was made by hand.

    `lifted`, `placed` and `done` are game times (the first and last with the sampling's uncertainty granted to the
    player); `at` is the stamp of the change that completed it. `answered` is the game time of the reply that was begun
    before that, if one was: the mover's time ran no longer. `is_late`: the 15-second glass was empty before, as the
    players say, for nobody saw it turned.
    """

    move: Move
    lifted: Instant
    placed: Instant
    done: Instant
    at: Instant
    answered: Instant | None = None
    is_late: bool = False

    def not_before(self, now: Instant) -> Self:
        """The turn as if made from a game time on, where what has been ruled since has moved the game to that time."""
        lifted, placed, done = (Instant(max(each, now)) for each in (self.lifted, self.placed, self.done))
        return self._replace(lifted=lifted, placed=placed, done=done)


class Agreed(NamedTuple):
    """The board shows the position; at most the forgotten ring has fallen (rule 3)."""

    clean: bool


class InHand(NamedTuple):
    """A glass of the player on turn is in the air: their turn has begun (rule 17)."""

    space: int
    lifted: Instant  # game time, uncertainty granted


class MayGoOn(NamedTuple):
    """A legal turn stands on the board; a ring may still fall, or a button or the opponent ends it (rule 22)."""

    made: Made


class Complete(NamedTuple):
    """A whole turn has been made."""

    made: Made


class Several(NamedTuple):
    """More than one turn explains the board."""

    choices: tuple[Made, ...]


class Review(NamedTuple):
    """Only time can tell: look again at that instant.

    `made` is the turn that may have been ended by a reply; None: several may, or none.
    """

    at: Instant
    made: Made | None = None


class Away(NamedTuple):
    """Nothing is wrong but that glasses are away which nobody may move now."""

    repairs: tuple[Repair, ...]


class Wrong(NamedTuple):
    """No legal play leads here; `at_once` when the rules do not let a player think better of it."""

    at: Instant
    player: int
    code: str
    text: str | None
    repairs: tuple[Repair, ...]
    at_once: bool = False


class Doubt(NamedTuple):
    """An input says what cannot be (`stack` or `stuck`); it is quarantined when it has said so for `patience`.

    Or one of `also` lies and it does not: then none of them is believed. `against` are the inputs that contradict it.
    """

    at: Instant
    input: str
    fault: str
    patience: Duration = DOUBT_TIME
    also: tuple[str, ...] = ()
    is_moving: bool = False  # or is only late: it is believed again when it has been quiet
    against: tuple[str, ...] = ()


Verdict = Agreed | InHand | MayGoOn | Complete | Several | Review | Away | Wrong | Doubt
