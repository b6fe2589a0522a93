"""Play the game of twenty squares: perfectly by a table of all values, or by looking ahead without one."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final, Self

from gnomon.engines.protocol import Candidate, Chance, Level, Limits, Report, Score, StoppedError
from gnomon.games.twenty_squares.engine._evaluation import Evaluation
from gnomon.games.twenty_squares.engine._luck import LuckAccount, account
from gnomon.games.twenty_squares.engine._numbering import Layout, Numbering
from gnomon.games.twenty_squares.engine._solver import TwentySquaresSolver
from gnomon.games.twenty_squares.engine._values import Values, numbers
from gnomon.games.twenty_squares.rules import Move, Position, TwentySquares
from gnomon.rules.protocol import NATURE, OVER

__all__ = ["LuckAccount", "TwentySquaresEngine"]

_DEEPEST: Final = 4  # without a table: a throw more takes about twelve times as long
_FULL: Final = 400  # positions: a throw more is looked at, and sometimes two

# What each level loses in chances of winning was measured with a table: about 0.06 more in a game than the next one.
_MISTAKES: Final = (0.25, 0.14, 0.11, 0.085, 0.065, 0.045, 0.025, 0.0)
_LEVELS: Final = tuple(Level(Limits(nodes=_FULL), loss) for loss in _MISTAKES)


class TwentySquaresEngine:
    """The engine of one game. `values` are those of a table, by number of a position; see `solver`."""

    def __init__(self, rules: TwentySquares, values: Callable[[int], float] | None = None) -> None:
        self._rules = rules
        self._evaluation = Evaluation(rules)
        self._layout = Layout.of(rules)
        self._exact: Values | None = None
        if values is not None and self._layout is not None:
            number = numbers(rules, Numbering(self._layout, rules.settings.counters))
            self._exact = Values(rules, lambda position: values(number(position)))

    @property
    def levels(self) -> Sequence[Level]:
        """From one who plays almost any move to perfect play, or to the best that can be done without a table."""
        return _LEVELS

    @property
    def solver(self) -> TwentySquaresSolver | None:
        """What makes the table; None where four play, for which there is none."""
        if self._layout is None:
            return None
        return TwentySquaresSolver(Numbering(self._layout, self._rules.settings.counters))

    def with_values(self, values: Callable[[int], float]) -> Self:
        """The engine with the values of its table, by number."""
        return type(self)(self._rules, values)

    @property
    def values(self) -> Values | None:
        """What positions are worth exactly; None without a table."""
        return self._exact

    def account(self, moves: Iterable[Move]) -> LuckAccount | None:
        """What luck and skill were worth in a game; None without a table."""
        return None if self._exact is None else account(self._rules, self._exact, moves)

    def estimate_account(self, moves: Iterable[Move]) -> LuckAccount:
        """What luck and skill were worth in a game of two as far as an estimate tells that looks one throw ahead."""
        return account(self._rules, Values(self._rules, self._throw_ahead), moves)

    def think(
        self, position: Position, limits: Limits, _chance: Chance, stopped: Callable[[], bool]
    ) -> Iterator[Report]:
        """Weigh the answers to a throw. Raises ValueError if nobody is to answer one."""
        if self._rules.turn(position) in (NATURE, OVER):
            message = "nobody is to answer a throw"
            raise ValueError(message)
        if self._exact is not None:
            moves = self._rules.legal_moves(position)
            yield self._report(position, self._exact, 1, len(moves))
            return
        nodes = 0

        def estimate(depth: int, before: Position) -> float:
            nonlocal nodes
            if depth:
                return Values(self._rules, partial(estimate, depth - 1)).chance_by_throws(before)
            nodes += 1
            if ahead and (stopped() or (limits.nodes is not None and nodes > limits.nodes)):
                raise StoppedError
            return self._evaluation.chance(before)

        for ahead in range(min(_DEEPEST, limits.depth or _DEEPEST)):
            try:
                report = self._report(position, Values(self._rules, partial(estimate, ahead)), ahead + 1, nodes)
            except StoppedError:
                return
            yield report._replace(nodes=nodes)

    def _throw_ahead(self, before: Position) -> float:
        """What a position before a throw is worth, by the estimate after the best answer to each throw."""
        return Values(self._rules, self._evaluation.chance).chance_by_throws(before)

    def _report(self, position: Position, values: Values, depth: int, nodes: int) -> Report:
        """All answers with what they are worth, the best first."""
        proven = values is self._exact
        weighed = [
            Candidate(move, Score(values.chance_after(position, move), proven=proven))
            for move in self._rules.legal_moves(position)
        ]
        return Report(sorted(weighed, key=lambda each: -each.score.chance), depth, nodes)
