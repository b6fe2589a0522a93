"""Define the referee's current judgement of the board: temperament, phase, and the repairs that are due."""

from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Final

from gnomon.refusals import Statement

NOTHING_TO_END: Final = "nothing_to_end"
"""The button that ends a turn was pressed, and no glass has been moved."""
NOT_PUT_DOWN: Final = "not_put_down"
"""The same while a glass is in the air."""
NOT_ON_TURN: Final = "not_on_turn"
"""The button of the player who is not on turn was pressed."""


BY_HAND: Final = "by_hand"
"""The code of a board that lags behind a correction: nothing counts before it shows the position."""
WHICH_TURN: Final = "which_turn"
"""The question which of several turns was made that all explain the board."""

BUTTONS: Final = frozenset({NOTHING_TO_END, NOT_PUT_DOWN, NOT_ON_TURN})


class Temperament(StrEnum):
    """How much the referee says: records only, signals a fault after the move, or shows legal targets."""

    SILENT = "silent"
    ASSISTANT = "assistant"
    COACH = "coach"


class Phase(Enum):
    """How the board stands to the game."""

    AGREED = "agreed"  # the board shows the position; a turn may begin
    IN_HAND = "in hand"  # a glass is in the air
    MAY_GO_ON = "may go on"  # a legal turn stands there; a ring may still fall, or the button ends it
    UNSETTLED = "unsettled"  # nothing explains the board yet; patience runs
    WRONG = "wrong"  # the referee has ruled; nothing is accepted until the board is put right
    ASKING = "asking"  # several explanations fit; a button answers


class Action(Enum):
    """One step of a repair; its words are the entry `repair.` and its value."""

    PUT_GLASS = "put_glass"
    TAKE_GLASS = "take_glass"
    TURN_GLASS = "turn_glass"
    PUT_RING = "put_ring"
    TAKE_RING = "take_ring"
    PUT_TILE = "put_tile"
    TAKE_TILE = "take_tile"
    TURN_TIMER = "turn_timer"
    PUT_TURNED = "put_turned"
    LAY_TILE = "lay_tile"
    FLIP_TIMER = "flip_timer"


@dataclass(frozen=True, slots=True)
class Repair:
    """One thing to change on the board; `space` is its name ("D4"), empty for the 15-second glass."""

    action: Action
    space: str = ""

    @property
    def statement(self) -> Statement:
        """The step as a part of a sentence."""
        return Statement(f"repair.{self.action.value}", {"space": self.space})

    @property
    def text(self) -> str:
        """The step in English, as traces print it."""
        return self.statement.message


@dataclass(frozen=True)
class Judgement:
    """The referee's present view of the board. Spaces are names, empty when there is none."""

    phase: Phase
    lifted: tuple[str, ...] = ()  # believed glass spaces whose glass is away from the board
    origin: str = ""  # of the turn that is being made
    target: str = ""
    repairs: tuple[Repair, ...] = field(default=())
    code: str = ""  # of the illegality while WRONG, of the last move that was refused, or why a button did nothing
    reason: Statement | None = None  # why a move that was entered was refused, with its rule
