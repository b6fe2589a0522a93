"""Implement the rules of an unknown game: two players end turns alternately, and people declare the result.

It stands behind the bare match clock, beside an ordinary board of any game. Nothing is illegal and no position ends
the game; who begins is open until the clock is started.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

from gnomon.refusals import statement
from gnomon.rules.protocol import GameRules, IllegalMoveError, NotationError, Outcome, SettingsError

NAME: Final = "clock"
PLAYERS: Final = ("left", "right")
"""Named by where they sit: which of them plays white only they know."""

PRESS: Final = "press"


class Move(NamedTuple):
    """The end of a turn, whatever was done in it."""

    kind: str = PRESS


class Position(NamedTuple):
    """Whose turn it is, and how many turns have been ended."""

    mover: int = 0
    presses: int = 0


@dataclass(frozen=True, slots=True)
class FreeSettings:
    """There is nothing to choose of rules that are not known."""


class Free(GameRules[Position, Move]):
    """The rules of a game that is not known."""

    name: str = NAME
    players: Sequence[str] = PLAYERS
    ends_by_press = True

    __slots__ = ("settings",)

    def __init__(self) -> None:
        self.settings = FreeSettings()

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        """The rules. Raises SettingsError for any setting: the clock's own are not the rules'."""
        if settings:
            raise SettingsError(statement("told.setting.clock.none", setting=next(iter(settings))))
        return cls()

    def start(self) -> Position:
        """The position before the first turn: who begins, the clock says."""
        return Position()

    def handed_to(self, position: Position, side: int) -> Position:
        """The position with that player on turn (0 left, 1 right), and no turn counted."""
        return position._replace(mover=side)

    def turn(self, position: Position) -> str:
        """Who is to act."""
        return PLAYERS[position.mover]

    def legal_moves(self, _position: Position) -> Sequence[Move]:
        """The end of the turn."""
        return (Move(),)

    def play(self, position: Position, move: Move) -> Position:
        """The position after a turn. Raises IllegalMoveError for what is no end of one."""
        if move != Move():
            raise IllegalMoveError(statement("told.clock.no_such_move", text=move.kind))
        return Position(1 - position.mover, position.presses + 1)

    def parse(self, _position: Position, text: str) -> Move:
        """Read canonical text. Raises NotationError."""
        if text != PRESS:
            raise NotationError(statement("told.clock.notation", text=text, press=PRESS))
        return Move()

    def text(self, _position: Position, move: Move) -> str:
        """The canonical text of the end of a turn."""
        return move.kind

    def outcome(self, _position: Position) -> Outcome | None:
        """None: how such a game ends, people declare, or the clock."""
        return None

    def score(self, _position: Position) -> Mapping[str, int]:
        """Nothing: no points are known."""
        return {}

    def state(self, position: Position) -> Mapping[str, object]:
        """How many turns have been ended, ready for JSON."""
        return {"presses": position.presses}
