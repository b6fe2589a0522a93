"""Define how a tournament uses the boards of a hall: game, table assignment, and which results are accepted."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Self

from gnomon.hall.messaging.messages import MessageError, checked_board
from gnomon.refusals import InvalidValueError, statement


class PlanError(InvalidValueError):
    """A plan that cannot be; the statement says what to change."""


class Accept(StrEnum):
    """When a result that a board has ruled is entered in the book."""

    CONFIRMED = "confirmed"  # when both players have confirmed it at the board
    AT_ONCE = "at once"
    BY_HAND = "by hand"  # by the director alone


@dataclass(frozen=True, slots=True)
class BoardAssignment:
    """How a tournament is played: the game, and which board of the hall stands at which board of the pairings.

    `boards` are devices by the numbers of pairings, of this hall or of others (`t01@south`); where none stands people
    play without, and tell their results.
    """

    game: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    temperament: str = "silent"
    accept: Accept = Accept.CONFIRMED
    boards: Mapping[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise PlanError for a device that stands twice, or has no name, and for a board that has no number."""
        for number, device in self.boards.items():
            if number < 1:
                raise PlanError(statement("hall.plan.below_one", number=number))
            try:
                checked_board(device)
            except MessageError as error:
                raise PlanError(error) from error
        twice = next((each for each in self.boards.values() if list(self.boards.values()).count(each) > 1), None)
        if twice is not None:
            raise PlanError(statement("hall.plan.twice", device=twice))

    def assign(self, board: int, device: str | None) -> Self:
        """The plan with a device at a board, from wherever it stood before, or with none. Raises PlanError."""
        others = {number: one for number, one in self.boards.items() if number != board and one != device}
        return replace(self, boards=others if device is None else dict(sorted({**others, board: device}.items())))

    def text(self) -> str:
        """The plan as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def of(cls, text: str) -> Self:
        """The plan that was written as JSON."""
        body = json.loads(text)
        boards = {int(number): device for number, device in body["boards"].items()}
        return cls(body["game"], body["settings"], body["temperament"], Accept(body["accept"]), boards)
