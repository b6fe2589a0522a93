"""Define how teams play each other: boards, match points, what ranks first, colours, Scheveningen."""

from dataclasses import dataclass
from typing import Final

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.results import HALF, ONE, Points
from gnomon.tournament.settings import Scoring
from gnomon.tournament.teams.cup import USUAL_BREAKS, check_cup_breaks

MOST_BOARDS: Final = 14  # as many players of a team as a report file has columns for
# C.04.6, 1.4: the bye of a team brings what a drawn match does.
MATCH_POINTS: Final = Scoring(Points(2), ONE, Points(0), ONE)


@dataclass(frozen=True, slots=True)
class TeamPlay:
    """What is announced beforehand where teams play teams, beside what every tournament settles.

    `scoring` is that of a match; the games at its boards have the tournament's own. `board_bye` is what the odd team
    out gets for each game at a board. `games_first` says that game points rank and pair, and match points come second.
    `alternate` lets the team that moves first at board 1 do so at every other board, else at all of them.
    `scheveningen` is a match of two teams in which everybody meets everybody of the other. `cup_breaks` decide in a
    knockout who goes on from a level match, before a lot does.
    """

    boards: int
    scoring: Scoring = MATCH_POINTS
    board_bye: Points = HALF
    games_first: bool = False
    alternate: bool = True
    scheveningen: bool = False
    cup_breaks: tuple[str, ...] = USUAL_BREAKS

    def __post_init__(self) -> None:
        """Raise TournamentError for a match that has no board, or more than a roster has places."""
        if not 1 <= self.boards <= MOST_BOARDS:
            raise TournamentError(statement("tournament.team.boards", number=self.boards, most=MOST_BOARDS))
        if self.board_bye < 0:
            raise TournamentError(statement("tournament.team.board_bye", points=str(self.board_bye)))
        check_cup_breaks(self.cup_breaks)

    def boards_of(self, match: int) -> range:
        """The numbers of a match's boards: those of match 1 come first, then those of match 2."""
        return range((match - 1) * self.boards + 1, match * self.boards + 1)

    def place_of(self, board: int) -> tuple[int, int]:
        """To which match a board belongs, and which board of it that is."""
        match, place = divmod(board - 1, self.boards)
        return match + 1, place + 1
