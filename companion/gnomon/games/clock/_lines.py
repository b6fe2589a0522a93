"""Play the score sheet lines of a game of unknown rules, as timed with the bare match clock.

The player whom a line names as having ended the turn is taken to have done so.
"""

from collections.abc import Sequence
from typing import Any, Final

from gnomon.games.clock.rules import PLAYERS
from gnomon.records.formats.line_play import WHO, Acted, LinePlay, OnBoard, Step
from gnomon.records.formats.sheets import SheetLine
from gnomon.records.formats.traces import Happening
from gnomon.referee.events import ClockPressed, TurnSet
from gnomon.timekeeping.instants import Instant

TERMS: Final = {"clock": "up"}
"""A sheet does not say when its clock was started: no flag falls, and what is used is counted from the beginning."""

_HANDED_OVER: Final = "as the sheet has it"


class FreeLines(LinePlay):
    """Plays lines of a game of which nobody knows who begins, and in which an arbiter may have given the move."""

    def play(self, position: Any, line: SheetLine, at: Instant, rest: Sequence[SheetLine]) -> Acted:  # noqa: ANN401 - by game
        """Play a line that was complete at `at`; `rest` are the lines after it. Raises RulesError."""
        if line.player in PLAYERS:
            position = position._replace(mover=PLAYERS.index(line.player))
        return super().play(position, line, at, rest)

    def on_board(self, played: Sequence[Step]) -> OnBoard:
        """The turns as entered, with the press that starts the clock, and the move given where an arbiter gave it."""
        entered = super().on_board(played)
        expected = played[0].player if played else PLAYERS[0]
        happenings: list[Happening] = [ClockPressed(Instant(0), _other(expected), WHO)]
        for turn, step in zip(entered.happenings, played, strict=True):
            if step.player != expected:
                happenings.append(TurnSet(turn.at, step.player, WHO, _HANDED_OVER))
            happenings.append(turn)
            expected = _other(step.player)
        return OnBoard(happenings, entered.last, settings=TERMS)


def _other(player: str) -> str:
    return PLAYERS[1 - PLAYERS.index(player)]
