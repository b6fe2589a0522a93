"""Search positions for the coach: bounded by nodes, and with the same chance every time, so that it is repeatable."""

from typing import TYPE_CHECKING, Any, Final

from gnomon.cli.words import CommandRefusedError
from gnomon.refusals import statement
from gnomon.rules.protocol import NATURE, OVER, Rules

if TYPE_CHECKING:
    from gnomon.engines.protocol import Report

_USUAL: Final = 0.75  # of all levels, the one whose nodes are searched where nobody says otherwise
_SEED: Final = 1


class EngineSearch:
    """An engine for one game, and how far it searches."""

    def __init__(self, rules: Rules[Any, Any], nodes: int | None) -> None:
        from gnomon.cli.engine import engine_with_table
        from gnomon.engines.protocol import Limits

        self.rules = rules
        self.engine = engine_with_table(rules)
        levels = self.engine.levels
        usual: Limits = levels[round(len(levels) * _USUAL) - 1].limits
        self.limits = usual if nodes is None else Limits(nodes=nodes)

    def report(self, position: object, moves: tuple[Any, ...] = ()) -> "Report":
        """What the moves of a position are worth, all or some of them.

        Raises CommandRefusedError if nobody is on turn.
        """
        from random import Random

        turn = self.rules.turn(position)
        if turn in {NATURE, OVER}:
            raise CommandRefusedError(statement("coach.refused.over" if turn == OVER else "coach.refused.chance"))
        report: Report
        limits = self.limits._replace(moves=moves)
        *_, report = self.engine.think(position, limits, Random(_SEED), _never)  # noqa: S311 - repeatable
        if not moves:
            return report
        return report._replace(candidates=[each for each in report.candidates if each.move in moves])


def _never() -> bool:
    return False
