"""Rebuild a hall board's game from its records, for the pages that show a single board.

The hall replays the recorded events, as the board itself does after a restart. Board time goes on from the board's
last record, by the hall's own clock.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final, NamedTuple

from gnomon.hall.board_registry import RegisteredBoard
from gnomon.hall.hall import Hall
from gnomon.hall.hub.changes import ChangeListener
from gnomon.hall.public_boards import Boards
from gnomon.records.journal.entries import Archive, EntryKind, Record, StoredGame
from gnomon.records.journal.event_codec import ORIGIN, event_of, last_instant, sensing_in
from gnomon.records.journal.store import JournalError
from gnomon.referee.events import DeadlineReached, Event
from gnomon.referee.game import Game
from gnomon.referee.games import game_of, tell
from gnomon.refusals import InvalidValueError, Statement, statement, statement_of
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.instants import Instant
from gnomon.views.status_payload import health_in
from gnomon.web.live.interfaces import LookingOn
from gnomon.web.server.workers import Shelf

SPACING: Final = 0.2
"""Seconds between two looks at a board's records at least."""
BEAT: Final = 1.0
"""And at most; a reader that hears nothing for five calls the page dead."""
_WAITS: Final = 10_000
"""Deadlines between two events; more of them only a broken board has."""
_LONGEST: Final = 10_000
"""Records of a game; a thousand are many, and to play so many again takes seconds."""


class FoldError(InvalidValueError):
    """The records of a board make no game; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A written game, played again as far as its records go.

    `told` is the game after its events, `game` the same at the instant `last` of its last record; `origin` is its board
    time 0 on the raw clock of `boot`.
    """

    stored: StoredGame
    events: tuple[Event, ...]
    told: Game
    game: Game
    last: Instant
    boot: str
    origin: Instant


def fold(stored: StoredGame, records: Sequence[Record], before: Folded | None = None) -> Folded:
    """The game of these records; from `before` on where it is the same game with fewer. Raises FoldError."""
    start = stored.start
    if len(records) > _LONGEST:
        raise FoldError(statement("hall.fold.many", game=stored.id, count=len(records)))
    try:
        sensing = sensing_in(records)
        read = (event_of(record, start.board, sensing) for record in records)
        happened = (event for event in read if event is not None and not isinstance(event, DeadlineReached))
        events = tuple(sorted(happened, key=attrgetter("at")))
        known = _continue(before, stored, events)
        told = game_of(start.setup, sensing) if known is None else known.told
        for event in events[0 if known is None else len(known.events) :]:
            told, _ = tell(_pass_time(told, event.at), event)
        last = last_instant(records)
        game = _pass_time(told, Instant(last + 1))
    except (ValueError, RulesError, ArithmeticError, LookupError) as error:
        raise FoldError(statement("hall.fold.impossible", game=stored.id, cause=statement_of(error))) from error
    boot, origin = _origin(stored, records)
    return Folded(stored, events, told, game, last, boot, origin)


def now_at(place: RegisteredBoard, fold: Folded, now: Instant) -> Instant:
    """Board time of a game, as far as the hall can know it: never before what is written of it."""
    state, time = place.state, place.board_time(now)
    if state is None or time is None or state.boot != fold.boot:
        return fold.last
    return Instant(max(fold.last, (time if place.is_online else state.now) - fold.origin))


def displayed_game(place: RegisteredBoard, fold: Folded) -> Game:
    """The game as the board had it when it spoke last; what time decides after that the board itself will rule."""
    state = place.state
    if state is None or state.boot != fold.boot or place.through < state.through:
        return fold.game
    try:
        return _pass_time(fold.game, Instant(state.now - fold.origin + 1))
    except FoldError:
        return fold.game


def _continue(before: Folded | None, stored: StoredGame, events: tuple[Event, ...]) -> Folded | None:
    if before is None or before.stored.id != stored.id or before.stored.start != stored.start:
        return None
    return before if events[: len(before.events)] == before.events else None


def _pass_time(game: Game, end: Instant) -> Game:
    """The game after every deadline before an instant; an event at that very instant comes first."""
    for _ in range(_WAITS):
        deadline = game.deadline()
        if deadline is None or deadline >= end:
            return game
        game, _effects = tell(game, DeadlineReached(deadline))
    raise FoldError(statement("hall.fold.endless"))


def _origin(stored: StoredGame, records: Sequence[Record]) -> tuple[str, Instant]:
    """The boot that wrote last, and the raw instant of board time 0 in it."""
    for record in reversed(records):
        origin = record.entry.body.get(ORIGIN) if record.entry.kind is EntryKind.NOTE else None
        if isinstance(origin, int):
            return record.entry.boot, Instant(origin)
    return stored.start.boot, stored.start.started


