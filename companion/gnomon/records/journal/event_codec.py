"""Convert the events of a game to journal entries and back.

Raw edges and manual events are entries of their own kinds; a deadline that was reached is a note, kept because what
it led to was shown; a ruling names the entry of the event that led to it.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from gnomon.records._old_sentences import migrate
from gnomon.records.formats.traces import (
    dump_ruling,
    event_record,
    format_sensing,
    inputs_on,
    parse_sensing,
    read_event,
)
from gnomon.records.journal.entries import EntryKind, Record
from gnomon.referee.events import DeadlineReached, Event, InputChanged
from gnomon.referee.evidence import BY_POLES, Sensing
from gnomon.referee.rulings import Ruling
from gnomon.refusals import Statement
from gnomon.timekeeping.instants import Duration, Instant

NOTE: Final = "note"
BEGUN: Final = "begun"
ORIGIN: Final = "origin_us"  # of board time, on the raw clock of the entry's boot
_DEADLINE: Final = "deadline"
_UNCERTAINTY: Final = "uncertainty_us"
_TEXT: Final = "text"


def encode_start(origin: Instant, sensing: Sensing) -> dict[str, object]:
    """The body of the remark with which a game begins; it says what the sensors tell, and what was asked of them."""
    return {NOTE: BEGUN, ORIGIN: origin} | format_sensing(sensing)


def sensing_in(records: Sequence[Record]) -> Sensing:
    """What the sensors of the TAMSK board tell, by the remark with which its game began. Raises ValueError."""
    return parse_sensing(next((record.entry.body for record in records if record.entry.body.get(NOTE) == BEGUN), {}))


def event_of(record: Record, board: str, sensing: Sensing = BY_POLES) -> Event | None:
    """The event that an entry holds, or None for a ruling or another remark.

    Raises ValueError, with one sentence, for what is no event of the board.
    """
    entry = record.entry
    body = entry.body
    try:
        match entry.kind:
            case EntryKind.RAW:
                return InputChanged(entry.at, str(body["input"]), bool(body["value"]), _uncertainty(body))
            case EntryKind.EVENT:
                return read_event(body, inputs_on(board, sensing))
            case EntryKind.NOTE:
                return DeadlineReached(entry.at) if body.get(NOTE) == _DEADLINE else None
            case EntryKind.RULING:
                return None
            case _:
                assert_never(entry.kind)
    except (KeyError, ValueError) as error:
        message = f"entry {record.seq} of the journal holds no event of the board {board}: {error}"
        raise ValueError(message) from error


def body_of(event: Event) -> tuple[EntryKind, dict[str, object]]:
    """The kind and the body of an event's entry."""
    if isinstance(event, InputChanged):
        changed: dict[str, object] = {"input": event.input, "value": int(event.value)}
        return EntryKind.RAW, changed | ({_UNCERTAINTY: event.uncertainty} if event.uncertainty else {})
    if isinstance(event, DeadlineReached):
        return EntryKind.NOTE, {NOTE: _DEADLINE}
    return EntryKind.EVENT, event_record(event)


def ruled_in(records: Sequence[Record]) -> tuple[Mapping[str, object], ...]:
    """What was ruled, as it was written down, in order."""
    return tuple(record.entry.body for record in records if record.entry.kind is EntryKind.RULING)


def as_ruled(ruling: Ruling) -> Mapping[str, object]:
    """A ruling without the words of its statements, to be compared with `as_written`."""
    return as_written(json.loads(json.dumps(dump_ruling(ruling))))


def as_written(body: Mapping[str, object]) -> Mapping[str, object]:
    """A ruling as it was written down, without the words of its statements: those of another version may be others."""
    return {name: _bare(value) for name, value in migrate(body).items()}


def in_english(body: Mapping[str, object]) -> dict[str, object]:
    """A ruling as it was written down, its statements in English as in a trace's rulings."""
    return {name: _english(value) for name, value in body.items()}


def _english(value: object) -> object:
    if isinstance(value, dict) and "key" in value:
        return str(Statement.load(value))
    return [_english(each) for each in value] if isinstance(value, list) else value


def keep_words(said: object, written: object) -> object:
    """A record with the words that its statements have in another one, where both state the same."""
    match said, written:
        case dict(), dict():
            kept = {name: keep_words(value, written.get(name)) for name, value in said.items()}
            is_same = _TEXT in said and _TEXT in written and said.get("key") == written.get("key")
            return kept | ({_TEXT: written[_TEXT]} if is_same else {})
        case list(), list() if len(said) == len(written):
            return [keep_words(*each) for each in zip(said, written, strict=True)]
        case _:
            return said


def _bare(value: object) -> object:
    if isinstance(value, dict):
        is_statement = "key" in value and "values" in value
        return {name: _bare(each) for name, each in value.items() if not (is_statement and name == _TEXT)}
    return [_bare(each) for each in value] if isinstance(value, list) else value


def last_instant(records: Sequence[Record]) -> Instant:
    """The board time up to which the journal tells of a game."""
    return max((record.entry.at for record in records), default=Instant(0))


def _uncertainty(body: Mapping[str, object]) -> Duration:
    value = body.get(_UNCERTAINTY, 0)
    if not isinstance(value, int):
        message = f"{value!r} is no number of microseconds"
        raise ValueError(message)  # noqa: TRY004 - one kind of error for everything malformed
    return Duration(value)
