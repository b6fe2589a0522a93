"""Read TAMSK game records of the server Boardspace: its own dialect of SGF, or bare rows of moves.

A turn is a row `Move D 1 D 2 5210`, or `Pickb D 1 3100` and `Dropb D 2 5210`, with milliseconds since the game began;
`Done` confirms it. Its board is ours rotated by 180 degrees: the player who begins stands on A1, G1 and D7 there, and
on D1, A4 and G4 here. There a ring falls with every move; the other differences are described in
`docs/boardspace.md`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from gnomon.games.tamsk.rules import BOARD, FLIP15, LOST, PASS, PLAYERS
from gnomon.records.formats.line_errors import LineError
from gnomon.records.formats.sgf import decode, read_collection, simple_text
from gnomon.records.formats.sheet_play import steps
from gnomon.records.formats.sheets import Sheet, SheetLine
from gnomon.refusals import statement
from gnomon.rules.protocol import Outcome, RulesError
from gnomon.timekeeping.instants import MILLISECOND, Instant

LEVELS: Final[Mapping[str, str]] = {"tamsk-u": "1", "tamsk": "2", "tamsk-f": "3"}
"""The level by the name of the server's variation."""

_ROW: Final = re.compile(
    r"(?:P(?P<seat>[01])\s+)?(?:(?P<number>[0-9]+)\s+)?(?P<act>[A-Za-z]+)(?P<rest>(?:\s+\S+)*?)(?:\s+(?P<time>-?[0-9]+))?"
)
_SPACES: Final = {"move": 2, "pickb": 1, "dropb": 1}  # acts that name spaces, and how many
_OTHERS: Final = frozenset({"start", "done", "fifteen", "timeexpired", "resign"})
_BESIDE: Final = frozenset({"stop", "restart", "delay", "gameover", "gameoverontime"})  # the clock, and the end
_TIME: Final = re.compile(r"-?[0-9]{1,12}")  # milliseconds, bounded before they are converted
_NAMED: Final = re.compile(r'id\s+"?(.*?)"?')
_WON: Final = re.compile(r"Game won by (.+)")
_DRAWN: Final = "The game is a draw"


class BoardspaceError(LineError):
    """A record cannot be read; `line` is the number of the line from 1."""


class Act(NamedTuple):
    """One row of a record: what somebody did, where and when."""

    line: int
    seat: int | None
    kind: str
    spaces: tuple[str, ...]
    at: Instant | None
    starts: int = 0  # of `Start`: the seat that begins


def is_boardspace(text: str) -> bool:
    """Whether a text is a record of this kind, as far as its beginning tells."""
    if re.match(r"\s*\(\s*;", text):
        return re.search(r"\bP[01]\s*\[|\bGM\s*\[\s*tamsk", text, re.IGNORECASE) is not None
    row = next(filter(None, map(str.strip, text.splitlines())), "")
    found = _ROW.fullmatch(row)
    return found is not None and found["act"].lower() in (*_SPACES, *_OTHERS)


def read_boardspace(data: bytes, variation: str = "tamsk") -> Sheet:
    """Read a record; `variation` is that of bare rows, and of a file that does not say.

    The sheet says what was played, legal or not. Raises BoardspaceError or SgfError for what cannot be read.
    """
    text = decode(data)
    record = _read_sgf(text) if re.match(r"\s*\(\s*;", text) else _Record(list(_rows(text)))
    variation = (record.variation or variation).lower()
    if variation not in LEVELS:
        raise BoardspaceError(1, statement("boardspace.variation", variation=variation, known=[*LEVELS]))
    seats = _TurnBuilder(record.acts)
    for act in record.acts:
        seats.take(act)
    lines = seats.lines()
    settings = {"level": LEVELS[variation], "ring": "auto"}
    if settings["level"] == "3":
        settings["late"] = "skip_turn"  # a late player sits out there, rule 21
    sheet = Sheet(
        game="tamsk",
        settings=settings,
        players={seats.player(seat): name for seat, name in record.names.items()},
        headers=record.headers,
        result=seats.result(record),
        lines=tuple(lines),
    )
    return _canonical(sheet)


# Rows


class _Record(NamedTuple):
    """What a file holds."""

    acts: list[Act]
    variation: str = ""
    names: Mapping[int, str] = {}
    headers: Mapping[str, str] = {}
    result: str = ""


