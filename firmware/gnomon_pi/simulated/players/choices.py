"""Choose the moves of simulated TAMSK players; the timing of the moves is in `game_script`."""

from collections.abc import Callable, Sequence
from enum import Enum
from random import Random
from typing import Final, Protocol

from gnomon.games.tamsk.rules import PASS, Move, Position, Tamsk
from gnomon_pi.simulated.chance import pick
from gnomon_pi.simulated.players.player_timing import Habits

FREE_RING: Final = "free"  # the kind of a second ring dropped by a player who cannot move (rule 18)


class Pressure(Enum):
    """What the 15-second glass does to a turn."""

    NONE = "not turned"
    IN_TIME = "turned, and the turn is complete in time"
    LATE = "turned, and the turn is begun in time and completed late (rule 18)"
    LOST = "turned, and the turn is not begun in time (rule 19)"


class MoveChooser(Protocol):
    """What is played. `number` counts the turns of the score from 0."""

    def pressure(self, number: int) -> Pressure:
        """Whether the other player turns the 15-second glass in this turn, and how the mover takes it."""
        ...

    def choose(self, number: int, position: Position, moves: Sequence[Move]) -> Move:
        """One of the legal moves. Raises NotationError or IllegalMoveError when the wanted one is not among them."""
        ...

    def waits(self, number: int) -> bool:
        """Whether nothing is touched until the sand forces a pass."""
        ...

    def leaves_open(self, number: int) -> bool:
        """Whether the end of the turn is left to the other player's lift (rule 22)."""
        ...


class RandomPlayer:
    """Chooses by chance."""

    def __init__(self, random: Random, habits: Habits) -> None:
        self._random = random
        self._habits = habits

    def pressure(self, _number: int) -> Pressure:
        """The 15-second glass is turned now and then, and mostly moves people to hurry."""
        if not self._happens(self._habits.turns_timer15):
            return Pressure.NONE
        luck = self._random.random() - self._habits.loses_turn
        if luck < 0:
            return Pressure.LOST
        return Pressure.LATE if luck < self._habits.comes_late else Pressure.IN_TIME

    def choose(self, _number: int, _position: Position, moves: Sequence[Move]) -> Move:
        """The way of the glass is drawn first, so that the many ways to drop rings do not weigh."""
        left = sorted(moves)
        if PASS in left:
            return self._prefer(left, lambda move: move.kind == FREE_RING, self._habits.plays_penalty)[0]
        way = pick(self._random, sorted({move[:2] for move in left}))
        left = [move for move in left if move[:2] == way]
        left = self._prefer(left, lambda move: move.forgotten >= 0, self._habits.plays_forgotten)
        left = self._prefer(left, lambda move: move.ring, self._habits.drops_ring)
        left = self._prefer(left, lambda move: move.free >= 0, self._habits.plays_penalty)
        return left[0]

    def waits(self, _number: int) -> bool:
        """Nobody waits on purpose for his sand to run out."""
        return False

    def leaves_open(self, _number: int) -> bool:
        """Now and then nobody presses the button."""
        return self._happens(self._habits.leaves_end_open)

    def _happens(self, chance: float) -> bool:
        return self._random.random() < chance

    def _prefer(self, moves: Sequence[Move], wanted: Callable[[Move], bool], chance: float) -> list[Move]:
        """The moves that are as wanted (with that chance, else the others; all if there are none), in random order."""
        likes = self._happens(chance)
        left = [move for move in moves if wanted(move) is likes] or list(moves)
        self._random.shuffle(left)
        return left


class PlannedPlayer(RandomPlayer):
    """Makes one turn that was decided on before, hurries nobody and ends its turn; by chance only what is left open."""

    def __init__(self, random: Random, habits: Habits, rules: Tamsk, text: str) -> None:
        super().__init__(random, habits)
        self._rules = rules
        self._text = text

    def pressure(self, _number: int) -> Pressure:
        """Nobody turns the 15-second glass."""
        return Pressure.NONE

    def choose(self, number: int, position: Position, moves: Sequence[Move]) -> Move:
        """The turn that was decided on; another one where time has made it impossible."""
        meant = (move for move in moves if self._rules.text(position, move) == self._text)
        return next(meant, None) or super().choose(number, position, moves)

    def leaves_open(self, _number: int) -> bool:
        """The button is pressed."""
        return False
