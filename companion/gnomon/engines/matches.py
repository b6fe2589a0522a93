"""Play games between engines, and say how much stronger one is than another."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from math import inf, log, log10, sqrt
from typing import Any, Final, NamedTuple

from gnomon.engines._chance import draw_weighted
from gnomon.engines.move_list import MoveList
from gnomon.engines.process import Answer
from gnomon.engines.protocol import Chance
from gnomon.rules.protocol import NATURE, IllegalMoveError, Rules
from gnomon.timekeeping.instants import Duration, Instant

Player = Callable[[MoveList], Awaitable[Answer]]
"""Somebody who answers with a move in a game where it is on turn."""
LONGEST: Final = 2_000
"""Moves after which a game is given up as a draw."""
_Z: Final = 1.959964  # two-sided, 95 %
_ELO: Final = 400


class MatchTally(NamedTuple):
    """How one side has fared: games won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """How many games there were."""
        return self.won + self.drawn + self.lost

    @property
    def score(self) -> float:
        """The share of the points, from 0 to 1: a draw is half a point."""
        return (self.won + self.drawn / 2) / self.games if self.games else 0.5

    def add(self, points: float) -> "MatchTally":
        """The tally after one more game: 1, 0.5 or 0 points."""
        return MatchTally(self.won + (points == 1), self.drawn + (points not in {0, 1}), self.lost + (points == 0))

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share of points lies with 95 % certainty (Wilson, 1927); draws make it a little too wide."""
        number = self.games
        if not number:
            return 0.0, 1.0
        share = _Z * _Z / number
        middle = (self.score + share / 2) / (1 + share)
        half = _Z / (1 + share) * sqrt(self.score * (1 - self.score) / number + share / (4 * number))
        # An engine that has won or lost all games is at the very end, which the sum misses by a rounding.
        return (middle - half if self.score > 0 else 0.0), (middle + half if self.score < 1 else 1.0)


def elo(score: float) -> float:
    """By how many Elo a side is stronger that has this share of the points."""
    if score <= 0:
        return -inf
    if score >= 1:
        return inf
    return _ELO * log10(score / (1 - score))


def ratings(names: Sequence[str], results: Mapping[tuple[str, str], MatchTally]) -> Mapping[str, tuple[float, float]]:
    """How strong each side is by all games, in Elo above the first, and how far that may be wrong (95 %).

    It is the model of Bradley and Terry (1952), with one drawn game between the first and everybody added: else a side
    that has lost all its games would have no strength at all.
    """
    points = dict.fromkeys(names, 0.5)
    games: dict[tuple[str, str], float] = {}
    for (one, other), tally in results.items():
        points[one] += tally.score * tally.games
        points[other] += (1 - tally.score) * tally.games
        for pair in ((one, other), (other, one)):
            games[pair] = games.get(pair, 0) + tally.games
    # The added game is against somebody of constant strength 1, who keeps the scale in place.
    strength = dict.fromkeys(names, 1.0)
    for _ in range(2_000):
        before = dict(strength)
        for name in names:
            met = sum(
                number / (strength[name] + strength[other]) for (one, other), number in games.items() if one == name
            )
            strength[name] = points[name] / (met + 1 / (strength[name] + 1))
        if all(abs(strength[name] / before[name] - 1) < 1e-9 for name in names):  # noqa: PLR2004 - far below one Elo
            break
    found = {}
    for name in names:
        mine = strength[name]
        known = mine / (mine + 1) ** 2
        known += sum(
            number * mine * strength[other] / (mine + strength[other]) ** 2
            for (one, other), number in games.items()
            if one == name
        )
        error = _Z * _ELO / log(10) / sqrt(known)
        found[name] = (_ELO * log10(mine / strength[names[0]]), error)
    return found


async def play_game(
    rules: Rules[Any, Any],
    players: tuple[Player, Player],
    chance: Chance,
    *,
    opening: int = 0,
    pace: Duration = Duration(0),
) -> MoveList:
    """Play one game: nature by chance, the first turns too, then the players, of whom the first begins.

    Where sand runs, each turn takes `pace`, besides what a player waits on purpose.
    """
    game = MoveList.begin(rules)
    turns = 0
    while not game.is_over and len(game.texts) < LONGEST:
        if rules.turn(game.position) == NATURE:
            game = game.add(rules.text(game.position, draw(rules, game.position, chance)))
            continue
        turns += 1
        if turns > opening:
            answer = await players[0 if game.first_acts else 1](game)
            later = game.elapse(Instant(game.now + answer.wait + pace))
            if later.is_over:
                return later
            try:
                game = later.add(rules.text(later.position, answer.move))
            except IllegalMoveError:
                # Sand may have run out meanwhile, and the move with it: then it is another's choice.
                if later is game:
                    raise
                game = later
                turns -= 1
        else:
            game = game.elapse(Instant(game.now + pace))
            if not game.is_over:
                game = game.add(rules.text(game.position, draw(rules, game.position, chance)))
    return game


def draw(rules: Rules[Any, Any], position: object, chance: Chance) -> Any:  # noqa: ANN401 - a game's own
    """One of the moves by chance: of nature by how likely they are, of a player any that ends a turn."""
    moves = rules.legal_moves(position)
    if rules.turn(position) != NATURE:
        moves = [move for move in moves if rules.is_turn(move)] or moves
        return moves[int(chance.random() * len(moves))]
    return draw_weighted(moves, [float(rules.weight(position, move)) for move in moves], chance)
