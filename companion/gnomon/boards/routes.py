"""Define the race boards of the game of twenty squares: squares, rosettes and the players' routes.

A board is a middle row with blocks of side rows above and below it: files a, b, … run along the middle row, row 2;
rows 1 and 3 are the side rows. Steps of a route are counted from 1.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Final, Self

_MIDDLE: Final = 2
_SIDES: Final = (1, 3)

Route = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RouteBoard:
    """A board and the routes on it; `routes` and `teams` go by the players' order.

    Players in one team run the same way. `marked` squares carry a sign that no known rule speaks of.
    """

    squares: tuple[str, ...]  # the lowest row first, each from file a
    rosettes: frozenset[str]
    routes: tuple[Route, ...]
    teams: tuple[int, ...]
    marked: frozenset[str] = frozenset()

    @classmethod
    def of_routes(cls, routes: Iterable[Route], teams: Iterable[int], rosettes: str, marked: str = "") -> Self:
        """The board of all squares that the routes touch; rosettes and marked squares between blanks."""
        walked = tuple(routes)
        squares = sorted({square for route in walked for square in route}, key=lambda square: (square[1], square[0]))
        return cls(tuple(squares), frozenset(rosettes.split()), walked, tuple(teams), frozenset(marked.split()))

    @property
    def last(self) -> int:
        """The last step: every player walks as far as the others."""
        return len(self.routes[0])

    def square(self, player: int, step: int) -> str:
        """The square of a step from 1 to `last`."""
        return self.routes[player][step - 1]

    def step(self, player: int, square: str) -> int | None:
        """The step at which a player's route comes to a square, or None if it never does."""
        route = self.routes[player]
        return route.index(square) + 1 if square in route else None

    def place(self, square: str) -> tuple[int, int]:
        """Where a square lies, for drawing: its file from 0, and its row from 1."""
        return ascii_lowercase.index(square[0]), int(square[1])


def twenty_squares() -> RouteBoard:
    """A block of 3 x 4 and a tail of eight: 16 steps."""
    return RouteBoard.of_routes([_walk("d-a", "a-l", side) for side in _SIDES], (0, 1), "a1 a3 d2 h2 l2")


def jiroft() -> RouteBoard:
    """The short board: side rows of four, a middle row of eight, 12 steps."""
    return RouteBoard.of_routes([_walk("d-a", "a-h", side) for side in _SIDES], (0, 1), "a1 a3 d2 h2")


def asha() -> RouteBoard:
    """A block of 3 x 5 and a tail of five, its last square marked: 15 steps, no rosettes known."""
    return RouteBoard.of_routes([_walk("e-a", "a-j", side) for side in _SIDES], (0, 1), "", marked="j2")


_DOUBLE_ROSETTES: Final = "a1 a3 o1 o3 d2 h2 l2"


def double_for_two(*, short: bool) -> RouteBoard:
    """Two blocks on a middle row of fifteen: 23 steps through a side row of the far block, or 19 without it."""
    far = "" if short else "o-l"
    board = RouteBoard.of_routes([_walk("d-a", "a-o", side, far) for side in _SIDES], (0, 1), _DOUBLE_ROSETTES)
    return RouteBoard(double_for_four().squares, board.rosettes, board.routes, board.teams)


def double_for_four() -> RouteBoard:
    """Two blocks on a middle row of fifteen, walked from both ends by two teams of two: 19 steps.

    The teams take turns: the first and third player run from file a to file o, the second and fourth against them.
    """
    near, far = ([_walk(side_row, middle, side) for side in _SIDES] for side_row, middle in _ENDS.items())
    return RouteBoard.of_routes([near[0], far[0], near[1], far[1]], (0, 1, 0, 1), _DOUBLE_ROSETTES)


_ENDS: Final[Mapping[str, str]] = {"d-a": "a-o", "l-o": "o-a"}


def _walk(side_row: str, middle: str, side: int, far: str = "") -> Route:
    """A route along files given as `from-to`: a side row, the middle row, and perhaps a far part of the side row."""
    return (*_files(side_row, side), *_files(middle, _MIDDLE), *(_files(far, side) if far else ()))


def _files(files: str, row: int) -> Iterable[str]:
    first, last = (ascii_lowercase.index(letter) for letter in files.split("-"))
    step = 1 if last > first else -1
    return (f"{ascii_lowercase[file]}{row}" for file in range(first, last + step, step))
