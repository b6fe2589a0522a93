"""Read lists of rated players and look entrants up in them: FIDE's columns, lines 001 of a report file, or a table.

A list is read line by line, so that one of two million players takes no more memory than one of ten.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import chain
from typing import Final, NamedTuple

from gnomon.numbers import parse_whole
from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import EntrantRegistered, PersonTold
from gnomon.tournament.formats.tables.entrants import MOST_RATING, read_row_by_row
from gnomon.tournament.state.particulars import NOBODY_KNOWN, PersonalData

_MOST_K: Final = 99
_REPORT: Final = "001"
_HEADER: Final = re.compile(r"ID ?number\s+Name", re.IGNORECASE)
_MONTH: Final = re.compile(r"[A-Za-z]{3}\d\d")


class ListKind(StrEnum):
    """Which of the ratings of a list that has several is meant."""

    STANDARD = "standard"
    RAPID = "rapid"
    BLITZ = "blitz"


class ListedPlayer(NamedTuple):
    """A line of a list; `k` is the development coefficient, 0 where the list has none."""

    name: str
    rating: int | None
    number: str = ""
    person: PersonalData = NOBODY_KNOWN
    k: int = 0


class LookUp(NamedTuple):
    """What a list makes of entrants: their entries and what is known of them, and who was not found, or found twice."""

    registrations: tuple[EntrantRegistered, ...]
    persons: tuple[PersonTold, ...]
    missing: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()


def read_rating_list(lines: Iterable[str], kind: ListKind = ListKind.STANDARD) -> Iterator[ListedPlayer]:
    """The players of a list, line by line. Raises TournamentError for a list of no form that is known."""
    rows = iter(lines)
    first = next((line for line in rows if line.strip()), "")
    if _HEADER.match(first.lstrip("\ufeff")):
        yield from _fixed_columns(first.lstrip("\ufeff"), rows, kind)
    elif re.match(r"\s*(?:[0-9]{3}|XX[A-Z]) ", first):
        yield from (_of_report(line) for line in chain((first,), rows) if line.startswith(_REPORT))
    else:
        yield from _of_table("\n".join(line.rstrip("\r\n") for line in chain((first,), rows)))


def look_up(
    players: Iterable[ListedPlayer],
    entries: Sequence[EntrantRegistered],
    persons: Sequence[PersonTold] = (),
) -> LookUp:
    """The entries with what a list knows of them: by their number in the list, and else by their name.

    What an entry says itself stays. A person who stands in the list twice is not guessed at.
    """
    known = {told.number: told.person for told in persons}
    by_number = {known[one.number].fide_number: one.number for one in entries if _number_of(known, one)}
    by_name: dict[str, list[int]] = {}
    for one in entries:
        if not _number_of(known, one):
            by_name.setdefault(fold_name(one.name), []).append(one.number)
    found: dict[int, list[ListedPlayer]] = {}
    for player in players:
        if player.number and player.number in by_number:
            found.setdefault(by_number[player.number], []).append(player)
        for number in by_name.get(fold_name(player.name), ()):
            found.setdefault(number, []).append(player)
    told, filled = [], []
    for one in entries:
        match = found.get(one.number, [])
        player = match[0] if len(match) == 1 else ListedPlayer(one.name, None)
        told.append(_with_rating(one, player))
        person = _fill(known.get(one.number, NOBODY_KNOWN), player)
        if person != NOBODY_KNOWN:
            filled.append(PersonTold(one.number, person))
    return LookUp(
        tuple(told),
        tuple(filled),
        tuple(one.name for one in entries if one.number not in found),
        tuple(one.name for one in entries if len(found.get(one.number, ())) > 1),
    )


def fold_name(name: str) -> str:
    """A name as it is compared: without accents, capitals and signs, whichever of its words comes first."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return " ".join(sorted(re.findall(r"\w+", "".join(one for one in plain if not unicodedata.combining(one)))))


def person_key(number: str, name: str) -> str:
    """By what a person is told from others: the number in a federation's list, else the name."""
    return f"#{number}" if number else fold_name(name)


def _number_of(known: Mapping[int, PersonalData], one: EntrantRegistered) -> str:
    return known.get(one.number, NOBODY_KNOWN).fide_number


def _with_rating(one: EntrantRegistered, player: ListedPlayer) -> EntrantRegistered:
    rating = player.rating if one.rating is None else one.rating
    return EntrantRegistered(one.number, one.name, rating, one.team, one.since)


def _fill(person: PersonalData, player: ListedPlayer) -> PersonalData:
    return PersonalData(
        sex=person.sex or player.person.sex,
        title=person.title or player.person.title,
        federation=person.federation or player.person.federation,
        fide_number=person.fide_number or player.number,
        born=person.born or player.person.born,
        club=person.club or player.person.club,
    )


def _fixed_columns(header: str, lines: Iterable[str], kind: ListKind) -> Iterator[ListedPlayer]:
    """A list in FIDE's columns, which begin where the words of its first line do."""
    words = {found[0].lower(): found.start() for found in re.finditer(r"ID ?number|\S+", header, re.IGNORECASE)}
    starts = sorted(words.values())
    usual = {ListKind.STANDARD: ("srtng", "sk"), ListKind.RAPID: ("rrtng", "rk"), ListKind.BLITZ: ("brtng", "bk")}
    rating, factor = usual[kind]
    if rating not in words:
        rating, factor = next((word for word in words if _MONTH.fullmatch(word)), rating), "k"
    if not {rating, "name", "fed"} <= words.keys():
        raise TournamentError(statement("tournament.list.columns", kind=kind.value))
    ends = dict(zip(starts, [*starts[1:], len(header) + 40], strict=True))

    def cell(line: str, word: str) -> str:
        start = words.get(word)
        return "" if start is None else line[start : ends[start]].strip()

    for line in lines:
        number, name = line[: words["name"]].strip(), cell(line, "name")
        if name:
            person = PersonalData(
                sex={"M": "m", "F": "w"}.get(cell(line, "sex"), ""),
                title=cell(line, "tit"),
                federation=cell(line, "fed"),
                born=year if re.fullmatch(r"[12][0-9]{3}", year := cell(line, "b-day")) else "",
            )
            yield ListedPlayer(
                name,
                parse_whole(cell(line, rating), MOST_RATING) or None,
                number,
                person,
                parse_whole(cell(line, factor), _MOST_K) or 0,
            )


def _of_report(line: str) -> ListedPlayer:
    """A line 001 of a report file, by its columns."""
    birth = line[69:79].strip()
    person = PersonalData(
        sex=line[9:10].strip(),
        title=line[10:13].strip(),
        federation=line[53:56].strip(),
        born="" if birth.startswith("0000") else birth,
    )
    number = line[57:68].strip().strip("0") and line[57:68].strip()
    return ListedPlayer(
        " ".join(line[14:47].split()), parse_whole(line[48:52].strip(), MOST_RATING) or None, number, person
    )


def _of_table(text: str) -> Iterator[ListedPlayer]:
    found = read_row_by_row(text, headed=True)
    known = {told.number: told.person for told in found.persons}
    for one in found.registrations:
        person = known.get(one.number, NOBODY_KNOWN)
        yield ListedPlayer(one.name, one.rating, person.fide_number, person)
