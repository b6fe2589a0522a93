"""List the incidents of a game for the arbiter: rulings, faults, corrections and outages."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from gnomon.records.journal.entries import EntryKind, Record
from gnomon.referee.game import Game
from gnomon.referee.rulings import Corrected, Ruling
from gnomon.refusals import render
from gnomon.timekeeping.instants import Duration, Instant
from gnomon.views import sentences
from gnomon.words import Words

_AWAY: Final = "away"
_UNKNOWN: Final = "an unknown time"  # as recovery writes it down
_LONGEST: Final = 400
"""Incidents that a page lists; the bundle holds all."""


class IncidentKind(StrEnum):
    """What an incident is about; a page filters by it."""

    RULING = "ruling"
    FAULT = "fault"
    CORRECTION = "correction"
    OUTAGE = "outage"


_GROUPS: Final = {
    "illegal": IncidentKind.RULING,
    "lost": IncidentKind.RULING,
    "penalty": IncidentKind.RULING,
    "stopped": IncidentKind.RULING,
    "declared": IncidentKind.RULING,
    "ask": IncidentKind.RULING,
    "over": IncidentKind.RULING,
    "flag": IncidentKind.RULING,
    "paused": IncidentKind.RULING,
    "resumed": IncidentKind.RULING,
    "righted": IncidentKind.RULING,
    "fault": IncidentKind.FAULT,
    "corrected": IncidentKind.CORRECTION,
}
"""Of the rulings those that are incidents: turns, and turnings of the 15-second glass, are the game itself."""


class Incident(NamedTuple):
    """Something that happened: by the wall and in board time, what it is about, in one sentence, and by whom."""

    number: int
    wall: str  # of the day, as the board had it
    at: Instant
    group: IncidentKind
    sentence: str
    who: str = ""


def incidents(game: Game, records: Sequence[Record], words: Words) -> Sequence[Incident]:
    """The incidents of a game and its records, newest first."""
    found = list(_find(game, records, words))
    return found[: -_LONGEST - 1 : -1]


def _find(game: Game, records: Sequence[Record], words: Words) -> Iterator[Incident]:
    rulings: Iterator[Ruling] = iter(game.rulings)
    for record in records:
        entry = record.entry
        if entry.kind is EntryKind.RULING:
            ruling = next(rulings, None)
            if ruling is None:  # the game that is shown is a moment behind the journal
                return
            group = _GROUPS.get(ruling.kind)
            if group is not None:
                who = render(ruling.who, words) if isinstance(ruling, Corrected) else ""
                said = sentences.sentence(ruling, game.rules.name, words)
                yield Incident(record.seq, _time_of(entry.wall), ruling.at, group, said, who)
        elif entry.kind is EntryKind.NOTE and entry.body.get(_AWAY):
            away = str(entry.body[_AWAY])
            said = words("arbiter.outage.unknown") if away == _UNKNOWN else words("arbiter.outage", away=away)
            yield Incident(record.seq, _time_of(entry.wall), entry.at, IncidentKind.OUTAGE, said)


def time_noted(records: Sequence[Record]) -> Duration:
    """How long arbiters were busy with the game, by their notes."""
    events = [record.entry.body for record in records if record.entry.kind is EntryKind.EVENT]
    times = [event.get("took") for event in events if event.get("event") == "note_taken"]
    return Duration(sum(time for time in times if isinstance(time, int)))


def _time_of(wall: str) -> str:
    """The time of day in a date and time (ISO 8601)."""
    return wall[11:19]