def _rows(text: str) -> Iterator[Act]:
    for number, row in enumerate(text.splitlines(), 1):
        stripped = row.strip()
        if stripped and not stripped.startswith("#"):
            act = _act(number, stripped, None)
            if act is not None:
                yield act


def _read_sgf(text: str) -> _Record:
    nodes = list(read_collection(text)[0].main_line())
    root = nodes[0].properties
    said = {name: simple_text(values[0]) for name, values in root.items() if values}
    acts: list[Act] = []
    names: dict[int, str] = {}
    for properties, line in nodes:
        for seat in (0, 1):
            for value in properties.get(f"P{seat}", ()):
                words = simple_text(value)
                if (named := _NAMED.fullmatch(words)) is not None:
                    names[seat] = " ".join(named[1].split())
                elif words[:1].isdigit() and (act := _act(line, words, seat)) is not None:
                    acts.append(act)
    headers = {name: said[key] for name, key in (("Date", "DT"), ("Name", "GN"), ("Event", "EV")) if said.get(key)}
    return _Record(acts, said.get("SU", "").partition(" ")[0], names, headers, said.get("RE", ""))


def _act(line: int, row: str, seat: int | None) -> Act | None:
    """Read a row; None for one that changes nothing on the board."""
    found = _ROW.fullmatch(row)
    if found is None:
        raise BoardspaceError(line, statement("boardspace.row", row=row))
    kind = found["act"].lower()
    seat = int(found["seat"]) if found["seat"] is not None else seat
    if kind in _BESIDE:
        return None
    if kind in _SPACES:
        return _act_on_spaces(line, row, kind, seat)
    words = found["rest"].split()
    starts = int(words[0][1]) if kind == "start" and words in (["P0"], ["P1"], ["p0"], ["p1"]) else 0
    if kind not in _OTHERS or (words and kind != "start"):
        raise BoardspaceError(line, statement("boardspace.edited", row=row))
    return Act(line, seat, kind, (), _instant(line, found["time"]), starts)


def _act_on_spaces(line: int, row: str, kind: str, seat: int | None) -> Act:
    *_, rest = re.split(rf"\b{kind}\b", row, maxsplit=1, flags=re.IGNORECASE)
    words = rest.split()
    count = 2 * _SPACES[kind]
    spaces = tuple(
        f"{column.upper()}{number}" for column, number in zip(words[:count:2], words[1:count:2], strict=False)
    )
    if len(spaces) < _SPACES[kind] or not set(spaces) <= set(BOARD.index) or len(words) > count + 1:
        raise BoardspaceError(line, statement("boardspace.spaces", row=row))
    return Act(line, seat, kind, spaces, _instant(line, words[count] if len(words) > count else None))


def _instant(line: int, time: str | None) -> Instant | None:
    if time is not None and not _TIME.fullmatch(time):
        raise BoardspaceError(line, statement("boardspace.time", time=time))
    return None if time is None or time.startswith("-") else Instant(int(time) * MILLISECOND)


# Turns


@dataclass(slots=True)
class _Turn:
    """The turn that is being made."""

    origin: str = ""
    target: str = ""
    lifted: Instant | None = None
    placed: Instant | None = None


