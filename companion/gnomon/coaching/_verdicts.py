"""Judge a move that is about to be confirmed.

Only values of one report are compared: they are of the same engine, with the same configuration and to the same depth.
Where one is proven to be a result and the other is an estimate, no number is given.
"""

from collections.abc import Collection
from enum import Enum
from typing import Any, Final, NamedTuple

from gnomon.coaching._hints import percent
from gnomon.coaching.protocol import Coach
from gnomon.engines.protocol import Engine, Limits, Report, Score
from gnomon.refusals import Statement, statement

MISTAKE: Final = 0.05
"""Smaller differences are within the errors of a search."""
BLUNDER: Final = 0.15
_EXACT: Final = 0.01
"""Exact values have no errors, and what is smaller is not worth a word."""
_RESULTS: Final = (0.0, 0.5, 1.0)


class VerdictKind(Enum):
    """What is said of a move."""

    UNKNOWN = "unknown"
    SOUND = "sound"
    MISTAKE = "mistake"
    BLUNDER = "blunder"
    MISSED_WIN = "missed_win"
    LOSES = "loses"


_SAID: Final = {
    VerdictKind.UNKNOWN: statement("coach.verdict.unknown"),
    VerdictKind.SOUND: statement("coach.verdict.sound"),
    VerdictKind.MISTAKE: statement("coach.verdict.mistake"),
    VerdictKind.BLUNDER: statement("coach.verdict.blunder"),
    VerdictKind.MISSED_WIN: statement("coach.verdict.missed_win"),
    VerdictKind.LOSES: statement("coach.verdict.loses"),
}


class Verdict(NamedTuple):
    """A verdict, the best move, and what the chance of winning falls by; None where there is no number."""

    kind: VerdictKind
    best: Any = None
    points: float | None = None

    @property
    def warns(self) -> bool:
        """Whether a player who asked for warnings is warned before the move counts."""
        return self.kind in {VerdictKind.BLUNDER, VerdictKind.MISSED_WIN, VerdictKind.LOSES}

    @property
    def said(self) -> Statement:
        """The verdict in words, without the better move, which nobody has asked for yet."""
        if self.points is None:
            return _SAID[self.kind]
        return statement(
            "coach.verdict.mistake.number" if self.kind is VerdictKind.MISTAKE else "coach.verdict.blunder.number",
            number=percent(self.points),
        )


def is_deep(engine: Engine[Any], limits: Limits) -> bool:
    """Whether a search within limits is deep enough for a verdict: as deep as the level in the middle searches."""
    least = engine.levels[len(engine.levels) // 2].limits
    nodes = limits.nodes is None or (least.nodes is not None and limits.nodes >= least.nodes)
    depth = limits.depth is None or (least.depth is not None and limits.depth >= least.depth)
    return nodes and depth


def judge(coach: Coach[Any, Any], position: object, report: Report, move: object, *, deep: bool) -> Verdict:
    """What a move is against the best one of a report. `deep`: the search was deep enough for estimates to count."""
    found = next((each.score for each in report.candidates if each.move == move), None)
    if found is None:
        return Verdict(VerdictKind.UNKNOWN)
    top = max(report.candidates, key=lambda each: each.score.chance)
    kind, points = _compare(top.score, found, deep=deep)
    return Verdict(kind, top.move, points if coach.predicts(position) else None)


def judge_held(
    coach: Coach[Any, Any], position: object, report: Report, moves: Collection[Any], *, deep: bool
) -> bool | None:
    """Whether a good turn is among those that are made with one piece; None where that cannot be judged."""
    weighed = [each for each in report.candidates if each.move in moves]
    if not weighed:
        return None
    kind = judge(coach, position, report, max(weighed, key=lambda each: each.score.chance).move, deep=deep).kind
    return None if kind is VerdictKind.UNKNOWN else kind is VerdictKind.SOUND


def _compare(best: Score, found: Score, *, deep: bool) -> tuple[VerdictKind, float | None]:
    points = best.chance - found.chance
    if points <= 0:
        return VerdictKind.SOUND, None
    if is_result(found) and found.chance == 0:
        return VerdictKind.LOSES, None
    if is_result(best) and best.chance == 1 and (is_result(found) or (deep and points >= MISTAKE)):
        return VerdictKind.MISSED_WIN, None
    if best.proven != found.proven:
        return VerdictKind.UNKNOWN, None
    if best.proven:
        return _by_number(points, _EXACT)
    return _by_number(points, MISTAKE) if deep else (VerdictKind.UNKNOWN, None)


def is_result(score: Score) -> bool:
    """Whether it is proven how the game ends, and not only how likely that is."""
    return score.proven and score.chance in _RESULTS


def _by_number(points: float, least: float) -> tuple[VerdictKind, float | None]:
    if points < least:
        return VerdictKind.SOUND, None
    return (VerdictKind.MISTAKE if points < BLUNDER else VerdictKind.BLUNDER), points
