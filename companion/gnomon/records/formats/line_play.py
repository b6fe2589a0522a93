"""Play lines of a score sheet as moves at their times, or on a board, and define the interface for games with more."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from gnomon.records.formats.sheets import SheetLine
from gnomon.records.formats.traces import TABLE, Happening
from gnomon.referee.events import TurnEntered
from gnomon.rules.kinds import load
from gnomon.rules.protocol import Rules
from gnomon.rules.registry import kind_of
from gnomon.timekeeping.instants import SECOND, Duration, Instant, after

BY_HAND: Final = "arbiter"
"""Who stands in a line that puts the game right by hand; its text is not a move of the game."""

WHO: Final = "sheet"
"""Who entered the turns of a sheet at a table."""

PACE: Final = Duration(3 * SECOND)
"""How long a turn takes where neither sheet nor sand says so."""


class Acted(NamedTuple):
    """What a line came to: the position after it, who acted, and the canonical text."""

    position: Any
    player: str
    text: str


class Step(NamedTuple):
    """A line that has been played: canonical text, who acted, when it was complete, and the position after it."""

    number: int
    line: SheetLine
    player: str
    text: str
    at: Instant
    position: Any


class OnBoard(NamedTuple):
    """What played lines come to on a board: what happens there, when the last of it does, and settings of a clock."""

    happenings: Sequence[Happening]
    last: Instant
    board: str = TABLE
    settings: Mapping[str, object] = {}


class LinePlay:
    """Plays lines of a game whose moves say everything; a game with more to say has a way of its own."""

    def __init__(self, rules: Rules[Any, Any]) -> None:
        self.rules = rules

    def play(self, position: object, line: SheetLine, at: Instant, _rest: Sequence[SheetLine]) -> Acted:
        """Play a line that was complete at `at`; `rest` are the lines after it. Raises RulesError."""
        rules = self.rules
        before = rules.elapse(position, at)
        move = rules.parse(before, line.text)
        return Acted(rules.play(before, move), rules.turn(before), rules.text(before, move))

    def is_ply(self, step: Step) -> bool:
        """Whether the referee counts a line as a turn."""
        del step
        return True

    def on_board(self, played: Sequence[Step]) -> OnBoard:
        """Do at a board what lines say: every turn is entered, a throw and a draw too.

        Raises InvalidValueError for lines that hands cannot play.
        """
        now = Instant(0)
        entered: list[TurnEntered] = []
        for step in played:
            now = after(now, PACE) if step.line.at is None else step.at
            entered.append(TurnEntered(now, step.text, WHO, " ".join(step.line.comment)))
        return OnBoard(entered, now)


def line_play(rules: Rules[Any, Any]) -> LinePlay:
    """What plays the lines of a game."""
    lines = kind_of(rules.name).lines
    found: LinePlay = (load(lines) if lines else LinePlay)(rules)
    return found
