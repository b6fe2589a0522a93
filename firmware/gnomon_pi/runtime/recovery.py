"""Recover a game from the journal: the state is a fold over its entries.

In the same boot the game goes on, and the sand with it: board time is counted on the raw clock, which a killed daemon
does not stop. In another boot the raw clock does not tell how long the board stood without power: the game is
restored paused, with its last known values, for the arbiter to confirm. The same holds after the machine has slept,
when the raw clock stands and sand does not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from gnomon.records.journal.entries import CUT, EntryKind, Record, StoredGame
from gnomon.records.journal.event_codec import as_ruled, as_written, event_of, sensing_in
from gnomon.referee.effects import Announce, Effect, Sound
from gnomon.referee.events import Event, Paused
from gnomon.referee.games import game_of, tell
from gnomon.referee.rulings import Ruling
from gnomon.refusals import Refusal, Statement, statement
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.instants import Instant
from gnomon_pi.runtime._journal_writer import JournalWriter, origin_in
from gnomon_pi.runtime.live_game import Host, LiveGame
from gnomon_pi.runtime.system.clock import Watch

WHO: Final = "gnomond"
_UNKNOWN: Final = "an unknown time"
LONGEST: Final = timedelta(days=366)
"""A longer outage by the wall clock says that the clock was wrong, not that the board waited so long."""


class RecoveryError(Refusal, RuntimeError):
    """The journal holds a game that cannot be brought back."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """A game brought back.

    `effects` have not been seen by anyone and may happen once entry `sequence` is durable; `remarks` are for the
    health of the machine.
    """

    live_game: LiveGame
    sequence: int
    effects: tuple[Effect, ...]
    remarks: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class RecoveryStep:
    """An event of the journal (`cause` is its number), what it leads to, and what was written down of that."""

    cause: int
    effects: tuple[Effect, ...]
    written: tuple[Mapping[str, object], ...]

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """What the event leads to."""
        return tuple(effect.ruling for effect in self.effects if isinstance(effect, Announce))

    @property
    def missing(self) -> tuple[Ruling, ...]:
        """The rulings that the journal lacks: the daemon was killed before they were durable."""
        return self.rulings[len(self.written) :]

    @property
    def agrees(self) -> bool:
        """Whether everything that was written down is what the event leads to."""
        given = self.rulings[: len(self.written)]
        return list(map(as_written, self.written)) == list(map(as_ruled, given))


@dataclass(frozen=True, slots=True)
class Fold:
    """A game of the journal up to its last durable entry.

    `boot` is the one in which its
    board time is counted, `wall` the label of that entry.
    """

    live_game: LiveGame
    steps: tuple[RecoveryStep, ...]
    boot: str
    wall: str


def fold(stored: StoredGame, records: Sequence[Record]) -> Fold:
    """The game as its entries leave it. Raises RecoveryError."""
    start = stored.start
    try:
        sensing = sensing_in(records)
        game = game_of(start.setup, sensing)
        live_game = LiveGame.of_new(game, start.started)
        events = [(record.seq, event_of(record, start.board, sensing)) for record in records]
        written = _written_by_cause(records)
        steps = tuple(
            RecoveryStep(sequence, _take(live_game, event), written.get(sequence, ()))
            for sequence, event in events
            if event
        )
        boot = _take_origins(live_game, start.boot, records)
    except Exception as error:  # whatever somebody wrote into a journal, the board has to come up
        raise RecoveryError(statement("health.recovery.back", game=stored.id, detail=_reason(error))) from error
    return Fold(live_game, steps, boot, records[-1].entry.wall if records else start.wall)


def recover(  # noqa: PLR0913 - what is brought back, with what, and where
    stored: StoredGame,
    records: Sequence[Record],
    journal_writer: JournalWriter,
    watch: Watch,
    host: Host,
    *,
    is_cut: bool = False,
) -> Recovered:
    """Bring a game back and write down that it goes on. Raises RecoveryError, also when it is not played here.

    `is_cut`: the journal lost its end, and with it perhaps what happened last in this game.
    """
    folded = fold(stored, records)
    try:
        host.check(folded.live_game.game)
    except RulesError as error:
        raise RecoveryError(statement("health.recovery.on", game=stored.id, detail=error.statement)) from error
    journal_writer.take_up(stored)
    live_game = folded.live_game
    effects = _complete(folded, journal_writer)
    away = ""
    if folded.boot != watch.boot:
        away = outage(folded.wall, watch.wall())
        live_game.origin = Instant(watch.now() - live_game.last)
        if live_game.is_unfinished and live_game.game.paused_at is None:
            # Before the entry that gives this boot's origin: killed between the two, it is another boot's game still.
            is_same_start = folded.boot.partition("+")[0] == watch.boot.partition("+")[0]
            # What is lost may be younger than the last entry, so that nobody knows how long the power was away.
            why = CUT if is_cut else why_stopped(away, slept=is_same_start)
            effects += _pause(live_game, journal_writer, why)
    elif is_cut and live_game.is_unfinished and live_game.game.paused_at is None:
        effects += _pause(live_game, journal_writer, CUT)
    sequence = journal_writer.resume(live_game, away)
    return Recovered(live_game, sequence, effects, _remarks(folded))


def why_stopped(away: str, *, slept: bool) -> Statement:
    """Why a game was stopped of which nobody asked it, after an outage as `outage` and `spell` word it."""
    if away == _UNKNOWN:
        return statement("why.slept.unknown" if slept else "why.power.unknown")
    return statement("why.slept" if slept else "why.power", outage=away)


def outage(before: str, now: datetime) -> str:
    """How long the power was away, in words, from the wall time of the last entry to now."""
    try:
        length = now - datetime.fromisoformat(before)
    except (ValueError, TypeError):  # a label that is no date, or has no zone
        return _UNKNOWN
    if not timedelta(0) <= length <= LONGEST:
        return _UNKNOWN
    return spell(round(length.total_seconds()))


def spell(whole: int) -> str:
    """So many seconds in words."""
    minutes, seconds = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    parts = [f"{hours} h" if hours else "", f"{minutes} min" if minutes else "", f"{seconds} s" if not hours else ""]
    return " ".join(filter(None, parts))


def _reason(error: Exception) -> str | Statement:
    if isinstance(error, Refusal):
        return error.statement
    return str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"


def _take(live_game: LiveGame, event: Event) -> tuple[Effect, ...]:
    game, effects = tell(live_game.game, event)
    live_game.take(event, game)
    return effects


def _take_origins(live_game: LiveGame, boot: str, records: Sequence[Record]) -> str:
    """Count board time from where the entries say that it was counted last, and give the boot of that."""
    for entry in (record.entry for record in records):
        origin = origin_in(entry)
        if origin is not None:
            live_game.origin, boot = origin, entry.boot
            live_game.last = max(live_game.last, entry.at)
    return boot


def _written_by_cause(records: Sequence[Record]) -> Mapping[int | None, tuple[Mapping[str, object], ...]]:
    written: dict[int | None, tuple[Mapping[str, object], ...]] = {}
    for entry in (record.entry for record in records):
        if entry.kind is EntryKind.RULING:
            written[entry.cause] = (*written.get(entry.cause, ()), entry.body)
    return written


def _complete(folded: Fold, journal_writer: JournalWriter) -> tuple[Effect, ...]:
    """Write down the rulings that the journal lacks; the answer is what nobody has been told of."""
    effects: list[Effect] = []
    for made in folded.steps:
        if made.missing:
            journal_writer.complete(made.cause, made.missing, is_over=not folded.live_game.is_unfinished)
            effects += (effect for effect in made.effects if isinstance(effect, Sound))
            effects += map(Announce, made.missing)
    return tuple(effects)


def _pause(live_game: LiveGame, journal_writer: JournalWriter, why: Statement) -> tuple[Effect, ...]:
    pause = Paused(live_game.last, WHO, why)
    effects = _take(live_game, pause)
    rulings = [effect.ruling for effect in effects if isinstance(effect, Announce)]
    journal_writer.write(pause, rulings, is_over=False)
    return effects


def _remarks(folded: Fold) -> tuple[Statement, ...]:
    differing = next((made.cause for made in folded.steps if not made.agrees), None)
    if differing is None:
        return ()
    return (statement("health.recovery", entry=differing),)
