"""Find what positions of small games of twenty squares are worth by the oracle of the rules, and by no code of ours.

Every position that can be reached is listed with all that may follow; then all values are improved until none changes.
"""

from collections.abc import Mapping
from copy import copy
from typing import Any

from tests.rules.twenty_squares_oracle import OracleGame

Seen = tuple[tuple[str, ...], tuple[str, ...]]
"""Where the counters are of the player to throw and of the other, as p1 sees the board."""
Thrown = list[tuple[float, list[Any]]]
"""What can be answered to each throw, with its odds: a position and whether the player throws again in it, all that may
follow a second throw, or None for a won game."""

_MIRROR = str.maketrans("13", "31")


def values_by_oracle(smallest_change: float, **settings: str) -> Mapping[Seen, float]:
    """The chance of winning of the player to throw, in every position that can be reached."""
    follows = _Reached(OracleGame(**settings)).follows
    values = dict.fromkeys(follows, 0.5)

    def worth(after: Thrown) -> float:
        return sum(share * max(map(chance, answers)) for share, answers in after)

    def chance(answer: Any) -> float:  # noqa: ANN401 - see Thrown
        if answer is None:
            return 1.0
        if isinstance(answer, list):
            return worth(answer)
        position, again = answer
        return values[position] if again else 1 - values[position]

    change = 1.0
    while change > smallest_change:
        change = 0.0
        for position in reversed(follows):
            before, values[position] = values[position], worth(follows[position])
            change = max(change, abs(values[position] - before))
    return values


class _Reached:
    """All positions that a game can come to, and what may follow each."""

    def __init__(self, start: OracleGame) -> None:
        self.follows: dict[Seen, Thrown] = {}
        self._odds = {number: float(share) for number, share in start.odds().items()}
        self._waiting = [start]
        while self._waiting:
            game = self._waiting.pop()
            if _seen(game) not in self.follows:
                self.follows[_seen(game)] = self._thrown(game)

    def _thrown(self, game: OracleGame) -> Thrown:
        found = []
        for number, share in self._odds.items():
            after = _played(game, f"throw:{number}")
            answers = [self._answered(_played(after, text), game.player) for text in sorted(after.moves())]
            found.append((share, answers))
        return found

    def _answered(self, game: OracleGame, player: str) -> object:
        if game.winner:
            return None
        if game.second:
            return self._thrown(game)
        self._waiting.append(game)
        return _seen(game), game.player == player


def _played(game: OracleGame, text: str) -> OracleGame:
    """The game after a move; the game before is kept."""
    after = copy(game)
    after.counters = {name: list(places) for name, places in game.counters.items()}
    after.play(text)
    return after


def _seen(game: OracleGame) -> Seen:
    other = {"p1": "p2", "p2": "p1"}[game.player]
    mine, theirs = (game.counters[name] for name in (game.player, other))
    if game.player == "p2":
        mine, theirs = ([place.translate(_MIRROR) for place in places] for places in (mine, theirs))
    return tuple(sorted(mine)), tuple(sorted(theirs))
