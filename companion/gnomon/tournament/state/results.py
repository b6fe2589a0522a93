"""Define the results of games and matches, and parse and format their notation."""

from enum import Enum
from fractions import Fraction
from typing import Final

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError, quote

Points = Fraction
NOTHING: Final = Points(0)
HALF: Final = Points(1, 2)
ONE: Final = Points(1)


class GameResult(Enum):
    """How one game ended, told for the two in the order in which they are paired; the value is how it is written."""

    FIRST_WON = "1-0"
    SECOND_WON = "0-1"
    DRAWN = "½-½"
    BOTH_WON = "1-1"
    BOTH_LOST = "0-0"
    FIRST_BY_FORFEIT = "+/-"
    SECOND_BY_FORFEIT = "-/+"
    DOUBLE_FORFEIT = "-/-"

    @property
    def played(self) -> bool:
        """Whether the two sat down: a game that was forfeited was not played, so they may meet again."""
        return self not in _FORFEITS

    @property
    def from_other_side(self) -> "GameResult":
        """The same result seen from the other chair."""
        return _SWAPPED.get(self, self)


Result = tuple[GameResult, ...]  # one for each game of the round; they change sides, but not places on the slip

_FORFEITS: Final = frozenset(
    {GameResult.FIRST_BY_FORFEIT, GameResult.SECOND_BY_FORFEIT, GameResult.DOUBLE_FORFEIT},
)
_PAIRS: Final = (
    (GameResult.FIRST_WON, GameResult.SECOND_WON),
    (GameResult.FIRST_BY_FORFEIT, GameResult.SECOND_BY_FORFEIT),
)
_SWAPPED: Final = {mine: theirs for pair in _PAIRS for mine, theirs in (pair, pair[::-1])}
_ALSO: Final = {"1/2-1/2": GameResult.DRAWN, "=": GameResult.DRAWN, "0.5-0.5": GameResult.DRAWN}
_WRITTEN: Final = {result.value: result for result in GameResult} | _ALSO


def parse_result(text: str) -> Result:
    """The results of the games of a round, written one after another: `1-0 ½-½`.

    Raises TournamentError when one of them is no result.
    """
    words = text.split()
    unknown = next((word for word in words if word not in _WRITTEN), None)
    if unknown is not None or not words:
        known = [result.value for result in GameResult]
        said = quote(unknown) if unknown else statement("tournament.word.nothing")
        raise TournamentError(statement("tournament.result.not", text=said, known=known))
    return tuple(_WRITTEN[word] for word in words)


def format_result(result: Result) -> str:
    """The result as `parse_result` reads it."""
    return " ".join(game.value for game in result)


def from_chair(result: Result, *, first: bool) -> Result:
    """The games as one of the two sees them, the first of the pairing or the other: `FIRST_WON` is a win of theirs."""
    return tuple(game if first else game.from_other_side for game in result)
