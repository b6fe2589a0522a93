"""Set the judgement that players see while no turn is ruled: a glass in the hand, a board in doubt, a question."""

from typing import Final

from gnomon.games.tamsk.rules import BOARD
from gnomon.games.tamsk.sensing._scene import (
    difference,
    repairs,
)
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.verdicts import (
    InHand,
    Made,
)
from gnomon.referee.announcements import announce
from gnomon.referee.evidence import PATIENCE
from gnomon.referee.game import Judged, Question
from gnomon.referee.judgement import Judgement, Phase, Repair
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import (
    QuestionAsked,
)
from gnomon.timekeeping.instants import Instant, after

TAKE_BACK: Final = "take_back"
TIMER_FIRST: Final = "timer15_first"
"""Whether the 15-second glass was turned before a turn was over: both were seen after an outage."""
IN_TIME: Final = "in_time"
"""Whether a turn that would end the game was made before the 15-second glass was empty: nobody looked as it was."""
YES: Final = "yes"
NO: Final = "no"


def away_names(game: TamskGame) -> tuple[str, ...]:
    sight = game.scene.sight
    return tuple(
        BOARD.names[space] for space in game.position.glasses if space not in sight.glasses and space not in sight.blind
    )


def in_hand(game: TamskGame, verdict: InHand, name: str) -> TamskGame:
    if game.judgement.phase is Phase.WRONG:
        return still_wrong(replace(game, under_way=verdict))
    judgement = Judgement(Phase.IN_HAND, lifted=away_names(game), origin=name)
    return replace(game, under_way=verdict, judgement=judgement, question=None)


def unsettle(game: TamskGame, review_at: Instant | None) -> TamskGame:
    if game.judgement.phase is Phase.WRONG:
        return still_wrong(replace(game, review_at=review_at))
    if game.question is not None and game.question.back:
        return replace(game, review_at=review_at)
    judgement = Judgement(Phase.UNSETTLED, lifted=away_names(game))
    return replace(game, judgement=judgement, review_at=review_at, question=None)


def still_wrong(game: TamskGame) -> TamskGame:
    steps = game.judgement.repairs if _is_being_turned(game) else repairs(game.scene)
    return replace(game, judgement=replace(game.judgement, lifted=away_names(game), repairs=steps))


def _is_being_turned(game: TamskGame) -> bool:
    """Whether nothing stands wrong but the glass that was said not to have been turned, or it is in the hand."""
    denied = game.trust.denied
    return denied is not None and not difference(game.scene).extra - {denied.space}


def stay_away(game: TamskGame, steps: tuple[Repair, ...], now: Instant) -> TamskGame:
    due = after(game.calm_since, PATIENCE)
    game = unsettle(replace(game, under_way=None), due if now < due else None)
    if now < due or game.judgement.phase is Phase.WRONG:
        return game
    return replace(game, judgement=replace(game.judgement, repairs=steps))


def ask(  # noqa: PLR0913 - what a question consists of
    game: TamskGame,
    what: str,
    choices: tuple[str, ...],
    turns: tuple[Made, ...] = (),
    back: int = 0,
    *,
    shown: Instant,
) -> Judged[TamskGame]:
    """The game with a question put to the players; nothing is accepted before it is answered or has gone away.

    `shown` is the board time from which people can read it.
    """
    asked = QuestionAsked(game.calm_since, what, choices)
    judgement = Judgement(Phase.ASKING, lifted=away_names(game))
    question = Question(asked, turns, back)
    if game.sensing.evidence.contradictions:
        question = question._replace(shown=shown)
    return announce(replace(game, question=question, judgement=judgement), asked)
