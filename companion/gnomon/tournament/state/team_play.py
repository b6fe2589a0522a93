"""Define how teams play each other, and decide who goes on from a level match of a knockout.

By its boards, by a lot, or by the director. Berlin's count is the board count of English leagues told from the other
end, and BBE their rule of elimination: https://www.staffordshirechess.org.uk/boardcount.html and eliminationrule.html.
German leagues have Berlin first, too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.state.results import HALF, NOTHING, ONE, Points
from gnomon.tournament.state.settings import Scoring

MOST_BOARDS: Final = 14  # as many players of a team as a report file has columns for
# C.04.6, 1.4: the bye of a team brings what a drawn match does.
MATCH_POINTS: Final = Scoring(Points(2), ONE, Points(0), ONE)
LOT: Final = "lot"
ORDER: Final = "order"

_Boards = Sequence[Points]
"""What a team made at each board of a match, the first board first."""


class CupVerdict(NamedTuple):
    """Whether the first of two teams goes on, None while nothing decides that, and by which rule."""

    first_goes_on: bool | None
    rule: str = ""


def _berlin(boards: _Boards) -> tuple[Points, ...]:
    """Points at board 1 times the number of boards, at the next times one less, and at the last once."""
    return (sum((weight * made for weight, made in enumerate(reversed(boards), start=1)), NOTHING),)


def _without_bottom(boards: _Boards) -> tuple[Points, ...]:
    """The points without the last board, then without the last two, and so on."""
    return tuple(accumulate(boards))[-2::-1]


CUP_BREAKS: Final[Mapping[str, Callable[[_Boards], tuple[Points, ...]]]] = {
    "BERLIN": _berlin,
    "TBR": tuple,
    "BBE": _without_bottom,
}
"""What decides a level match by its boards, by the names of the tie-breaks of teams that compare the same."""
USUAL_BREAKS: Final = ("BERLIN", "BBE")


def check_cup_breaks(names: Sequence[str]) -> None:
    """Raise TournamentError for a name that decides no match."""
    unknown = next((name for name in names if name not in CUP_BREAKS), None)
    if unknown is not None:
        raise TournamentError(statement("tournament.team.cup_break", name=unknown, known=[*CUP_BREAKS]))


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


def decide_match(
    names: Sequence[str],
    boards: tuple[_Boards, _Boards],
    teams: tuple[int, int],
    lots: Sequence[Sequence[int]],
    orders: Sequence[Sequence[int]],
) -> CupVerdict:
    """Who of two teams goes on whose match is level; what was drawn or decided last counts."""
    one, other = boards
    for name in names:
        mine, theirs = CUP_BREAKS[name](one), CUP_BREAKS[name](other)
        if mine != theirs:
            return CupVerdict(mine > theirs, name)
    first, second = teams
    for rule, told in ((ORDER, orders), (LOT, lots)):
        for order in reversed(told):
            if first in order and second in order:
                return CupVerdict(order.index(first) < order.index(second), rule)
    return CupVerdict(None)
