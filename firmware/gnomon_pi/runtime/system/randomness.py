"""Draw random outcomes for nature's turns, with exact odds, from the operating system or a seeded source.

A random outcome is an event like any other, so a replay needs no chance. A seeded source depends on the number of the
ply alone: a daemon that is killed and restarted draws the same outcome again.
"""

from dataclasses import dataclass
from random import Random, SystemRandom
from typing import Final, Protocol

from gnomon.referee.events import TurnEntered
from gnomon.referee.game import Game
from gnomon.refusals import statement
from gnomon.rules.odds import pick
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.instants import Instant

COMPANION: Final = "companion"
"""Who enters what chance gave."""


class Chance(Protocol):
    """A source of chance."""

    def below(self, bound: int, number: int) -> int:
        """A whole number from 0 to below `bound`, each as likely, for the ply `number`."""
        ...

    def name(self, number: int) -> str:
        """The source of what is thrown as the ply `number`, for the record."""
        ...


class SystemChance:
    """What the operating system gathers of chance: nobody can foretell it, and nothing repeats it."""

    def __init__(self) -> None:
        self._random = SystemRandom()

    def below(self, bound: int, _number: int) -> int:
        """A whole number from 0 to below `bound`."""
        return self._random.randrange(bound)

    def name(self, _number: int) -> str:
        """The operating system."""
        return "chance of the operating system"


@dataclass(frozen=True, slots=True)
class SeededChance:
    """Chance that anyone who knows the seed can repeat: for tests and demonstrations."""

    seed: int

    def below(self, bound: int, number: int) -> int:
        """A whole number from 0 to below `bound`, the same whenever it is asked for."""
        return Random(f"{self.seed} {number}").randrange(bound)  # noqa: S311 - it is to be repeated

    def name(self, number: int) -> str:
        """The seed and the number of the ply."""
        return f"chance of seed {self.seed}, ply {number}"


SYSTEM: Final = SystemChance()


def throw(game: Game, at: Instant, chance: Chance) -> TurnEntered:
    """What nature throws or draws in a game at board time `at`, with its source. Raises RulesError when nothing is due.

    In a pause and after the end nothing is due either.
    """
    number = len(game.plies)
    if game.outcome is not None or game.paused_at is not None:
        raise RulesError(statement("told.nothing_due"))
    text = pick(game.rules, game.position, lambda bound: chance.below(bound, number))
    return TurnEntered(at, text, COMPANION, f"thrown by {chance.name(number)}")
