"""Write the lines of a score sheet while a game is followed, and strike out those of turns that are voided."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any, Generic, NamedTuple

from gnomon.records.formats.sheets import SheetLine
from gnomon.records.formats.traces import Happening
from gnomon.referee.events import CorrectionUndone, TurnEntered, TurnInserted
from gnomon.referee.game import Game, GameT, Undoable
from gnomon.referee.player_roles import side_of
from gnomon.referee.rulings import Ruling, TurnLost, TurnRuled
from gnomon.rules.kinds import load
from gnomon.rules.registry import kind_of
from gnomon.timekeeping.accounts import displayed_time
from gnomon.timekeeping.controls import UpCount
from gnomon.timekeeping.instants import Duration


class ClerkEntry(NamedTuple):
    """A line that was written down, after how many plies, and whether it is one."""

    line: SheetLine
    plies: int
    is_ply: bool


class Clerk(Generic[GameT]):
    """Writes down lines, and strikes out those of turns that are voided; a game with more to write extends it."""

    def __init__(self) -> None:
        self.entries: list[ClerkEntry] = []
        self._before: list[tuple[Undoable, list[ClerkEntry]]] = []  # what stood before each correction

    @property
    def lines(self) -> tuple[SheetLine, ...]:
        """Everything that stands."""
        return tuple(entry.line for entry in self.entries)

    def follow(self, event: Happening | None, before: GameT, after: GameT, rulings: Sequence[Ruling]) -> None:
        """Write down what an event has changed."""
        if after.undoable and not isinstance(event, CorrectionUndone) and after.undoable[-1:] != before.undoable[-1:]:
            self._before.append((after.undoable[-1], self.entries))
        kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before.plies, after.plies, strict=False)))
        later: list[ClerkEntry] = []
        if isinstance(event, CorrectionUndone):
            made = before.undoable[-1]
            self.entries = next(entries for other, entries in reversed(self._before) if other is made)
            kept = len(made.before.plies)
        elif isinstance(event, TurnInserted) and kept < len(before.plies):
            later = [entry._replace(plies=entry.plies + 1) for entry in self.entries if entry.plies >= kept]
            self.entries = [entry for entry in self.entries if entry.plies < kept]
        self.entries = [entry for entry in self.entries if entry.plies + entry.is_ply <= kept]
        self.settle(before, after, kept, rulings)
        for ruling in rulings:
            if isinstance(ruling, TurnRuled | TurnLost) and kept < len(after.plies):
                self.entries.append(ClerkEntry(self.ply(before, after, kept, event), kept, is_ply=True))
                kept += 1
            else:
                lines = self.beside(ruling, event, before, after)
                self.entries += [ClerkEntry(line, kept, is_ply=False) for line in lines]
        self.entries += later

    def ply(self, before: GameT, after: GameT, number: int, event: Happening | None) -> SheetLine:
        """The line of a ply that an event has brought."""
        del before
        ply = after.plies[number]
        why = event.why if isinstance(event, TurnEntered) else ""
        return SheetLine(
            ply.text, ply.player, ply.when, comment=(why,) if why else (), clock=clock_of(after, ply.player)
        )

    def beside(self, ruling: Ruling, event: Happening | None, before: GameT, after: GameT) -> Sequence[SheetLine]:
        """The lines of a ruling that is no turn."""
        del ruling, event, before, after
        return ()

    def settle(self, before: GameT, after: GameT, kept: int, rulings: Sequence[Ruling]) -> None:
        """Write down, or strike out, what the board has shown beside turns; `kept` plies stand as they did."""

    def finish(self, game: GameT) -> None:
        """Write down what the game as it stands in the end has that no line says yet."""


def clerk_of(game: str) -> Clerk[Any]:
    """Who writes the score sheet of a game."""
    clerk = kind_of(game).clerk
    found: Clerk[Any] = (load(clerk) if clerk else Clerk)()
    return found


def clock_of(game: Game, player: str) -> Duration | None:
    """What the clock of a player shows whose turn has just been ended on it; None of one that goes on, or counts up."""
    match = game.clock
    if match is None or match.clock.side is None:
        return None
    side = side_of(game.rules, match.teams, game.position, player)
    if side is None or match.clock.side == side:
        return None
    account, schedule = match.clock.accounts[side], match.clock.control.sides[side]
    return None if isinstance(schedule[account.period], UpCount) else displayed_time(account, schedule)
