"""Read and write entrants as CSV, with columns in any order and each error reported with its line.

A list of names without headings, one a line, is read as well.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from gnomon.numbers import parse_whole
from gnomon.refusals import Statement, statement
from gnomon.tournament.errors import TournamentError, quote
from gnomon.tournament.events import EntrantRegistered, PersonTold
from gnomon.tournament.formats.tables.csv import CsvError, CsvRow, rows_of, text_of
from gnomon.tournament.state import Entrant, Tournament
from gnomon.tournament.state.particulars import NOBODY_KNOWN, PRIVATE, READERS, PersonalData
from gnomon.tournament.state.settings import MOST_ROUNDS
from gnomon.tournament.strength.grades import grade_text, is_grade, parse_grade, rating_or_least

MOST_NUMBER: Final = 9999
MOST_RATING: Final = 9999
MOST_NAME: Final = 200
MOST_COLUMNS: Final = 200
ENTRANTS: Final = ("number", "name", "rating", "team", "since")
PERSONAL: Final[Mapping[str, str]] = {
    "club": "club",
    "title": "title",
    "federation": "federation",
    "fide_number": "FIDE number",
    "born": "born",
    "sex": "sex",
}
"""What is known of a person, and the heading that it is written under."""
_NOTHING: Final = frozenset(("", "-", "0"))

# The headings under which people's programs and lists have these columns, without accents, signs and capitals.
_HEADINGS: Final[Mapping[str, str]] = {
    "name": "name player playername entrant participant fullname spieler spielername teilnehmer nom joueur nomcomplet "
    "nomprenom namevorname surnamename lastnamefirstname",
    "last": "lastname surname familyname nachname familienname nomdefamille",
    "first": "firstname givenname forename vorname prenom",
    "rating": "rating elo strength grade dwz rtg ratingnat ratingint irtg nrtg eloi classement wertung wertungszahl "
    "spielstarke",
    "team": "team mannschaft equipe school schule",
    "club": "club clubname verein vereinname",
    "title": "title titel titre fidetitle fidetitel titrefide",
    "federation": "federation fed fidefed fidefederation foderation nation nat land country pays",
    "fide_number": "fidenumber fideno fideid fidenr fide idfide fidecode codefide fidekennziffer numerofide",
    "born": "born birth birthday birthdate dateofbirth birthyear yearofbirth geburtsdatum geburtstag geburtsjahr "
    "geboren jahrgang naissance datenaissance datedenaissance anneedenaissance ne nee",
    "sex": "sex gender geschlecht sexe genre mw mf",
    "number": "number no nr num id startno snr startnumber startnummer nummer numero start",
    "since": "since fromround round entersinround ab abrunde runde ronde depuis depuisronde",
}
_RANKS: Final = frozenset({"rank", "rang", "niveau", "gorank", "gograde", "degre", "kyudan"})
"""Headings of grades of Go that stand over places in other lists: only what is below them tells which."""
SYNONYMS: Final[Mapping[str, str]] = {word: thing for thing, words in _HEADINGS.items() for word in words.split()}


_MARKUP: Final = "<"
"""What a list of names does not have: it marks up other files."""
_SEPARATOR: Final = re.compile(r"[\t;]")
"""What is never part of a name: behind it stands the rating, or a table has its next column."""
_QUOTED: Final = re.compile(r'"([^"]*)"')
_NUMBERED: Final = re.compile(r"^[0-9]{1,4}[.)]\s*")
_RATED: Final = re.compile(
    r"(?P<name>.*[^\s,:;])(?:\s*[:,;\t]\s*(?P<told>[0-9]{1,4}|[0-9]{1,2}[kdp]|-)|\s+(?P<rating>[1-3][0-9]{3})"
    r"|\s*(?:\((?P<round>[0-9]{3,4}|[0-9]{1,2}[kdp])\)|\[(?P<square>[0-9]{3,4}|[0-9]{1,2}[kdp])\])|\s*;)",
    re.IGNORECASE,
)
"""A name with a rating or a grade of Go behind a separator or in brackets, or with a rating of four digits."""
_LONGEST: Final = 250  # letters of a name with its rating

_NUMBERS: Final = {
    "number": statement("tournament.word.number"),
    "rating": statement("tournament.word.rating"),
    "since": statement("tournament.word.round"),
}
"""What is a number, by the heading of its column."""


class RowMistake(NamedTuple):
    """A row that cannot be taken: the line at which it begins, what it says, and why."""

    line: int
    said: str
    why: Statement


class Entries(NamedTuple):
    """The registrations of a table, what it knows of people, and the headings of the columns that it has besides.

    `mistakes` are the rows that are none of these. `is_list` where it had no headings, and each line was a name.
    `lines` are those at which the registrations begin, as an editor counts.
    """

    registrations: tuple[EntrantRegistered, ...]
    persons: tuple[PersonTold, ...]
    left_out: tuple[str, ...]
    mistakes: tuple[RowMistake, ...] = ()
    is_list: bool = False
    lines: tuple[int, ...] = ()


def read_entrants(text: str, taken: Sequence[int] = ()) -> Entries:
    """The entrants of a table: a heading for each column, and a row for each entrant; or of a list of names.

    In a list, names stand one on a line, perhaps numbered, and perhaps with a rating behind a blank, a separator, or
    in brackets; a comma may be part of one.
    One without a number gets the first that is free, also of those that are taken already. Raises CsvError with the row
    and the column of the first mistake.
    """
    found, errors = _read(text, taken)
    if errors:
        raise errors[0]
    return found


def is_name(text: str) -> bool:
    """Whether a text can be a name: it has a letter or a digit, and is not too long."""
    return any(map(str.isalnum, text)) and len(text) <= MOST_NAME


def read_row_by_row(text: str, taken: Sequence[int] = (), *, headed: bool = False) -> Entries:
    """The same with every mistake at once, each row read once; `headed` where a list of names will not do.

    Raises CsvError for what is no table of entrants.
    """
    return _read(text, taken, headed=headed)[0]


def _read(text: str, taken: Sequence[int], *, headed: bool = False) -> tuple[Entries, Sequence[CsvError]]:
    listed = () if headed else _rows_of_list(text)
    rows = listed or rows_of(text)
    if not rows:
        what = statement("tournament.table.empty.headed" if headed else "tournament.table.empty", short="empty")
        raise CsvError(what)
    header = rows[0]
    columns = _with_grades(columns_of(header), rows)
    if len(rows) == 1:
        raise CsvError(statement("tournament.table.nobody", row=header.line))
    if len(rows) - 1 > MOST_NUMBER:
        raise CsvError(statement("tournament.table.long", rows=len(rows) - 1, most=MOST_NUMBER))
    owners: dict[int, Statement] = dict.fromkeys(taken, statement("tournament.table.registered"))
    right: list[tuple[EntrantRegistered, PersonalData]] = []
    lines: list[int] = []
    mistakes: list[RowMistake] = []
    errors: list[CsvError] = []
    for row in rows[1:]:
        try:
            if listed:
                _check_line(row)
            entry, person = _entry(row, columns, header), _person(row, columns, header)
            _claim_number(owners, entry, row)
        except CsvError as error:
            mistakes.append(RowMistake(row.line, quote(", ".join(filter(None, row.cells)), MOST_NAME), error.why))
            errors.append(error)
        else:
            right.append((entry, person))
            lines.append(row.line)
    registrations = _assign_numbers([entry for entry, _ in right], owners)
    persons = tuple(
        PersonTold(entry.number, person)
        for entry, (_, person) in zip(registrations, right, strict=True)
        if person != NOBODY_KNOWN
    )
    read = frozenset(columns.values())
    left_out = tuple(heading for place, heading in enumerate(header.cells) if heading and place not in read)
    return Entries(registrations, persons, left_out, tuple(mistakes), bool(listed), tuple(lines)), errors


def write_entrants(tournament: Tournament, separator: str = ",", *, private: bool = False) -> str:
    """The entrants as a table that `read_entrants` reads, by their numbers; sex and birth only where it is private."""
    things = [
        thing
        for thing in PERSONAL
        if (private or thing not in PRIVATE) and any(getattr(one, thing) for one in tournament.persons.values())
    ]
    rows = (
        (*_cells(one), *(getattr(tournament.person(number), thing) for thing in things))
        for number, one in sorted(tournament.entrants.items())
    )
    return text_of((*ENTRANTS, *(PERSONAL[thing] for thing in things)), rows, separator)


def _cells(one: Entrant) -> tuple[object, ...]:
    return one.number, one.name, one.rating, one.team, one.since


def _plain(heading: str) -> str:
    letters = unicodedata.normalize("NFKD", heading.casefold())
    return re.sub(r"[^a-z0-9]", "", letters)


def columns_of(header: CsvRow) -> Mapping[str, int]:
    """Where each thing stands; a club is the team where no other column is.

    Raises CsvError when the name is missing or a thing has two columns.
    """
    if len(header.cells) > MOST_COLUMNS:
        raise CsvError(statement("tournament.table.wide", columns=len(header.cells), most=MOST_COLUMNS), header.line)
    columns: dict[str, int] = {}
    for place, heading in enumerate(header.cells):
        thing = SYNONYMS.get(_plain(heading))
        if thing is None:
            continue
        if thing in columns:
            earlier = header.cells[columns[thing]]
            raise CsvError(statement("tournament.table.twice", one=quote(earlier), other=quote(heading)), header.line)
        columns[thing] = place
    if "name" not in columns and "last" not in columns:
        told = quote(", ".join(filter(None, header.cells)), MOST_NAME)
        raise CsvError(statement("tournament.table.nameless", text=told), header.line)
    if "team" not in columns and "club" in columns:
        columns["team"] = columns.pop("club")
    return columns


def _rows_of_list(text: str) -> tuple[CsvRow, ...]:
    """The rows of a list of names without headings, below those that they could have; none, of a table."""
    plain = text.removeprefix("\ufeff")
    lines = [(number, line.strip()) for number, line in enumerate(plain.splitlines(), start=1) if line.strip()]
    if not lines or _MARKUP in plain or _is_heading(lines[0][1]) or any(_names_columns(line) for _, line in lines):
        return ()
    names = [CsvRow(number, _name_and_rating(_NUMBERED.sub("", line))) for number, line in lines]
    return (CsvRow(0, ("name", "rating")), *names)


def _is_heading(line: str) -> bool:
    """Whether the first line of a text has headings: it names a column, or has columns that are no name and rating."""
    cells = re.split(r"[,;\t]", line)
    return any(_plain(cell) in SYNONYMS for cell in cells) or bool(_SEPARATOR.search(_name_and_rating(line)[0]))


def _names_columns(line: str) -> bool:
    """Whether a line has several columns, of which one is headed as that of the names."""
    cells = _SEPARATOR.split(line)
    return len(cells) > 1 and any(SYNONYMS.get(_plain(cell)) in ("name", "last") for cell in cells)


def _name_and_rating(line: str) -> tuple[str, str]:
    """A name, and the rating that stands behind it; empty where there is none. No name ends within a bracket."""
    whole = _strip_quotes(line)
    found = _RATED.fullmatch(whole) if len(whole) <= _LONGEST else None
    if found is None or any(found["name"].count(opens) > found["name"].count(ends) for opens, ends in ("()", "[]")):
        return whole, ""
    return _strip_quotes(found["name"]), found["told"] or found["rating"] or found["round"] or found["square"] or ""


def _check_line(row: CsvRow) -> None:
    """Raise CsvError for a line of a list that has more than a name and a rating."""
    if _SEPARATOR.search(row.cells[0]):
        raise CsvError(statement("tournament.table.line"), row.line)


def _strip_quotes(text: str) -> str:
    quoted = _QUOTED.fullmatch(text)
    return quoted[1] if quoted else text


def _with_grades(columns: Mapping[str, int], rows: Sequence[CsvRow]) -> Mapping[str, int]:
    """The columns, and that of the grades of Go where one is called a rank and has nothing else."""
    for place, heading in enumerate(rows[0].cells):
        below = [row.cells[place] for row in rows[1:] if place < len(row.cells) and row.cells[place] not in _NOTHING]
        if _plain(heading) in _RANKS and below and all(map(is_grade, below)):
            return {**columns, "grade": place}
    return columns


def _grade_of(row: CsvRow, columns: Mapping[str, int]) -> int | None:
    """The grade that a row tells, as a rating or in a column of its own."""
    places = (columns[thing] for thing in ("rating", "grade") if thing in columns)
    cells = (row.cells[place] for place in places if place < len(row.cells))
    return next((parse_grade(cell) for cell in cells if is_grade(cell)), None)


def _entry(row: CsvRow, columns: Mapping[str, int], header: CsvRow) -> EntrantRegistered:
    told = {thing: row.cells[place] if place < len(row.cells) else "" for thing, place in columns.items()}
    if len(row.cells) > len(header.cells) and any(row.cells[len(header.cells) :]):
        raise CsvError(statement("tournament.table.cells"), row.line)
    name = " ".join((told.get("name") or _full_name(told)).split())
    if not is_name(name):
        heading = header.cells[columns["name" if "name" in columns else "last"]]
        long = statement("tournament.table.long_name", most=MOST_NAME)
        raise CsvError(long if len(name) > MOST_NAME else statement("tournament.table.no_name"), row.line, heading)

    def number(thing: str, most: int) -> int | None:
        text = told.get(thing, "").removesuffix(".0")
        if text in _NOTHING:
            return None
        found = parse_whole(text, most)
        if not found:
            wrong = statement("tournament.table.number", what=_NUMBERS[thing], text=quote(text), most=most)
            raise CsvError(wrong, row.line, header.cells[columns[thing]])
        return found

    rating, grade = told.get("rating", ""), _grade_of(row, columns)
    is_number = rating not in _NOTHING and not is_grade(rating)
    return EntrantRegistered(
        number("number", MOST_NUMBER) or 0,
        name,
        number("rating", MOST_RATING) if is_number or grade is None else rating_or_least(grade),
        " ".join(told.get("team", "").split()),
        number("since", MOST_ROUNDS) or 1,
    )


def _person(row: CsvRow, columns: Mapping[str, int], header: CsvRow) -> PersonalData:
    """What a row tells of somebody beside their entry. Raises CsvError."""
    known: dict[str, str] = {}
    for thing in (thing for thing in PERSONAL if thing in columns):
        place = columns[thing]
        told = row.cells[place] if place < len(row.cells) else ""
        try:
            known[thing] = "" if told in _NOTHING else READERS[thing](told)
        except TournamentError as error:
            raise CsvError(error.statement, row.line, header.cells[place]) from error
    grade = _grade_of(row, columns)
    if grade is not None and not known.get("title"):
        known["title"] = grade_text(grade)  # of Go: the rating is the middle of the grade
    return PersonalData(**known)


def _full_name(told: Mapping[str, str]) -> str:
    """First and last name from two columns, in the order in which lists are sorted."""
    return ", ".join(filter(None, (told.get("last", ""), told.get("first", ""))))


def _claim_number(owners: dict[int, Statement], entry: EntrantRegistered, row: CsvRow) -> None:
    """Note whose the number of an entry is. Raises CsvError for one that is taken."""
    if entry.number and entry.number in owners:
        raise CsvError(
            statement("tournament.table.taken", number=entry.number, name=entry.name, owner=owners[entry.number]),
            row.line,
        )
    if entry.number:
        owners[entry.number] = statement("tournament.table.in_row", name=entry.name, row=row.line)


def _assign_numbers(
    entries: Sequence[EntrantRegistered], owners: Mapping[int, Statement]
) -> tuple[EntrantRegistered, ...]:
    """The entries with numbers for those that have none."""
    free = (number for number in range(1, len(owners) + len(entries) + 1) if number not in owners)
    return tuple(
        entry if entry.number else EntrantRegistered(next(free), entry.name, entry.rating, entry.team, entry.since)
        for entry in entries
    )
