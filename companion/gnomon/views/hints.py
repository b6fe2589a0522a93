"""The only place that says what a coach may show: the glasses that may move, and where the one in the air may go."""

from gnomon.referee.game import Game
from gnomon.referee.judgement import Phase, Temperament
from gnomon.rules.tamsk import BOARD, Position
from gnomon.views import moments


def are_given(game: Game, phase: Phase) -> bool:
    """Whether hints are shown in this phase: a coach gives them while the game runs."""
    return moments.is_running(game) and game.temperament is Temperament.COACH and game.judgement.phase is phase


def in_the_air(game: Game) -> tuple[int, ...]:
    """The spaces whose glass is in the air."""
    judgement = game.judgement
    names = judgement.lifted or ((judgement.origin,) if judgement.origin and judgement.phase is Phase.IN_HAND else ())
    return tuple(BOARD.index[name] for name in names)


def movable(game: Game, position: Position) -> tuple[int, ...]:
    """The spaces whose glass the player on turn may move, in order."""
    return tuple(sorted({move.origin for move in game.rules.legal_moves(position) if move.target >= 0}))


def targets(game: Game, position: Position, origin: int) -> tuple[int, ...]:
    """The spaces to which the glass from `origin` may go, in order."""
    moves = game.rules.legal_moves(position)
    return tuple(sorted({move.target for move in moves if move.origin == origin and move.target >= 0}))
