"""Compute what views show of TAMSK at an instant: its sand and when that next changes, and hints for the players."""

from itertools import zip_longest
from typing import Final, NamedTuple

from gnomon.games.tamsk.rules import BOARD, PLAYERS, Position
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.verdicts import ENDS
from gnomon.referee.judgement import Phase, Temperament
from gnomon.referee.rulings import Corrected, GameOver, GameResumed, QuestionAsked
from gnomon.timekeeping.glasses import SandGlass
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.views.phrases import whole_seconds

_CORRECTS_NOTHING: Final = (
    "corrected.answered",
    "corrected.claim",
    "corrected.clock",
    "corrected.draw",
    "corrected.given.clock",
    "corrected.named",
    "corrected.note",
    "corrected.paused",
    "corrected.taken.clock",
    "corrected.trusted",
)
"""What is entered by hand and leaves the turns, the pieces and their sand as they are."""


def game_time(game: TamskGame, now: Instant) -> Instant:
    """Game time as it is shown at board time `now`: it stands still in a pause and from the end of the game on."""
    return game.game_time(_displayed_time(game, now))


def position(game: TamskGame, now: Instant) -> Position:
    """The position with its sand as it is shown at board time `now`, the unfinished turn in it as far as it got.

    Whose turn it is, what binds them and what is due to them stand in `game.position` until the turn is complete.
    """
    return game.position_at(_displayed_time(game, now))


def has_stopped(position: Position, index: int, instant: Instant) -> bool:
    """Whether a glass has run out for good by game time `instant`; one not yet turned has not (rules 11 and 12)."""
    return bool(position.moved >> index & 1) and not position.sands[index].is_running(instant)


def is_running(game: TamskGame) -> bool:
    """Whether sand runs: the game is neither paused nor over."""
    return game.paused_at is None and game.outcome is None


def glasses(game: TamskGame, now: Instant) -> tuple[SandGlass, ...]:
    """Every sand glass of the game as it is shown at board time `now`."""
    return glasses_of(position(game, now))


def glasses_of(shown: Position) -> tuple[SandGlass, ...]:
    """Every sand glass of a position: the six, and at level 3 the 15-second glass; none at level 1."""
    return shown.sands if shown.timer15 is None else (*shown.sands, shown.timer15)


def next_second(glass: SandGlass, instant: Instant) -> Instant | None:
    """When the glass, watched at `instant`, next shows another whole number of seconds; None when it is empty."""
    end = glass.runs_out_at()
    if end is None or not glass.is_running(instant):
        return None
    # While no sand has run yet (an instant before `since`) what is shown is what it holds at `since`.
    left = glass.remaining(instant)
    return Instant(end - (whole_seconds(left) - 1) * SECOND)


class AnswerMoment(NamedTuple):
    """One answer to the referee's question: the choice as it was offered, and the button that gives it (or "")."""

    choice: str
    button: str


def has_hints(game: TamskGame, phase: Phase) -> bool:
    """Whether hints are shown in this phase: a coach gives them while the game runs."""
    return is_running(game) and game.temperament is Temperament.COACH and game.judgement.phase is phase


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


def answers(game: TamskGame) -> tuple[AnswerMoment, ...]:
    """The answers to the question that is open; without a button there are those from the third on.

    Red's button is the first choice; whether to take back turns is for the player on turn to agree to, and that a
    glass has run out for the player who did not say so: they agree to the first choice, and no button gives the others.
    """
    if game.question is None:
        return ()
    if game.question.by >= 0:
        agrees, *others = game.question.asked.choices
        return (AnswerMoment(agrees, PLAYERS[1 - game.question.by]), *(AnswerMoment(choice, "") for choice in others))
    first = game.position.mover if game.question.back else 0
    buttons = (PLAYERS[first], PLAYERS[1 - first])
    choices = game.question.asked.choices
    return tuple(
        AnswerMoment(choice, button) for choice, button in zip_longest(choices, buttons[: len(choices)], fillvalue="")
    )


def awaits_correction(game: TamskGame) -> bool:
    """Whether the players have said that the game is not over, and the turns are still as they were counted."""
    if game.paused_at is None or game.question is not None:
        return False
    for ruling in reversed(game.rulings):
        match ruling:
            case QuestionAsked(question=question):
                return question == ENDS
            case GameResumed():
                return False
            case Corrected(what=what) if not what.key.startswith(_CORRECTS_NOTHING):
                return False
            case _:
                pass
    return False


def _displayed_time(game: TamskGame, now: Instant) -> Instant:
    """The board time that is shown: `now`, from the end of a game on the instant it ended."""
    if game.outcome is None:
        return now
    return min(now, next((ruling.at for ruling in reversed(game.rulings) if isinstance(ruling, GameOver)), now))
