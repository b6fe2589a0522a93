"""Compute the value of any position of the game of twenty squares from the table of positions before a throw."""

from collections.abc import Callable
from typing import Final

from gnomon.games.twenty_squares.engine._numbering import Counters, Numbering
from gnomon.games.twenty_squares.rules import Move, Position, TwentySquares
from gnomon.rules.protocol import NATURE, OVER

Worth = Callable[[Position], float]
"""What a position before a first throw is worth to the player who throws."""


class Values:
    """What positions are worth to the player who throws or answers in them."""

    def __init__(self, rules: TwentySquares, worth: Worth) -> None:
        self._rules = rules
        self._worth = worth
        self._odds: Final = [(Move("throw", number), odds) for number, odds in rules.odds.items()]

    def chance(self, position: Position) -> float:
        """The chance of winning in any position; the one who has won wins."""
        rules = self._rules
        turn = rules.turn(position)
        if turn == OVER:
            return 1.0
        if turn != NATURE:
            return max(self.chance_after(position, move) for move in rules.legal_moves(position))
        return self.chance_by_throws(position) if position.entering else self._worth(position)

    def chance_by_throws(self, position: Position) -> float:
        """The same before a throw, as the mean over all throws."""
        play = self._rules.play
        return sum(float(odds) * self.chance(play(position, throw)) for throw, odds in self._odds)

    def chance_after(self, position: Position, move: Move) -> float:
        """The chance of winning of the player who answers, after an answer."""
        after = self._rules.play(position, move)
        chance = self.chance(after)
        # In teams, a partner's chance is one's own.
        mates = self._rules.team(self._rules.actor(position))
        return chance if self._rules.actor(after) in mates else 1 - chance


def numbers(rules: TwentySquares, numbering: Numbering) -> Callable[[Position], int]:
    """A function from a position before a first throw to its number."""
    layout = numbering.layout

    def counters(position: Position, player: int) -> Counters:
        hand, steps = rules.counters_of(position, player)
        counts = [hand] + [0] * layout.last
        for step in steps:
            counts[step] += 1
        return layout.counters(counts)

    def number(position: Position) -> int:
        mine, theirs = (counters(position, player) for player in (position.player, 1 - position.player))
        return numbering.number(mine, theirs)

    return number
