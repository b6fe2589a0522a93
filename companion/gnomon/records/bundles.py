"""Make dispute bundles: export a game of the journal as a trace that replays to the same rulings.

The trace has everything in one file: what the inputs did, every manual event with who and why, and in its first line
the software, the boots, the people, the rulings given at the table, for comparison with those of a replay, and the
hash chain of the journal, which shows whether anything was altered since.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from gnomon.records.formats.trace_rulings import rulings
from gnomon.records.formats.traces import (
    PEOPLE,
    RULED,
    Happening,
    Trace,
    TraceError,
    TraceHeader,
    WatchedUntil,
    dump_ruling,
    format_sensing,
    read_trace,
    trace_lines,
)
from gnomon.records.journal.chain import fingerprint
from gnomon.records.journal.entries import Record, StoredGame, values_of_entry, values_of_start
from gnomon.records.journal.event_codec import (
    as_ruled,
    as_written,
    event_of,
    keep_words,
    last_instant,
    ruled_in,
    sensing_in,
)
from gnomon.referee.events import DeadlineReached, InputChanged
from gnomon.refusals import statement
from gnomon.timekeeping.instants import Instant

BEGAN: Final = "began"
VERSION: Final = "version"
BOOTS: Final = "boots"
NUMBER: Final = "number"
WORDS: Final = "words"
"""The key under which the first line says whose words its statements have; bundles of 0.2.0 and earlier lack it."""
AS_WRITTEN: Final = "as written"
CHAIN: Final = "chain"
"""The key under which the first line carries the entries as they stand in the journal, each with its link."""


class Bundle(NamedTuple):
    """A game as a trace: its first line, what happened, in the order of stamps, and until when it was watched.

    `written` has what the journal says of each happening, None for an edge: its statements keep these words.
    """

    header: TraceHeader
    happenings: tuple[Happening, ...]
    until: Instant
    written: tuple[Mapping[str, object] | None, ...] = ()

    @property
    def trace(self) -> Trace:
        """The bundle as a trace that has been read."""
        return Trace(self.header, iter((*self.happenings, WatchedUntil(self.until))))

    def lines(self) -> Iterator[str]:
        """The lines of the trace, each with its line feed."""
        lines = trace_lines(self.header, self.happenings, self.until)
        yield next(lines)
        for line, body in zip_longest(lines, self.written):
            yield line if body is None else f"{json.dumps(keep_words(json.loads(line), body))}\n"


class RulingDifference(NamedTuple):
    """The first ruling, counted from 1, that a replay gives otherwise than it was given at the table, or not at all."""

    number: int
    at_the_table: Mapping[str, object] | None
    replayed: Mapping[str, object] | None


def bundle(stored: StoredGame, records: Sequence[Record], players: Mapping[str, str] | None = None) -> Bundle:
    """The bundle of a game of the journal; `players` names those whom the journal does not.

    Raises ValueError for an entry that holds no event of its board.
    """
    start = stored.start
    sensing = sensing_in(records)
    events = [event_of(record, start.board, sensing) for record in records]
    happened = [
        (event, None if isinstance(event, InputChanged) else record.entry.body)
        for event, record in zip(events, records, strict=True)
        if event is not None and not isinstance(event, DeadlineReached)
    ]
    happened.sort(key=lambda each: each[0].at)
    happenings, written = tuple(event for event, _ in happened), tuple(body for _, body in happened)
    extras: dict[str, Any] = {
        "temperament": start.temperament,
        NUMBER: stored.id,
        VERSION: start.version,
        BEGAN: start.wall,
        BOOTS: list(dict.fromkeys([start.boot, *(record.entry.boot for record in records)])),
        PEOPLE: {**(players or {}), **start.players},
        "uncertainty_us": _usual_uncertainty(happenings),
        RULED: [dict(body) for body in ruled_in(records)],
    }
    if records and all(record.link and record.before for record in records):
        extras[CHAIN] = _chain(stored, records)
    extras |= {WORDS: AS_WRITTEN, **format_sensing(sensing)}
    header = TraceHeader.of(start.board, start.game, start.settings, extras)
    return Bundle(header, happenings, last_instant(records), written)


def difference(trace: Trace) -> RulingDifference | None:
    """The first ruling of a bundle that a replay gives otherwise, or None when all agree.

    A replay may rule more at the end: what time had decided, and the table had not yet said. Raises TraceError and
    SettingsError as a replay does, and TraceError for a trace that does not say what was ruled.
    """
    ruled = trace.header.extras.get(RULED)
    if not isinstance(ruled, list):
        raise TraceError(1, statement("records.trace.not_ruled"))
    given = list(rulings(trace))
    for number, said in enumerate(ruled, 1):
        replayed = given[number - 1] if number <= len(given) else None
        if replayed is None or not isinstance(said, dict) or as_ruled(replayed) != as_written(said):
            return RulingDifference(number, said, None if replayed is None else dump_ruling(replayed))
    return None


def read_bundle(lines: Iterable[bytes]) -> Bundle:
    """Read a whole trace. Raises TraceError."""
    trace = read_trace(lines)
    entries = list(trace.entries)
    happenings = tuple(entry for entry in entries if not isinstance(entry, WatchedUntil))
    return Bundle(trace.header, happenings, entries[-1].at if entries else Instant(0))


def fingerprint_in(header: Mapping[str, Any]) -> str:
    """The number of the last entry that a bundle carries, and its fingerprint; empty where it carries none."""
    try:
        _, seq, *_, link = header[CHAIN]["entries"][-1]
        return f"{int(seq)} {fingerprint(bytes.fromhex(link))}"
    except (KeyError, IndexError, TypeError, ValueError):
        return ""


def _chain(stored: StoredGame, records: Sequence[Record]) -> Mapping[str, object]:
    """The row of the game, and each entry: the link before it, its columns, and its own link."""
    entries = [
        [
            record.before.hex(),
            record.seq,
            *values_of_entry(record.entry),
            None if record.ends is None else int(record.ends),
            record.link.hex(),
        ]
        for record in records
    ]
    return {"game": [stored.id, *values_of_start(stored.start)], "entries": entries}


def _usual_uncertainty(happenings: Sequence[Happening]) -> int:
    counts = Counter(event.uncertainty for event in happenings if isinstance(event, InputChanged))
    return counts.most_common(1)[0][0] if counts else 0
