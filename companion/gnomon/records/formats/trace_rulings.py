"""Replay a trace through the referee: the events of its lines, and every deadline between them, in order.

Time passes only from line to line, so a trace gives the same rulings on every machine at any speed.
"""

import json
from collections.abc import Generator, Iterator

from gnomon.records.formats.traces import FIRST_ENTRY, Trace, TraceError, WatchedUntil
from gnomon.referee.effects import Announce, Effect
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import DeadlineReached, Event, InputChanged
from gnomon.referee.game import Game
from gnomon.referee.games import game_of, tell
from gnomon.referee.rulings import Ruling
from gnomon.referee.step import watched_until
from gnomon.refusals import statement
from gnomon.timekeeping.instants import Instant


def rulings(trace: Trace) -> Iterator[Ruling]:
    """Every ruling of the trace in order, as soon as its line is read.

    Without a last line that says until when the board was watched, time stops at the last change. Raises
    SettingsError for settings that the rules refuse, and TraceError at a line that is malformed or asks for a
    correction that cannot be.
    """
    header = trace.header
    game = game_of(header.setup, header.sensing)
    inputs = game.inputs
    for line, entry in enumerate(trace.entries, FIRST_ENTRY):
        if isinstance(entry, WatchedUntil):
            yield from _rulings_in(_last_effects(game, entry.at))
            continue
        if isinstance(entry, InputChanged) and entry.input not in inputs:
            raise TraceError(line, statement("records.trace.no_input", input=json.dumps(entry.input)))
        game = yield from _wait(game, entry.at)
        try:
            game = yield from _tell(game, entry)
        except CorrectionError as error:
            raise TraceError(line, error.statement) from error


def _last_effects(game: Game, end: Instant) -> tuple[Effect, ...]:
    """What is decided when the board was watched up to `end`, and nothing more will be heard of it."""
    _, effects = watched_until(game, end)
    return effects


def _wait(game: Game, end: Instant) -> Generator[Ruling, None, Game]:
    """Hand over every deadline before `end`. An event at the very instant of a deadline comes first."""
    deadline = game.deadline()
    while deadline is not None and deadline < end:
        reached = deadline
        game = yield from _tell(game, DeadlineReached(reached))
        deadline = game.deadline()
        if deadline is not None and deadline <= reached:
            message = f"the deadline {reached} was handed over and the next one is {deadline}"
            raise RuntimeError(message)
    return game


def _tell(game: Game, event: Event) -> Generator[Ruling, None, Game]:
    game, effects = tell(game, event)
    yield from _rulings_in(effects)
    return game


def _rulings_in(effects: tuple[Effect, ...]) -> Iterator[Ruling]:
    return (effect.ruling for effect in effects if isinstance(effect, Announce))
