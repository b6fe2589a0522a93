"""Parse, print and convert the grades of Go: kyu, dan and professional dan.

A grade is a whole number: 1 dan is 0, 1 kyu is -1, and the first professional dan follows the ninth dan. Ratings are
those of the European Go Federation, in which 1 dan is 2100 and a grade is worth 100.
"""

import re
from typing import Final

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError, quote
from gnomon.tournament.state import Tournament

WEAKEST: Final = -30
STRONGEST: Final = 8  # ninth dan; professionals begin after it
_PROFESSIONAL: Final = 9
_MOST_DAN: Final = 9
_FIRST_DAN: Final = 2100
_STEP: Final = 100
_GRADE: Final = re.compile(r"(?P<number>[1-9][0-9]?)\s*(?:(?P<kyu>k|kyu)|(?P<dan>d|dan)|(?P<pro>p|pro))\.?")


def parse_grade(text: str) -> int:
    """The grade of a text such as `12k`, `3 dan` or `1P`. Raises TournamentError for what is none."""
    found = _GRADE.fullmatch(text.strip().casefold())
    number = int(found["number"]) if found else 0
    if found and found["kyu"] and number <= -WEAKEST:
        return -number
    if found and not found["kyu"] and number <= _MOST_DAN:
        return number - 1 + (_PROFESSIONAL if found["pro"] else 0)
    raise TournamentError(statement("tournament.go.grade", text=quote(text.strip())))


def is_grade(text: str) -> bool:
    """Whether a text is a grade."""
    try:
        parse_grade(text)
    except TournamentError:
        return False
    return True


def grade_text(grade: int) -> str:
    """A grade as `parse_grade` reads it, in three letters at most."""
    if grade < 0:
        return f"{-grade}k"
    return f"{grade - STRONGEST}p" if grade > STRONGEST else f"{grade + 1}d"


def rating_of_grade(grade: int) -> int:
    """The rating in the middle of a grade; a professional has that of the strongest amateurs."""
    return _FIRST_DAN + _STEP * min(grade, STRONGEST)


def rating_or_least(grade: int) -> int:
    """The rating of a grade as an entrant has it: nobody has less than 1."""
    return max(1, rating_of_grade(grade))


def grade_of_rating(rating: int) -> int:
    """The grade in whose range a rating lies, from 30 kyu to ninth dan."""
    return max(WEAKEST, min(STRONGEST, (rating - _FIRST_DAN + _STEP // 2) // _STEP))


def grade_of(tournament: Tournament, number: int) -> int | None:
    """The grade of an entrant: the one that they bear as a title, else that of their rating."""
    title, rating = tournament.person(number).title, tournament.entrants[number].rating
    if is_grade(title):
        return parse_grade(title)
    return None if rating is None else grade_of_rating(rating)
