"""Write the daemon's games, events and rulings to the journal.

No other module of the daemon writes entries to the journal.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Final, Protocol

from gnomon.records.formats.traces import dump_ruling
from gnomon.records.journal.entries import Entry, EntryKind, GameStart, Record, StoredGame
from gnomon.records.journal.event_codec import NOTE, ORIGIN, body_of, encode_start
from gnomon.referee.events import Event
from gnomon.referee.game import Game
from gnomon.referee.rulings import Ruling
from gnomon.refusals import Statement
from gnomon.timekeeping.instants import Instant
from gnomon_pi.runtime.live_game import LiveGame
from gnomon_pi.runtime.system.clock import Watch

_RESUMED: Final = "resumed"


class EventStore(Protocol):
    """What the daemon needs of a journal; `gnomon.records.journal.writer.Journal` is one."""

    @property
    def durable_seq(self) -> int:
        """The number of the last entry that survives a power cut."""
        ...

    @property
    def failed(self) -> Statement | None:
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

    def together(self) -> AbstractContextManager[None]:
        """Make all of what is written meanwhile durable, or nothing of it."""
        ...

    def last_game(self) -> StoredGame | None:
        """The game that was written about last."""
        ...

    def read(self, game: int) -> Sequence[Record]:
        """Every durable entry of the game."""
        ...


class JournalWriter:
    """The present game in the journal."""

    def __init__(self, store: EventStore, watch: Watch, version: str) -> None:
        self._store = store
        self._watch = watch
        self._version = version
        self._game = 0
        self._is_over = False

    @property
    def game(self) -> int:
        """The number of the present game; 0 before any."""
        return self._game

    @property
    def durable(self) -> int:
        """The number of the last entry that survives a power cut."""
        return self._store.durable_seq

    @property
    def failed(self) -> Statement | None:
        """Why nothing can be written just now, in one sentence, or None."""
        return self._store.failed

    def begin(self, game: Game, settings: Mapping[str, object], now: Instant) -> int:
        """Write down a new game whose board time 0 is the raw instant `now`, and give the number of its entry."""
        self._game = self._store.begin(
            GameStart(
                board=game.board.name,
                settings=settings,
                temperament=game.temperament.value,
                started=now,
                boot=self._watch.boot,
                wall=self._wall(),
                version=self._version,
                game=game.rules.name,
                players=dict(game.people),
            )
        )
        self._is_over = False
        return self._store.append(self._entry(EntryKind.NOTE, Instant(0), encode_start(now, game.sensing)))

    def take_up(self, game: StoredGame) -> None:
        """From now on write about a game of the journal."""
        self._game, self._is_over = game.id, game.ended is not None

    def resume(self, live_game: LiveGame, away: str) -> int:
        """Write down that the game goes on from its last event, and give the number of the entry."""
        body = {NOTE: _RESUMED, ORIGIN: live_game.origin, "away": away}
        return self._put(self._entry(EntryKind.NOTE, live_game.last, body), is_over=not live_game.is_unfinished)

    def together(self) -> AbstractContextManager[None]:
        """Make all of what is written meanwhile durable, or nothing of it."""
        return self._store.together()

    def remark(self, at: Instant, what: Mapping[str, object]) -> int:
        """Write down something that the referee does not need to know, and give the number of the entry."""
        return self._store.append(self._entry(EntryKind.NOTE, at, what))

    def write(self, event: Event, rulings: Sequence[Ruling], *, is_over: bool, cause: int | None = None) -> int:
        """Write down an event, whatever caused it and what it led to, and give the number of the last entry."""
        kind, body = body_of(event)
        if not rulings:
            return self._put(self._entry(kind, event.at, body, cause), is_over=is_over)
        cause = self._put(self._entry(kind, event.at, body, cause), is_over=self._is_over)
        return self.complete(cause, rulings, is_over=is_over)

    def complete(self, cause: int, rulings: Sequence[Ruling], *, is_over: bool) -> int:
        """Write down the rulings, at least one, of an event that has an entry; give the number of the last one."""
        *others, last = rulings
        for ruling in others:
            self._put(self._entry(EntryKind.RULING, ruling.at, dump_ruling(ruling), cause), is_over=self._is_over)
        return self._put(self._entry(EntryKind.RULING, last.at, dump_ruling(last), cause), is_over=is_over)

    def _put(self, entry: Entry, *, is_over: bool) -> int:
        if is_over == self._is_over:
            return self._store.append(entry)
        self._is_over = is_over
        return self._store.end(entry) if is_over else self._store.reopen(entry)

    def _entry(self, kind: EntryKind, at: Instant, body: Mapping[str, object], cause: int | None = None) -> Entry:
        return Entry(self._game, kind, at, body, self._watch.boot, self._wall(), cause)

    def _wall(self) -> str:
        return self._watch.wall().isoformat(timespec="milliseconds")


def origin_in(entry: Entry) -> Instant | None:
    """The raw instant of board time 0 in the boot of an entry, when the entry says so."""
    origin = entry.body.get(ORIGIN) if entry.kind is EntryKind.NOTE else None
    return None if origin is None else Instant(_integer(origin))


def _integer(value: object) -> int:
    if isinstance(value, int):
        return value
    message = f"{value!r} is no whole number"
    raise ValueError(message)
