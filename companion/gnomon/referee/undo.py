"""Remember what corrections changed, so that the newest one can be undone.

The state of the board, the rulings and the pauses stay as they are: only the game itself goes back. Only the newest
correction is undone, and only while nothing was played after it; otherwise turns are voided, which is then the newest
correction.
"""

from typing import Any, Final

from gnomon.referee.game import Game, GameT, Undoable
from gnomon.referee.replacement import replace
from gnomon.refusals import Statement
from gnomon.timekeeping.instants import Instant

KEPT: Final = 20
"""So many corrections can be undone one after the other; older ones are put right by new corrections."""


def remember(before: GameT, after: GameT, what: Statement, at: Instant) -> GameT:
    """The game after a correction, with what it takes to undo it; one that changes nothing of play is left out."""
    if _essence(before) == _essence(after):
        return after
    made = Undoable(what, at, replace(before, undoable=()), replace(after, undoable=()))
    return replace(after, undoable=(*after.undoable, made)[-KEPT:])


def newest(game: Game) -> Undoable | None:
    """The correction that can be undone now, or None: none was made, or something was played since."""
    made = game.undoable[-1] if game.undoable else None
    return made if made is not None and _essence(made.after) == _essence(game) else None


def _essence(game: Game) -> tuple[Any, ...]:
    """What is played on: turns, the position without the time that passes, a result by hand, presses of the clock."""
    pressed = None if game.clock is None else (game.clock.clock, game.clock.ahead)
    return len(game.plies), game.timeless, game.declared, pressed
