"""Define the interfaces of a live board and of a game archive, for which the daemon and the hall have their own."""

from collections.abc import AsyncIterator, Sequence
from typing import ClassVar, Protocol

from gnomon.records.journal.entries import Record, StoredGame
from gnomon.referee.events import Correction
from gnomon.referee.game import Game
from gnomon.referee.rulings import Ruling
from gnomon.referee.setup import GameSetup
from gnomon.refusals import RequestRefusedError, Statement
from gnomon.timekeeping.instants import Instant


class RefusedError(RequestRefusedError, RuntimeError):
    """What was asked of a board cannot be done now."""


class LiveBoard(Protocol):
    """A board at which something may be going on. Games are immutable values: keep one to show the past."""

    @property
    def games(self) -> Sequence[str]:
        """The games that can be started here, the board's own first."""
        ...

    @property
    def buttons(self) -> Sequence[str]:
        """The inputs of the board's buttons, `button.red` and so on."""
        ...

    def now(self) -> Instant:
        """Board time of the game that is shown, in microseconds; 0 without one."""
        ...

    def game(self) -> Game | None:
        """The game as everyone may see it (everything in it is durable), or None when there is none yet."""
        ...

    def health(self) -> tuple[Statement, ...]:
        """What is wrong with the machine: for those who look after it."""
        ...

    def notices(self) -> tuple[Statement, ...]:
        """What of it those at the board are told, because they can help or it explains what they see."""
        ...

    @property
    def replay(self) -> int:
        """The number by which the game that is shown is replayed on these pages; 0 where it is not."""
        ...

    @property
    def is_demonstrated(self) -> bool:
        """Whether nobody plays, but hands in software show a game."""
        ...

    def changes(self) -> AsyncIterator[None]:
        """Yield at once, after every change (at most ten times a second) and at least each second."""
        ...

    async def correct(self, correction: Correction, after: int | None = None) -> tuple[Ruling, ...]:
        """Enter an event by hand, stamped now; return the rulings once durable. Raises RefusedError."""
        ...

    async def enter(self, text: str, who: str, why: str = "", after: int | None = None) -> tuple[Ruling, ...]:
        """Enter the next turn in canonical text; return the rulings once durable. Raises RefusedError."""
        ...

    async def throw(self, after: int | None = None) -> tuple[Ruling, ...]:
        """Let the companion throw or draw for nature. Raises RefusedError."""
        ...

    async def new_game(self, setup: GameSetup, abandoned_by: str = "") -> None:
        """Start a new game; an unfinished one is given up only by `abandoned_by`. Raises RefusedError."""
        ...

    async def take_up(self, stored: StoredGame, records: Sequence[Record]) -> None:
        """Bring a game that was put away back to the board, paused, with all its records. Raises RefusedError."""
        ...


class LookingOn:
    """What a LiveBoard answers where nothing can be entered: RefusedError, for the reason `refusal`."""

    refusal: ClassVar[Statement]

    async def correct(self, correction: Correction, after: int | None = None) -> tuple[Ruling, ...]:
        """Raise RefusedError."""
        del correction, after
        raise RefusedError(self.refusal)

    async def enter(self, text: str, who: str, why: str = "", after: int | None = None) -> tuple[Ruling, ...]:
        """Raise RefusedError."""
        del text, who, why, after
        raise RefusedError(self.refusal)

    async def throw(self, after: int | None = None) -> tuple[Ruling, ...]:
        """Raise RefusedError."""
        del after
        raise RefusedError(self.refusal)

    async def new_game(self, setup: GameSetup, abandoned_by: str = "") -> None:
        """Raise RefusedError."""
        del setup, abandoned_by
        raise RefusedError(self.refusal)

    async def take_up(self, stored: StoredGame, records: Sequence[Record]) -> None:
        """Raise RefusedError."""
        del stored, records
        raise RefusedError(self.refusal)


def is_free(game: Game | None) -> bool:
    """Whether another game may come to the board: there is none, it is over, or it has been put away."""
    return game is None or game.outcome is not None or game.adjourned
