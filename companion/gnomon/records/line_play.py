"""Play a line of a score sheet as a move at its time, and define the interface for games that need more."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from gnomon.records.sheets import SheetLine
from gnomon.rules.protocol import Rules
from gnomon.timekeeping.instants import Instant

BY_HAND: Final = "arbiter"
"""Who stands in a line that puts the game right by hand; its text is not a move of the game."""


class Acted(NamedTuple):
    """What a line came to: the position after it, who acted, and the canonical text."""

    position: Any
    player: str
    text: str


class LinePlay:
    """Plays lines of a game whose moves say everything; a game with more to say has a way of its own."""

    def __init__(self, rules: Rules[Any, Any]) -> None:
        self.rules = rules

    def play(self, position: Any, line: SheetLine, at: Instant, rest: Sequence[SheetLine]) -> Acted:  # noqa: ANN401, ARG002 - by game
        """Play a line that was complete at `at`; `rest` are the lines after it. Raises RulesError."""
        rules = self.rules
        before = rules.elapse(position, at)
        move = rules.parse(before, line.text)
        return Acted(rules.play(before, move), rules.turn(before), rules.text(before, move))
