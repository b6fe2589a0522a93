"""Define the dependencies of a board's pages: live board, archive, access, stream readers, limits and names."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from gnomon.hall.clock import Wall, wall
from gnomon.records.journal.entries import Archive
from gnomon.records.journal.hidden_names import MaskedArchive
from gnomon.records.journal.people_file import PeopleFile
from gnomon.refusals import Statement, statement
from gnomon.web.access import Authenticator, Role, Visitor
from gnomon.web.games.analyses import Analyses
from gnomon.web.live.delayed_feed import DelayedFeed
from gnomon.web.live.interfaces import LiveBoard, RefusedError, is_free
from gnomon.web.live.streams import Readers
from gnomon.web.middleware.limits import Allowance
from gnomon.web.server.workers import Shelf

Wait = Callable[[float], Awaitable[None]]
"""Lets a number of seconds pass."""


class Demonstration(Protocol):
    """Hands in software that show a game on a simulated board."""

    @property
    def is_on(self) -> bool:
        """Whether they play now."""
        ...

    @property
    def pace(self) -> str:
        """How fast: one of `PACES`."""
        ...

    async def start(self) -> None:
        """Let them play; somebody's unfinished game is put away first. Raises RefusedError."""
        ...

    async def pause(self) -> None:
        """Let them rest, and time stand still, until the game is to go on. Raises RefusedError."""
        ...

    async def go_on(self) -> None:
        """Let them go on after a pause. Raises RefusedError."""
        ...

    async def stop(self) -> None:
        """Let them go; the game waits. Raises RefusedError."""
        ...

    async def set_pace(self, pace: str) -> None:
        """Let them play slower or faster. Raises RefusedError."""
        ...


Advisor = Callable[[], Awaitable[str]]
"""What an engine would play for the player on turn, in canonical text. Raises RefusedError."""
ThreatNoter = Callable[[], Awaitable[None]]
"""Writes down that the player on turn was told what is threatened. Raises RefusedError."""
Doubter = Callable[[str], Awaitable[Statement | None]]
"""The warning of a turn that was picked and not entered yet; None where there is none. Raises RefusedError."""
HandJudge = Callable[[Collection[str]], Awaitable[Statement | None]]
"""Whether a good turn is among those that begin as a player has begun; None where that is not known."""
PACES: Final = ("slow", "usual", "fast")
WHO_MAY_DEMONSTRATE: Final = Role.ARBITER
"""As for the rest of the bench: a person who lets hands play takes the board."""


class Doored(Protocol):
    """What the pages about people need of whatever they are served with: a board, or a hall."""

    @property
    def door(self) -> Authenticator:
        """Who may do what."""
        ...


@dataclass(frozen=True, slots=True)
class AppContext:
    """What the pages are about: a board, the games that were written down, and the names of this machine.

    `past` is what spectators see where they see it later, and None where they see what everybody does.
    `simulated` is the address of the bench where the board is in software and can be played on, or None. `door` knows
    who may do what, `readers` are those of all streams, and `allowance` is how much anybody may
    ask, None without limit; written games are read on the `shelf`. `address` is where phones reach the pages now, empty
    when only this machine does; `demonstration` lets hands play on a simulated board, None where there are none, and
    `advisor` says what an engine would play, `doubter` whether a turn is a blunder, and `hand_judge` whether
    one has been begun well, None where nobody can be asked; `threat_noter` writes down that somebody was told of a
    threat.
    In a tournament players have no help. `people` is what was decided about those who play, and `wall` tells which
    month it is.
    `analyses` are those of written games and `solutions` of positions, None where none are made, and `puzzles` is the
    folder of the puzzles that were made of the archive's games; `makes_puzzles` is whether more are made by themselves.
    """

    board: LiveBoard
    archive: Archive
    hosts: Collection[str] = ()
    simulated: str | None = None
    wait: Wait = asyncio.sleep
    door: Authenticator = field(default_factory=Authenticator.without_accounts)
    readers: Readers = field(default_factory=Readers)
    allowance: Allowance | None = None
    shelf: Shelf = field(default_factory=Shelf)
    past: DelayedFeed | None = None
    address: Callable[[], str] = str
    demonstration: Demonstration | None = None
    people: PeopleFile = field(default_factory=lambda: PeopleFile(None))
    wall: Wall = wall
    advisor: Advisor | None = None
    doubter: Doubter | None = None
    hand_judge: HandJudge | None = None
    threat_noter: ThreatNoter | None = None
    is_tournament: Callable[[], bool] = bool
    analyses: Analyses | None = None
    solutions: Analyses | None = None
    puzzles: Path | None = None
    makes_puzzles: bool = True

    def check_abandoning(self, visitor: Visitor) -> None:
        """Raise RefusedError where somebody may not abandon the game at the board: in a tournament, arbiters do."""
        if self.is_tournament() and not visitor.may(Role.ARBITER) and not is_free(self.board.game()):
            raise RefusedError(statement("opponent.tournament"))

    @property
    def public_board(self) -> LiveBoard:
        """The board as spectators see it now: what is shown to everybody in a hall."""
        return self.board if self.past is None else self.past.board

    def board_for(self, visitor: Visitor) -> LiveBoard:
        """The board as somebody may see it now; nobody plays by what spectators see."""
        return self.board if visitor.may(Role.PLAYER) else self.public_board

    def archive_for(self, visitor: Visitor) -> Archive:
        """The games as somebody may see them now."""
        if self.past is None or visitor.may(Role.PLAYER):
            return self.archive
        return MaskedArchive(self.past.archive, self.people)
