"""Define and parse the federation data of an event and its people: dates, places, titles, FIDE numbers.

No pairing depends on these data. Texts are kept as a report file writes them: days as `2026/11/20`, days of rounds
as `26/11/20`, sex as `m` or `w`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError, quote
from gnomon.tournament.state.results import NOTHING, Points
from gnomon.tournament.state.settings import TournamentSettings

MOST_LETTERS: Final = 200
_DAY: Final = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})|(\d{1,2})\.(\d{1,2})\.(\d{4})")
_SEXES: Final[Mapping[str, str]] = {
    word: letter
    for letter, words in {
        "m": "m male man männlich mann h homme masculin",
        "w": "w f female woman weiblich frau femme féminin",
    }.items()
    for word in words.split()
}


class Virtual(NamedTuple):
    """A line 250: points that players or teams between two numbers are thought to have in some rounds of a Swiss.

    `match_points` are those of teams, who may be lent points of games as well.
    """

    points: Points
    first: int
    last: int
    one: int
    other: int
    match_points: Points = NOTHING


@dataclass(frozen=True, slots=True)
class Heading:
    """Where and when an event is, who is in charge, and what else a federation wants to know of it.

    `kind` is told only where the words for the tournament's system do not do; `time` and `encoded_time` are the time
    allotted, in words and in a federation's code; `dates` are the days of the rounds, `virtual` points that another
    program has lent for pairing, which Gnomon hands on.
    """

    city: str = ""
    federation: str = ""
    starts: str = ""
    ends: str = ""
    kind: str = ""
    arbiter: str = ""
    deputies: tuple[str, ...] = ()
    time: str = ""
    dates: tuple[str, ...] = ()
    encoded_time: str = ""
    paired_by: str = ""
    virtual: tuple[Virtual, ...] = ()


@dataclass(frozen=True, slots=True)
class PersonalData:
    """What is known of an entrant beside name, rating and team; `sex` and `born` are nobody's business but theirs."""

    sex: str = ""
    title: str = ""
    federation: str = ""
    fide_number: str = ""
    born: str = ""
    club: str = ""


NOTHING_TOLD: Final = Heading()
NOBODY_KNOWN: Final = PersonalData()
PRIVATE: Final = ("sex", "born")
"""What of a person no page or sheet shows to the public."""


def in_public(person: PersonalData) -> PersonalData:
    """The person without what is private."""
    return PersonalData(
        title=person.title, federation=person.federation, fide_number=person.fide_number, club=person.club
    )


def sex_of(text: str) -> str:
    """`m` or `w` for a word of three languages, nothing for nothing. Raises TournamentError for another."""
    word = text.strip().casefold()
    if word and word not in _SEXES:
        raise TournamentError(statement("tournament.person.sex", text=quote(text.strip())))
    return _SEXES.get(word, "")


def federation_of(text: str) -> str:
    """A federation's code in capitals. Raises TournamentError for anything but three letters, or nothing."""
    code = text.strip().upper()
    if code and not re.fullmatch(r"[A-Z]{3}", code):
        raise TournamentError(statement("tournament.person.federation", text=quote(text.strip())))
    return code


def title_of(text: str) -> str:
    """A title as it is worn. Raises TournamentError for what is longer than three letters, or two words."""
    title = text.strip()
    if not re.fullmatch(r"[\w.]{0,3}", title):
        raise TournamentError(statement("tournament.person.title", text=quote(title)))
    return title


def fide_number_of(text: str) -> str:
    """A number in a federation's list of players. Raises TournamentError for anything but digits, or nothing."""
    number = text.strip().removesuffix(".0")
    if number.strip("0") and not re.fullmatch(r"[0-9]{1,11}", number):
        raise TournamentError(statement("tournament.person.list_number", text=quote(number)))
    return number if number.strip("0") else ""


def birth_of(text: str) -> str:
    """A year, or a day as `day_of` writes it. Raises TournamentError for anything else but nothing."""
    born = text.strip().removesuffix(".0")
    year = re.fullmatch(r"((?:1[89]|20)[0-9]{2})(?:[-/.]00[-/.]00)?", born)  # lists write zeros for a day not known
    return year[1] if year else day_of(born)


def day_of(text: str) -> str:
    """A day as `2026/11/20`, from that or 2026-11-20 or 20.11.2026. Raises TournamentError for anything else."""
    told = text.strip()
    found = _day(told)
    if told and found is None:
        raise TournamentError(statement("tournament.heading.day", text=quote(told)))
    return "" if found is None else f"{found:%Y/%m/%d}"


def round_day_of(text: str) -> str:
    """The day of a round as `26/11/20`, from what `day_of` reads. Raises TournamentError as it does."""
    return day_of(text)[2:]


def line_of(text: str) -> str:
    """Free text in one line. Raises TournamentError for more than a line of a file may hold."""
    line = " ".join(text.split())
    if len(line) > MOST_LETTERS:
        raise TournamentError(statement("tournament.heading.long", text=line[:20], most=MOST_LETTERS))
    return line


READERS: Final[Mapping[str, Callable[[str], str]]] = {
    "sex": sex_of,
    "title": title_of,
    "federation": federation_of,
    "fide_number": fide_number_of,
    "born": birth_of,
    "club": line_of,
}
"""How each thing that is told of a person is read when somebody writes it."""

HEADING_READERS: Final[Mapping[str, Callable[[str], str]]] = {
    "city": line_of,
    "federation": federation_of,
    "starts": day_of,
    "ends": day_of,
    "arbiter": line_of,
    "time": line_of,
    "encoded_time": line_of,
    "kind": line_of,
}
"""How each thing that is told of an event once is read when somebody writes it."""


def check_heading(heading: Heading, settings: TournamentSettings) -> Heading:
    """The heading. Raises TournamentError for an end before the start, and for more days than there are games."""
    starts, ends = heading.starts, heading.ends
    if starts and ends and ends < starts:
        raise TournamentError(statement("tournament.heading.days", ends=shown_day(ends), starts=shown_day(starts)))
    if len(heading.dates) > settings.rounds * settings.games:
        raise TournamentError(statement("tournament.heading.dates", days=len(heading.dates), rounds=settings.rounds))
    return heading


def shown_day(text: str) -> str:
    """A day for people: `2026-11-20` where it is one, and as it stands where not."""
    found = _day(f"20{text}" if re.fullmatch(r"\d\d/\d\d/\d\d", text) else text)
    return text if found is None else found.isoformat()


def _day(text: str) -> date | None:
    found = _DAY.fullmatch(text)
    if found is None:
        return None
    year, _, month, day, day_first, month_second, year_last = found.groups()
    try:
        return date(int(year or year_last), int(month or month_second), int(day or day_first))
    except ValueError:
        return None