class _Seen(NamedTuple):
    """What was found for a board the last time."""

    asked: object
    through: int
    fold: Folded | None = None
    wrong: Statement | None = None


class HallBoard(LookingOn):
    """One board of the hall as a LiveBoard to look at: what is wanted of it is asked by requests. For one loop."""

    refusal = statement("told.board.of_the_hall")

    def __init__(self, hall: Hall, name: str, shelf: Shelf, boards: Boards | None = None) -> None:
        """`boards` are those that are shown: `hall.public` for everybody, those of the hall itself unless told."""
        self._hall = hall
        self._boards: Boards = hall if boards is None else boards
        self._shown = RegisteredBoard(name)
        self.name: Final = name
        self._shelf = shelf
        self._seen = _Seen(None, -1)

    @property
    def place(self) -> RegisteredBoard:
        """What is shown of the board now."""
        return self._boards.place(self.name)

    @property
    def games(self) -> Sequence[str]:
        """The games that can be started here, the board's own first."""
        status = self.place.status
        return () if status is None else status.games

    @property
    def buttons(self) -> Sequence[str]:
        """Nobody presses a button from the hall."""
        return ()

    @property
    def number(self) -> int:
        """The game that is shown, by its number in the board's journal; 0 without one."""
        fold = self._seen.fold
        return 0 if fold is None else fold.stored.id

    @property
    def wrong(self) -> Statement | None:
        """Why there is a game and it cannot be shown; else None."""
        return self._seen.wrong

    def now(self) -> Instant:
        """Board time of the game that is shown, in microseconds; 0 without one."""
        fold = self._seen.fold
        return Instant(0) if fold is None else now_at(self.place, fold, self._hall.now())

    def game(self) -> Game | None:
        """The game as its records make it, or None when there is none."""
        fold = self._seen.fold
        return None if fold is None else displayed_game(self.place, fold)

    def health(self) -> tuple[Statement, ...]:
        """What is wrong with the machine, as it says itself."""
        return health_in(self.place.card)

    @property
    def replay(self) -> int:
        """None: a hall has no page for a replay."""
        return 0

    @property
    def is_demonstrated(self) -> bool:
        """Not that the hall knew of it."""
        return False

    def notices(self) -> tuple[Statement, ...]:
        """Nothing: those at the board read it there."""
        return ()

    async def look(self) -> None:
        """Read what has been written since the last look. Raises JournalError."""
        place, archive, seen = self.place, self._boards.archive_now(self.name), self._seen
        self._shown = place
        if (place.through, _game_key(place)) != (seen.through, seen.asked):
            self._seen = await self._shelf.ask(lambda: _read(archive, place, seen))

    async def changes(self) -> AsyncIterator[None]:
        """Yield at once, after every change (at most five times a second) and at least each second."""
        loop, woken = asyncio.get_running_loop(), asyncio.Event()
        listener = self._hall.listen(lambda: loop.call_soon_threadsafe(woken.set))
        try:
            while True:
                self._hall.watch([self.name])
                with suppress(JournalError):  # the health of the hall says so
                    await self.look()
                yield
                await self._until_changed(listener, woken)
        finally:
            listener.close()

    async def _until_changed(self, listener: ChangeListener, woken: asyncio.Event) -> None:
        """Wait until something has changed at this board, or long enough."""
        await asyncio.sleep(SPACING)
        with suppress(TimeoutError):
            async with asyncio.timeout(BEAT - SPACING):
                # When something changes that is not shown yet must not be seen either.
                while self.name not in listener.take().boards or _is_same(self._shown, self.place):
                    woken.clear()
                    await woken.wait()


def _is_same(one: RegisteredBoard, other: RegisteredBoard) -> bool:
    """Whether nothing else is shown of a board."""
    return replace(one, version=0) == replace(other, version=0)


def _game_key(place: RegisteredBoard) -> object:
    """Which game is at a board: its number, None where there is none, and the last one where nobody knows."""
    if place.state is None:
        return "last"
    return place.card.get("number") if place.card.get("game") is not None else None


def _read(archive: Archive, place: RegisteredBoard, seen: _Seen) -> _Seen:
    """The game that is at a board, as far as it is written here. Raises JournalError."""
    asked = _game_key(place)
    stored = archive.last_game() if asked == "last" else next((one for one in archive.games() if one.id == asked), None)
    if stored is None:
        return _Seen(asked, place.through)
    try:
        return _Seen(asked, place.through, fold(stored, archive.read(stored.id), seen.fold))
    except FoldError as error:
        return _Seen(asked, place.through, wrong=error.statement)
