"""Play the score sheet lines of TAMSK: turns, lifts, the 15-second glass and arbiter corrections.

A turn begins when its glass is lifted and ends when it is complete (rules 17 and 22), and its glass is turned over
when it is put down; so a sheet of levels 2 and 3 gives all three instants. The 15-second glass may be turned while a
glass is in the air: its line then stands before the turn's, and the lift of that turn comes first.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from gnomon.games.tamsk.rules import BOARD, FLIP15, PLAYERS, STOP15, STOPS, Position, Tamsk
from gnomon.games.tamsk.rules.corrections import TIMER15
from gnomon.games.tamsk.rules.notation import read
from gnomon.records.line_play import BY_HAND, Acted, LinePlay
from gnomon.records.sheets import SheetLine, time_text
from gnomon.refusals import statement
from gnomon.rules.protocol import IllegalMoveError, RulesError
from gnomon.timekeeping.instants import Duration, Instant, parse_seconds

_LIFT: Final = "lift:"
_BACK: Final = "back:"
_CORRECTION: Final = re.compile(
    r"sand:(?P<glass>\w+)=(?P<sand>[0-9.]+)|rings:(?P<space>\w+)=(?P<count>[0-9]{1,2}),(?P<holder>\w+)|turn:(?P<turn>\w+)"
    r"|glass:(?P<origin>\w+)=(?P<target>\w+)(?P<turned>,turned)?|second:(?P<second>yes|no)"
)


def sand_set(space: str, remaining: Duration) -> str:
    """The text of a line with which an arbiter sets the sand of the glass on a space, or of `timer15`."""
    return f"sand:{space}={time_text(remaining)}"


def rings_set(space: str, count: int, player: str) -> str:
    """The text of a line with which an arbiter sets the rings on a space, from or to a player's holder."""
    return f"rings:{space}={count},{player}"


def turn_set(player: str) -> str:
    """The text of a line with which an arbiter sets whose turn it is."""
    return f"turn:{player}"


def glass_set(origin: str, target: str, *, turned: bool) -> str:
    """The text of a line with which an arbiter sets where the glass on a space stands, turned over or not."""
    return f"glass:{origin}={target}{',turned' if turned else ''}"


def second_set(*, due: bool) -> str:
    """The text of a line with which an arbiter allows the player on turn a second ring, or forbids it."""
    return f"second:{'yes' if due else 'no'}"


def seen_empty(space: str) -> str:
    """The text of a line that says: the glass on a space, or `timer15`, was seen to have run out."""
    return STOP15.kind if space == TIMER15 else f"{STOPS[0].kind}:{space}"


def put_back(space: str) -> str:
    """The text of a line that says: the glass in the air came back to its space, and no turn was begun."""
    return f"{_BACK}{space}"


class TamskLines(LinePlay):
    """Plays lines of TAMSK."""

    rules: Tamsk

    def play(self, position: Any, line: SheetLine, at: Instant, rest: Sequence[SheetLine]) -> Acted:  # noqa: ANN401 - a Position
        """Play a line that was complete at `at`. Raises RulesError."""
        if (correction := _CORRECTION.fullmatch(line.text)) is not None:
            return Acted(self._corrected(position, correction, at), BY_HAND, line.text)
        if line.text.startswith(_BACK):
            return self._put_back(position, line, at)
        move, _ = read(line.text, by_eye=self.rules.by_eye)
        if move == FLIP15:
            return self._timer15_turned(position, at, rest)
        if move.kind in (STOPS[0].kind, STOP15.kind):
            return self._seen_empty(position, line, at, rest)
        if move.kind == "turn" and _is_begun(line, at):
            position = self._begun(position, line)
        before = self.rules.elapse(position, at)
        player = self.rules.turn(before)
        move = self.rules.parse(before, line.text)
        placed = line.placed if before.sands and move.kind == "turn" else None
        return Acted(self.rules.play(before, move, placed), player, self.rules.text(before, move))

    def _begun(self, position: Position, line: SheetLine) -> Position:
        """The position with the glass of the line's turn in the air."""
        origin = read(line.text)[0].origin
        lifted = line.placed if line.lifted is None else line.lifted
        if not position.sands or lifted is None or position.lifted == origin:
            return position
        return self.rules.lift(self.rules.elapse(position, lifted), origin)

    def _with_upcoming(self, position: Position, at: Instant, rest: Sequence[SheetLine]) -> Position:
        """The position at `at`, in which the turn of a later line may have been begun."""
        upcoming = next((line for line in rest if not _is_beside(line)), None)
        if upcoming is not None and _is_begun(upcoming, at) and read(upcoming.text)[0].kind == "turn":
            position = self._begun(position, upcoming)
        return self.rules.elapse(position, at)

    def _seen_empty(self, position: Position, line: SheetLine, at: Instant, rest: Sequence[SheetLine]) -> Acted:
        before = self._with_upcoming(position, at, rest)
        move = self.rules.parse(before, line.text)
        return Acted(self.rules.play(before, move), line.player or self.rules.turn(before), line.text)

    def _timer15_turned(self, position: Position, at: Instant, rest: Sequence[SheetLine]) -> Acted:
        before = self._with_upcoming(position, at, rest)
        return Acted(self.rules.turn_timer15(before), PLAYERS[1 - before.mover], FLIP15.kind)

    def _put_back(self, position: Position, line: SheetLine, at: Instant) -> Acted:
        held = self.rules.elapse(position, at)
        if held.lifted < 0 or line.text != put_back(BOARD.names[held.lifted]):
            space = line.text.removeprefix(_BACK)
            raise IllegalMoveError(statement("told.sheet.not_lifted", rules=(1,), space=space))
        return Acted(self.rules.put_back(held), PLAYERS[held.mover], line.text)

    def _corrected(self, position: Position, correction: re.Match[str], at: Instant) -> Position:
        rules = self.rules
        before = rules.elapse(position if position.lifted < 0 else rules.put_back(position), at)
        if correction["glass"] is not None:
            name = correction["glass"]
            glass = name if name == TIMER15 else before.glass_on(BOARD.index.get(name, -1))
            return rules.with_sand(before, glass, parse_seconds(correction["sand"]))
        if correction["space"] is not None:
            return rules.with_rings(before, correction["space"], int(correction["count"]), correction["holder"])
        if correction["origin"] is not None:
            glass = before.glass_on(BOARD.index.get(correction["origin"], -1))
            if glass < 0:
                raise RulesError(statement("told.tamsk.no_glass", space=correction["origin"]))
            return rules.with_glass(before, glass, correction["target"], turned=correction["turned"] is not None)
        if correction["second"] is not None:
            return rules.with_penalty(before, due=correction["second"] == "yes")
        return rules.with_turn(before, correction["turn"])


def _is_begun(line: SheetLine, at: Instant) -> bool:
    """Whether the glass of a line was in the air by `at`, as far as the line says so."""
    begun = line.placed if line.lifted is None else line.lifted
    return begun is not None and begun <= at


def _is_beside(line: SheetLine) -> bool:
    """Whether a line is no turn: the 15-second glass, sand seen to have run out, a lift or its end, or a correction."""
    beside = (FLIP15.kind, STOPS[0].kind, _LIFT, _BACK)
    return line.text.startswith(beside) or bool(_CORRECTION.fullmatch(line.text))
