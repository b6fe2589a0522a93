"""Derive a score sheet from a trace by following the referee turn by turn.

The sheet holds the game as it was finally decided: a turn that was taken back is not in it. Its times are game time,
in which pauses and time given back do not count, and with them the rules alone give the same positions.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from gnomon.records.bundles import BEGAN, fingerprint_in
from gnomon.records.formats.clerk import clerk_of
from gnomon.records.formats.sheets import Sheet, settings_text
from gnomon.records.formats.traces import Happening, Trace, TraceHeader, WatchedUntil
from gnomon.referee.clock_settings import split_settings
from gnomon.referee.effects import Announce, Effect
from gnomon.referee.events import (
    DeadlineReached,
    Event,
)
from gnomon.referee.exercises import split_exercise
from gnomon.referee.game import Game
from gnomon.referee.games import game_of, tell
from gnomon.referee.opponents import split_opponent
from gnomon.referee.step import watched_until
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import Instant

_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def transcript(trace: Trace) -> Sheet:
    """The score sheet of a trace. Raises what a replay of it raises: TraceError, SettingsError, CorrectionError."""
    header = trace.header
    game = game_of(header.setup, header.sensing)
    of_rules, of_clock = split_settings(split_opponent(split_exercise(header.settings)[0])[0])
    clerk = clerk_of(game.rules.name)
    for event, before, after, effects in _tellings(game, trace.entries):
        clerk.follow(event, before, after, [effect.ruling for effect in effects if isinstance(effect, Announce)])
        game = after
    clerk.finish(game)
    return Sheet(
        game=game.rules.name,
        settings=settings_text(of_rules),
        players={player: " ".join(name.split()) for player, name in header.setup.players.items()},
        headers=_headers(header) | _terms(of_clock),
        result=None if game.outcome is None else Outcome(*game.outcome),
        lines=clerk.lines,
    )


Telling = tuple[Happening | None, Game, Game, tuple[Effect, ...]]


def _tellings(game: Game, entries: Iterable[Happening | WatchedUntil]) -> Iterator[Telling]:
    """Every event of a trace, deadlines between them included: the game before and after it, and what it led to."""
    for entry in entries:
        if isinstance(entry, WatchedUntil):
            yield None, game, *_watched_until(game, entry.at)
            return
        while (deadline := game.deadline()) is not None and deadline < entry.at:
            game, telling = _step(game, DeadlineReached(deadline), None)
            yield telling
        game, telling = _step(game, entry, entry)
        yield telling


def _step(game: Game, event: Event, happening: Happening | None) -> tuple[Game, Telling]:
    after, effects = tell(game, event)
    return after, (happening, game, after, effects)


def _watched_until(game: Game, end: Instant) -> tuple[Game, tuple[Effect, ...]]:
    return watched_until(game, end)


def _headers(header: TraceHeader) -> dict[str, str]:
    began, mark = header.extras.get(BEGAN), fingerprint_in(header.extras)
    date = {"Date": began[:10]} if isinstance(began, str) and _DAY.match(began) else {}
    return date | ({"Fingerprint": mark} if mark else {})


def _terms(settings: Mapping[str, object]) -> dict[str, str]:
    """The terms of a match clock as headers: the rules of a game know no clock, and a time control has blanks."""
    return {name.capitalize(): value for name, value in settings_text(settings).items()}
