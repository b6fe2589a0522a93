"""The only place that says how the daemon writes a game into the journal, and reads it back."""

from collections.abc import Mapping, Sequence
from typing import Final, Protocol, assert_never

from gnomon.records.entries import Entry, GameStart, Kind, Record, StoredGame
from gnomon.records.traces import event_record, read_event, ruling_record
from gnomon.referee.events import DeadlineReached, Event, InputChanged
from gnomon.referee.judgement import Temperament
from gnomon.referee.rulings import Ruling
from gnomon.referee.tamsk_inputs import INPUTS
from gnomon.timekeeping.instants import Duration, Instant
from gnomon_pi.sitting import Sitting
from gnomon_pi.watch import Watch

BOARD: Final = "tamsk"

_NOTE: Final = "note"
_BEGUN: Final = "begun"
_RESUMED: Final = "resumed"
_DEADLINE: Final = "deadline"
_ORIGIN: Final = "origin_us"  # of board time, on the raw clock of the entry's boot
_UNCERTAINTY: Final = "uncertainty_us"
_INPUTS: Final = frozenset(INPUTS)


class EventStore(Protocol):
    """What the daemon needs of a journal; `gnomon.records.journal.Journal` is one."""

    @property
    def durable_seq(self) -> int:
        """The number of the last entry that survives a power cut."""
        ...

    @property
    def failed(self) -> str | None:
        """Why nothing can be written just now, or None."""
        ...

    def begin(self, start: GameStart) -> int:
        """Write down a new game and give its number."""
        ...

    def append(self, entry: Entry) -> int:
        """Queue an entry and give its number."""
        ...

    def end(self, entry: Entry) -> int:
        """Queue the entry with which its game ends."""
        ...

    def reopen(self, entry: Entry) -> int:
        """Queue the entry with which its game goes on after all."""
        ...

    def last_game(self) -> StoredGame | None:
        """The game that began last."""
        ...

    def read(self, game: int) -> Sequence[Record]:
        """Every durable entry of the game."""
        ...


class Chronicle:
    """The present game in the journal."""

    def __init__(self, store: EventStore, watch: Watch, version: str) -> None:
        self._store = store
        self._watch = watch
        self._version = version
        self._game = 0
        self._is_over = False

    @property
    def durable(self) -> int:
        """The number of the last entry that survives a power cut."""
        return self._store.durable_seq

    @property
    def failed(self) -> str | None:
        """Why nothing can be written just now, in one sentence, or None."""
        return self._store.failed

    def begin(self, settings: Mapping[str, object], temperament: Temperament, now: Instant) -> int:
        """Write down a new game whose board time 0 is the raw instant `now`, and give the number of its entry."""
        wall = self._wall()
        self._game = self._store.begin(
            GameStart(BOARD, settings, temperament.value, now, self._watch.boot, wall, self._version)
        )
        self._is_over = False
        return self._store.append(self._entry(Kind.NOTE, Instant(0), {_NOTE: _BEGUN, _ORIGIN: now}))

    def take_up(self, game: StoredGame) -> None:
        """From now on write about a game of the journal."""
        self._game, self._is_over = game.id, game.ended is not None

    def resume(self, sitting: Sitting, away: str) -> int:
        """Write down that the game goes on from its last event, and give the number of the entry."""
        body = {_NOTE: _RESUMED, _ORIGIN: sitting.origin, "away": away}
        return self._put(self._entry(Kind.NOTE, sitting.last, body), is_over=not sitting.is_unfinished)

    def write(self, event: Event, rulings: Sequence[Ruling], *, is_over: bool) -> int:
        """Write down an event and what it led to, and give the number of the last entry."""
        kind, body = _written(event)
        if not rulings:
            return self._put(self._entry(kind, event.at, body), is_over=is_over)
        cause = self._put(self._entry(kind, event.at, body), is_over=self._is_over)
        return self.complete(cause, rulings, is_over=is_over)

    def complete(self, cause: int, rulings: Sequence[Ruling], *, is_over: bool) -> int:
        """Write down the rulings, at least one, of an event that has an entry; give the number of the last one."""
        *others, last = rulings
        for ruling in others:
            self._put(self._entry(Kind.RULING, ruling.at, ruling_record(ruling), cause), is_over=self._is_over)
        return self._put(self._entry(Kind.RULING, last.at, ruling_record(last), cause), is_over=is_over)

    def _put(self, entry: Entry, *, is_over: bool) -> int:
        if is_over == self._is_over:
            return self._store.append(entry)
        self._is_over = is_over
        return self._store.end(entry) if is_over else self._store.reopen(entry)

    def _entry(self, kind: Kind, at: Instant, body: Mapping[str, object], cause: int | None = None) -> Entry:
        return Entry(self._game, kind, at, body, self._watch.boot, self._wall(), cause)

    def _wall(self) -> str:
        return self._watch.wall().isoformat(timespec="milliseconds")


def read_event_of(record: Record) -> Event | None:
    """The event that an entry holds, or None for a ruling or a remark. Raises ValueError for what is no event."""
    entry = record.entry
    body = entry.body
    match entry.kind:
        case Kind.RAW:
            uncertainty = Duration(_integer(body.get(_UNCERTAINTY, 0)))
            return InputChanged(entry.at, str(body["input"]), bool(body["value"]), uncertainty)
        case Kind.EVENT:
            return read_event(body, _INPUTS)
        case Kind.NOTE:
            return DeadlineReached(entry.at) if body.get(_NOTE) == _DEADLINE else None
        case Kind.RULING:
            return None
        case _:
            assert_never(entry.kind)


def origin_in(entry: Entry) -> Instant | None:
    """The raw instant of board time 0 in the boot of an entry, when the entry says so."""
    origin = entry.body.get(_ORIGIN) if entry.kind is Kind.NOTE else None
    return None if origin is None else Instant(_integer(origin))


def _written(event: Event) -> tuple[Kind, dict[str, object]]:
    if isinstance(event, InputChanged):
        changed: dict[str, object] = {"input": event.input, "value": int(event.value)}
        return Kind.RAW, changed | ({_UNCERTAINTY: event.uncertainty} if event.uncertainty else {})
    if isinstance(event, DeadlineReached):
        # No one's event, and a replay finds it by itself; it is kept because what it led to was shown.
        return Kind.NOTE, {_NOTE: _DEADLINE}
    return Kind.EVENT, event_record(event)


def _integer(value: object) -> int:
    if isinstance(value, int):
        return value
    message = f"{value!r} is no whole number"
    raise ValueError(message)
