"""Convert a score sheet to a trace, played by faultless hands on the TAMSK board or entered at a table.

The simulated hands of the daemon model people's hands, with bounce, hesitation and mistakes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Final

from gnomon.games.tamsk.rules import BOARD, FLIP15, START, Move, Position, Tamsk
from gnomon.games.tamsk.rules.notation import read
from gnomon.games.tamsk.sensing.inputs import POLES, TIMER
from gnomon.records.bundles import PEOPLE, Bundle
from gnomon.records.free_lines import TERMS, pressed
from gnomon.records.sheet_play import Step, ending, steps
from gnomon.records.sheets import Sheet, SheetLine
from gnomon.records.trace_rulings import rulings
from gnomon.records.traces import TABLE, Happening, TraceHeader
from gnomon.referee.events import InputChanged, TurnEntered
from gnomon.referee.rulings import TurnLost, TurnRuled
from gnomon.rules.registry import BARE_CLOCK
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant, after

PACE: Final = Duration(3 * SECOND)
"""How long a turn takes where neither sheet nor sand says so."""

WATCHED_ON: Final = Duration(5 * SECOND)
"""How long the board is watched after the last turn, or after the end of the game."""

WHO: Final = "sheet"
"""Who entered the turns at a table."""

_PRESSED: Final = Duration(100 * MILLISECOND)
_TURNING: Final = Duration(200 * MILLISECOND)  # from the timer's lift to its stand
_BESIDE: Final = ("lift:", "back:", "sand:", "rings:", "turn:", "stop")


def sheet_trace(sheet: Sheet) -> Bundle:
    """The trace of a sheet, which gives the sheet's turns again: TAMSK on its board, other games at a table.

    Raises what `ending` raises for a sheet that is not legal, and ValueError with one sentence for lines that hands
    cannot play, and for turns too close in time for a board to tell them apart.
    """
    played = list(steps(sheet))
    board, settings = TABLE, dict(sheet.settings)
    happenings: Sequence[Happening]
    if sheet.game == Tamsk.name:
        board = Tamsk.name
        happenings, last = _by_hands(Tamsk.from_settings(sheet.settings), played)
    else:
        turns, last = _entered(played)
        happenings = turns
        if sheet.game == BARE_CLOCK:
            happenings = list(pressed(turns, [step.player for step in played], WHO))
            settings |= TERMS
    until = after(Instant(max(last, _over_at(sheet))), WATCHED_ON)
    extras = {PEOPLE: dict(sheet.players)} if sheet.players else {}
    header = TraceHeader.of(board, sheet.game, settings, extras)
    trace = Bundle(header, tuple(sorted(happenings, key=attrgetter("at"))), until)
    _check(trace, played)
    return trace


def _by_hands(rules: Tamsk, played: Sequence[Step]) -> tuple[Sequence[Happening], Instant]:
    hands = _TamskHands(rules.settings.level)
    before = rules.start()
    for step in played:
        hands.play(step, before)
        before = step.position
    return hands.edges, hands.now


def _entered(played: Sequence[Step]) -> tuple[Sequence[TurnEntered], Instant]:
    """Every turn entered by hand, a throw and a draw too."""
    now = Instant(0)
    happenings: list[TurnEntered] = []
    for step in played:
        now = after(now, PACE) if step.line.at is None else step.at
        happenings.append(TurnEntered(now, step.text, WHO, " ".join(step.line.comment)))
    return happenings, now


def _over_at(sheet: Sheet) -> Instant:
    """When time ended the game, if it did."""
    now = getattr(ending(sheet).position, "now", 0)
    return Instant(now)


@dataclass(slots=True)
class _TamskHands:
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
            message = f"turn {step.number}, {line.text}: steady hands play whole turns, no lifts and no corrections"
            raise ValueError(message)
        move, _ = read(step.text)
        at = step.at if line.at is not None or before.sands else after(self.now, PACE)
        match move.kind:
            case "turn":
                self._turn(step.number, line, move, at, before)
            case "free":
                self._ring(move.free, at)
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
                message = (
                    f"turn {number}, {line.text}: with sand the sheet must say when the glass was lifted and put down"
                )
                raise ValueError(message)
            lifted = Instant((self.now + at) // 2)
            placed = Instant((lifted + at) // 2)
        origin, target = BOARD.names[move.origin], BOARD.names[move.target]
        pole = self.poles.pop(origin)
        self.poles[target] = 1 - pole
        self._edge(lifted, f"{origin}.{POLES[pole]}", value=False)
        self._edge(placed, f"{target}.{POLES[1 - pole]}", value=True)
        if move.forgotten >= 0:
            self._ring(move.forgotten, Instant((lifted + placed) // 2))
        # A turn is complete with its last ring, if no other may fall after it; else the button ends it (rule 22).
        by_ring = move.ring and (move.free >= 0 or not before.penalty)
        if move.ring:
            self._ring(move.target, at if by_ring and move.free < 0 else Instant(placed + (at - placed) // 3))
        if move.free >= 0:
            self._ring(move.free, at if by_ring else Instant(at - (at - placed) // 3))
        if not by_ring:
            self._press("red" if before.mover == 0 else "black", at)

    def _ring(self, space: int, at: Instant) -> None:
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


def _check(trace: Bundle, played: Sequence[Step]) -> None:
    """Raise ValueError at the first turn that the referee does not find in the trace."""
    given: Iterator[str] = (
        "lost" if isinstance(ruling, TurnLost) else ruling.text
        for ruling in rulings(trace.trace)
        if isinstance(ruling, TurnRuled | TurnLost)
    )
    for step in played:
        if step.text != FLIP15.kind and next(given, None) != step.text:
            message = (
                f"turn {step.number}, {step.text}: steady hands at a board do not bring it about at these instants"
            )
            raise ValueError(message)
