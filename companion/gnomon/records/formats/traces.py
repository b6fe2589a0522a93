"""Read and write traces as JSON lines: raw input changes, manual events and rulings.

The first line is the header; each further line is one raw change, one manual event, or the end of the watch. The
reader is lazy, so that everything before a bad line can be ruled first.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache
from typing import Any, Final, NamedTuple, TypeGuard, get_args

from gnomon.numbers import json_whole
from gnomon.records._old_sentences import migrate
from gnomon.records.formats.line_errors import LineError
from gnomon.referee.events import Correction, InputChanged
from gnomon.referee.evidence import EDITIONS, Sensing
from gnomon.referee.judgement import Repair, Temperament
from gnomon.referee.rulings import FaultRuled, GameOver, Ruling
from gnomon.referee.setup import GameSetup
from gnomon.referee.table import CLOCK_BUTTONS, TABLE_BUTTONS
from gnomon.refusals import InvalidValueError, Statement, clause, statement, statement_of
from gnomon.rules.kinds import GameKind, load
from gnomon.rules.registry import GAMES, kind_of
from gnomon.timekeeping.instants import Duration, Instant

VERSION: Final = 1
FIRST_ENTRY: Final = 2  # its line: every line but the header is one entry
DRAW: Final = "draw"
TABLE: Final = "table"
PEOPLE: Final = "players"
SINGLE_POLE: Final = "single_pole"
"""The key under which the first line, and the journal, name the places whose sensors see one pole."""

EVIDENCE: Final = "evidence"
"""The key under which they say what the referee asked before it ruled: its place among `EDITIONS`."""

REGISTERS: Final = "registers"
"""The key under which they list the inputs that share a chip, a list for each."""

RULED: Final = "ruled"
"""The key of what was ruled at the table; a trace that has it and says nothing of evidence is older than 0.2."""

_TABLE_INPUTS: Final = frozenset({*TABLE_BUTTONS, *CLOCK_BUTTONS})
_HEADER_KEYS: Final = ("trace", "board", "settings")
_GAME: Final = "game"
_UNCERTAINTY: Final = "uncertainty_us"
_TEMPERAMENT: Final = "temperament"


class TraceError(LineError):
    """A line of a trace is malformed; `line` is its number from 1."""


@dataclass(frozen=True, slots=True)
class TraceHeader:
    """What the first line says: the board, the settings of its rules, and anything else, which is kept.

    `played` is the game where the board does not say it: at a table.
    """

    board: str
    settings: Mapping[str, object]
    extras: Mapping[str, Any] = field(default_factory=dict)
    played: str = ""

    @classmethod
    def of(
        cls, board: str, game: str, settings: Mapping[str, object], extras: Mapping[str, Any] | None = None
    ) -> "TraceHeader":
        """The first line for a game on a board."""
        return cls(board, settings, extras or {}, "" if game == board else game)

    @property
    def game(self) -> str:
        """The game that is played."""
        return self.played or self.board

    @property
    def setup(self) -> GameSetup:
        """How the game is set up."""
        return GameSetup(self.game, self.settings, self.temperament, players_in(self.extras), self.board)

    @property
    def sensing(self) -> Sensing:
        """What the sensors of the board tell."""
        return parse_sensing(self.extras, 0 if RULED in self.extras else len(EDITIONS) - 1)

    @property
    def uncertainty(self) -> Duration:
        """How long before its stamp a change may have happened, unless its own line says otherwise."""
        return Duration(self.extras.get(_UNCERTAINTY, 0))

    @property
    def temperament(self) -> Temperament:
        """How much the referee says."""
        return Temperament(self.extras.get(_TEMPERAMENT, Temperament.ASSISTANT.value))


def players_in(said: Mapping[str, Any]) -> dict[str, str]:
    """The people's names by the players of the rules, as far as the first line of a trace says them."""
    named = said.get(PEOPLE)
    return {player: str(name) for player, name in named.items()} if isinstance(named, dict) else {}


def parse_sensing(said: Mapping[str, Any], edition: int = 0) -> Sensing:
    """The sensing of a board by what the first line of a trace, or of a game in the journal, says of it.

    `edition` is that of the evidence where nothing is said of it. Raises ValueError for one that is not known.
    """
    number = said.get(EVIDENCE, edition)
    if not _is_integer(number) or number not in range(len(EDITIONS)):
        raise InvalidValueError(
            statement("records.trace.evidence", name=EVIDENCE, most=len(EDITIONS) - 1, text=repr(number))
        )
    registers = tuple(frozenset(map(str, names)) for names in _list_of(said, REGISTERS) if isinstance(names, list))
    said_places = {str(place) for place in _list_of(said, SINGLE_POLE)}
    return Sensing(tuple(sorted(said_places)), registers, EDITIONS[number])


