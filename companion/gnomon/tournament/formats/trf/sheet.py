"""Define the values of a report file: player lines, byes, teams, bonus points, remarks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple

from gnomon.refusals import Statement, statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.state.particulars import NOBODY_KNOWN, NOTHING_TOLD, Heading, PersonalData
from gnomon.tournament.state.results import Points

ROUND_START: Final = 92  # the column where the first round begins, of all lines that have rounds in columns
ROUND_WIDTH: Final = 10
MOST_NUMBER: Final = 9999  # four columns
NAME_WIDTH: Final = 33
TEAM_WIDTH: Final = 32


class TrfEdition(StrEnum):
    """Which of FIDE's formats is written; both are read, mixed as they may be."""

    TRF16 = "TRF16"
    TRF26 = "TRF26"


class TrfError(TournamentError):
    """A file that cannot be taken, or a tournament that cannot be written; names line and column where there are."""

    def __init__(self, what: Statement, line: int | None = None, column: int | None = None) -> None:
        super().__init__(what if line is None else _at_place(what, line, column))


class Remark(NamedTuple):
    """Something that a file tells and a tournament does not keep, or the other way round."""

    what: Statement
    line: int | None = None

    @property
    def statement(self) -> Statement:
        """What it is, and where in the file."""
        return self.what if self.line is None else _at_place(self.what, self.line)

    def __str__(self) -> str:
        return self.statement.message


def _at_place(what: Statement, line: int, column: int | None = None) -> Statement:
    if column is None:
        return statement("tournament.trf.line", line=line, cause=what)
    return statement("tournament.trf.column", line=line, column=column, cause=what)


class Cell(NamedTuple):
    """One round of one player: the opponent or None, the side `w`, `b` or `-`, and the letter of the result."""

    opponent: int | None = None
    side: str = " "
    result: str = " "

    @property
    def empty(self) -> bool:
        """Whether nothing is told: an entrant without an entry is not there."""
        return self.opponent is None and self.result == " "


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A line 001, and where it stands."""

    number: int
    name: str
    rating: int | None = None
    person: PersonalData = NOBODY_KNOWN
    points: Points | None = None
    rank: int | None = None
    cells: tuple[Cell, ...] = ()
    line: int | None = None

    def cell(self, column: int) -> Cell:
        """What is told of a round, counted from 0; nothing where the line ends before it."""
        return self.cells[column] if column < len(self.cells) else Cell()

    def refusal(self, what: Statement, column: int) -> TrfError:
        """An error about what a round tells, counted from 0."""
        return TrfError(what, self.line, ROUND_START + ROUND_WIDTH * column)


class ByeLine(NamedTuple):
    """A line 240: who has a bye of a kind, F, H or Z, in a round."""

    bye: str
    round: int
    numbers: tuple[int, ...]
    line: int | None = None


class ApartLine(NamedTuple):
    """A line 260 or XXP: who must not meet each other, in some rounds; without a first, in those still to be paired."""

    first: int | None
    last: int | None
    numbers: tuple[int, ...]
    line: int | None = None


class Bonus(NamedTuple):
    """A line 299 without a letter: points for players that no game brought, None for all rounds together."""

    points: Points
    round: int | None
    numbers: tuple[int, ...]
    line: int | None = None


class TeamLine(NamedTuple):
    """A line 013 or 310: a team and its members; a line 310 has its number, and its points and place."""

    name: str
    numbers: tuple[int, ...]
    line: int | None = None
    number: int | None = None
    strength: int | None = None
    match_points: Points | None = None
    game_points: Points | None = None
    rank: int | None = None


class OrderLine(NamedTuple):
    """A line 300: who played for a team in a round, board by board, 0 for a board that stayed empty."""

    round: int
    team: int
    opponent: int
    players: tuple[int, ...]
    line: int | None = None


class TeamByeLine(NamedTuple):
    """A line 320: what the bye of a team brings, and which team had it in each round, 0 for none."""

    match_points: Points
    game_points: Points
    teams: tuple[int, ...]
    line: int | None = None


class ForfeitLine(NamedTuple):
    """A line 330: a match that was not played, by the teams that were to move first and second at its first board."""

    result: str
    round: int
    first: int
    second: int
    line: int | None = None


@dataclass(frozen=True, slots=True)
class TrfSheet:
    """A whole file: `points` what each letter of the point system is worth, where it says so."""

    name: str = ""
    heading: Heading = NOTHING_TOLD
    rounds: int | None = None
    first_side: str = ""
    points: Mapping[str, Points] = field(default_factory=dict)
    system: str = ""
    tie_breaks: tuple[str, ...] | None = None
    players: tuple[PlayerLine, ...] = ()
    byes: tuple[ByeLine, ...] = ()
    apart: tuple[ApartLine, ...] = ()
    bonuses: tuple[Bonus, ...] = ()
    teams: tuple[TeamLine, ...] = ()
    orders: tuple[OrderLine, ...] = ()
    team_bye: TeamByeLine | None = None
    forfeits: tuple[ForfeitLine, ...] = ()
    sides: str = ""
    match_points: Mapping[str, Points] = field(default_factory=dict)

    @property
    def of_teams(self) -> bool:
        """Whether teams play teams: by what only such competitions have, or by what the file says it is."""
        words = self.heading.kind.lower()
        says_so = bool(self.teams) and "team" in words and "individual" not in words
        has_lines = bool(self.orders or self.team_bye or self.forfeits or self.sides or self.match_points)
        return has_lines or says_so or "_TEAM" in self.system or "SCHEVENINGEN" in self.system

    @property
    def columns(self) -> int:
        """How many rounds any player tells something of."""
        return max((len(player.cells) for player in self.players), default=0)
