"""Import a trace into a journal, with the entries that the daemon would have written."""

from typing import Final

from gnomon.records.bundles import BEGAN, BOOTS, VERSION
from gnomon.records.formats.traces import FIRST_ENTRY, Trace, TraceError, TraceHeader, WatchedUntil, dump_ruling
from gnomon.records.journal.entries import Entry, EntryKind, GameStart
from gnomon.records.journal.event_codec import body_of, encode_start
from gnomon.records.journal.writer import Journal
from gnomon.referee.effects import Announce
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import DeadlineReached, Event
from gnomon.referee.game import Game
from gnomon.referee.games import game_of, tell
from gnomon.referee.step import watched_until
from gnomon.timekeeping.instants import SECOND, Duration, Instant, after

UNKNOWN: Final = "unknown"
SHOWS_ON: Final = Duration(60 * SECOND)
"""Longer than anything has to show before it ends a game."""


def import_trace(trace: Trace, journal: Journal) -> int:
    """Write the game of a trace into a journal and give its number; it is judged again on the way.

    Raises what a replay raises, and JournalError; a trace with a bad line leaves what was before it in the journal.
    """
    header = trace.header
    game = game_of(header.setup, header.sensing)
    writer = _RecordWriter(journal, header, game)
    for line, entry in enumerate(trace.entries, FIRST_ENTRY):
        until = Instant(entry.at + 1) if isinstance(entry, WatchedUntil) else entry.at
        writer.wait(until)
        if not isinstance(entry, WatchedUntil):
            try:
                writer.tell(entry)
            except CorrectionError as error:
                raise TraceError(line, error.statement) from error
        elif entry.at > writer.last:
            writer.tell(DeadlineReached(entry.at))
    writer.finish()
    return writer.number


class _RecordWriter:
    """Tells the referee a game and writes down what it is told and what it rules."""

    def __init__(self, journal: Journal, header: TraceHeader, game: Game) -> None:
        boots = header.extras.get(BOOTS)
        self._journal = journal
        self._game = game
        self._boot = str(boots[0]) if isinstance(boots, list) and boots else UNKNOWN
        self._wall = str(header.extras.get(BEGAN, UNKNOWN))
        version = str(header.extras.get(VERSION, UNKNOWN))
        start = GameStart(
            board=header.board,
            settings=header.settings,
            temperament=header.temperament.value,
            started=Instant(0),
            boot=self._boot,
            wall=self._wall,
            version=version,
            game=header.game,
            players=header.setup.players,
        )
        self.number = journal.begin(start)
        self.last = Instant(0)
        journal.append(self._entry(EntryKind.NOTE, Instant(0), encode_start(Instant(0), header.sensing)))

    def wait(self, end: Instant) -> None:
        """Tell every deadline before `end`."""
        while (deadline := self._game.deadline()) is not None and deadline < end:
            self.tell(DeadlineReached(deadline))

    def tell(self, event: Event) -> None:
        """Tell one event, and write it down with what it leads to."""
        was_over = self._game.outcome is not None
        self._game, effects = tell(self._game, event)
        is_over = self._game.outcome is not None
        self.last = event.at
        ruled = [effect.ruling for effect in effects if isinstance(effect, Announce)]
        kind, body = body_of(event)
        entries = [self._entry(kind, event.at, body)]
        entries += [self._entry(EntryKind.RULING, ruling.at, dump_ruling(ruling)) for ruling in ruled]
        cause = None
        for number, entry in enumerate(entries, 1):
            write = self._journal.append
            if number == len(entries) and was_over != is_over:
                write = self._journal.end if is_over else self._journal.reopen
            sequence = write(entry if cause is None else self._add_cause(entry, cause))
            cause = cause or sequence

    def finish(self) -> None:
        """Let what would end the game go on showing after the end of the trace, as a replay takes it to."""
        if watched_until(self._game, self.last)[0].outcome is None:
            return
        end = after(self.last, SHOWS_ON)
        while self._game.outcome is None and (deadline := self._game.deadline()) is not None and deadline < end:
            self.tell(DeadlineReached(deadline))

    def _entry(self, kind: EntryKind, at: Instant, body: dict[str, object]) -> Entry:
        return Entry(self.number, kind, at, body, self._boot, self._wall)

    def _add_cause(self, entry: Entry, cause: int) -> Entry:
        return Entry(entry.game, entry.kind, entry.at, entry.body, entry.boot, entry.wall, cause)
