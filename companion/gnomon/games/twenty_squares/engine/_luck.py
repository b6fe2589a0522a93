"""Split what happened in a game of twenty squares into luck and skill, exactly.

The luck of a throw is what the best answer to it is worth, less what the position was worth before it. The skill of an
answer is what it is worth, less what the best one is: never above zero. All of them together are the result less what
the start was worth: the identity of backgammon programs, whose values are estimates, with exact ones.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from gnomon.games.twenty_squares.engine._values import Values
from gnomon.games.twenty_squares.rules import Move, TwentySquares
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import NATURE, OVER

_WHOLE: Final = 100  # percent


class LuckAccount(NamedTuple):
    """What a game of two players consisted of, as chances of winning; pairs are of the first and the second player.

    `start` and `end` are the first player's chances before the first throw and after the last turn; `luck` is what
    each player's throws were worth to them, and `skill` what their answers were.
    """

    start: float
    end: float
    luck: tuple[float, float]
    skill: tuple[float, float]

    @property
    def deserved(self) -> float:
        """The first player's chance with even luck: the result less all luck."""
        return self.start + self.skill[0] - self.skill[1]

    def summary(self, players: tuple[str, str]) -> Statement:
        """The account in two or three sentences."""
        gain = self.luck[1] - self.luck[0]
        luck, luckier = _percent(abs(gain)), players[gain > 0]
        worse, better = sorted(range(2), key=self.skill.__getitem__)
        skill, other = _percent(self.skill[better]), _percent(self.skill[worse])
        chance = round(_WHOLE * min(1.0, max(0.0, self.deserved)))
        if skill == other:
            return statement(
                "told.twenty-squares.luck.alike", luck=luck, player=luckier, skill=skill, to=players[0], chance=chance
            )
        return statement(
            "told.twenty-squares.luck",
            luck=luck,
            player=luckier,
            of=players[better],
            skill=skill,
            other=other,
            to=players[0],
            chance=chance,
        )


def account(rules: TwentySquares, values: Values, moves: Iterable[Move]) -> LuckAccount:
    """Part a game of two players into luck and skill, by the exact values of its positions."""
    position = rules.start()
    luck, skill = [0.0, 0.0], [0.0, 0.0]
    start = now = values.chance(position)
    for move in moves:
        by_nature, player = rules.turn(position) == NATURE, position.player
        # `now` is the chance of the one who throws or answers: after a throw, with the best answer.
        if by_nature:
            position = rules.play(position, move)
            after = values.chance(position)
            luck[player] += after - now
            now = after
        else:
            after = values.chance_after(position, move)
            skill[player] += after - now
            position = rules.play(position, move)
            now = after if position.player == player else 1 - after
    if rules.turn(position) == OVER:
        now = 1.0
    end = now if position.player == 0 else 1 - now
    return LuckAccount(start, end, (luck[0], luck[1]), (skill[0], skill[1]))


def _percent(share: float) -> str:
    """A share in percent, with its sign."""
    percent = round(_WHOLE * share)
    return f"+{percent}" if percent > 0 else f"−{-percent}" if percent else "0"