class _TurnBuilder:
    """Makes turns of acts. Seat 0 or 1 begins and is red; each act is of a seat, or of the one whose turn it is."""

    def __init__(self, acts: list[Act]) -> None:
        self._starter = next((act.starts for act in acts if act.kind == "start"), 0)
        self._on_turn = self._starter
        self._turn = _Turn()
        self._absent = PASS.kind  # why a player whose turn is missing made none
        self._lines: list[SheetLine] = []
        self._resigned: int | None = None
        self._kinds: Mapping[str, Callable[[Act], None]] = {
            "start": lambda _: None,
            "move": self._take_move,
            "pickb": self._take_pick,
            "dropb": self._take_drop,
            "done": self._take_done,
            "fifteen": self._timer_turned,
            "timeexpired": self._take_expiry,
            "resign": self._resigns,
        }

    def player(self, seat: int) -> str:
        """The name in our rules of a seat."""
        return PLAYERS[seat ^ self._starter]

    def take(self, act: Act) -> None:
        """Take in one act."""
        self._kinds[act.kind](act)

    def lines(self) -> list[SheetLine]:
        """The lines of the whole game."""
        self._finish(self._turn.placed, 0)
        return self._lines

    def result(self, record: _Record) -> Outcome | None:
        """How the game ended, by resignation or by what the file says."""
        if self._resigned is not None:
            return Outcome(self.player(1 - self._resigned), "resignation")
        if record.result == _DRAWN:
            return Outcome(None, "")
        won = _WON.fullmatch(record.result)
        winners = [seat for seat, name in record.names.items() if won is not None and name == won[1]]
        return Outcome(self.player(winners[0]), "") if len(winners) == 1 else None

    def _take_move(self, act: Act) -> None:
        self._begin(act)
        self._turn = _Turn(act.spaces[0], act.spaces[1], act.at, act.at)

    def _take_pick(self, act: Act) -> None:
        if self._turn.target == act.spaces[0]:
            self._turn = replace(self._turn, target="", placed=None)  # taken up again before it was confirmed
            return
        self._begin(act)
        self._turn = _Turn(act.spaces[0], "", act.at)

    def _take_drop(self, act: Act) -> None:
        if not self._turn.origin:
            raise BoardspaceError(act.line, statement("boardspace.not_taken_up"))
        back = self._turn.origin == act.spaces[0]
        self._turn = _Turn() if back else replace(self._turn, target=act.spaces[0], placed=act.at)

    def _take_done(self, act: Act) -> None:
        if self._resigned is not None:
            return
        if self._turn.target:
            self._finish(act.at, act.line)
        else:
            self._turn = _Turn()
            self._fill_in(act)
            self._write(PASS.kind, act.at, act.line)

    def _timer_turned(self, act: Act) -> None:
        by = 1 - self._on_turn if act.seat is None else act.seat
        self._lines.append(SheetLine(FLIP15.kind, self.player(by), act.at, source=act.line))

    def _take_expiry(self, act: Act) -> None:
        """The 15-second glass has run out: the turn is lost, or ends too late."""
        if self._turn.target:
            self._finish(act.at, act.line)
        else:
            self._turn = _Turn()
            self._write(LOST.kind, act.at, act.line)
        self._absent = LOST.kind

    def _resigns(self, act: Act) -> None:
        self._resigned = self._on_turn if act.seat is None else act.seat

    def _begin(self, act: Act) -> None:
        """A turn begins; one before it that was not confirmed is complete."""
        self._finish(self._turn.placed, act.line)
        self._fill_in(act)

    def _fill_in(self, act: Act) -> None:
        """Write down the turn of a player who made none, which the server leaves out."""
        if act.seat is not None and act.seat != self._on_turn:
            self._write(self._absent, None, act.line)
            self._absent = PASS.kind

    def _finish(self, at: Instant | None, line: int) -> None:
        turn, self._turn = self._turn, _Turn()
        if turn.target:
            at = at if at is None or turn.placed is None else Instant(max(at, turn.placed))
            text = f"{self._name(turn.origin)}-{self._name(turn.target)}"
            self._write(text, at, line, turn)

    def _write(self, text: str, at: Instant | None, line: int, turn: _Turn | None = None) -> None:
        lifted, placed = (None, None) if turn is None else (turn.lifted, turn.placed)
        self._lines.append(SheetLine(text, self.player(self._on_turn), at, lifted, placed, source=line))
        self._on_turn = 1 - self._on_turn

    def _name(self, space: str) -> str:
        """Our name of a space: turned by half a turn, unless the other side began."""
        return space if self._starter else half_turned(space)


def half_turned(space: str) -> str:
    """The space opposite to one, seen from the centre."""
    opposite = dict(zip(BOARD.names, reversed(BOARD.names), strict=True))
    return opposite[space]


def _canonical(sheet: Sheet) -> Sheet:
    """The sheet with its turns in canonical text, as far as they are legal."""
    texts: list[str] = []
    with suppress(RulesError):
        for step in steps(sheet):
            texts.append(step.text)  # noqa: PERF401 - a comprehension would lose what was played before the error
    lines = [replace(line, text=text) for line, text in zip(sheet.lines, texts, strict=False)]
    return replace(sheet, lines=(*lines, *sheet.lines[len(lines) :]))


class _BoardspaceReader:
    """What `GameKind.reader` asks for."""

    recognizes = staticmethod(is_boardspace)
    read = staticmethod(read_boardspace)


READER: Final = _BoardspaceReader()
