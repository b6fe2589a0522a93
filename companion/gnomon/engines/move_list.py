"""Write a game as the texts of its moves, and read it again.

The moves of nature stand among those of the players. In a game with sand, `@12.31` stands where the time has come to
12.31 s before the next move.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from gnomon.refusals import InvalidValueError, statement
from gnomon.rules.protocol import OVER, Outcome, Rules
from gnomon.rules.registry import kind_of
from gnomon.timekeeping.instants import Instant, parse_seconds, seconds

TIME: Final = "@"


@dataclass(frozen=True, slots=True)
class MoveList:
    """A game so far: the texts that were played, the position to which they lead, and what time it is there."""

    rules: Rules[Any, Any]
    swap: str
    position: Any
    texts: tuple[str, ...] = ()
    now: Instant = Instant(0)
    is_swapped: bool = False

    @classmethod
    def begin(cls, rules: Rules[Any, Any]) -> Self:
        """The game before its first move."""
        return cls(rules, kind_of(rules.name).swap, rules.start())

    def add(self, text: str) -> Self:
        """The game after one more text. Raises RulesError, or InvalidValueError for a time."""
        if text.startswith(TIME):
            now = Instant(parse_seconds(text.removeprefix(TIME)))
            if now < self.now:
                raise InvalidValueError(statement("engine.backwards", text=text, seconds=seconds(self.now)))
            return replace(self, position=self.rules.elapse(self.position, now), texts=(*self.texts, text), now=now)
        move = self.rules.parse(self.position, text)
        return replace(
            self,
            position=self.rules.play(self.position, move),
            texts=(*self.texts, text),
            is_swapped=self.is_swapped ^ (text == self.swap != ""),
        )

    def elapse(self, now: Instant) -> Self:
        """The game when the time has come to `now`: there is a text of it only where that changes something."""
        if now <= self.now or self.rules.elapse(self.position, now) == self.position:
            return self
        return self.add(f"{TIME}{seconds(now)}")

    # Who plays: the first person is who begins, whatever side they change to.

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.rules.turn(self.position) == OVER)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None."""
        return self.rules.outcome(self.position)

    @property
    def first_acts(self) -> bool:
        """Whether the first person is to act, or nature for them; not when the game is over."""
        return not self.is_over and self._is_first(self.rules.actor(self.position))

    @property
    def result(self) -> str:
        """`p1win`, `p2win` or `draw`, and `none` while the game goes on or where it has no result."""
        outcome = self.outcome
        if outcome is None or outcome.is_void:
            return "none"
        if outcome.winner is None:
            return "draw"
        return "p1win" if self._is_first(outcome.winner) else "p2win"

    def _is_first(self, player: str) -> bool:
        rules = self.rules
        seat = rules.seat(self.position, player) or player
        seats: Sequence[str] = rules.seats
        if (team := getattr(rules, "team", None)) is not None and seat in seats:
            return seats[0] in team(seat) if self.is_over else seat == seats[0]
        return (seat == seats[0]) is not self.is_swapped

    # What a program is told of sand beside the moves.

    @property
    def sand(self) -> Sequence[str]:
        """What is left in every glass and in the 15-second glass, as words of a `go`; none where there is no sand."""
        told = self.rules.state(self.position)
        if self.rules.elapse(self.position, Instant(self.now + 1)) == self.position:
            return ()
        words: list[str] = []
        glasses = told.get("glasses")
        if isinstance(glasses, list):
            words = ["sand"]
            for glass in glasses:
                words += [str(glass["space"]), str(glass["remaining"])]
        if "timer15" in told:
            words += ["sand15", str(told["timer15"])]
        return words
