"""Split a line of a report file into its fixed columns and report errors with line and column."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gnomon.numbers import parse_whole
from gnomon.refusals import Statement, statement
from gnomon.tournament.errors import quote
from gnomon.tournament.formats.trf.sheet import MOST_NUMBER, TrfError
from gnomon.tournament.state.results import Points

_ENDS: Final = re.compile(r"\r\n|\r|\n")
_POINTS: Final = re.compile(r"-?\d{1,4}(?:[.,]\d)?")
_MOST_ROUND: Final = 99
PLAYER_NUMBER: Final = statement("tournament.word.player_number")
MOST_LINES: Final = 2 * MOST_NUMBER  # as many players as there are numbers, and as much about them


@dataclass(frozen=True, slots=True)
class TrfLine:
    """One line, whose columns count from 1 as in the format's description."""

    number: int
    text: str

    @property
    def tag(self) -> str:
        """The first three columns: what kind of line it is."""
        return self.text[:3]

    @property
    def rest(self) -> str:
        """What follows the tag and a blank, without blanks at the ends."""
        return self.text[4:].strip()

    def at(self, first: int, last: int) -> str:
        """The text of some columns, without blanks at its ends."""
        return self.text[first - 1 : last].strip()

    def refusal(self, what: Statement, column: int | None = None) -> TrfError:
        """An error about this line."""
        return TrfError(what, self.number, column)

    def whole(self, first: int, last: int, what: Statement, most: int) -> int | None:
        """A number from 1 up in some columns, None when they are blank or 0. Raises TrfError for anything else."""
        told = self.at(first, last)
        if not told or not told.strip("0"):
            return None
        return self.positive_number(told, first, what, most)

    def positive_number(self, told: str, column: int, what: Statement, most: int) -> int:
        """A number from 1 up that was read at a column. Raises TrfError when it is none."""
        number = parse_whole(told, most)
        if not number:
            text = quote(told) or statement("tournament.word.nothing")
            raise self.refusal(statement("tournament.trf.number", text=text, what=what, most=most), column)
        return number

    def points(self, first: int, last: int) -> Points:
        """Points in some columns, written like 11.5. Raises TrfError for anything else."""
        told = self.at(first, last)
        if not _POINTS.fullmatch(told):
            text = quote(told) or statement("tournament.word.nothing")
            raise self.refusal(statement("tournament.trf.points", text=text), first)
        return Points(told.replace(",", "."))

    def round(self, first: int, last: int) -> int | None:
        """The number of a round in some columns, None when they are blank or 0. Raises TrfError for anything else."""
        return self.whole(first, last, statement("tournament.word.round"), _MOST_ROUND)

    def numbers(self, start: int, width: int = 5) -> tuple[int, ...]:
        """The players' numbers in columns of four from one on, until the line ends. Raises TrfError for any other."""
        columns = range(start, len(self.text) + 1, width)
        return tuple(
            number
            for column in columns
            if (number := self.whole(column, column + 3, PLAYER_NUMBER, MOST_NUMBER)) is not None
        )

    def words(self) -> Iterator[tuple[int, str]]:
        """The words after the tag, each with the column at which it begins."""
        return (
            (found.start() + 1, found.group())
            for found in re.finditer(r"\S+", self.text)
            if found.start() >= len("001")
        )


def lines(text: str) -> tuple[TrfLine, ...]:
    """The lines of a file that say anything; they end with CR, as the format asks, with LF, or with both.

    Raises TrfError for a file of more lines than any tournament has, before one of them is read.
    """
    told = _ENDS.split(text.removeprefix("\ufeff"))
    if len(told) > MOST_LINES:
        raise TrfError(statement("tournament.trf.long", count=len(told), most=MOST_LINES))
    return tuple(TrfLine(number, line.rstrip()) for number, line in enumerate(told, start=1) if line.strip())