def format_sensing(sensing: Sensing) -> dict[str, object]:
    """What `parse_sensing` reads."""
    single: dict[str, object] = {SINGLE_POLE: list(sensing.single)} if sensing.single else {}
    chips: dict[str, object] = {REGISTERS: [sorted(names) for names in sensing.registers]} if sensing.registers else {}
    return {EVIDENCE: EDITIONS.index(sensing.evidence)} | single | chips


def _list_of(said: Mapping[str, Any], key: str) -> list[object]:
    found = said.get(key)
    return found if isinstance(found, list) else []


@dataclass(frozen=True, slots=True)
class WatchedUntil:
    """The board was watched until `at`: the last line of a trace, if it has one."""

    at: Instant


Happening = InputChanged | Correction


class Trace(NamedTuple):
    """A trace being read: `entries` can be taken once and raises TraceError at a malformed line."""

    header: TraceHeader
    entries: Iterator[Happening | WatchedUntil]


def read_trace(lines: Iterable[bytes]) -> Trace:
    """Read the header now and the rest as it is asked for. Raises TraceError, as do the entries."""
    numbered = enumerate(lines, 1)
    number, first = next(numbered, (1, b""))
    with _malformed_at(number):
        header = _read_header(_read_object(first))
    return Trace(header, _read_entries(numbered, header))


def trace_lines(header: TraceHeader, happenings: Iterable[Happening], until: Instant | None = None) -> Iterator[str]:
    """The lines of a trace, each with its line feed.

    Raises ValueError when a stamp goes back: the writer of a trace has to sort by stamp.
    """
    described = {"trace": VERSION, "board": header.board}
    if header.played:
        described[_GAME] = header.played
    yield _line({**described, "settings": dict(header.settings), **header.extras})
    last = Instant(0)
    for happening in happenings:
        last = _not_before(last, happening.at)
        yield _line(_encode_line(happening, header))
    if until is not None:
        yield _line({"at_us": _not_before(last, until), "end": True})


def ruling_record(ruling: Ruling) -> dict[str, object]:
    """The ruling as one JSON object with the keys of the trace interface, its statements in English."""
    return _ruling_record(ruling, clause)


def dump_ruling(ruling: Ruling) -> dict[str, object]:
    """The ruling as records keep it: as `ruling_record`, with the key and the values of each statement."""
    return _ruling_record(ruling, Statement.dump)


def _ruling_record(ruling: Ruling, state: Callable[[Statement], object]) -> dict[str, object]:
    record: dict[str, object] = {"at_us": ruling.at, "ruling": ruling.kind}
    for part in fields(ruling)[1:]:
        match getattr(ruling, part.name):
            case Statement() as stated:
                record[part.name] = state(stated)
            case tuple() as values:
                record[part.name] = [state(each.statement) if isinstance(each, Repair) else each for each in values]
            case value:
                record[part.name] = value
    if isinstance(ruling, FaultRuled):
        record["kind"] = record.pop("fault")
    if isinstance(ruling, GameOver) and ruling.winner is None:
        record["winner"] = DRAW
    return record


def event_record(event: Correction) -> dict[str, object]:
    """The event by hand as one JSON object: its stamp, its name, and its own fields."""
    own = {part.name: _dump_value(getattr(event, part.name)) for part in fields(event)[1:]}
    return {"at_us": event.at, "event": _event_name(type(event)), **own}


def _dump_value(value: object) -> object:
    return value.dump() if isinstance(value, Statement) else value


def read_event(record: Mapping[str, object], inputs: frozenset[str]) -> Correction:
    """Read what `event_record` writes, or wrote in version 0.1.0. Raises ValueError with one sentence."""
    record = migrate(record)
    name = record["event"]
    event = CORRECTIONS.get(name) if isinstance(name, str) else None
    if event is None:
        raise InvalidValueError(statement("records.trace.no_event", text=json.dumps(name)))
    own = [part for part in fields(event) if part.name != "at"]
    needed = [part.name for part in own if part.default is MISSING]
    _check_keys(record, ("at_us", "event", *needed), tuple(part.name for part in own))
    if "input" in needed:
        _known_input(record, inputs)
    values: dict[str, Any] = {part.name: _check_value(part, record[part.name]) for part in own if part.name in record}
    return event(at=_stamp(record), **values)


