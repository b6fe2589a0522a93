"""Read entrants from tables, lists of names or TRF files and compare them with those registered."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.reducer import step
from gnomon.tournament.events import EntrantRegistered, PersonTold
from gnomon.tournament.formats.tables.csv import decode
from gnomon.tournament.formats.tables.entrants import RowMistake, read_row_by_row
from gnomon.tournament.formats.trf import read_trf
from gnomon.tournament.state import Tournament

_REPORT: Final = re.compile(r"\s*(?:[0-9]{3}|XX[A-Z]|BB[A-Z]|###)(?: |\r|\n)")


class ImportPreview(NamedTuple):
    """What a file would add to a tournament, the rows that it would not, and who is there already by that name.

    `persons` is what it knows of those whom it would add, beside their entries.
    """

    registrations: tuple[EntrantRegistered, ...]
    mistakes: tuple[RowMistake, ...] = ()
    left_out: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()
    persons: tuple[PersonTold, ...] = ()


def is_report(text: str) -> bool:
    """Whether a text begins as a report file of a federation does: three digits, or three letters, and a blank."""
    return _REPORT.match(text) is not None


def read_entrants(content: bytes, tournament: Tournament) -> ImportPreview:
    """The entrants of a table (CSV), of a list of names, or of a report file (TRF).

    Raises TournamentError for what is none of these.
    """
    text = decode(content)
    reading = _of_report(text) if is_report(text) else _of_table(text, tuple(tournament.entrants))
    names = {one.name.casefold() for one in tournament.entrants.values()}
    taken, mistakes = [], [*reading.mistakes]
    after = tournament
    entries, persons = match_entrants(reading.registrations, reading.persons, tournament)
    for line, entry in enumerate(entries, start=1):
        try:
            after = step(after, entry)
        except TournamentError as error:
            mistakes.append(RowMistake(line, entry.name, error.statement))
        else:
            taken.append(entry)
    known = frozenset(one.name for one in taken if one.name.casefold() in names)
    entered = {one.number for one in taken}
    mine = tuple(one for one in persons if one.number in entered)
    return ImportPreview(
        tuple(taken), tuple(sorted(mistakes, key=lambda one: (one.line, one.said))), reading.left_out, known, mine
    )


def strangers(entries: Sequence[EntrantRegistered], tournament: Tournament) -> tuple[EntrantRegistered, ...]:
    """The entries of those whose name nobody has who is in already, as when a list that was mended is read again."""
    names = {one.name.casefold() for one in tournament.entrants.values()}
    return tuple(one for one in entries if one.name.casefold() not in names)


def match_entrants(
    entries: Sequence[EntrantRegistered], persons: Sequence[PersonTold], tournament: Tournament
) -> tuple[tuple[EntrantRegistered, ...], tuple[PersonTold, ...]]:
    """The entries, and what is known of them, as they fit in now: one whose number is taken gets the next one.

    An entrant who enters now plays from the next round on, whatever another program wrote.
    """
    taken = {*tournament.entrants}
    highest = max(taken, default=0)
    numbers: dict[int, int] = {}
    fitted = []
    for one in entries:
        number = numbers[one.number] = highest + 1 if one.number in taken else one.number
        taken.add(number)
        highest = max(highest, number)
        since = max(one.since, tournament.next_round)
        fitted.append(EntrantRegistered(number, one.name, one.rating, one.team, since))
    return tuple(fitted), tuple(PersonTold(numbers[one.number], one.person) for one in persons)


def _of_report(text: str) -> ImportPreview:
    told = read_trf(text).events
    return ImportPreview(
        tuple(event for event in told if isinstance(event, EntrantRegistered)),
        persons=tuple(event for event in told if isinstance(event, PersonTold)),
    )


def _of_table(text: str, taken: tuple[int, ...]) -> ImportPreview:
    found = read_row_by_row(text, taken)
    return ImportPreview(found.registrations, found.mistakes, found.left_out, persons=found.persons)
