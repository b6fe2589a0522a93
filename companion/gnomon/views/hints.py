"""Say a hint in three steps: the piece, the place, and why."""

from collections.abc import Sequence

from gnomon.referee.game import Game
from gnomon.refusals import sentence
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.instants import Instant
from gnomon.words import Words


def hint_steps(game: Game, now: Instant, text: str, words: Words) -> Sequence[str]:
    """What is said of a turn, step by step; none for a turn that is not legal any more."""
    from gnomon.coaching import REASONS, coach_of  # noqa: PLC0415 - few ask for a hint

    coach, position = coach_of(game.rules), game.position_at(now)
    try:
        move = game.rules.parse(position, text)
    except RulesError:
        return ()
    reasons = " ".join(sentence(each, words) for each in [*coach.reasons(position, move)][:REASONS])
    piece, place = (sentence(each, words) for each in (coach.piece(position, move), coach.place(position, move)))
    return [each for each in (piece, place, reasons) if each]
