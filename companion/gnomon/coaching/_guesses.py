"""Give points for guessed moves of a recorded game, by what an engine says of them and of the move that was played."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from gnomon.coaching._verdicts import MISTAKE, is_result
from gnomon.coaching.protocol import Coach
from gnomon.engines.protocol import Score
from gnomon.refusals import Statement, statement
from gnomon.rules.bids import BID
from gnomon.rules.protocol import NATURE, OVER, PlayedTurn, Rules

FULL: Final = 10
"""Points for a move that is as good as the one that was played."""
_ALIKE: Final = 0.01
_NOTHING_LEFT: Final = 0.25
"""A move that is worse by so much of a chance gets nothing."""
_WHOLE: Final = 100
_GRADES: Final = (
    (0.9, statement("coach.guess.grade.master")),
    (0.7, statement("coach.guess.grade.strong")),
    (0.45, statement("coach.guess.grade.good")),
    (0.0, statement("coach.guess.grade.learner")),
)


class Guess(NamedTuple):
    """A guess at a turn: its points, None where it could not be judged."""

    number: int
    text: str
    points: int | None


def winning_seat(rules: Rules[Any, Any], position: object, winner: str | None) -> str | None:
    """The seat of the winner in the last position; None where nobody has."""
    return None if winner is None else rules.seat(position, winner) or winner


def guessable(rules: Rules[Any, Any], turns: Iterable[PlayedTurn], seat: str | None) -> Iterator[PlayedTurn]:
    """The turns of a seat that leave a choice, or those of all players; a text that is no legal move then has none."""
    for turn in turns:
        if rules.turn(turn.before) in {NATURE, OVER}:
            continue
        if seat is not None and (rules.seat(turn.before, turn.player) or turn.player) != seat:
            continue
        moves = rules.legal_moves(turn.before)
        texts = {rules.text(turn.before, move) for move in moves if rules.is_turn(move)}
        has_no_end = rules.open_bids and any(text.startswith(BID) for text in texts)
        if has_no_end or (len(texts) > 1 and turn.text in texts):
            yield turn


def guess_points(played: Score, guessed: Score) -> int:
    """The points of a guess: `FULL` for a move that is worth as much as the one that was played, or more.

    Both scores are of one engine with one configuration.
    """
    if is_result(guessed) and guessed.chance == 0 and not (is_result(played) and played.chance == 0):
        return 0
    missing = played.chance - guessed.chance
    if missing <= _ALIKE:
        return FULL
    return round(FULL * max(0.0, 1 - missing / _NOTHING_LEFT))


def piece_verdict(coach: Coach[Any, Any], position: object, scores: Mapping[Any, Score], move: object) -> Statement:
    """Whether a good turn is made with what a move is made with, whatever its place; `scores` are by move."""
    piece, best = coach.piece(position, move), max((score.chance for score in scores.values()), default=0.0)
    with_it = [score for other, score in scores.items() if coach.piece(position, other) == piece]
    if not with_it:
        return statement("coach.hand.unknown")
    is_good = any(best - score.chance < MISTAKE for score in with_it)
    return statement("coach.hand.yes" if is_good else "coach.hand.no")


def summary(guesses: Sequence[Guess]) -> Statement:
    """What all guesses came to."""
    judged = [each.points for each in guesses if each.points is not None]
    if not judged:
        return statement("coach.guess.none")
    points, most = sum(judged), FULL * len(judged)
    grade = next(each for least, each in _GRADES if points >= least * most)
    return statement(
        "coach.guess.sum",
        points=points,
        most=most,
        percent=round(_WHOLE * points / most),
        grade=grade,
    )
