"""Play the score sheet lines of TAMSK by the rules, and by steady hands on its board.

They are turns, lifts, the 15-second glass and arbiter corrections.

A turn begins when its glass is lifted and ends when it is complete (rules 17 and 22), and its glass is turned over
when it is put down; so a sheet of levels 2 and 3 gives all three instants. The 15-second glass may be turned while a
glass is in the air: its line then stands before the turn's, and the lift of that turn comes first.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from gnomon.games.tamsk.rules import BOARD, FLIP15, PLAYERS, START, STOP15, STOPS, Move, Position, Tamsk
from gnomon.games.tamsk.rules.corrections import TIMER15
from gnomon.games.tamsk.rules.notation import read
from gnomon.games.tamsk.sensing.inputs import POLES, TIMER
from gnomon.records.formats.line_play import BY_HAND, PACE, Acted, LinePlay, OnBoard, Step
from gnomon.records.formats.sheets import SheetLine, time_text
from gnomon.referee.events import InputChanged
from gnomon.refusals import InvalidValueError, statement
from gnomon.rules.protocol import IllegalMoveError, RulesError
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant, after, parse_seconds

_PRESSED: Final = Duration(100 * MILLISECOND)
_TURNING: Final = Duration(200 * MILLISECOND)  # from the timer's lift to its stand
_BESIDE: Final = ("lift:", "back:", "sand:", "rings:", "turn:", "stop")  # what steady hands do not play
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


def is_turn_set(text: str) -> bool:
    """Whether it is the text of such a line."""
    return text.startswith(turn_set(""))


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
            return Acted(self._correct(position, correction, at), BY_HAND, line.text)
        if line.text.startswith(_BACK):
            return self._put_back(position, line, at)
        move, _ = read(line.text, by_eye=self.rules.by_eye)
        if move == FLIP15:
            return self._timer15_turned(position, at, rest)
        if move.kind in (STOPS[0].kind, STOP15.kind):
            return self._seen_empty(position, line, at, rest)
        if move.kind == "turn" and _is_begun(line, at):
            position = self._begin_turn(position, line)
        before = self.rules.elapse(position, at)
        player = self.rules.turn(before)
        move = self.rules.parse(before, line.text)
        placed = line.placed if before.sands and move.kind == "turn" else None
        return Acted(self.rules.play(before, move, placed), player, self.rules.text(before, move))

    def is_ply(self, step: Step) -> bool:
        """Whether the referee counts a line as a turn: not so a turning of the 15-second glass."""
        return step.text != FLIP15.kind

    def on_board(self, played: Sequence[Step]) -> OnBoard:
        """Play the lines by steady hands. Raises InvalidValueError for lines that those cannot play."""
        hands, before = _GlassHands(self.rules.settings.level), self.rules.start()
        for step in played:
            hands.play(step, before)
            before = step.position
        return OnBoard(hands.edges, hands.now, board=Tamsk.name)

    def _begin_turn(self, position: Position, line: SheetLine) -> Position:
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
            position = self._begin_turn(position, upcoming)
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

    def _correct(self, position: Position, correction: re.Match[str], at: Instant) -> Position:
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


@dataclass(slots=True)
class _GlassHands:
    """Hands at a TAMSK board: what shows, and every edge that they have made."""

    level: int
    edges: list[InputChanged] = field(default_factory=list)
    now: Instant = Instant(0)
    poles: dict[str, int] = field(default_factory=lambda: dict.fromkeys((BOARD.names[space] for space in START), 0))
    rings: dict[str, int] = field(default_factory=dict)
    timer: int = 0

    def play(self, step: Step, before: Position) -> None:
        """Do what a line says; `before` is the position before it."""
        line = step.line
        if line.text.startswith(_BESIDE):
            raise InvalidValueError(statement("told.sheet.beside", turn=step.number, text=line.text))
        move, _ = read(step.text)
        at = step.at if line.at is not None or before.sands else after(self.now, PACE)
        match move.kind:
            case "turn":
                self._turn(step.number, line, move, at, before)
            case "free":
                self._drop_ring(move.free, at)
            case "pass" if before.penalty:
                self._press(step.player, at)
            case FLIP15.kind:
                self._turn_timer(at)
            case _:
                pass  # a pass and a lost turn are ruled by themselves
        self.now = at

    def _turn(self, number: int, line: SheetLine, move: Move, at: Instant, before: Position) -> None:
        lifted, placed = line.lifted, line.placed
        if lifted is None or placed is None:
            if before.sands:
                raise InvalidValueError(statement("told.sheet.instants", turn=number, text=line.text))
            lifted = Instant((self.now + at) // 2)
            placed = Instant((lifted + at) // 2)
        origin, target = BOARD.names[move.origin], BOARD.names[move.target]
        pole = self.poles.pop(origin)
        self.poles[target] = 1 - pole
        self._edge(lifted, f"{origin}.{POLES[pole]}", value=False)
        self._edge(placed, f"{target}.{POLES[1 - pole]}", value=True)
        if move.forgotten >= 0:
            self._drop_ring(move.forgotten, Instant((lifted + placed) // 2))
        # A turn is complete with its last ring, if no other may fall after it; else the button ends it (rule 22).
        by_ring = move.ring and (move.free >= 0 or not before.penalty)
        if move.ring:
            self._drop_ring(move.target, at if by_ring and move.free < 0 else Instant(placed + (at - placed) // 3))
        if move.free >= 0:
            self._drop_ring(move.free, at if by_ring else Instant(at - (at - placed) // 3))
        if not by_ring:
            self._press("red" if before.mover == 0 else "black", at)

    def _drop_ring(self, space: int, at: Instant) -> None:
        name = BOARD.names[space]
        self.rings[name] = self.rings.get(name, 0) + 1
        self._edge(at, f"{name}.ring{self.rings[name]}", value=True)

    def _press(self, player: str, at: Instant) -> None:
        self._edge(at, f"button.{player}", value=True)
        self._edge(after(at, _PRESSED), f"button.{player}", value=False)

    def _turn_timer(self, at: Instant) -> None:
        taken = Instant(max(self.now, at - _TURNING))
        self._edge(taken, f"{TIMER}.{POLES[self.timer]}", value=False)
        self.timer = 1 - self.timer
        self._edge(at, f"{TIMER}.{POLES[self.timer]}", value=True)

    def _edge(self, at: Instant, name: str, *, value: bool) -> None:
        self.edges.append(InputChanged(at, name, value))


def _is_begun(line: SheetLine, at: Instant) -> bool:
    """Whether the glass of a line was in the air by `at`, as far as the line says so."""
    begun = line.placed if line.lifted is None else line.lifted
    return begun is not None and begun <= at


def _is_beside(line: SheetLine) -> bool:
    """Whether a line is no turn: the 15-second glass, sand seen to have run out, a lift or its end, or a correction."""
    beside = (FLIP15.kind, STOPS[0].kind, _LIFT, _BACK)
    return line.text.startswith(beside) or bool(_CORRECTION.fullmatch(line.text))
