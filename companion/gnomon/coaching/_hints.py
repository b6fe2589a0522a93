"""Give a hint in three steps (which piece, which place, and why), and say what the opponent is about to do."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from gnomon.coaching.protocol import Coach
from gnomon.engines.protocol import Candidate, Report, Score
from gnomon.refusals import NOTHING, Statement, sentence, statement
from gnomon.rules.bids import BID
from gnomon.rules.protocol import NATURE, OVER, Rules, RulesError
from gnomon.timekeeping.instants import SECOND
from gnomon.words import Words

REASONS: Final = 2
"""So many of a game's own reasons are given: more than two are not remembered at a board."""
ALIKE: Final = 0.01
"""Chances that differ by less are the same to people."""
_WHOLE: Final = 100
_RESULTS: Final = {
    1.0: statement("coach.why.won"),
    0.5: statement("coach.why.drawn"),
    0.0: statement("coach.why.lost"),
}


class Hint(NamedTuple):
    """What to play: the text of the move, its score, and what is said in each of three steps."""

    move: str
    score: Score
    piece: Statement
    place: Statement
    reasons: tuple[Statement, ...]

    @property
    def steps(self) -> Sequence[Sequence[Statement]]:
        """The statements by step."""
        return (self.piece,), (self.place,), self.reasons


def hint(rules: Rules[Any, Any], coach: Coach[Any, Any], position: object, report: Report) -> Hint:
    """The best move of a report as a hint, for the player on turn. Raises ValueError for a report without a move."""
    if not report.candidates:
        message = "no move has been weighed"
        raise ValueError(message)
    best = report.candidates[0]
    own = [*coach.reasons(position, best.move)][:REASONS]
    if best.wait:
        own.insert(0, statement("coach.why.wait", number=max(1, round(best.wait / SECOND))))
    worth = _worth(rules, position, report.candidates, predicts=coach.predicts(position))
    return Hint(
        rules.text(position, best.move),
        best.score,
        coach.piece(position, best.move),
        coach.place(position, best.move),
        tuple(each for each in (*own, worth) if each != NOTHING),
    )


def hint_steps(  # noqa: PLR0913, PLR0917 - what a coach has to know, and how it is said
    rules: Rules[Any, Any],
    coach: Coach[Any, Any],
    position: object,
    text: str,
    said: str,
    words: Words,
) -> Sequence[str]:
    """What is said of a turn, step by step, where no values are known; none for one that is not legal any more.

    `said` is the turn in plain words: it stands for the place where a coach knows only the notation.
    """
    try:
        move = rules.parse(position, text)
    except RulesError:
        return ()
    why = [*coach.reasons(position, move)][:REASONS]
    if _is_only(rules, position):
        why.append(statement("coach.why.only"))
    reasons = " ".join(sentence(each, words) for each in why)
    piece, place = coach.piece(position, move), coach.place(position, move)
    where = said if place.key == "coach.place" else sentence(place, words)
    return [each for each in (sentence(piece, words), where, reasons) if each]


def percent(chance: float) -> int:
    """A chance in whole percent; what is not certain is never said to be 0 or 100."""
    return min(_WHOLE - 1, max(1, round(_WHOLE * chance)))


def _is_only(rules: Rules[Any, Any], position: object) -> bool:
    """Whether there is one legal move alone; of bids without an upper end only the least one is listed."""
    moves = rules.legal_moves(position)
    return len(moves) == 1 and not (rules.open_bids and rules.text(position, moves[0]).startswith(BID))


def _worth(rules: Rules[Any, Any], position: object, candidates: Sequence[Candidate], *, predicts: bool) -> Statement:
    """How much better the best move is than the others."""
    best, *others = candidates
    if _is_only(rules, position):
        return statement("coach.why.only")
    chance, _, proven = best.score
    if proven and chance in _RESULTS:
        return _RESULTS[chance]
    other = max(others, key=lambda each: each.score.chance, default=None)
    if other is None:
        return statement("coach.why.alone", number=percent(chance)) if predicts else NOTHING
    move = rules.text(position, other.move)
    if not predicts:
        return statement("coach.why.open", move=move)
    if chance - other.score.chance < ALIKE:
        return statement("coach.why.alike", number=percent(chance), move=move)
    return statement("coach.why.better", number=percent(chance), move=move, other=percent(other.score.chance))


class Threat(NamedTuple):
    """What is said, what the opponent's move would do, and its text; empty where no move can be told."""

    said: Statement
    reasons: tuple[Statement, ...] = ()
    move: str = ""


def threat(
    rules: Rules[Any, Any], coach: Coach[Any, Any], position: object, report: Report, think: Callable[[Any], Report]
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
    rules: Rules[Any, Any], coach: Coach[Any, Any], position: object, think: Callable[[Any], Report]
) -> tuple[str, tuple[Statement, ...]]:
    move = think(position).candidates[0].move
    return rules.text(position, move), tuple(coach.reasons(position, move))[:REASONS]
