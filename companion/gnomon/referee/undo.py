"""Remember what corrections changed, so that the newest one can be undone.

The state of the board, the rulings and the pauses stay as they are: only the game itself goes back. Only the newest
correction is undone, and only while nothing was played after it; otherwise turns are voided, which is then the newest
correction.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from gnomon.timekeeping.instants import Instant

if TYPE_CHECKING:
    from gnomon.referee.game import Game
    from gnomon.referee.table_game import TableGame

KEPT: Final = 20
"""So many corrections can be undone one after the other; older ones are put right by new corrections."""

GameT = TypeVar("GameT", "Game", "TableGame")


class Undoable(NamedTuple):
    """A correction that was made: what it was in words, when, and the game before and after it.

    Neither game says what could be undone then, or each would hold all games before it twice.
    """

    what: str
    at: Instant
    before: Any
    after: Any

    @property
    def given_back(self) -> int:
        """Microseconds of time that the correction gave back."""
        back: int = self.after.standstill - self.before.standstill
        return back


def remembered(before: GameT, after: GameT, what: str, at: Instant) -> GameT:
    """The game after a correction, with what it takes to undo it; one that changes nothing of play is left out."""
    if _played(before) == _played(after):
        return after
    made = Undoable(what, at, replace(before, undoable=()), replace(after, undoable=()))
    return replace(after, undoable=(*after.undoable, made)[-KEPT:])


def newest(game: "Game | TableGame") -> Undoable | None:
    """The correction that can be undone now, or None: none was made, or something was played since."""
    made = game.undoable[-1] if game.undoable else None
    return made if made is not None and _played(made.after) == _played(game) else None


def _played(game: "Game | TableGame") -> tuple[object, ...]:
    """What is played on: turns, the position without the time that passes, a result by hand, presses of the clock."""
    pressed = None if game.clock is None else (game.clock.clock, game.clock.ahead)
    return len(game.plies), game.timeless, game.declared, pressed
