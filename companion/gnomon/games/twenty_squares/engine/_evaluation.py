"""Estimate what a position of the game of twenty squares is worth where there is no table of exact values.

The estimate is linear in a few counts of each side, and fitted to the table of five counters (`docs/figures.md` says
how well). Boards of other lengths are measured in parts of the way.
"""

from collections.abc import Mapping
from math import exp
from typing import Final

from gnomon.games.twenty_squares.rules import Position, TwentySquares

FEATURES: Final = ("hand", "way", "side", "exposed", "rosette", "threat")
"""Of each side: counters in hand; what they have before them, of the whole way; those on the side row, on shared
squares, and on shared rosettes; and what they would lose by the other side's next throw on average."""

WEIGHTS: Final = (
    *(-0.087, 0.532, 0.054, 0.070, 0.183, -0.020),
    *(0.016, -0.469, -0.075, -0.078, -0.229, -0.353),
    *(0.029,),
    *(-1.276, -4.542, -0.209, -0.244, -0.966, -1.510),
    *(1.574, 4.260, 0.058, 0.253, 0.938, 6.223),
    *(0.456,),
)
"""By feature of the side that throws, then of the other side, then what stands alone; and again for the same counts
divided by all counters that are not home: each weighs more when few are left."""


class Evaluation:
    """The estimate for one game."""

    def __init__(self, rules: TwentySquares) -> None:
        self._rules = rules
        board = rules.board
        everyone = range(len(rules.players))
        self._length = board.last + 1
        self._odds: Mapping[int, float] = {number: float(odds) for number, odds in rules.odds.items()}
        #: By player and step: the square, whether it is a rosette, and the enemies' steps there.
        self._squares = [
            [
                (
                    square in board.rosettes,
                    [
                        (enemy, step)
                        for enemy in everyone
                        if board.teams[enemy] != board.teams[player] and (step := board.step(enemy, square)) is not None
                    ],
                )
                for square in board.routes[player]
            ]
            for player in everyone
        ]

    def chance(self, position: Position) -> float:
        """The chance of winning of the player who is to throw."""
        odds = sum(map(float.__mul__, WEIGHTS, self.features(position)))
        return 1 / (1 + exp(-odds))

    def features(self, position: Position) -> list[float]:
        """What is weighed, in the order of the weights."""
        teams = self._rules.board.teams
        standing = [self._rules.counters_of(position, player) for player in range(len(teams))]
        sides = ([0.0] * len(FEATURES), [0.0] * len(FEATURES))
        for player, (hand, steps) in enumerate(standing):
            side = sides[teams[player] != teams[position.player]]
            side[0] += hand
            side[1] += hand
            for step in steps:
                rosette, meets = self._squares[player][step - 1]
                side[1] += 1 - step / self._length
                if not meets:
                    side[2] += 1
                elif rosette:
                    side[4] += 1
                else:
                    side[3] += 1
                    hits = sum(
                        self._odds.get(there - other, 0.0) for enemy, there in meets for other in standing[enemy][1]
                    )
                    side[5] += hits * step / self._length
        counts = [*sides[0], *sides[1], 1.0]
        left = sum(hand + len(steps) for hand, steps in standing)
        return [*counts, *(count / left for count in counts)]
