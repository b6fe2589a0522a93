"""Play the score sheet lines of a game of unknown rules, as timed with the bare match clock.

The player whom a line names as having ended the turn is taken to have done so.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from gnomon.games.clock.rules import PLAYERS
from gnomon.records.line_play import Acted, LinePlay
from gnomon.records.sheets import SheetLine
from gnomon.referee.events import ClockPressed, TurnEntered, TurnSet
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


def pressed(
    turns: Sequence[TurnEntered], players: Sequence[str], who: str
) -> Iterator[ClockPressed | TurnEntered | TurnSet]:
    """The turns as entered by their players, with the press that starts the clock, and the move given where it was."""
    expected = players[0] if players else PLAYERS[0]
    yield ClockPressed(Instant(0), _other(expected), who)
    for turn, player in zip(turns, players, strict=True):
        if player != expected:
            yield TurnSet(turn.at, player, who, _HANDED_OVER)
        yield turn
        expected = _other(player)


def _other(player: str) -> str:
    return PLAYERS[1 - PLAYERS.index(player)]
