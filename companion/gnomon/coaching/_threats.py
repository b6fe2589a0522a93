"""Say what the opponent is about to do: if it were their turn, or else after the best move."""

from collections.abc import Callable
from typing import Any, NamedTuple

from gnomon.coaching._hints import REASONS
from gnomon.coaching.protocol import Coach
from gnomon.engines.protocol import Report
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import NATURE, OVER, Rules


class Threat(NamedTuple):
    """What is said, what the opponent's move would do, and its text; empty where no move can be told."""

    said: Statement
    reasons: tuple[Statement, ...] = ()
    move: str = ""


def threat(
    rules: Rules[Any, Any],
    coach: Coach[Any, Any],
    position: Any,  # noqa: ANN401 - each game has positions of its own
    report: Report,
    think: Callable[[Any], Report],
) -> Threat:
    """What the opponent of the player on turn would do; `think` weighs the moves of a position.

    Raises ValueError for a report without a move.
    """
    if not report.candidates:
        message = "no move has been weighed"
        raise ValueError(message)
    handed = coach.other_turn(position)
    if handed is not None:
        move, reasons = _best(rules, coach, handed, think)
        return Threat(statement("coach.threat.now", player=rules.turn(handed), move=move), reasons, move)
    best = report.candidates[0].move
    after, text = rules.play(position, best), rules.text(position, best)
    turn = rules.turn(after)
    if turn == OVER:
        return Threat(statement("coach.threat.over", best=text))
    if turn == NATURE:
        return Threat(statement("coach.threat.chance", best=text))
    move, reasons = _best(rules, coach, after, think)
    return Threat(statement("coach.threat.reply", best=text, player=turn, move=move), reasons, move)


def _best(
    rules: Rules[Any, Any],
    coach: Coach[Any, Any],
    position: Any,  # noqa: ANN401 - as above
    think: Callable[[Any], Report],
) -> tuple[str, tuple[Statement, ...]]:
    move = think(position).candidates[0].move
    return rules.text(position, move), tuple(coach.reasons(position, move))[:REASONS]
