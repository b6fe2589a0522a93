"""Decide which of two teams goes on in a knockout when their match is level: by its boards, by a lot, by the director.

Berlin's count is the board count of English leagues told from the other end, and BBE their rule of elimination:
https://www.staffordshirechess.org.uk/boardcount.html and eliminationrule.html. German leagues have Berlin first, too.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.results import NOTHING, Points

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
