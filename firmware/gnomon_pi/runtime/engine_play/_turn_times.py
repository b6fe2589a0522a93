"""Learn how long turns take where sand runs: those that hands make for an engine, and those of the other player.

`OpponentPlayer` notes each look at the game, and tells the engine. What was learned is kept for the next game, because
the same people mostly play again.
"""

from collections import deque
from itertools import pairwise
from statistics import mean, median
from typing import Final

from gnomon.referee.game import Announced, Game
from gnomon.referee.opponents import is_engines_turn, plays_as
from gnomon.timekeeping.instants import SECOND, Duration

_LATELY: Final = 5  # turns that count: people get faster
_FEW: Final = 3  # with fewer turns than these, the rest is taken to be slow: a sand glass depends on it
_SHORTEST: Final = Duration(SECOND)
_PEOPLE: Final = Duration(3 * SECOND)
"""How long the other player's turn takes while nothing is known."""
_QUICK: Final = Duration(8 * SECOND)
"""A player who has little sand left hurries: no turn is taken to need longer than this."""


class TurnTimes:
    """How long the turns of both sides took lately."""

    def __init__(self) -> None:
        self._carried_out: deque[Duration] = deque(maxlen=_LATELY)
        self._waited_for: tuple[Announced, int] | None = None

    def note(self, game: Game) -> None:
        """Take in how the game stands: whether hands have made the turn that was announced, and when."""
        told = game.announced
        if told is not None:
            self._waited_for = (told, len(game.plies)) if is_engines_turn(game) else None
            return
        if self._waited_for is None:
            return
        (told, count), self._waited_for = self._waited_for, None
        ply = game.plies[-1] if len(game.plies) == count + 1 else None
        if ply is not None and ply.player == told.player and game.board.is_same_turn(told.text, ply.text):
            # Where hands were too slow it counted without them.
            made = ply.when if ply.placed is None else ply.placed
            self._carried_out.append(Duration(max(_SHORTEST, made - told.when)))

    def hands(self, longest: Duration) -> Duration:
        """How long hands need for a turn of the engine; at first as long as it waits for them at most."""
        unknown = max(0, _FEW - len(self._carried_out))
        return Duration(min(longest, round(mean([*self._carried_out, *[longest] * unknown]))))

    @staticmethod
    def usual(game: Game) -> Duration:
        """How long the other player's turn usually takes, thinking included."""
        times = [
            Duration(ply.placed - before.when)
            for before, ply in pairwise(game.plies)
            if ply.placed is not None and not plays_as(game, ply.player, ply.before)
        ]
        return Duration(round(median(times[-_LATELY:]))) if times else _PEOPLE

    @classmethod
    def at_least(cls, game: Game) -> Duration:
        """How long the other player's turn takes at least, as far as an engine is told."""
        return min(_QUICK, max(_SHORTEST, cls.usual(game)))