def _read_header(record: Mapping[str, Any]) -> TraceHeader:
    missing = [key for key in _HEADER_KEYS if key not in record]
    if missing:
        raise InvalidValueError(statement("records.trace.no_header", text=json.dumps(missing[0])))
    if not _is_integer(record["trace"]) or record["trace"] != VERSION:
        raise InvalidValueError(statement("records.trace.format", text=json.dumps(record["trace"]), version=VERSION))
    if not isinstance(record["board"], str) or record["board"] not in {*_sensed_boards(), TABLE}:
        raise InvalidValueError(
            statement("records.trace.no_board", text=json.dumps(record["board"]), known=(*_sensed_boards(), TABLE))
        )
    if not isinstance(record["settings"], dict):
        raise InvalidValueError(statement("records.trace.settings", text=json.dumps(record["settings"])))
    played = _read_game(record)
    extras = {key: value for key, value in record.items() if key not in _HEADER_KEYS and not (played and key == _GAME)}
    if _UNCERTAINTY in extras:
        _microseconds(_UNCERTAINTY, extras[_UNCERTAINTY])
    if _TEMPERAMENT in extras and extras[_TEMPERAMENT] not in [each.value for each in Temperament]:
        raise InvalidValueError(statement("records.trace.no_temperament", text=json.dumps(extras[_TEMPERAMENT])))
    _check_single_pole(record)
    parse_sensing(extras)
    return TraceHeader(record["board"], record["settings"], extras, played)


def inputs_on(board: str, sensing: Sensing) -> frozenset[str]:
    """The inputs of a board, the players' own buttons of a match clock too. Raises KeyError for one that is not known.

    Any game may be played at a table.
    """
    if board == TABLE:
        return _TABLE_INPUTS
    found: frozenset[str] = load(_sensed_boards()[board].inputs[board])(sensing)
    return found


@cache
def _sensed_boards() -> Mapping[str, GameKind]:
    """The boards with sensors, each by the game that it is made for."""
    return {board: kind_of(game) for game in GAMES for board in kind_of(game).inputs}


def _check_single_pole(record: Mapping[str, Any]) -> None:
    places = record.get(SINGLE_POLE, [])
    boards = _sensed_boards()
    known = tuple(boards[record["board"]].single_pole) if record["board"] in boards else ()
    if not isinstance(places, list) or any(place not in known for place in places):
        there = ", ".join(
            f"{json.dumps(place)} ({board})" for board, kind in boards.items() for place in kind.single_pole
        )
        said = statement("records.trace.single_pole", name=SINGLE_POLE, known=there, text=json.dumps(places))
        raise InvalidValueError(said)


def _read_game(record: Mapping[str, Any]) -> str:
    """The game at a table; empty for a board that is made for one."""
    board, game = record["board"], record.get(_GAME)
    if board == TABLE and not isinstance(game, str):
        raise InvalidValueError(statement("records.trace.no_game", name='"game"'))
    if board != TABLE and isinstance(game, str) and game != board:
        raise InvalidValueError(statement("records.trace.other_game", board=str(board), text=json.dumps(game)))
    return game if board == TABLE and isinstance(game, str) else ""


def _read_entries(numbered: Iterable[tuple[int, bytes]], header: TraceHeader) -> Iterator[Happening | WatchedUntil]:
    inputs = inputs_on(header.board, header.sensing)
    last = Instant(0)
    ended = False
    for number, line in numbered:
        with _malformed_at(number):
            if ended:
                raise InvalidValueError(statement("records.trace.after_end"))
            entry = _read_entry(_read_object(line), header, inputs)
            last = _not_before(last, entry.at)
            ended = isinstance(entry, WatchedUntil)
        yield entry


def _read_entry(record: Mapping[str, object], header: TraceHeader, inputs: frozenset[str]) -> Happening | WatchedUntil:
    if "event" in record:
        return read_event(record, inputs)
    if "end" in record:
        _check_keys(record, ("at_us", "end"))
        if record["end"] is not True:
            raise InvalidValueError(statement("records.trace.end", name='"end"', text=json.dumps(record["end"])))
        return WatchedUntil(_stamp(record))
    _check_keys(record, ("at_us", "input", "value"), (_UNCERTAINTY,))
    at, name, value = _stamp(record), _known_input(record, inputs), record["value"]
    if not _is_integer(value) or value not in (0, 1):
        raise InvalidValueError(statement("records.trace.value", text=json.dumps(value)))
    uncertainty = _microseconds(_UNCERTAINTY, record.get(_UNCERTAINTY, header.uncertainty))
    return InputChanged(at, name, bool(value), Duration(uncertainty))


