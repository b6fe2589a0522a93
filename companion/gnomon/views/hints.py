"""Compute hints for TAMSK players: movable glasses, target spaces, and the button for each answer to a question."""

from itertools import zip_longest
from typing import NamedTuple

from gnomon.games.tamsk.rules import BOARD, PLAYERS, Position
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.referee.judgement import Phase, Temperament
from gnomon.views import moments


class Answer(NamedTuple):
    """One answer to the referee's question: the choice as it was offered, and the button that gives it (or "")."""

    choice: str
    button: str


def are_given(game: TamskGame, phase: Phase) -> bool:
    """Whether hints are shown in this phase: a coach gives them while the game runs."""
    return moments.is_running(game) and game.temperament is Temperament.COACH and game.judgement.phase is phase


def in_the_air(game: TamskGame) -> tuple[int, ...]:
    """The spaces whose glass is away; the one of a turn that stands on the board already has come down."""
    judgement = game.judgement
    down = judgement.origin if judgement.phase is Phase.MAY_GO_ON else ""
    return tuple(BOARD.index[name] for name in judgement.lifted if name != down)


def movable(game: TamskGame, position: Position) -> tuple[int, ...]:
    """The spaces whose glass the player on turn may move, in order."""
    return tuple(sorted({move.origin for move in game.rules.legal_moves(position) if move.target >= 0}))


def targets(game: TamskGame, position: Position, origin: int) -> tuple[int, ...]:
    """The spaces to which the glass from `origin` may go, in order."""
    moves = game.rules.legal_moves(position)
    return tuple(sorted({move.target for move in moves if move.origin == origin and move.target >= 0}))


def answers(game: TamskGame) -> tuple[Answer, ...]:
    """The answers to the question that is open; without a button there are those from the third on.

    Red's button is the first choice; whether to take back turns is for the player on turn to agree to, and that a
    glass has run out for the player who did not say so: he agrees to the first choice, and no button gives the others.
    """
    if game.question is None:
        return ()
    if game.question.by >= 0:
        agrees, *others = game.question.asked.choices
        return (Answer(agrees, PLAYERS[1 - game.question.by]), *(Answer(choice, "") for choice in others))
    first = game.position.mover if game.question.back else 0
    buttons = (PLAYERS[first], PLAYERS[1 - first])
    choices = game.question.asked.choices
    return tuple(
        Answer(choice, button) for choice, button in zip_longest(choices, buttons[: len(choices)], fillvalue="")
    )
