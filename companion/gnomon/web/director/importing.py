"""The only place that reads a file of entrants row by row: what would be added, and each mistake."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from gnomon.tournament.csv_entrants import Entries, columns_of, read_entrants
from gnomon.tournament.csv_tables import CsvError, Row, decoded, rows_of, text_of
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import EntrantRegistered, PersonTold
from gnomon.tournament.fold import step
from gnomon.tournament.state import Tournament
from gnomon.tournament.trf import read_trf

_ROW: Final = re.compile(r"row [0-9]+,? ?:?")
_REPORT: Final = re.compile(r"\s*(?:[0-9]{3}|XX[A-Z]|BB[A-Z]|###)(?: |\r|\n)")


class Mistake(NamedTuple):
    """A row that cannot be taken: the line at which it begins, what it says, and why."""

    line: int
    said: str
    why: str


class Reading(NamedTuple):
    """What a file would add to a tournament, the rows that it would not, and who is there already by that name.

    `persons` is what it knows of those whom it would add, beside their entries.
    """

    registrations: tuple[EntrantRegistered, ...]
    mistakes: tuple[Mistake, ...] = ()
    left_out: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()
    persons: tuple[PersonTold, ...] = ()


def is_report(text: str) -> bool:
    """Whether a text begins as a report file of a federation does: three digits, or three letters, and a blank."""
    return _REPORT.match(text) is not None


def read(content: bytes, tournament: Tournament) -> Reading:
    """The entrants of a table (CSV) or of a report file (TRF). Raises TournamentError for what is neither."""
    text = decoded(content)
    reading = _of_report(text) if is_report(text) else _of_table(text, tuple(tournament.entrants))
    names = {one.name.casefold() for one in tournament.entrants.values()}
    taken, mistakes = [], [*reading.mistakes]
    after = tournament
    entries, persons = fitting(reading.registrations, reading.persons, tournament)
    for line, entry in enumerate(entries, start=1):
        try:
            after = step(after, entry)
        except TournamentError as error:
            mistakes.append(Mistake(line, entry.name, str(error)))
        else:
            taken.append(entry)
    known = frozenset(one.name for one in taken if one.name.casefold() in names)
    entered = {one.number for one in taken}
    mine = tuple(one for one in persons if one.number in entered)
    return Reading(tuple(taken), tuple(sorted(mistakes)), reading.left_out, known, mine)


def strangers(entries: Sequence[EntrantRegistered], tournament: Tournament) -> tuple[EntrantRegistered, ...]:
    """The entries of those whose name nobody has who is in already, as when a list that was mended is read again."""
    names = {one.name.casefold() for one in tournament.entrants.values()}
    return tuple(one for one in entries if one.name.casefold() not in names)


def fitting(
    entries: Sequence[EntrantRegistered], persons: Sequence[PersonTold], tournament: Tournament
) -> tuple[tuple[EntrantRegistered, ...], tuple[PersonTold, ...]]:
    """The entries, and what is known of them, as they fit in now: who has a number that is taken gets the next one.

    Who enters now plays from the next round on, whatever another program wrote.
    """
    taken = {*tournament.entrants}
    numbers: dict[int, int] = {}
    fitted = []
    for one in entries:
        number = numbers[one.number] = max(taken) + 1 if one.number in taken else one.number
        taken.add(number)
        since = max(one.since, tournament.next_round)
        fitted.append(EntrantRegistered(number, one.name, one.rating, one.team, since))
    return tuple(fitted), tuple(PersonTold(numbers[one.number], one.person) for one in persons)


def _of_report(text: str) -> Reading:
    told = read_trf(text).events
    return Reading(
        tuple(event for event in told if isinstance(event, EntrantRegistered)),
        persons=tuple(event for event in told if isinstance(event, PersonTold)),
    )


def _of_table(text: str, taken: tuple[int, ...]) -> Reading:
    """The rows of a table; where one is wrong, each is looked at alone, so that all mistakes are told at once."""
    try:
        found = read_entrants(text, taken)
    except CsvError:
        rows = rows_of(text)
        if len(rows) < 2:  # noqa: PLR2004 - headings alone, or nothing
            raise
        columns_of(rows[0])  # the headings are at fault: that is all to be said
        return _row_by_row(rows[0], rows[1:], taken)
    return Reading(found.registrations, left_out=found.left_out, persons=found.persons)


def _row_by_row(header: Row, rows: tuple[Row, ...], taken: tuple[int, ...]) -> Reading:
    right: list[Row] = []
    mistakes: list[Mistake] = []
    for row in rows:
        try:
            read_entrants(_table(header, *right, row), taken)
        except CsvError as error:
            why = _ROW.sub("", str(error), count=1).strip(" ,:")
            mistakes.append(Mistake(row.line, ", ".join(filter(None, row.cells)), why))
        else:
            right.append(row)
    found = read_entrants(_table(header, *right), taken) if right else Entries((), (), ())
    return Reading(found.registrations, tuple(mistakes), found.left_out, persons=found.persons)


def _table(header: Row, *rows: Row) -> str:
    return text_of(header.cells, (row.cells for row in rows))