def _read_object(line: bytes) -> dict[str, Any]:
    try:
        record = json.loads(
            line.decode(), object_pairs_hook=_without_repetition, parse_int=json_whole, parse_constant=_no_number
        )
    except UnicodeDecodeError as error:
        raise InvalidValueError(
            statement("records.trace.utf8", byte=error.start + 1, value=f"0x{line[error.start]:02x}")
        ) from error
    except json.JSONDecodeError as error:
        raise InvalidValueError(
            statement("records.trace.json", detail=error.msg[:1].lower() + error.msg[1:], column=error.colno)
        ) from error
    except RecursionError as error:
        raise InvalidValueError(statement("records.trace.nested")) from error
    if not isinstance(record, dict):
        raise InvalidValueError(statement("records.trace.no_object"))
    return record


def _without_repetition(pairs: list[tuple[str, object]]) -> dict[str, object]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise InvalidValueError(statement("records.trace.key_twice"))
    return record


def _no_number(constant: str) -> object:
    raise InvalidValueError(statement("records.trace.constant", text=constant))


def _check_keys(record: Mapping[str, object], needed: tuple[str, ...], allowed: tuple[str, ...] = ()) -> None:
    missing = [key for key in needed if key not in record]
    if missing:
        raise InvalidValueError(statement("records.trace.no_key", text=json.dumps(missing[0])))
    unknown = [key for key in record if key not in needed and key not in allowed]
    if unknown:
        raise InvalidValueError(statement("records.trace.unknown_key", text=json.dumps(unknown[0])))


def _stamp(record: Mapping[str, object]) -> Instant:
    return Instant(_microseconds("at_us", record["at_us"]))


def _not_before(last: Instant, at: Instant) -> Instant:
    if at < last:
        raise InvalidValueError(statement("records.trace.back", last=int(last), at=int(at)))
    return at


def _known_input(record: Mapping[str, object], inputs: frozenset[str]) -> str:
    name = record["input"]
    if not isinstance(name, str) or name not in inputs:
        raise InvalidValueError(statement("records.trace.no_input", input=json.dumps(name)))
    return name


def _microseconds(key: str, value: object) -> int:
    if not _is_integer(value) or value < 0:
        raise InvalidValueError(statement("records.trace.microseconds", name=json.dumps(key), text=json.dumps(value)))
    return value


def _is_integer(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _event_name(event: type) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"_\1", event.__name__).lower()


CORRECTIONS: Final[Mapping[str, type[Correction]]] = {_event_name(event): event for event in get_args(Correction)}
"""What can be entered by hand, by its name: `TurnsVoided` is "turns_voided"."""

_Said = Callable[[str, str], Statement]

# What each type of field is in JSON: what is said of any other value, and whether it is one.
_JSON_TYPES: Final[Mapping[Any, tuple[_Said, Callable[[object], bool]]]] = {
    str: (
        lambda name, text: statement("records.trace.is.text", name=name, text=text),
        lambda value: isinstance(value, str),
    ),
    bool: (
        lambda name, text: statement("records.trace.is.truth", name=name, text=text),
        lambda value: isinstance(value, bool),
    ),
    int: (
        lambda name, text: statement("records.trace.is.number", name=name, text=text),
        lambda value: _is_integer(value) and value >= 0,
    ),
    str | Statement: (
        lambda name, text: statement("records.trace.is.statement", name=name, text=text),
        lambda value: isinstance(value, str),
    ),
    str | None: (
        lambda name, text: statement("records.trace.is.text_or_null", name=name, text=text),
        lambda value: value is None or isinstance(value, str),
    ),
    int | None: (
        lambda name, text: statement("records.trace.is.number_or_null", name=name, text=text),
        lambda value: value is None or (_is_integer(value) and value >= 0),
    ),
}


def _check_value(part: "Field[Any]", value: object) -> object:
    if part.type is Duration or (part.type == Duration | None and value is not None):
        return _microseconds(part.name, value)
    if part.type == Duration | None:
        return None
    if part.type == str | Statement and isinstance(value, dict):
        return Statement.load(value)
    said, fits = _JSON_TYPES[part.type]
    if not fits(value):
        raise InvalidValueError(said(part.name, json.dumps(value)))
    return value


def _encode_line(happening: Happening, header: TraceHeader) -> dict[str, object]:
    if not isinstance(happening, InputChanged):
        return event_record(happening)
    record: dict[str, object] = {
        "at_us": happening.at,
        "input": happening.input,
        "value": int(happening.value),
    }
    if happening.uncertainty != header.uncertainty:
        record[_UNCERTAINTY] = happening.uncertainty
    return record


def _line(record: Mapping[str, object]) -> str:
    return json.dumps(record) + "\n"


@contextmanager
def _malformed_at(line: int) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise TraceError(line, statement_of(error)) from error
